//! A tree with all its nodes.

mod build;
mod prove;
mod update;

use alloc::vec::Vec;

use crate::fold::check_capacity;
use crate::hasher::NodeHasher;

/// A Merkle tree with all its nodes in memory: about twice the memory of its leaves.
///
/// ```
/// use merkle_lanes::{Tree, rfc6962::Rfc6962};
///
/// let mut tree = Tree::new(Rfc6962::new());
/// tree.extend_data(&["first entry", "second entry", "third entry"]);
/// let proof = tree.prove(1)?;
/// proof.verify(tree.hasher(), &tree.root(), tree.len(), 1, &tree.leaves()[1])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<H: NodeHasher> {
    hasher: H,
    /// The nodes of each level, the leaves first. The last one has the root alone; there is none
    /// when there is no leaf.
    levels: Vec<Vec<H::Node>>,
}

impl<H: NodeHasher> Tree<H> {
    /// A tree without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, levels: Vec::new() }
    }

    /// The tree with these leaves: an array, a slice, or a vector, which is not copied.
    ///
    /// # Panics
    ///
    /// If there are more leaves than [`NodeHasher::capacity`].
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

    /// How nodes are hashed.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// How many leaves there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.leaves().len() as u64
    }

    /// Whether there is no leaf.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaves().is_empty()
    }

    /// How many levels there are above the leaves.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.hasher.depth(self.len())
    }

    /// The leaves.
    #[must_use]
    pub fn leaves(&self) -> &[H::Node] {
        self.level(0)
    }

    /// The nodes of a level, as far as there is something below them: the leaves of level 0, the
    /// root of level [`depth`](Self::depth). Empty above that.
    #[must_use]
    pub fn level(&self, level: u32) -> &[H::Node] {
        self.levels.get(level as usize).map_or(&[], Vec::as_slice)
    }

    /// A node, or what stands for it where there is nothing below it.
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

/// An index at which there is no leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no leaf {index} in a tree of {size} leaves")]
pub struct NoSuchLeafError {
    /// The index.
    pub index: u64,
    /// How many leaves the tree has.
    pub size: u64,
}
