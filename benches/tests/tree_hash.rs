//! Compares SSZ roots with the crates `tree_hash` and `ethereum_hashing`. The example
//! `tree_hash_container` compares the root of a container.

use merkle_lanes::ssz::{Ssz, ZERO_HASHES, pack};
use tree_hash::Hash256;

fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

#[test]
fn roots_of_bytes() {
    for len in (0..=200).chain([1023, 1024, 1025, 100_000]) {
        for limit in [0, 1, 2, 3, 4, 5, 8, 33, 1 << 20, 1 << 40] {
            let bytes = painted(len);
            let chunks = len.div_ceil(32).max(limit);
            let root = Ssz::with_limit(chunks as u64).merkleize(&pack(&bytes)).unwrap();
            assert_eq!(Hash256::from(root), tree_hash::merkle_root(&bytes, limit), "{len}");
        }
    }
}

#[test]
fn zero_hashes_and_nodes() {
    let levels = ethereum_hashing::ZERO_HASHES_MAX_INDEX;
    assert_eq!(ZERO_HASHES[..=levels], **ethereum_hashing::ZERO_HASHES);
    let (left, right) = ([1; 32], [2; 32]);
    let expected = ethereum_hashing::hash32_concat(&left, &right);
    assert_eq!(Ssz::new().hash_node(&left, &right), expected);
}
