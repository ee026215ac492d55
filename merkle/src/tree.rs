//! A tree with all its nodes.

mod build;
mod prove;
mod update;

use alloc::vec::Vec;

use crate::fold::check_capacity;
use crate::hasher::NodeHasher;

/// A Merkle tree with all its nodes in memory, about twice the size of its leaves.
///
/// ```
/// use merkle_lanes::{LeafPosition, Tree, rfc6962::Rfc6962};
///
/// let mut tree = Tree::new(Rfc6962::new());
/// tree.extend_data(&["first entry", "second entry", "third entry"]);
/// let proof = tree.prove(1)?;
/// let second = LeafPosition { index: 1, size: tree.len() };
/// proof.verify(tree.hasher(), &tree.root(), second, &tree.leaves()[1])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<H: NodeHasher> {
    hasher: H,
    /// The nodes of each level, leaves first. The last level holds only the root. Empty if there
    /// are no leaves.
    levels: Vec<Vec<H::Node>>,
}

impl<H: NodeHasher> Tree<H> {
    /// Creates a tree without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, levels: Vec::new() }
    }

    /// Creates a tree from an array, slice or vector of leaves. A vector is not copied.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn from_leaves(hasher: H, leaves: impl Into<Vec<H::Node>>) -> Self {
        let mut tree = Self::new(hasher);
        let leaves = leaves.into();
        if !leaves.is_empty() {
            check_capacity(&tree.hasher, leaves.len() as u64);
            tree.levels.resize_with(1 + tree.hasher.depth(leaves.len() as u64) as usize, Vec::new);
            tree.levels[0] = leaves;
            tree.hash_from(0);
        }
        tree
    }

    /// The family of the tree.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The number of leaves.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.leaves().len() as u64
    }

    /// Whether the tree has no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaves().is_empty()
    }

    /// The number of levels above the leaves.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.hasher.depth(self.len())
    }

    /// The leaves.
    #[must_use]
    pub fn leaves(&self) -> &[H::Node] {
        self.level(0)
    }

    /// The nodes of a level that have leaves below them. Level 0 holds the leaves, level
    /// [`depth`](Self::depth) the root. Higher levels are empty.
    #[must_use]
    pub fn level(&self, level: u32) -> &[H::Node] {
        self.levels.get(level as usize).map_or(&[], Vec::as_slice)
    }

    /// A node, or the padding for it if it has no leaves below it.
    pub(crate) fn node_or_missing(&self, level: u32, index: u64) -> H::Node {
        let node = usize::try_from(index).ok().and_then(|index| self.level(level).get(index));
        node.copied().unwrap_or_else(|| self.hasher.missing(level))
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> H::Node {
        match self.levels.last() {
            Some(top) => top[0],
            None => self.hasher.empty_root(),
        }
    }
}

/// The error for a leaf index that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("leaf index {index} is out of range for a tree of {size} leaves")]
pub struct NoSuchLeafError {
    /// The index.
    pub index: u64,
    /// The number of leaves in the tree.
    pub size: u64,
}
