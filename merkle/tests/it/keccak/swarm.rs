//! Against `@fairdatasociety/bmt-js` 2.1.0 (`swarm.json`, written by `generate.mjs`), and addresses
//! from the tests of bee.

use merkle_lanes::keccak::{CHUNK_BYTES, Chunk, ChunkTooLongError, Swarm, ZERO_HASHES};
use merkle_lanes::{Backend, InclusionProof, NodeHasher as _, Tree, VerifyError, root};
use serde_json::Value;

use super::{hash, hashes, keccak256};
use crate::flipped;
use crate::oracle::Hash;

/// The address by definition.
fn address(chunk: &Chunk<'_>) -> Hash {
    let mut level = chunk.payload.to_vec();
    level.resize(CHUNK_BYTES, 0);
    while level.len() > 32 {
        level = level.chunks(64).flat_map(|pair| keccak256(&[pair])).collect();
    }
    keccak256(&[&chunk.span.to_le_bytes(), &level])
}

/// The payload of `generate.mjs`.
fn payload(length: usize) -> Vec<u8> {
    (0..length).map(|i| ((i * 7 + length) % 251) as u8).collect()
}

/// `bee/pkg/cac/cac_test.go`.
#[test]
fn addresses_of_bee() {
    let chunks = [Chunk::new(b"foo"), Chunk::new(b"greaterthanspan")];
    let expected = [
        "2387e8e7d8a48c2a9339c97c1dc3461a9a7aa07e994c5cb8b38fd7c1b3e6ea48",
        "27913f1bdb6e8e52cbd5a5fd4ab577c857287edf6969b41efe926b51de0f4f23",
    ];
    let addresses = Swarm::new().addresses(&chunks).unwrap();
    assert_eq!(addresses.iter().map(hex::encode).collect::<Vec<_>>(), expected);
}

#[test]
fn addresses_and_proofs_of_bmt_js() {
    let file: Value = serde_json::from_str(include_str!("swarm.json")).unwrap();
    assert_eq!(file["package"], "@fairdatasociety/bmt-js 2.1.0");
    let swarm = Swarm::new();
    for expected in file["chunks"].as_array().unwrap() {
        let payload = payload(expected["length"].as_u64().unwrap() as usize);
        let chunk = Chunk { span: expected["span"].as_u64().unwrap(), payload: &payload };
        let address = hash(&expected["address"]);
        assert_eq!(swarm.addresses(&[chunk]).unwrap(), [address]);
        let tree = swarm.tree(&chunk).unwrap();
        for expected in expected["proofs"].as_array().unwrap() {
            let index = expected["index"].as_u64().unwrap();
            let nodes = hashes(&expected["nodes"]);
            assert_eq!(tree.prove(index).unwrap().nodes(), nodes);
            let segment = tree.leaves()[index as usize];
            let proof = InclusionProof::from(nodes);
            swarm.verify_segment(&address, chunk.span, index, &segment, &proof).unwrap();
        }
    }
}

/// Chunks of many lengths and spans in one call, on every backend.
#[test]
fn many_addresses() {
    let payloads: Vec<_> = (0..70).map(|i| payload((i * 389) % (CHUNK_BYTES + 1))).collect();
    let chunks: Vec<_> = (0..)
        .zip(&payloads)
        .map(|(i, payload)| Chunk { span: i * 0x0102_0304_0506, ..Chunk::new(payload) })
        .collect();
    let expected: Vec<Hash> = chunks.iter().map(address).collect();
    for backend in Backend::available() {
        let swarm = Swarm::new().with_backend(backend);
        for count in [0, 1, 31, 32, 33, 70] {
            assert_eq!(swarm.addresses(&chunks[..count]).unwrap(), expected[..count]);
        }
    }
}

/// Missing segments are those of the padded payload.
#[test]
fn a_family_of_trees() {
    let zeros = std::iter::successors(Some([0; 32]), |zero| Some(keccak256(&[zero, zero])));
    assert_eq!(ZERO_HASHES.to_vec(), zeros.take(8).collect::<Vec<_>>());
    let swarm = Swarm::new();
    assert_eq!(swarm.empty_root(), ZERO_HASHES[7]);
    for length in [0, 1, 32, 33, 64, 100, 2048, 4095, 4096] {
        let payload = payload(length);
        let mut short = Tree::new(swarm);
        short.extend_data(&payload.chunks(32).collect::<Vec<_>>());
        let whole = swarm.tree(&Chunk::new(&payload)).unwrap();
        assert_eq!(short.root(), whole.root(), "{length} bytes");
        assert_eq!(root(&swarm, short.leaves()), whole.root());
        for index in 0..short.len() {
            assert_eq!(short.prove(index), whole.prove(index));
        }
    }
}

#[test]
fn changed_claims_are_refused() {
    let swarm = Swarm::new();
    let payload = payload(4000);
    let chunk = Chunk::new(&payload);
    let address = address(&chunk);
    let tree = swarm.tree(&chunk).unwrap();
    let (proof, segment) = (tree.prove(5).unwrap(), tree.leaves()[5]);
    let verify = |address, span, index, segment, proof: &InclusionProof<Hash>| {
        swarm.verify_segment(&address, span, index, &segment, proof)
    };
    assert_eq!(verify(address, 4000, 5, segment, &proof), Ok(()));
    let wrong = Err(VerifyError::WrongRoot);
    assert_eq!(verify(flipped(&address, 3), 4000, 5, segment, &proof), wrong);
    assert_eq!(verify(address, 4001, 5, segment, &proof), wrong);
    assert_eq!(verify(address, 4000, 4, segment, &proof), wrong);
    assert_eq!(verify(address, 4000, 5, flipped(&segment, 255), &proof), wrong);
    let beyond = Err(VerifyError::NoSuchLeaf { index: 128, size: 128 });
    assert_eq!(verify(address, 4000, 128, segment, &proof), beyond);
    // A node in place of a segment.
    let parent = tree.hasher().hash_node(&tree.leaves()[4], &segment);
    let above = InclusionProof::from(proof.nodes()[1..].to_vec());
    let short = Err(VerifyError::WrongLength { expected: 7, got: 6 });
    assert_eq!(verify(address, 4000, 2, parent, &above), short);
}

/// A span has eight bytes, in the address and in the proof.
#[test]
fn spans_from_2_to_the_32() {
    let swarm = Swarm::new();
    let payload = payload(640);
    for span in [
        u64::from(u32::MAX),
        1 << 32,
        (1 << 32) + 640,
        1 << 40,
        (1 << 56) - 1,
        0x0102_0304_0506_0708,
        u64::MAX,
    ] {
        let chunk = Chunk { span, payload: &payload };
        let expected = address(&chunk);
        assert_eq!(swarm.addresses(&[chunk]).unwrap(), [expected]);
        let tree = swarm.tree(&chunk).unwrap();
        let (proof, segment) = (tree.prove(19).unwrap(), tree.leaves()[19]);
        let verify = |span| swarm.verify_segment(&expected, span, 19, &segment, &proof);
        assert_eq!(verify(span), Ok(()), "{span}");
        for bit in 0..64 {
            assert_eq!(verify(span ^ 1 << bit), Err(VerifyError::WrongRoot), "{span}, bit {bit}");
        }
    }
}

#[test]
fn chunks_that_are_too_long() {
    let long = [0; CHUNK_BYTES + 1];
    let chunks = [Chunk::new(&[]), Chunk::new(&long)];
    let error = ChunkTooLongError { index: 1, length: 4097 };
    assert_eq!(Swarm::new().addresses(&chunks), Err(error));
    assert_eq!(
        error.to_string(),
        "the payload of chunk 1 has 4097 bytes, but the maximum is 4096 bytes"
    );
    assert!(Swarm::new().tree(&chunks[1]).is_err());
}
