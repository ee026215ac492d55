//! Binary trees of hash values: XMSS trees (FIPS 205 §6) and those of FORS (§8), many at once, so
//! that the few nodes near their roots fill the lanes, too.

use crate::address::Address;
use crate::suite::{Messages, Node, Nodes, Suite, nodes};

/// A tree, and the leaf whose path is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    /// The address of its nodes, without height and index.
    pub(crate) address: Address,
    /// The number of its first leaf: FORS counts those of all its trees.
    pub(crate) first: u32,
    /// The leaf, from 0.
    pub(crate) leaf: u32,
}

/// The root of each tree, and the paths from the leaves, tree by tree, from the bottom up.
pub(crate) struct Climbed {
    pub(crate) roots: Nodes,
    pub(crate) paths: Nodes,
}

/// Hashes trees of `height` from their leaves, tree by tree.
pub(crate) fn climb<S: Suite>(
    suite: &S,
    n: usize,
    height: usize,
    trees: &[Tree],
    leaves: Nodes,
) -> Climbed {
    let mut paths = nodes(trees.len() * height);
    let mut level = leaves;
    for z in 0..height {
        let width = 1 << (height - z);
        for (i, tree) in trees.iter().enumerate() {
            paths[i * height + z] = level[i * width + (tree.leaf as usize >> z ^ 1)];
        }
        let mut messages = Messages::new(suite, level.len() / 2, 2 * n);
        for (i, children) in level.chunks_exact(2).enumerate() {
            let (tree, node) = (&trees[i / (width / 2)], (i % (width / 2)) as u32);
            let address = tree.address.at(z as u32 + 1, (tree.first >> (z + 1)) + node);
            messages.push(suite, address, n, children);
        }
        level = suite.h(&messages);
    }
    Climbed { roots: level, paths }
}

/// The root above each leaf, by its path: `trees[i]` has `leaves[i]`.
pub(crate) fn roots_of<S: Suite>(
    suite: &S,
    n: usize,
    height: usize,
    trees: &[Tree],
    leaves: Nodes,
    path: impl Fn(usize, usize) -> Node,
) -> Nodes {
    let mut level = leaves;
    for z in 0..height {
        let mut messages = Messages::new(suite, trees.len(), 2 * n);
        for (i, tree) in trees.iter().enumerate() {
            let (node, sibling) = (&level[i], &path(i, z));
            let index = (tree.first + tree.leaf) >> (z + 1);
            let children = if tree.leaf >> z & 1 == 0 { [node, sibling] } else { [sibling, node] };
            messages.push(suite, tree.address.at(z as u32 + 1, index), n, children);
        }
        level = suite.h(&messages);
    }
    level
}
