//! Streaming roots.

use merkle_lanes::{Backend, FrontierError, NodeHasher, RootBuilder};
use proptest::prelude::*;

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, leaves};

/// The complete subtrees that leaves decompose into, from the nodes of the tree.
fn frontier(definition: Definition, leaves: &[Hash]) -> Vec<Hash> {
    if leaves.is_empty() {
        return Vec::new();
    }
    let levels = NaiveTree::new(definition, leaves).levels;
    let ones = (0..levels.len()).rev().filter(|level| leaves.len() >> level & 1 == 1);
    ones.map(|level| levels[level][(leaves.len() >> level) - 1]).collect()
}

/// After each leaf.
#[test]
fn one_by_one() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let mut builder = RootBuilder::new(hasher);
        for size in 0..=leaves.len() {
            assert_eq!(builder.len(), size as u64);
            assert_eq!(
                builder.root(),
                definition.root(&leaves[..size]),
                "{definition:?}: root of {size}"
            );
            assert_eq!(
                builder.frontier(),
                frontier(definition, &leaves[..size]),
                "{definition:?}: {size}"
            );
            if let Some(&leaf) = leaves.get(size) {
                builder.push(leaf);
            }
        }
    }
    let leaves = leaves(140);
    for backend in Backend::available() {
        each_family!(backend => check, &leaves);
    }
}

#[test]
fn resuming_at_every_size() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let expected = definition.root(leaves);
        for size in 0..=leaves.len() {
            let (before, after) = leaves.split_at(size);
            let frontier = frontier(definition, before);
            let mut builder = RootBuilder::resume(hasher, size as u64, frontier.clone()).unwrap();
            assert_eq!(builder.root(), definition.root(before), "{definition:?}: at {size}");
            assert_eq!(
                (builder.len(), builder.frontier()),
                (size as u64, frontier),
                "{definition:?}: at {size}"
            );
            builder.extend(after);
            assert_eq!(builder.root(), expected, "{definition:?}: from {size}");
        }
    }
    for size in [1, 2, 7, 64, 97] {
        each_family!(check, &leaves(size));
    }
}

/// The sizes around the 4096 leaves that are hashed together.
#[test]
fn resuming_at_large_sizes() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for before in [1, 4095, 4096, 4097, 4096 + 2048, 8191, 8192, 8193] {
            let mut builder = RootBuilder::new(hasher);
            builder.extend(&leaves[..before]);
            for after in [before, before + 1, 8192, leaves.len()]
                .into_iter()
                .filter(|&after| after >= before)
            {
                let mut resumed =
                    RootBuilder::resume(hasher, before as u64, builder.frontier()).unwrap();
                resumed.extend(&leaves[before..after]);
                let expected = definition.root(&leaves[..after]);
                assert_eq!(resumed.root(), expected, "{definition:?}: from {before} to {after}");
                let mut whole = builder.clone();
                whole.extend(&leaves[before..after]);
                assert_eq!(whole.root(), expected, "{definition:?}: {before}, then up to {after}");
                assert_eq!(
                    whole.frontier(),
                    resumed.frontier(),
                    "{definition:?}: from {before} to {after}"
                );
            }
        }
    }
    each_family!(check, &leaves(8192 + 4096 + 1));
}

#[test]
fn frontiers_of_wrong_length_are_refused() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        for (size, expected) in [(0, 0), (1, 1), (7, 3), (8, 1), ((1 << 20) - 1, 20)] {
            for got in (0..expected + 3).filter(|&got| got != expected) {
                let refused = RootBuilder::resume(hasher, size, vec![[0; 32]; got]).err();
                assert_eq!(
                    refused,
                    Some(FrontierError::WrongLength { size, expected, got }),
                    "{definition:?}"
                );
            }
        }
        let capacity = hasher.capacity();
        for size in [capacity + 1, u64::MAX] {
            let refused = RootBuilder::resume(hasher, size, Vec::new()).err();
            assert_eq!(
                refused,
                Some(FrontierError::TooManyLeaves { size, capacity }),
                "{definition:?}"
            );
        }
        let full = RootBuilder::resume(hasher, capacity, vec![[3; 32]]).unwrap();
        assert_eq!(
            full.root(),
            [3; 32],
            "{definition:?}: a complete tree has its root as frontier"
        );
    }
    each_family!(check);
}

#[test]
fn of_data() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        data: &[String],
    ) {
        let mut hashed = vec![crate::UNWRITTEN; data.len()];
        hasher.hash_leaves(data, &mut hashed);
        let mut builder = RootBuilder::new(hasher);
        builder.extend_data(&data[..3]);
        builder.extend_data(&data[3..3]);
        builder.extend_data(&data[3..]);
        assert_eq!(builder.root(), definition.root(&hashed), "{definition:?}");
        assert_eq!(builder.hasher().capacity(), hasher.capacity());
    }
    // More than are hashed at once.
    let data: Vec<String> = (0..4096 + 50).map(|i| format!("entry {i}")).collect();
    each_family!(check, &data);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    })]

    #[test]
    fn in_any_parts(
        parts in proptest::collection::vec(
            prop_oneof![0..9_usize, 0..5000_usize, Just(4096)],
            0..7,
        ),
    ) {
        fn check<H: NodeHasher<Node = Hash> + Copy>(
            hasher: H,
            definition: Definition,
            parts: &[usize],
        ) {
            let leaves = leaves(parts.iter().sum());
            let mut builder = RootBuilder::new(hasher);
            let mut size = 0;
            for part in parts {
                builder.extend(&leaves[size..size + part]);
                size += part;
                assert_eq!(builder.len(), size as u64);
            }
            assert_eq!(builder.root(), definition.root(&leaves), "{definition:?}: {parts:?}");
            let expected = frontier(definition, &leaves);
            assert_eq!(builder.frontier(), expected, "{definition:?}: {parts:?}");
        }
        each_family!(check, &parts);
    }
}
