//! Proofs of hashes of a layer, and their messages.

use merkle_lanes::Tree;
use merkle_lanes::bep52::{
    BLOCK_BYTES, Bep52, HashRequest, Hashes, LayerProofError, PayloadError, answer,
};

use super::height;
use crate::oracle::{Hash, sha256};

#[test]
fn every_proof_of_every_layer_leads_to_the_root() {
    let hasher = Bep52::new();
    for blocks in 2..=70_usize {
        let leaves: Vec<Hash> = (0..blocks).map(|i| sha256(&[&[i as u8]])).collect();
        let (bytes, depth) = (blocks as u64 * BLOCK_BYTES as u64, height(blocks));
        let tree = Tree::from_leaves(hasher, &leaves[..]);
        // All nodes, as if the missing blocks had leaves.
        let mut layers = vec![leaves.clone()];
        layers[0].resize(1 << depth, [0; 32]);
        for layer in 0..depth as usize {
            let parents =
                layers[layer].chunks(2).map(|pair| sha256(&[&pair[0], &pair[1]])).collect();
            layers.push(parents);
        }
        let node = |layer: u32, index: usize| layers[layer as usize][index];
        for base_layer in 0..depth {
            for own in 1..=depth - base_layer {
                for index in (0..1_u32 << (depth - base_layer)).step_by(1 << own) {
                    for proof_layers in 0..depth - base_layer {
                        let request = HashRequest {
                            pieces_root: tree.root(),
                            base_layer,
                            index,
                            length: 1 << own,
                            proof_layers,
                        };
                        let hashes = answer(&tree, &request).unwrap();
                        // One uncle for each proof layer whose uncle cannot be computed.
                        let expected: Vec<Hash> = (0..1 << own)
                            .map(|i| node(base_layer, index as usize + i))
                            .chain((own - 1..proof_layers).map(|i| {
                                let layer = base_layer + i + 1;
                                node(layer, (index as usize >> (i + 1)) ^ 1)
                            }))
                            .collect();
                        assert_eq!([hashes.base(), hashes.uncles()].concat(), expected);

                        let payload = hashes.to_bytes();
                        assert_eq!(payload[..48], request.to_bytes());
                        assert_eq!(payload[48..], *expected.concat());
                        assert_eq!(Hashes::try_from(payload.as_slice()).as_ref(), Ok(&hashes));
                        assert_eq!(HashRequest::try_from(&payload[..48]), Ok(request));
                        let ancestor = hashes.ancestor(&hasher);
                        assert_eq!(ancestor.hash, node(ancestor.layer, ancestor.index as usize));
                        let verified = hashes.verify(&hasher, &request, bytes);
                        let is_whole = proof_layers
                            == HashRequest::all_proof_layers(base_layer, bytes)
                            || base_layer + own == depth;
                        if is_whole {
                            assert_eq!(verified, Ok(()));
                        } else {
                            let layer = ancestor.layer;
                            assert_eq!(
                                verified,
                                Err(LayerProofError::BelowRoot { layer, root: depth })
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn hostile_payloads_are_refused() {
    let hasher = Bep52::new();
    let leaves: Vec<Hash> = (0..20_u8).map(|i| sha256(&[&[i]])).collect();
    let (bytes, tree) = (20 * BLOCK_BYTES as u64 - 1, Tree::from_leaves(hasher, leaves));
    let good = HashRequest {
        pieces_root: tree.root(),
        base_layer: 0,
        index: 8,
        length: 4,
        proof_layers: 4,
    };
    let payload = answer(&tree, &good).unwrap().to_bytes();
    assert_eq!(good.check_file(bytes), Ok(()));
    assert_eq!(Hashes::try_from(payload.as_slice()).unwrap().verify(&hasher, &good, bytes), Ok(()));

    let above = |layer| LayerProofError::AboveRoot { layer, root: 5 };
    for (request, error) in [
        (HashRequest { length: 0, ..good }, LayerProofError::Length(0)),
        (HashRequest { length: 1, ..good }, LayerProofError::Length(1)),
        (HashRequest { length: 3, ..good }, LayerProofError::Length(3)),
        (HashRequest { length: 1024, index: 0, ..good }, LayerProofError::Length(1024)),
        (HashRequest { index: 9, ..good }, LayerProofError::Index { index: 9, length: 4 }),
        (HashRequest { proof_layers: 5, ..good }, above(6)),
        (HashRequest { base_layer: 1, ..good }, above(6)),
        (HashRequest { base_layer: 4, proof_layers: 0, ..good }, above(6)),
        (
            HashRequest { index: 32, ..good },
            LayerProofError::BeyondLayer { index: 32, last: 35, hashes: 32 },
        ),
        // A layer has half as many hashes as the one below.
        (
            HashRequest { base_layer: 1, index: 16, proof_layers: 3, ..good },
            LayerProofError::BeyondLayer { index: 16, last: 19, hashes: 16 },
        ),
        (
            HashRequest { index: u32::MAX - 3, ..good },
            LayerProofError::BeyondLayer { index: u32::MAX - 3, last: u32::MAX.into(), hashes: 32 },
        ),
    ] {
        assert_eq!(request.check_file(bytes), Err(error));
        assert_eq!(answer(&tree, &request).unwrap_err(), error);
    }
    let endless = HashRequest { proof_layers: u32::MAX, base_layer: u32::MAX, ..good };
    assert!(matches!(
        endless.check(),
        Err(LayerProofError::AboveRoot { layer: 0x1_ffff_ffff, root: 50 })
    ));
    assert!(matches!(
        HashRequest::try_from(&endless.to_bytes()[..]),
        Err(PayloadError::Request(_))
    ));
    let other = HashRequest { pieces_root: [1; 32], ..good };
    assert_eq!(answer(&tree, &other), Err(LayerProofError::OtherFile));

    for cut in 0..payload.len() {
        let expected = if cut < 48 { 48 } else { payload.len() as u64 };
        let error = PayloadError::WrongLength { expected, got: cut };
        assert_eq!(Hashes::try_from(&payload[..cut]), Err(error));
    }
    let longer = [&payload[..], &[0; 32]].concat();
    assert!(matches!(Hashes::try_from(&longer[..]), Err(PayloadError::WrongLength { .. })));
    for bit in 0..8 * payload.len() {
        let mut payload = payload.clone();
        payload[bit / 8] ^= 1 << (bit % 8);
        let refused = match Hashes::try_from(payload.as_slice()) {
            Ok(hashes) => hashes.verify(&hasher, &good, bytes).is_err(),
            Err(_) => true,
        };
        assert!(refused, "bit {bit}");
        if let (Ok(hashes), true) = (Hashes::try_from(payload.as_slice()), bit >= 8 * 48) {
            assert_eq!(hashes.verify(&hasher, &good, bytes), Err(LayerProofError::WrongRoot));
        }
    }
}
