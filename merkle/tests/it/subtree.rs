//! Trees joined from ranges of leaves that are hashed apart.

use merkle_lanes::bep52::Bep52;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{
    NodeHasher, RootBuilder, SubtreeError, SubtreeRoot, root, subtree_root, subtree_roots,
};
use proptest::prelude::*;

use crate::family::Family;
use crate::oracle::{Hash, NaiveTree};
use crate::{each_family, leaves};

/// A complete subtree is a node of the tree.
#[test]
fn are_nodes_of_the_tree() {
    let leaves = leaves(256);
    each_family(|hasher, definition| {
        let levels = NaiveTree::new(definition, &leaves).levels;
        for height in 0..=8 {
            for (index, range) in leaves.chunks(1 << height).enumerate() {
                let expected = SubtreeRoot { height: height as u32, root: levels[height][index] };
                assert_eq!(subtree_root(&hasher, range), Ok(expected), "{definition:?}");
            }
        }
    });
}

/// Every range of a small tree, before every other.
#[test]
fn join_in_any_ranges() {
    let leaves = leaves(40);
    each_family(|hasher, definition| {
        for size in [1, 2, 3, 8, 21, 32, 33, 40] {
            for split in 0..=size {
                let mut builder = RootBuilder::new(hasher);
                for range in [0..split, split..size] {
                    let first = range.start as u64;
                    for subtree in subtree_roots(&hasher, first, &leaves[range]) {
                        builder.push_subtree(&subtree).unwrap();
                    }
                }
                let expected = definition.root(&leaves[..size]);
                assert_eq!(builder.root(), expected, "{definition:?}: {size} at {split}");
                assert_eq!(builder.len(), size as u64);
            }
        }
    });
}

/// Trees with 64-byte nodes, padded with other nodes, or hashed by `Parallel`.
#[test]
fn of_every_family() {
    let leaves = leaves(1000);
    for hasher in Family::unlimited() {
        let expected = root(&hasher, &leaves);
        let mut builder = RootBuilder::new(hasher);
        builder.extend(&leaves[..3]);
        for (first, range) in [(3, &leaves[3..512]), (512, &leaves[512..])] {
            for subtree in subtree_roots(&hasher, first, range) {
                builder.push_subtree(&subtree).unwrap();
            }
        }
        assert_eq!(builder.root(), expected, "{hasher:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(30)
    })]

    /// Leaves and subtrees may alternate, and roots may be asked for in between.
    #[test]
    fn join_with_leaves(
        parts in proptest::collection::vec(
            (prop_oneof![0..9_usize, 0..5000_usize, Just(4096)], any::<bool>(), any::<bool>()),
            0..7,
        ),
    ) {
        each_family(|hasher, definition| {
            let leaves = leaves(parts.iter().map(|part| part.0).sum());
            let (mut builder, mut size) = (RootBuilder::new(hasher), 0);
            for &(part, is_apart, asks) in &parts {
                let range = &leaves[size..size + part];
                if is_apart {
                    for subtree in subtree_roots(&hasher, size as u64, range) {
                        builder.push_subtree(&subtree).unwrap();
                    }
                } else {
                    builder.extend(range);
                }
                size += part;
                if asks {
                    assert_eq!(builder.root(), definition.root(&leaves[..size]), "{definition:?}");
                }
            }
            assert_eq!(builder.root(), definition.root(&leaves), "{definition:?}: {parts:?}");
        });
    }
}

/// A range of another length than the others, a range that is missing, or too many of them.
#[test]
fn of_wrong_heights_are_refused() {
    const A: Hash = [1; 32];
    let of_height = |height| SubtreeRoot { height, root: A };
    for hasher in Family::unlimited() {
        let mut builder = RootBuilder::new(hasher);
        builder.push_subtree(&of_height(10)).unwrap();
        builder.push(A);
        builder.push(A);
        let before = builder.head();
        for height in [2, 3, 10, 62] {
            let error = SubtreeError::Misplaced { height, first: 1026 };
            assert_eq!(builder.push_subtree(&of_height(height)), Err(error));
        }
        for height in [63, 64, u32::MAX] {
            let error = SubtreeError::TooManyLeaves { height, first: 1026, capacity: 1 << 63 };
            assert_eq!(builder.push_subtree(&of_height(height)), Err(error));
        }
        assert_eq!(builder.head(), before);
        builder.push_subtree(&of_height(1)).unwrap();

        let mut full = RootBuilder::new(hasher);
        full.push_subtree(&of_height(63)).unwrap();
        assert_eq!((full.len(), full.root()), (1 << 63, A));
        let error = SubtreeError::TooManyLeaves { height: 0, first: 1 << 63, capacity: 1 << 63 };
        assert_eq!(full.push_subtree(&of_height(0)), Err(error));

        for count in [0, 3, 5, 7, 12, 1023] {
            let error = SubtreeError::Incomplete { leaves: count };
            assert_eq!(subtree_root(&hasher, &vec![A; count]), Err(error));
        }
        assert_eq!(subtree_roots(&hasher, 1 << 63, &[]), []);
    }
    let mut limited = RootBuilder::new(Ssz::with_limit(6));
    limited.push_subtree(&of_height(2)).unwrap();
    let error = SubtreeError::TooManyLeaves { height: 2, first: 4, capacity: 6 };
    assert_eq!(limited.push_subtree(&of_height(2)), Err(error));
    limited.push_subtree(&of_height(1)).unwrap();

    let error = SubtreeError::Misplaced { height: 4, first: 8 };
    let message = "no subtree of height 4 begins at leaf 8, which is not a multiple of 2^4";
    assert_eq!(error.to_string(), message);
}

#[test]
fn beyond_the_capacity() {
    let message = "a tree of 9223372036854775809 leaves exceeds the capacity of \
                   9223372036854775808 leaves";
    let bep52 = Bep52::new();
    assert!(bep52.capacity() == 1 << 63);
    crate::extremes::assert_panics(message, || subtree_roots(&bep52, 1 << 63, &[[1; 32]]));
}
