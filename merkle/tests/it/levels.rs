//! The nodes on each level of a tree.

use merkle_lanes::{NodeHasher, Tree, levels_above};

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, leaves};

/// Asserts that a tree has exactly the expected nodes.
pub(crate) fn assert_levels<H>(tree: &Tree<H>, definition: Definition, leaves: &[Hash])
where
    H: NodeHasher<Node = Hash>,
{
    assert_kept_levels(tree, 1, definition, leaves);
}

/// Asserts that a tree has exactly the expected nodes, except on the levels from 1 to `lowest - 1`,
/// which it does not keep unless one of them holds the root.
pub(crate) fn assert_kept_levels<H>(
    tree: &Tree<H>,
    lowest: u32,
    definition: Definition,
    leaves: &[Hash],
) where
    H: NodeHasher<Node = Hash>,
{
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
fn of_every_size() {
    fn check<H: NodeHasher<Node = Hash>>(hasher: H, definition: Definition, leaves: &[Hash]) {
        assert_levels(&Tree::from_leaves(hasher, leaves), definition, leaves);
    }
    let leaves = leaves(130);
    for size in 0..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn of_sizes_around_the_batch_size() {
    fn check<H: NodeHasher<Node = Hash>>(hasher: H, definition: Definition, leaves: &[Hash]) {
        assert_levels(&Tree::from_leaves(hasher, leaves), definition, leaves);
    }
    let leaves = leaves(2 * 8192 + 3);
    for size in [8191, 8192, 8193, 2 * 8192, leaves.len()] {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn number_of_levels() {
    let levels =
        [0, 1, 2, 3, 4, 5, 8, 9, 1 << 40, (1 << 40) + 1, 1 << 63, (1 << 63) + 1].map(levels_above);
    assert_eq!(levels, [0, 0, 1, 2, 2, 3, 3, 4, 40, 41, 63, 64]);
}
