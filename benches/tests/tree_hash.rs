//! Compares `merkle_lanes::ssz::tree_hash` with the crates whose functions it has. The example
//! `tree_hash_container` compares the root of a container.

use merkle_lanes::ssz::tree_hash as ours;
use tree_hash::Hash256;

fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

#[test]
fn roots_of_bytes() {
    for len in (0..=200).chain([1023, 1024, 1025, 100_000]) {
        for minimum in [0, 1, 2, 3, 4, 5, 8, 33, 1 << 20, 1 << 40] {
            let bytes = painted(len);
            let root = ours::merkle_root(&bytes, minimum);
            assert_eq!(Hash256::from(root), tree_hash::merkle_root(&bytes, minimum), "{len}");
        }
    }
}

#[test]
fn bytes_in_parts() {
    for leaves in [1, 2, 5, 40, 1000] {
        let bytes = painted(32 * leaves - 7);
        for part in [1, 3, 31, 32, 33, 100, 5000] {
            let mut hasher = ours::MerkleHasher::with_leaves(leaves);
            let mut theirs = tree_hash::MerkleHasher::with_leaves(leaves);
            for bytes in bytes.chunks(part) {
                hasher.write(bytes).unwrap();
                theirs.write(bytes).unwrap();
            }
            assert_eq!(Hash256::from(hasher.finish().unwrap()), theirs.finish().unwrap());
        }
    }
}

#[test]
fn zero_hashes_and_concatenations() {
    let levels = ethereum_hashing::ZERO_HASHES_MAX_INDEX;
    assert_eq!(ours::ZERO_HASHES[..=levels], **ethereum_hashing::ZERO_HASHES);
    let bytes = painted(100);
    for (left, right) in [(32, 32), (0, 0), (32, 0), (40, 60)] {
        let (left, right) = (&bytes[..left], &bytes[100 - right..]);
        let expected = ethereum_hashing::hash32_concat(left, right);
        assert_eq!(ours::hash32_concat(left, right), expected);
    }
}
