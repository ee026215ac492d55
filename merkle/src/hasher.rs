//! Tree families: what a node is, how leaves and nodes are hashed, and what an odd node is paired
//! with.
//!
//! See docs/trees.md for how the modules fit together.

use alloc::vec;
use core::fmt::Debug;
use core::hash::Hash;

/// A node or leaf of a tree: the digest of what is below it. Implemented for every `[u8; N]`.
pub trait Node:
    Copy + Debug + Eq + Ord + Hash + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static
{
    /// The number of bytes in a node.
    const BYTES: usize;

    /// The node with all bytes zero.
    const ZERO: Self;

    /// Splits bytes into nodes and the remainder that does not fill a node.
    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]);

    /// The concatenated bytes of all nodes.
    fn as_bytes(nodes: &[Self]) -> &[u8];
}

impl<const N: usize> Node for [u8; N] {
    const BYTES: usize = N;
    const ZERO: Self = [0; N];

    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]) {
        bytes.as_chunks()
    }

    fn as_bytes(nodes: &[Self]) -> &[u8] {
        nodes.as_flattened()
    }
}

/// How a family treats an odd node: the last node of a level without a sibling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Odd {
    /// Promoted to the next level unchanged: RFC 6962.
    Promoted,
    /// Hashed with itself: Bitcoin.
    Duplicated,
    /// Hashed with a padding node, see [`NodeHasher::missing`]: SSZ, BitTorrent and Algorand.
    Padded,
}

/// The number of nodes hashed level by level at a time. Together with their parents they fit into
/// the L2 cache of any CPU that has one.
const NODES_AT_ONCE_LOG2: u32 = 12;

/// A family of Merkle trees.
///
/// Leaves are at level 0 and the root is at level [`depth`](Self::depth). Each level has half as
/// many nodes as the one below, rounded up. [`odd`](Self::odd) says how a last node without a
/// sibling is treated.
///
/// All hashing methods take many nodes per call, to fill the lanes.
pub trait NodeHasher: Sized {
    /// A node, such as `[u8; 32]` for SHA-256.
    type Node: Node;

    /// How a node without a sibling is treated.
    fn odd(&self) -> Odd;

    /// The padding for a missing node on `level`, below the root. Used if odd nodes are
    /// [`Odd::Padded`].
    fn missing(&self, level: u32) -> Self::Node {
        let _ = level;
        Self::Node::ZERO
    }

    /// The root of a tree without leaves.
    fn empty_root(&self) -> Self::Node;

    /// The number of levels above the leaves, at most 63: ⌈log2(leaves)⌉, or more for a family
    /// of fixed depth. More leaves than [`capacity`](Self::capacity) count as that many.
    fn depth(&self, leaves: u64) -> u32 {
        levels_above(leaves.min(self.capacity()))
    }

    /// The maximum number of leaves in a tree; at most 2^63.
    fn capacity(&self) -> u64 {
        1 << 63
    }

    /// Hashes each piece of data into a leaf.
    ///
    /// # Panics
    ///
    /// Panics if `data.len() != leaves.len()`.
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Self::Node]);

    /// Hashes children `2 * i` and `2 * i + 1` into parent `i`. Both slices may be empty.
    ///
    /// # Panics
    ///
    /// Panics if `children.len() != 2 * parents.len()`.
    fn hash_level(&self, children: &[Self::Node], parents: &mut [Self::Node]);

    /// The number of levels that [`hash_subtrees`](Self::hash_subtrees) should hash at once, given
    /// this many nodes. At least 1.
    fn subtree_height(&self, nodes: usize) -> u32 {
        height_at_once(nodes)
    }

    /// Hashes complete subtrees: the `i`-th run of `2^height` leaves into root `i`. `height` is at
    /// least 1.
    ///
    /// Implementations can keep intermediate nodes out of memory. The default calls
    /// [`hash_level`](Self::hash_level) for one level after another.
    ///
    /// # Panics
    ///
    /// Panics if `height == 0` or `leaves.len() != roots.len() << height`.
    fn hash_subtrees(&self, leaves: &[Self::Node], height: u32, roots: &mut [Self::Node]) {
        level_by_level(self, leaves, height, roots);
    }

    /// Hashes one piece of data into a leaf.
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

/// Gives a family [`NodeHasher::hash_node`] as a method of its own, which needs no trait in scope.
macro_rules! hash_node {
    ([$($generics:tt)*] $Family:ty, $Node:ty) => {
        impl<$($generics)*> $Family {
            /// The parent of two nodes. Many at once:
            /// [`hash_level`](crate::NodeHasher::hash_level).
            #[must_use]
            pub fn hash_node(&self, left: &$Node, right: &$Node) -> $Node {
                $crate::hasher::NodeHasher::hash_node(self, left, right)
            }
        }
    };
}
pub(crate) use hash_node;

/// The depth of a binary tree: ⌈log2(leaves)⌉, or 0 if `leaves` is 0.
#[must_use]
pub fn levels_above(leaves: u64) -> u32 {
    if leaves < 2 { 0 } else { u64::BITS - (leaves - 1).leading_zeros() }
}

/// The best height for [`level_by_level`]: one level if all nodes fit into the cache anyway.
pub(crate) fn height_at_once(nodes: usize) -> u32 {
    if nodes <= 1 << NODES_AT_ONCE_LOG2 { 1 } else { NODES_AT_ONCE_LOG2 }
}

/// The parent of a node on `level` that has no sibling.
pub(crate) fn odd_parent<H: NodeHasher>(hasher: &H, level: u32, node: &H::Node) -> H::Node {
    match hasher.odd() {
        Odd::Promoted => *node,
        Odd::Duplicated => hasher.hash_node(node, node),
        Odd::Padded => hasher.hash_node(node, &hasher.missing(level)),
    }
}

/// Panics if `children != 2 * parents`.
#[track_caller]
#[inline]
pub(crate) fn check_children(children: usize, parents: usize) {
    assert!(
        children.is_multiple_of(2) && children / 2 == parents,
        "{children} children cannot be hashed into {parents} parents"
    );
}

/// Panics if `height == 0` or `leaves != roots << height`.
#[track_caller]
#[inline]
pub(crate) fn check_subtrees(leaves: usize, height: u32, roots: usize) {
    assert!(
        height > 0
            && roots.checked_shl(height).is_some_and(|all| all >> height == roots && all == leaves),
        "{leaves} leaves cannot be hashed into {roots} subtrees of height {height}"
    );
}

/// Hashes complete subtrees level by level, with as many subtrees at a time as the cache holds.
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
