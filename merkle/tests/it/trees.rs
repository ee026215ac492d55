//! The nodes on each level of a tree, whether or not it keeps its lowest levels, and after any
//! changes.

use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{Backend, NoSuchLeafError, NodeHasher, Tree, levels_above};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::family::Family;
use crate::oracle::{Definition, Hash, NaiveTree, sha256};
use crate::{each_family, each_family_on, leaves};

/// Asserts that a tree has exactly the expected nodes.
fn assert_levels(tree: &Tree<Family>, definition: Definition, leaves: &[Hash]) {
    assert_kept_levels(tree, 1, definition, leaves);
}

/// Asserts that a tree has exactly the expected nodes, except on the levels from 1 to `lowest - 1`,
/// which it does not keep unless one of them holds the root.
fn assert_kept_levels(tree: &Tree<Family>, lowest: u32, definition: Definition, leaves: &[Hash]) {
    let size = leaves.len();
    assert_eq!((tree.len(), tree.is_empty()), (size as u64, size == 0), "{definition:?}");
    assert_eq!(tree.leaves(), leaves, "{definition:?}");
    assert_eq!(tree.depth(), definition.depth(size as u64), "{definition:?}: depth of {size}");
    assert_eq!(tree.root(), definition.root(leaves), "{definition:?}: root of {size}");
    let levels = if size == 0 { Vec::new() } else { NaiveTree::new(definition, leaves).levels };
    for (level, nodes) in (0..).zip(&levels) {
        let is_kept = level == 0 || level >= lowest || level == tree.depth();
        let expected = if is_kept { nodes.as_slice() } else { &[] };
        assert_eq!(
            tree.level(level),
            expected,
            "{definition:?}: level {level} of {size} leaves, lowest {lowest}"
        );
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

/// Below, at and above the depth of the trees.
const LOWEST: [u32; 9] = [0, 1, 2, 3, 4, 5, 8, 64, u32::MAX];

#[test]
fn of_every_size() {
    let leaves = leaves(130);
    for size in 0..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            for lowest in LOWEST {
                let tree = Tree::with_lowest_level(hasher, lowest, leaves);
                assert_kept_levels(&tree, lowest, definition, leaves);
            }
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
            for (lowest, before) in
                [(1, 8191), (1, 1), (2, 100), (5, 8000), (13, 9), (14, 0), (15, 7)]
            {
                let mut tree = Tree::with_lowest_level(hasher, lowest, &leaves[..before]);
                tree.extend(&leaves[before..]);
                assert_kept_levels(&tree, lowest, definition, leaves);
            }
        });
    }
}

/// The proofs of Bitcoin read nodes of levels that are not kept.
#[test]
fn partial_merkle_trees() {
    let leaves = leaves(37);
    let [full, small] = [1, 4].map(|lowest| {
        let block = Tree::with_lowest_level(Bitcoin::new(), lowest, leaves.as_slice());
        let of = |i: u64| PartialMerkleTree::new(&block, &[i / 2, i + 1][..1 + i as usize % 2]);
        (0..37).map(of).collect::<Vec<_>>()
    });
    assert_eq!(full, small);
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
        lowest in 0..9_u32,
        steps in proptest::collection::vec(step(), 1..25),
    ) {
        each_family(|hasher, definition| {
            let mut tree = Tree::with_lowest_level(hasher, lowest, []);
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
                assert_kept_levels(&tree, lowest, definition, &expected);
            }
        });
    }
}
