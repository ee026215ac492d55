//! Ranges of leaves that are hashed apart from the rest of their tree, for example on different
//! machines.

use alloc::vec::Vec;

use crate::fold::{check_capacity, fold};
use crate::hasher::NodeHasher;

/// The root of a complete subtree: of `2^height` leaves, the first of which has an index that is a
/// multiple of `2^height`.
///
/// [`RootBuilder::push_subtree`](crate::RootBuilder::push_subtree) joins subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubtreeRoot<N> {
    /// The number of levels between the leaves and the root of the subtree.
    pub height: u32,
    /// The root of the subtree: a node on level `height` of the tree.
    pub root: N,
}

/// Computes the root of a complete subtree.
///
/// A tree whose leaves are on several machines is divided into ranges of the same power of two.
/// Each machine hashes its own, and one of them joins the roots:
///
/// ```
/// use merkle_lanes::{RootBuilder, root, subtree_root};
/// use merkle_lanes::ssz::Ssz;
///
/// let leaves: Vec<_> = (0..96).map(|i| [i; 32]).collect();
/// let ranges = leaves.chunks(32);
/// let hashed = ranges.map(|range| subtree_root(&Ssz::new(), range)); // one machine each
///
/// let mut tree = RootBuilder::new(Ssz::new());
/// for subtree in hashed {
///     tree.push_subtree(&subtree?)?;
/// }
/// assert_eq!(tree.root(), root(&Ssz::new(), &leaves));
/// # Ok::<(), merkle_lanes::SubtreeError>(())
/// ```
///
/// [`subtree_roots`] takes a range of any length, such as the last one.
///
/// # Errors
///
/// Returns [`SubtreeError::Incomplete`] if the number of leaves is not a power of two.
pub fn subtree_root<H: NodeHasher>(
    hasher: &H,
    leaves: &[H::Node],
) -> Result<SubtreeRoot<H::Node>, SubtreeError> {
    if !leaves.len().is_power_of_two() {
        return Err(SubtreeError::Incomplete { leaves: leaves.len() });
    }
    let height = leaves.len().ilog2();
    Ok(SubtreeRoot { height, root: fold(hasher, leaves, 0, height) })
}

/// Computes the roots of the largest complete subtrees that a range of leaves consists of, in
/// order. `first` is the index of its first leaf in the tree.
///
/// ```
/// use merkle_lanes::{RootBuilder, root, subtree_roots};
/// use merkle_lanes::bitcoin::Bitcoin;
///
/// let leaves: Vec<_> = (0..100).map(|i| [i; 32]).collect();
/// let mut tree = RootBuilder::new(Bitcoin::new());
/// for range in [0..33, 33..57, 57..100] {
///     for subtree in subtree_roots(&Bitcoin::new(), range.start as u64, &leaves[range]) {
///         tree.push_subtree(&subtree)?;
///     }
/// }
/// assert_eq!(tree.root(), root(&Bitcoin::new(), &leaves));
/// # Ok::<(), merkle_lanes::SubtreeError>(())
/// ```
///
/// # Panics
///
/// Panics if the range ends beyond [`NodeHasher::capacity`].
#[must_use]
#[track_caller]
pub fn subtree_roots<H: NodeHasher>(
    hasher: &H,
    first: u64,
    mut leaves: &[H::Node],
) -> Vec<SubtreeRoot<H::Node>> {
    check_capacity(hasher, first.saturating_add(leaves.len() as u64));
    let mut roots = Vec::new();
    let mut index = first;
    while !leaves.is_empty() {
        let height = index.trailing_zeros().min(leaves.len().ilog2());
        let (now, later) = leaves.split_at(1 << height);
        roots.push(SubtreeRoot { height, root: fold(hasher, now, 0, height) });
        index += 1 << height;
        leaves = later;
    }
    roots
}

/// The error for leaves or nodes that are not a complete subtree of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubtreeError {
    /// The number of leaves is not a power of two.
    Incomplete {
        /// The number of leaves.
        leaves: usize,
    },
    /// No subtree of this height begins here, so an earlier one is missing or has another height.
    Misplaced {
        /// The height of the subtree.
        height: u32,
        /// The number of leaves before it.
        first: u64,
    },
    /// The tree has no room for a subtree of this height.
    TooManyLeaves {
        /// The height of the subtree.
        height: u32,
        /// The number of leaves before it.
        first: u64,
        /// The maximum number of leaves.
        capacity: u64,
    },
}

error_messages!(SubtreeError {
    Self::Incomplete { leaves } =>
        "{leaves} leaves are not a complete subtree: their number must be a power of two";
    Self::Misplaced { height, first } =>
        "no subtree of height {height} begins at leaf {first}, which is not a multiple of \
         2^{height}";
    Self::TooManyLeaves { height, first, capacity } =>
        "a subtree of height {height} at leaf {first} exceeds the capacity of {capacity} leaves";
});
