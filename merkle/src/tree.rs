//! A tree with all its nodes.

mod build;
#[cfg(all(feature = "huge-pages", target_os = "linux"))]
mod huge_pages;
mod prove;
mod update;

use alloc::vec::Vec;
#[cfg(not(all(feature = "huge-pages", target_os = "linux")))]
use alloc::vec::Vec as Nodes;

#[cfg(all(feature = "huge-pages", target_os = "linux"))]
use self::huge_pages::Nodes;
use crate::fold::{check_capacity, fold};
use crate::hasher::NodeHasher;
use crate::node::Node;

/// A Merkle tree that keeps all its nodes in memory, about twice the size of its leaves.
/// [Low levels can be left out](Self::with_lowest_level).
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
    /// The lowest level above the leaves to keep, at least 1.
    lowest: u32,
    /// The level after the leaves in `levels`: `lowest`, or that of the root if it is lower.
    first: u32,
    /// The nodes of each kept level, leaves first. The last level holds only the root. Empty if
    /// there are no leaves.
    levels: Vec<Nodes<H::Node>>,
}

impl<H: NodeHasher> Tree<H> {
    /// Creates a tree without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, lowest: 1, first: 0, levels: Vec::new() }
    }

    /// Creates a tree from an array, slice or vector of leaves. A vector is not copied.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn from_leaves(hasher: H, leaves: impl Into<Vec<H::Node>>) -> Self {
        Self::with_lowest_level(hasher, 1, leaves)
    }

    /// Creates a tree that does not keep the levels from 1 to `lowest - 1`, which saves memory. The
    /// levels above `n` leaves take up `n` nodes in a full tree, and about `n / 2^(lowest - 1)`
    /// here. The leaves and the root are always kept. A vector of leaves is not copied.
    ///
    /// Proofs are the same as those of a full tree. The price is time, because nodes of the other
    /// levels are recomputed from the leaves:
    ///
    /// - a proof hashes up to `2^lowest` nodes for each proven leaf;
    /// - an update rehashes `2^lowest` nodes for each replaced leaf, or fewer if they are close;
    /// - a call that appends or truncates hashes up to `2^lowest` additional nodes.
    ///
    /// If `lowest` is 5, the levels above 2^30 leaves of 32 bytes take up 2 GiB instead of 32 GiB.
    /// Building the tree is also faster, because less memory is written.
    ///
    /// ```
    /// use merkle_lanes::{Tree, ssz::Ssz};
    ///
    /// let leaves = vec![[7; 32]; 1000];
    /// let full = Tree::from_leaves(Ssz::new(), leaves.as_slice());
    /// let small = Tree::with_lowest_level(Ssz::new(), 5, leaves);
    /// assert!(small.level(4).is_empty());
    /// assert_eq!(small.level(5), full.level(5));
    /// assert_eq!(small.prove(77)?, full.prove(77)?);
    /// # Ok::<(), merkle_lanes::NoSuchLeafError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn with_lowest_level(hasher: H, lowest: u32, leaves: impl Into<Vec<H::Node>>) -> Self {
        let mut tree = Self { lowest: lowest.max(1), ..Self::new(hasher) };
        let leaves = leaves.into();
        let size = leaves.len() as u64;
        check_capacity(&tree.hasher, size);
        if !leaves.is_empty() {
            #[allow(clippy::useless_conversion, reason = "`Nodes` is `Vec` without huge pages")]
            let leaves = leaves.into();
            tree.levels.push(leaves);
            tree.resize_levels(size);
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
    /// [`depth`](Self::depth) the root. Higher levels, and those that the tree does not
    /// [keep](Self::with_lowest_level), are empty.
    #[must_use]
    pub fn level(&self, level: u32) -> &[H::Node] {
        let i = match level {
            0 => Some(0),
            _ => level.checked_sub(self.first).map(|above| (above as usize).saturating_add(1)),
        };
        i.and_then(|i| self.levels.get(i)).map_or(&[], |nodes| nodes)
    }

    /// A node that has leaves below it. It is recomputed if its level is not kept.
    pub(crate) fn node(&self, level: u32, index: u64) -> Option<H::Node> {
        if level == 0 || level >= self.first {
            return self.level(level).get(usize::try_from(index).ok()?).copied();
        }
        let width = 1 << level;
        let start = index.checked_mul(width).filter(|&start| start < self.len())?;
        let end = self.len().min(start + width);
        Some(fold(&self.hasher, &self.leaves()[start as usize..end as usize], 0, level))
    }

    /// A node that is known to have leaves below it.
    pub(crate) fn existing_node(&self, level: u32, index: u64) -> H::Node {
        self.node(level, index).expect("the node has leaves below it")
    }

    /// A node, or the padding for it if it has no leaves below it.
    pub(crate) fn node_or_missing(&self, level: u32, index: u64) -> H::Node {
        self.node(level, index).unwrap_or_else(|| self.hasher.missing(level))
    }

    /// The level of the nodes in `levels[i]`.
    fn level_of(&self, i: usize) -> u32 {
        if i == 0 { 0 } else { self.first + i as u32 - 1 }
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

/// The `i`-th kept level and the one below it.
fn two_levels<N: Node>(levels: &mut [Nodes<N>], i: usize) -> (&[N], &mut Nodes<N>) {
    let (lower, upper) = levels.split_at_mut(i);
    (&lower[i - 1], &mut upper[0])
}

/// The number of nodes `height` levels below `nodes` nodes, all of which exist.
fn below(nodes: usize, height: u32) -> usize {
    // Without nodes, the height can exceed the width of a `usize`.
    nodes.checked_shl(height).unwrap_or(0)
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
