//! The nodes on each level of a tree, after any changes.

use merkle_lanes::{Backend, NoSuchLeafError, NodeHasher, Tree, levels_above};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::family::Family;
use crate::oracle::{Definition, Hash, NaiveTree, sha256};
use crate::{each_family, each_family_on, leaves};

/// Asserts that a tree has exactly the expected nodes.
fn assert_levels(tree: &Tree<Family>, definition: Definition, leaves: &[Hash]) {
    let size = leaves.len();
    assert_eq!((tree.len(), tree.is_empty()), (size as u64, size == 0), "{definition:?}");
    assert_eq!(tree.leaves(), leaves, "{definition:?}");
    assert_eq!(tree.depth(), definition.depth(size as u64), "{definition:?}: depth of {size}");
    assert_eq!(tree.root(), definition.root(leaves), "{definition:?}: root of {size}");
    let levels = if size == 0 { Vec::new() } else { NaiveTree::new(definition, leaves).levels };
    for (level, nodes) in (0..).zip(&levels) {
        assert_eq!(tree.level(level), nodes, "{definition:?}: level {level} of {size} leaves");
    }
    assert!(
        tree.level(levels.len() as u32).is_empty() && tree.level(u32::MAX).is_empty(),
        "{definition:?}"
    );
}

#[test]
fn number_of_levels() {
    let levels =
        [0, 1, 2, 3, 4, 5, 8, 9, 1 << 40, (1 << 40) + 1, 1 << 63, (1 << 63) + 1].map(levels_above);
    assert_eq!(levels, [0, 0, 1, 2, 2, 3, 3, 4, 40, 41, 63, 64]);
}

#[test]
fn of_every_size() {
    let leaves = leaves(130);
    for size in 0..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            assert_levels(&Tree::from_leaves(hasher, leaves), definition, leaves);
            let tree = Tree::try_from_leaves(hasher, leaves.to_vec()).unwrap();
            assert_levels(&tree, definition, leaves);
        });
    }
}

/// Around the 8192 leaves that are hashed together, and around a subtree of 2^14 leaves.
#[test]
fn of_large_sizes() {
    let leaves = leaves((1 << 14) + 35);
    for size in [8191, 8192, 8193, 1 << 14, leaves.len()] {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            for before in [0, 1, 100, 8000, 8191] {
                let mut tree = Tree::from_leaves(hasher, &leaves[..before]);
                tree.extend(&leaves[before..]);
                assert_levels(&tree, definition, leaves);
            }
        });
    }
}

#[test]
fn replacing_many_leaves_with_every_backend() {
    let leaves = leaves(1001);
    for backend in Backend::available() {
        let leaves = &leaves;
        each_family_on(backend, |hasher, definition| {
            let mut expected = leaves.to_vec();
            let mut updates = Vec::new();
            for index in (0..leaves.len()).step_by(3).chain([leaves.len() - 1, 0]) {
                expected[index] = sha256(&[&expected[index]]);
                updates.push((index as u64, expected[index]));
            }
            let mut tree = Tree::from_leaves(hasher, leaves.as_slice());
            tree.update_many(&updates).unwrap();
            assert_levels(&tree, definition, &expected);
        });
    }
}

#[test]
fn an_invalid_index_changes_nothing() {
    each_family(|hasher, definition| {
        let leaves = leaves(5);
        let mut tree = Tree::from_leaves(hasher, leaves.as_slice());
        for index in [5, 6, u64::MAX] {
            let refused = tree.update_many(&[(0, [1; 32]), (index, [2; 32]), (9, [3; 32])]);
            assert_eq!(refused, Err(NoSuchLeafError { index, size: 5 }), "{definition:?}");
            assert_eq!(
                tree.update(index, [1; 32]),
                Err(NoSuchLeafError { index, size: 5 }),
                "{definition:?}"
            );
            assert_levels(&tree, definition, &leaves);
        }
        assert_eq!(
            Tree::new(hasher).update(0, [1; 32]),
            Err(NoSuchLeafError { index: 0, size: 0 }),
            "{definition:?}"
        );
    });
}

/// A change to a tree.
#[derive(Clone, Debug)]
enum Step {
    Push(u8),
    Extend(usize),
    ExtendData(usize),
    Truncate(Index),
    Update(Index, u8),
    UpdateMany(Vec<(Index, u8)>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<u8>().prop_map(Step::Push),
        prop_oneof![0..6_usize, 0..150_usize].prop_map(Step::Extend),
        (0..20_usize).prop_map(Step::ExtendData),
        any::<Index>().prop_map(Step::Truncate),
        (any::<Index>(), any::<u8>()).prop_map(|(index, byte)| Step::Update(index, byte)),
        proptest::collection::vec((any::<Index>(), any::<u8>()), 0..20).prop_map(Step::UpdateMany),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(60)
    })]

    #[test]
    fn in_any_order(
        steps in proptest::collection::vec(step(), 1..25),
    ) {
        each_family(|hasher, definition| {
            let mut tree = Tree::new(hasher);
            let mut expected = Vec::new();
            for step in &steps {
                match step {
                    Step::Push(byte) => {
                        tree.push([*byte; 32]);
                        expected.push([*byte; 32]);
                    }
                    Step::Extend(count) => {
                        tree.extend(&leaves(*count));
                        expected.extend(leaves(*count));
                    }
                    Step::ExtendData(count) => {
                        let data: Vec<_> = (0..*count).map(|i| [i as u8; 40]).collect();
                        tree.extend_data(&data);
                        expected.extend(data.iter().map(|data| hasher.hash_leaf(data)));
                    }
                    Step::Truncate(size) => {
                        let size = size.index(expected.len() + 1);
                        tree.truncate(size as u64);
                        expected.truncate(size);
                    }
                    Step::Update(index, byte) if !expected.is_empty() => {
                        let index = index.index(expected.len());
                        tree.update(index as u64, [*byte; 32]).unwrap();
                        expected[index] = [*byte; 32];
                    }
                    Step::UpdateMany(updates) if !expected.is_empty() => {
                        let updates: Vec<_> = updates
                            .iter()
                            .map(|(index, byte)| (index.index(expected.len()) as u64, [*byte; 32]))
                            .collect();
                        tree.update_many(&updates).unwrap();
                        for (index, leaf) in updates {
                            expected[index as usize] = leaf;
                        }
                    }
                    Step::Update(..) | Step::UpdateMany(_) => {}
                }
                assert_levels(&tree, definition, &expected);
            }
        });
    }
}
