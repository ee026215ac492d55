//! Changing trees: the result equals a new tree with the same leaves.

use merkle_lanes::{Backend, NoSuchLeafError, NodeHasher, Tree};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::levels::{assert_kept_levels, assert_levels};
use crate::oracle::{Definition, Hash, sha256};
use crate::{each_family, leaves};

#[test]
fn growing_from_every_size_to_every_size() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for before in 0..=leaves.len() {
            for after in before..=leaves.len() {
                let mut tree = Tree::from_leaves(hasher, &leaves[..before]);
                tree.extend(&leaves[before..after]);
                assert_levels(&tree, definition, &leaves[..after]);
            }
        }
    }
    each_family!(check, &leaves(35));
}

#[test]
fn truncating_from_every_size_to_every_size() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for before in 0..=leaves.len() {
            for after in (0..before + 2).chain([usize::MAX]) {
                let mut tree = Tree::from_leaves(hasher, &leaves[..before]);
                tree.truncate(after as u64);
                assert_levels(&tree, definition, &leaves[..after.min(before)]);
            }
        }
    }
    each_family!(check, &leaves(35));
}

#[test]
fn leaf_by_leaf() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let mut tree = Tree::new(hasher);
        for size in 0..leaves.len() {
            assert_levels(&tree, definition, &leaves[..size]);
            tree.push(leaves[size]);
        }
        assert_levels(&tree, definition, leaves);
    }
    each_family!(check, &leaves(130));
}

/// Across the boundaries of the batches in which trees are hashed.
#[test]
fn growing_by_many_leaves() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for before in [1, 8191, 8192, 8193] {
            let mut tree = Tree::from_leaves(hasher, &leaves[..before]);
            tree.extend(&leaves[before..]);
            assert_levels(&tree, definition, leaves);
        }
    }
    each_family!(check, &leaves(8192 + 8192 + 5));
}

#[test]
fn replacing_each_leaf() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let mut expected = leaves.to_vec();
        let mut tree = Tree::from_leaves(hasher, leaves);
        for index in 0..leaves.len() {
            expected[index] = sha256(&[&expected[index]]);
            tree.update(index as u64, expected[index]).unwrap();
            assert_levels(&tree, definition, &expected);
        }
    }
    let leaves = leaves(35);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn replacing_all_subsets_of_small_trees() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for subset in 0_u32..1 << leaves.len() {
            let mut expected = leaves.to_vec();
            let mut updates = Vec::new();
            // In descending order; any order is allowed.
            for index in (0..leaves.len()).rev().filter(|index| subset >> index & 1 == 1) {
                expected[index] = [index as u8; 32];
                updates.push((index as u64, expected[index]));
            }
            let mut tree = Tree::from_leaves(hasher, leaves);
            tree.update_many(&updates).unwrap();
            assert_levels(&tree, definition, &expected);
        }
    }
    let leaves = leaves(7);
    for size in 0..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn replacing_many_leaves_with_every_backend() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let mut expected = leaves.to_vec();
        let mut updates = Vec::new();
        for index in (0..leaves.len()).step_by(3).chain([leaves.len() - 1, 0]) {
            expected[index] = sha256(&[&expected[index]]);
            updates.push((index as u64, expected[index]));
        }
        let mut tree = Tree::from_leaves(hasher, leaves);
        tree.update_many(&updates).unwrap();
        assert_levels(&tree, definition, &expected);
    }
    let leaves = leaves(1001);
    for backend in Backend::available() {
        each_family!(backend => check, &leaves);
    }
}

#[test]
fn the_last_update_of_an_index_wins() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        let mut expected = leaves(5);
        let mut tree = Tree::from_leaves(hasher, expected.as_slice());
        tree.update_many(&[(4, [1; 32]), (2, [2; 32]), (4, [3; 32])]).unwrap();
        (expected[4], expected[2]) = ([3; 32], [2; 32]);
        assert_levels(&tree, definition, &expected);
    }
    each_family!(check);
}

#[test]
fn an_invalid_index_changes_nothing() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
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
    }
    each_family!(check);
}

/// Levels of more than 2 MiB, which are in huge pages with that feature.
#[test]
fn large_levels() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let mut expected = leaves[..130_000].to_vec();
        let mut tree = Tree::from_leaves(hasher, expected.as_slice());
        for (keep, extend) in [(130_000, 2000), (100_000, 100_000), (200_000, 1), (150_000, 0)] {
            tree.truncate(keep as u64);
            expected.truncate(keep);
            tree.extend(&leaves[..extend]);
            expected.extend_from_slice(&leaves[..extend]);
            let last = expected.len() - 1;
            tree.update(last as u64, [7; 32]).unwrap();
            expected[last] = [7; 32];
            assert_levels(&tree, definition, &expected);
        }
        let clone = tree.clone();
        tree.update(0, [8; 32]).unwrap();
        assert_levels(&clone, definition, &expected);
        assert_eq!(format!("{:?}", clone.level(15)), format!("{:?}", clone.level(15).to_vec()));
    }
    each_family!(check, &leaves(130_000));
}

/// The kernel lists mappings for which huge pages are advised with the flag `hg`.
#[cfg(all(feature = "huge-pages", target_os = "linux"))]
#[test]
fn large_levels_are_in_huge_pages() {
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return;
    }
    // Levels 1 and 2 have 4 and 2 MiB.
    let tree = Tree::from_leaves(merkle_lanes::ssz::Ssz::new(), leaves(1 << 18));
    let address = |level| tree.level(level).as_ptr() as usize;
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut advised = Vec::new();
    let mut range = 0..0;
    for line in maps.lines() {
        if let Some((start, end)) = line.split(' ').next().and_then(|word| word.split_once('-')) {
            let hexadecimal = |text| usize::from_str_radix(text, 16).unwrap();
            range = hexadecimal(start)..hexadecimal(end);
        } else if line.starts_with("VmFlags:") && line.split(' ').any(|flag| flag == "hg") {
            advised.push(range.clone());
        }
    }
    let is_advised = |level| advised.iter().any(|range| range.contains(&address(level)));
    assert_eq!([0, 1, 2, 3].map(is_advised), [false, true, true, false]);
    assert!([1, 2].iter().all(|&level| address(level).is_multiple_of(1 << 21)));
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
        fn check<H: NodeHasher<Node = Hash> + Copy>(
            hasher: H,
            definition: Definition,
            lowest: u32,
            steps: &[Step],
        ) {
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
        }
        each_family!(check, lowest, &steps);
    }
}
