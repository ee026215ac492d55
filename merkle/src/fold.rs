//! Hashes nodes of one level up to a higher level.

use alloc::vec::Vec;

use crate::hasher::{Node, NodeHasher, odd_parent};

/// Hashes the last nodes of a level up to their common ancestor on level `top`.
///
/// `nodes` must not be empty. Its first node must begin a subtree of height `top - level`.
pub(crate) fn fold<H>(hasher: &H, nodes: &[H::Node], mut level: u32, top: u32) -> H::Node
where
    H: NodeHasher,
{
    let mut nodes = nodes;
    // The output of one step, and the buffer for the next.
    let (mut roots, mut room) = (Vec::new(), Vec::new());
    while nodes.len() > 1 {
        let height = hasher.subtree_height(nodes.len()).clamp(1, nodes.len().ilog2());
        let complete = nodes.len() >> height;
        let (whole, edge) = nodes.split_at(complete << height);
        room.resize(complete, H::Node::ZERO);
        hasher.hash_subtrees(whole, height, &mut room);
        if !edge.is_empty() {
            room.push(fold(hasher, edge, level, level + height));
        }
        (roots, room) = (room, roots);
        nodes = &roots;
        level += height;
    }
    let mut node = nodes[0];
    for level in level..top {
        node = odd_parent(hasher, level, &node);
    }
    node
}

/// Computes the root of the tree with these leaves.
///
/// The leaves are read once, front to back, and can be a memory-mapped file: [`Node::from_bytes`]
/// turns bytes into nodes without copying.
///
/// ```
/// use merkle_lanes::root;
/// use merkle_lanes::ssz::{Ssz, ZERO_HASHES};
///
/// assert_eq!(root(&Ssz::new(), &[[0; 32]; 8]), ZERO_HASHES[3]);
/// ```
///
/// # Panics
///
/// Panics if there are more leaves than [`NodeHasher::capacity`].
#[must_use]
#[track_caller]
pub fn root<H: NodeHasher>(hasher: &H, leaves: &[H::Node]) -> H::Node {
    let size = leaves.len() as u64;
    check_capacity(hasher, size);
    if leaves.is_empty() {
        return hasher.empty_root();
    }
    fold(hasher, leaves, 0, hasher.depth(size))
}

/// Panics if `size > hasher.capacity()`.
#[track_caller]
pub(crate) fn check_capacity<H: NodeHasher>(hasher: &H, size: u64) {
    let capacity = hasher.capacity();
    assert!(size <= capacity, "a tree of {size} leaves exceeds the capacity of {capacity} leaves");
}
