//! What a family of trees is: how its leaves and nodes are hashed, and what an odd node becomes.
//!
//! See docs/trees.md for how the modules fit together.

use alloc::vec;

use crate::node::Node;

/// What becomes of the last node of a level that has no sibling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Odd {
    /// It moves up as it is: RFC 6962.
    Promoted,
    /// It is hashed with itself: Bitcoin.
    Duplicated,
    /// It is hashed with a node that stands for a missing one, see [`NodeHasher::missing`]: SSZ,
    /// BitTorrent, Algorand.
    Padded,
}

/// Which nodes a tree hashed level by level takes at a time: with what comes of them they fit into
/// the L2 cache of any CPU that has one.
const NODES_AT_ONCE_LOG2: u32 = 12;

/// A family of Merkle trees.
///
/// A tree has its leaves at level 0 and its root at level [`depth`](Self::depth). Each level has
/// half as many nodes as the one below, rounded up; [`odd`](Self::odd) says what becomes of a last
/// node without a sibling.
///
/// All methods that hash take many nodes in one call, so that there is one for every lane.
pub trait NodeHasher: Sized {
    /// A node: `[u8; 32]` for SHA-256.
    type Node: Node;

    /// What becomes of a node without a sibling.
    fn odd(&self) -> Odd;

    /// What stands for a missing node of that level, which is below the root, where odd nodes are
    /// [`Odd::Padded`].
    fn missing(&self, level: u32) -> Self::Node {
        let _ = level;
        Self::Node::ZERO
    }

    /// The root of a tree without leaves.
    fn empty_root(&self) -> Self::Node;

    /// How many levels a tree of `leaves` leaves has above them: ⌈log2(leaves)⌉, or more for a
    /// family of fixed depth; 63 at most.
    fn depth(&self, leaves: u64) -> u32 {
        levels_above(leaves)
    }

    /// The most leaves that a tree may have; at most 2^63.
    fn capacity(&self) -> u64 {
        1 << 63
    }

    /// Makes a leaf of each piece of data.
    ///
    /// # Panics
    ///
    /// If there are not as many leaves as data.
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Self::Node]);

    /// Hashes children `2 * i` and `2 * i + 1` into parent `i`. There may be none.
    ///
    /// # Panics
    ///
    /// If there are not twice as many children as parents.
    fn hash_level(&self, children: &[Self::Node], parents: &mut [Self::Node]);

    /// How many levels at a time are best hashed by [`hash_subtrees`](Self::hash_subtrees) when
    /// there are that many nodes; at least 1.
    fn subtree_height(&self, nodes: usize) -> u32 {
        height_at_once(nodes)
    }

    /// Hashes complete subtrees: the `i`-th `2^height` leaves into root `i`. `height` is at least
    /// 1.
    ///
    /// Not by [`hash_level`](Self::hash_level) for all of them, level after level, when there is a
    /// way in which fewer nodes go through memory.
    ///
    /// # Panics
    ///
    /// If there are not `2^height` times as many leaves as roots.
    fn hash_subtrees(&self, leaves: &[Self::Node], height: u32, roots: &mut [Self::Node]) {
        level_by_level(self, leaves, height, roots);
    }

    /// The leaf of one piece of data.
    fn hash_leaf(&self, data: &[u8]) -> Self::Node {
        let mut leaf = [Self::Node::ZERO];
        self.hash_leaves(&[data], &mut leaf);
        leaf[0]
    }

    /// The parent of two nodes.
    fn hash_node(&self, left: &Self::Node, right: &Self::Node) -> Self::Node {
        let mut parent = [Self::Node::ZERO];
        self.hash_level(&[*left, *right], &mut parent);
        parent[0]
    }
}

/// ⌈log2(leaves)⌉, and 0 for no leaf.
#[must_use]
pub fn levels_above(leaves: u64) -> u32 {
    if leaves < 2 { 0 } else { u64::BITS - (leaves - 1).leading_zeros() }
}

/// How many levels [`level_by_level`] is best given at a time: one, while all nodes are in the
/// cache anyway.
pub(crate) fn height_at_once(nodes: usize) -> u32 {
    if nodes <= 1 << NODES_AT_ONCE_LOG2 { 1 } else { NODES_AT_ONCE_LOG2 }
}

/// What becomes of a node of that level without a sibling.
pub(crate) fn odd_parent<H: NodeHasher>(hasher: &H, level: u32, node: &H::Node) -> H::Node {
    match hasher.odd() {
        Odd::Promoted => *node,
        Odd::Duplicated => hasher.hash_node(node, node),
        Odd::Padded => hasher.hash_node(node, &hasher.missing(level)),
    }
}

/// Panics unless there is a parent for each pair of children.
#[track_caller]
#[inline]
pub(crate) fn check_children(children: usize, parents: usize) {
    assert!(
        children.is_multiple_of(2) && children / 2 == parents,
        "{children} children cannot be hashed into {parents} parents"
    );
}

/// Panics unless there is a root for each `2^height` leaves.
#[track_caller]
#[inline]
pub(crate) fn check_subtrees(leaves: usize, height: u32, roots: usize) {
    assert!(
        height > 0
            && roots.checked_shl(height).is_some_and(|all| all >> height == roots && all == leaves),
        "{leaves} leaves cannot be hashed into the roots of {roots} subtrees of height {height}"
    );
}

/// Hashes complete subtrees a level at a time, as many subtrees together as the cache holds.
pub(crate) fn level_by_level<H>(hasher: &H, leaves: &[H::Node], height: u32, roots: &mut [H::Node])
where
    H: NodeHasher,
{
    check_subtrees(leaves.len(), height, roots.len());
    if height == 1 || roots.is_empty() {
        return hasher.hash_level(leaves, roots);
    }
    let together = roots.len().min(1 << NODES_AT_ONCE_LOG2.saturating_sub(height));
    let half = together << (height - 1);
    let mut scratch = vec![H::Node::ZERO; half + half / 2];
    for (leaves, roots) in leaves.chunks(together << height).zip(roots.chunks_mut(together)) {
        let (mut from, mut into) = scratch.split_at_mut(half);
        let mut nodes = leaves.len() / 2;
        hasher.hash_level(leaves, &mut from[..nodes]);
        while nodes > 2 * roots.len() {
            hasher.hash_level(&from[..nodes], &mut into[..nodes / 2]);
            nodes /= 2;
            (from, into) = (into, from);
        }
        hasher.hash_level(&from[..nodes], roots);
    }
}
