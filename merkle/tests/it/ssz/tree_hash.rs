//! Tests the functions with the names of `tree_hash` against the definition of SSZ.

use merkle_lanes::ssz::tree_hash::{Error, MerkleHasher, hash32_concat, merkle_root};

use crate::oracle::{Hash, sha256, ssz};

fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

/// The root by the definition: zero bytes up to a power of two of chunks.
fn expected(bytes: &[u8], minimum: usize) -> Hash {
    let chunks: Vec<Hash> = bytes
        .chunks(32)
        .map(|bytes| std::array::from_fn(|i| bytes.get(i).copied().unwrap_or_default()))
        .collect();
    let leaves = chunks.len().max(minimum).max(1);
    ssz(&chunks, leaves.next_power_of_two().trailing_zeros())
}

#[test]
fn roots_of_bytes() {
    for len in (0..=200).chain([1023, 1024, 1025, 100_000]) {
        for minimum in [0, 1, 2, 3, 4, 5, 8, 33, 1 << 20] {
            let bytes = painted(len);
            assert_eq!(
                merkle_root(&bytes, minimum),
                expected(&bytes, minimum),
                "{len} bytes, {minimum} leaves"
            );
        }
    }
}

#[test]
fn the_most_leaves() {
    let all = usize::MAX / 2 + 1;
    let root = ssz(&[[7; 32]], all.trailing_zeros());
    assert_eq!(merkle_root(&[7; 32], all), root);
    assert_eq!(merkle_root(&[7; 32], all - 1), root);
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "exceeds the maximum of 9223372036854775808")]
fn more_leaves_than_any_tree_has() {
    let _ = merkle_root(&[], usize::MAX / 2 + 2);
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "exceeds the maximum of 9223372036854775808")]
fn a_hasher_of_more_leaves_than_any_tree_has() {
    let _ = MerkleHasher::with_leaves(usize::MAX);
}

#[test]
fn bytes_in_parts() {
    for leaves in [1, 2, 5, 40, 1000] {
        let capacity = 32 * usize::next_power_of_two(leaves);
        for len in [0, 1, 31, 32, 33, 64, 100, 1279, 1280, 32_000] {
            if len > capacity {
                continue;
            }
            let bytes = painted(len);
            for part in [1, 3, 31, 32, 33, 100, 5000] {
                let mut hasher = MerkleHasher::with_leaves(leaves);
                for bytes in bytes.chunks(part) {
                    hasher.write(bytes).unwrap();
                }
                assert_eq!(
                    hasher.finish(),
                    Ok(expected(&bytes, leaves)),
                    "{len} bytes in parts of {part}, {leaves} leaves"
                );
            }
        }
    }
}

#[test]
fn surplus_bytes_are_refused() {
    for (leaves, max_leaves) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 8)] {
        let bytes = painted(32 * max_leaves);
        let mut hasher = MerkleHasher::with_leaves(leaves);
        hasher.write(&bytes[..10]).unwrap();
        let error = Err(Error::MaximumLeavesExceeded { max_leaves });
        assert_eq!(hasher.write(&[&bytes[10..], &[0]].concat()), error);
        // The refused bytes are not in the tree.
        hasher.write(&bytes[10..]).unwrap();
        assert_eq!(hasher.write(&[0]), error);
        assert_eq!(hasher.finish(), Ok(expected(&bytes, 0)));
    }
}

#[test]
fn an_empty_hasher() {
    for leaves in [0, 1, 2, 6] {
        let root = MerkleHasher::with_leaves(leaves).finish();
        assert_eq!(root, Ok(ssz(&[], leaves.next_power_of_two().trailing_zeros())));
    }
}

#[test]
fn concatenations() {
    let bytes = painted(100);
    for (left, right) in [(32, 32), (0, 0), (32, 0), (0, 64), (31, 33), (40, 60)] {
        let (left, right) = (&bytes[..left], &bytes[100 - right..]);
        assert_eq!(hash32_concat(left, right), sha256(&[left, right]));
    }
}
