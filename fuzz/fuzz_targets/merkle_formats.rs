//! Reads any bytes as a partial Merkle tree, a piece layer, the message of a state proof, or what
//! Merkle Tree Certificates consist of. Accepted bytes survive a round trip, and verify only where
//! the definitions accept them.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::algorand::state_proof::Message;
use merkle_lanes::bep52::{Bep52, FileHashes, PieceLength};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::rfc6962::mtc::{Landmarks, MtcCertificate, MtcProof, TrustAnchorId};

use oracle::{Hash, ssz};

#[path = "../../merkle/tests/it/bitcoin/extraction.rs"]
mod extraction;
#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    kind: u8,
    /// The length of a file.
    length: u64,
    /// Whether the root is correct.
    is_right: bool,
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    match input.kind % 4 {
        0 => piece_layer(&input),
        1 => partial_merkle_tree(&input),
        2 => certificate(&input),
        _ => message(&input),
    }
});

/// The message of a state proof has one encoding.
fn message(input: &Input<'_>) {
    if let Ok(message) = Message::from_msgpack(input.bytes) {
        assert_eq!(message.to_msgpack(), input.bytes);
    }
}

/// A Merkle Tree Certificate, its proof, an ID and a list of landmarks.
fn certificate(input: &Input<'_>) {
    if let Ok(proof) = MtcProof::from_bytes(input.bytes) {
        assert_eq!(proof.to_bytes(), input.bytes);
    }
    if let Ok(certificate) = MtcCertificate::from_der(input.bytes) {
        let _ = certificate.certified_subtree(&Rfc6962::new());
    }
    if let Ok(id) = TrustAnchorId::from_bytes(input.bytes) {
        assert_eq!(id.as_bytes(), input.bytes);
        // Numbers over 2^128 are shown, but not read.
        if let Ok(again) = id.to_string().parse::<TrustAnchorId>() {
            assert_eq!(again, id);
        }
    }
    if let Ok(text) = str::from_utf8(input.bytes)
        && let Ok(landmarks) = Landmarks::parse(text, input.length)
    {
        assert_eq!(landmarks.to_string(), text);
        for (landmark, subtrees) in landmarks.active(input.length) {
            assert_eq!(subtrees[1].end(), landmark.tree_size);
            assert!(landmarks.subtree_of(landmark.tree_size - 1).is_some());
        }
    }
}

/// BIP 37's partial Merkle tree.
fn partial_merkle_tree(input: &Input<'_>) {
    if let Ok(tree) = PartialMerkleTree::try_from(input.bytes) {
        assert_eq!(tree.to_bytes(), input.bytes);
        // The input is short enough that the hash count takes one byte. The flag count may take
        // three.
        let (hashes, flags) = input.bytes[5..].split_at(32 * usize::from(input.bytes[4]));
        let flags = &flags[if flags[0] < 253 { 1 } else { 3 }..];
        let expected = extraction::extract(tree.transactions(), hashes.as_chunks().0, flags);
        assert_eq!(tree.extract_matches(&Bitcoin::new()).ok(), expected);
    }
}

/// BEP 52's `pieces root` and entry in `piece layers`. With pieces of 16 KiB, the piece hashes are
/// the leaves.
fn piece_layer(input: &Input<'_>) {
    let piece_length = PieceLength::new(16_384).expect("16 KiB is the minimum");
    let hashes: &[Hash] = input.bytes.as_chunks().0;
    let depth = hashes.len().next_power_of_two().ilog2();
    let mut root = ssz(hashes, depth);
    root[31] ^= u8::from(!input.is_right);
    let length = input.length % (16_384 * 100);
    let file = FileHashes::verified(&Bep52::new(), piece_length, length, Some(root), input.bytes);
    // A file of one piece has only a root.
    let expected = if length <= 16_384 { 0 } else { length.div_ceil(16_384) };
    let has_layer = input.bytes.len() as u64 == 32 * expected;
    assert_eq!(
        file.is_ok(),
        length > 0 && has_layer && (expected == 0 || input.is_right),
        "{input:?}"
    );
}
