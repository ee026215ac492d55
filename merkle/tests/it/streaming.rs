//! Streaming roots.

use merkle_lanes::{Backend, NodeHasher, RootBuilder, TreeHead};
use proptest::prelude::*;

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, each_family_on, leaves};

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
    let leaves = leaves(140);
    for backend in Backend::available() {
        each_family_on(backend, |hasher, definition| {
            let mut builder = RootBuilder::new(hasher);
            for size in 0..=leaves.len() {
                assert_eq!(builder.len(), size as u64);
                assert_eq!(
                    builder.root(),
                    definition.root(&leaves[..size]),
                    "{definition:?}: root of {size}"
                );
                let head = TreeHead { size: size as u64, root: builder.root() };
                assert_eq!(builder.head(), head);
                assert_eq!(
                    builder.frontier(),
                    frontier(definition, &leaves[..size]),
                    "{definition:?}: {size}"
                );
                if let Some(&leaf) = leaves.get(size) {
                    builder.push(leaf);
                }
            }
        });
    }
}

#[test]
fn resuming_at_every_size() {
    for size in [1, 2, 7, 64, 97] {
        let leaves = &leaves(size);
        each_family(|hasher, definition| {
            let expected = definition.root(leaves);
            for size in 0..=leaves.len() {
                let (before, after) = leaves.split_at(size);
                let frontier = frontier(definition, before);
                let mut builder =
                    RootBuilder::resume(hasher, size as u64, frontier.clone()).unwrap();
                assert_eq!(builder.root(), definition.root(before), "{definition:?}: at {size}");
                assert_eq!(
                    (builder.len(), builder.frontier()),
                    (size as u64, frontier),
                    "{definition:?}: at {size}"
                );
                builder.extend(after);
                assert_eq!(builder.root(), expected, "{definition:?}: from {size}");
            }
        });
    }
}

/// The sizes around the 4096 leaves that are hashed together.
#[test]
fn resuming_at_large_sizes() {
    let leaves = &leaves(8192 + 4096 + 1);
    each_family(|hasher, definition| {
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
    });
}

#[test]
fn of_data() {
    // More than are hashed at once.
    let data: Vec<String> = (0..4096 + 50).map(|i| format!("entry {i}")).collect();
    let data = &data;
    each_family(|hasher, definition| {
        let mut hashed = vec![crate::UNWRITTEN; data.len()];
        hasher.hash_leaves(data, &mut hashed);
        let mut builder = RootBuilder::new(hasher);
        builder.extend_data(&data[..3]);
        builder.extend_data(&data[3..3]);
        builder.extend_data(&data[3..]);
        assert_eq!(builder.root(), definition.root(&hashed), "{definition:?}");
        assert_eq!(builder.hasher().capacity(), hasher.capacity());
    });
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
        each_family(|hasher, definition| {
            let leaves = leaves(parts.iter().sum());
            let mut builder = RootBuilder::new(hasher);
            let mut size = 0;
            for part in &parts {
                builder.extend(&leaves[size..size + part]);
                size += part;
                assert_eq!(builder.len(), size as u64);
            }
            assert_eq!(builder.root(), definition.root(&leaves), "{definition:?}: {parts:?}");
            let expected = frontier(definition, &leaves);
            assert_eq!(builder.frontier(), expected, "{definition:?}: {parts:?}");
        });
    }
}
