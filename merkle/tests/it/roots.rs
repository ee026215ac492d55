//! Roots of every number of leaves, with every backend.

use std::fmt::Debug;

use merkle_lanes::{Backend, NodeHasher, Tree, root};

use crate::oracle::{Definition, Hash};
use crate::{each_family, leaves};

fn check<H: NodeHasher<Node = Hash> + Copy>(
    hasher: H,
    definition: Definition,
    leaves: &[Hash],
    name: Backend,
) {
    let expected = definition.root(leaves);
    let size = leaves.len();
    assert_eq!(root(&hasher, leaves), expected, "{definition:?}, {name}: {size} leaves at once");
    assert_eq!(
        Tree::from_leaves(hasher, leaves).root(),
        expected,
        "{definition:?}, {name}: tree of {size}"
    );
}

#[test]
fn of_every_size_with_every_backend() {
    let leaves = leaves(140);
    for backend in Backend::available() {
        for size in 0..=leaves.len() {
            each_family!(backend => check, &leaves[..size], backend);
        }
    }
}

/// The sizes around which leaves are divided differently.
#[test]
fn of_large_trees_with_every_backend() {
    let leaves = leaves((1 << 14) + 77);
    let around =
        (8..=14).step_by(2).map(|log2| 1 << log2).flat_map(|size| [size - 1, size, size + 1]);
    let sizes: Vec<usize> =
        around.chain([2047 + 31, 3000, 5000, 8192 + 65, leaves.len()]).collect();
    for backend in Backend::available() {
        for &size in &sizes {
            each_family!(backend => check, &leaves[..size], backend);
        }
    }
}

/// All backends compute the same roots, so only the `Debug` output shows which one is used.
#[test]
fn an_explicit_backend_is_used() {
    fn check(hasher: impl Debug, definition: Definition, backend: Backend) {
        let shown = format!("{hasher:?}");
        assert!(shown.contains(&format!("{backend:?}")), "{definition:?}, {backend}: {shown}");
    }
    for backend in Backend::available() {
        each_family!(backend => check, backend);
    }
}

/// The levels of the definitions lead to their roots.
#[test]
fn oracle_agrees_with_itself() {
    fn check<H>(_: H, definition: Definition, leaves: &[Hash]) {
        let tree = crate::oracle::NaiveTree::new(definition, leaves);
        assert_eq!(
            *tree.levels.last().unwrap(),
            [definition.root(leaves)],
            "{definition:?}, {}",
            leaves.len()
        );
    }
    let leaves = leaves(70);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}
