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
                let resumed = RootBuilder::resume(hasher, size as u64, builder.frontier()).unwrap();
                assert_eq!(resumed.root(), builder.root());
                if size % 2 == 1 {
                    builder = resumed;
                }
            }
            assert_eq!(builder.root(), definition.root(&leaves), "{definition:?}: {parts:?}");
            let expected = frontier(definition, &leaves);
            assert_eq!(builder.frontier(), expected, "{definition:?}: {parts:?}");
        });
    }
}
