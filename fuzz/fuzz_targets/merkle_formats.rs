//! Reads any bytes as a partial Merkle tree or a piece layer. Accepted bytes survive a round trip,
//! and verify only where the definitions accept them.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::bep52::{Bep52, FileHashes, PieceLength};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};

use oracle::{Hash, ssz};

#[path = "../../merkle/tests/it/bitcoin/extraction.rs"]
mod extraction;
#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    is_block: bool,
    /// The length of a file.
    length: u64,
    /// Whether the root is correct.
    is_right: bool,
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    if input.is_block { partial_merkle_tree(&input) } else { piece_layer(&input) }
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
