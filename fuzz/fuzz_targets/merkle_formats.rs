//! Reads any bytes as proofs in the formats of other programs. Accepted bytes survive a round trip,
//! and proofs verify only where the definitions accept them.
#![no_main]

use std::iter::successors;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::Node;
use merkle_lanes::algorand::FixedLengthProof;
use merkle_lanes::bep52::{Bep52, FileHashes, HashRequest, Hashes, PieceLength};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};

use oracle::{Hash, sha256, ssz};

#[path = "../../merkle/tests/it/bitcoin/extraction.rs"]
mod extraction;
#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    format: u8,
    /// The length of a file.
    length: u64,
    /// Whether the root is correct.
    is_right: bool,
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| match input.format % 5 {
    0 => partial_merkle_tree(&input),
    1 => hashes_of_a_layer(&input),
    2 => piece_layer(&input),
    3 => fixed_length_proof::<[u8; 64]>(input.bytes),
    _ => fixed_length_proof::<Hash>(input.bytes),
});

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

/// BEP 52's `hashes` message.
fn hashes_of_a_layer(input: &Input<'_>) {
    let Ok(hashes) = Hashes::try_from(input.bytes) else { return };
    assert_eq!(hashes.to_bytes(), input.bytes);
    let request = *hashes.request();
    assert_eq!(HashRequest::try_from(&request.to_bytes()[..]), Ok(request));

    let own = request.length.ilog2();
    let mut index = request.index >> own;
    let mut root = ssz(hashes.base(), own);
    for uncle in hashes.uncles() {
        root = if index % 2 == 1 { sha256(&[uncle, &root]) } else { sha256(&[&root, uncle]) };
        index /= 2;
    }
    let ancestor = hashes.ancestor(&Bep52::new());
    assert_eq!((ancestor.hash, ancestor.index), (root, index.into()));
    let is_proven = hashes.verify(&Bep52::new(), &request, input.length).is_ok();
    // The layer of the root is the number of doublings from a 16 KiB block to the file length.
    let doublings = successors(Some(16_384_u128), |bytes| Some(2 * bytes));
    let depth = doublings.take_while(|&bytes| bytes < u128::from(input.length)).count() as u32;
    let is_whole = request.base_layer + own + hashes.uncles().len() as u32 == depth;
    assert_eq!(
        is_proven,
        is_whole
            && index == 0
            && root == request.pieces_root
            && request.check_file(input.length).is_ok()
    );
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

/// The fixed-length proofs of Algorand's state proofs.
fn fixed_length_proof<N: Node>(bytes: &[u8]) {
    if let Ok(proof) = FixedLengthProof::<N>::try_from(bytes) {
        assert_eq!(proof.to_bytes(), bytes);
        assert_eq!(proof.proof().nodes().len(), bytes[0].into());
    }
}
