//! Changing trees: the result equals a new tree with the same leaves.

use merkle_lanes::{Backend, NoSuchLeafError, NodeHasher, Tree};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::levels::{assert_kept_levels, assert_levels};
use crate::oracle::sha256;
use crate::{each_family, each_family_on, leaves};

/// Across the boundaries of the batches in which trees are hashed.
#[test]
fn growing_by_many_leaves() {
    let leaves = &leaves(8192 + 8192 + 5);
    each_family(|hasher, definition| {
        for before in [1, 8191, 8192, 8193] {
            let mut tree = Tree::from_leaves(hasher, &leaves[..before]);
            tree.extend(&leaves[before..]);
            assert_levels(&tree, definition, leaves);
        }
    });
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
            let steps = &steps;
each_family(|hasher, definition| {
            let mut tree = Tree::with_lowest_level(hasher, lowest, []);
            let mut expected = Vec::new();
            for step in steps {
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
