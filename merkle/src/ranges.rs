//! Combines the roots of ranges of leaves that were hashed separately.

use core::ops::Range;

use crate::builder::RootBuilder;
use crate::fold::fold;
use crate::hasher::NodeHasher;

/// Divides a tree into ranges of leaves that different machines can hash.
///
/// Each range has `2^height` leaves, except the last one. The root of a range is a node of the
/// tree, and the roots of all ranges lead to its root. All machines must agree on the family, the
/// number of leaves and the height.
///
/// ```
/// use merkle_lanes::{Ranges, ssz::Ssz, root};
///
/// let leaves = [[1; 32], [2; 32], [3; 32], [4; 32], [5; 32], [6; 32], [7; 32]];
/// let ranges = Ranges::new(Ssz::with_limit(1 << 40), 7, 2)?;
///
/// // On one machine for each range:
/// let first = ranges.range_root(0, &leaves[..4])?;
/// let last = ranges.range_root(1, &leaves[4..])?;
///
/// // On one machine:
/// let combined = ranges.root(&[first, last])?;
/// assert_eq!(combined, root(ranges.hasher(), &leaves));
/// # Ok::<(), merkle_lanes::RangesError>(())
/// ```
///
/// A wrong number of ranges, or of leaves in a range, is an error. A root from the wrong range or
/// from another tree is not detected: it leads to a different root.
///
/// Leaves must be in the order of the tree. An `algorand::VectorCommitment` reorders its elements.
#[derive(Clone, Copy, Debug)]
pub struct Ranges<H> {
    hasher: H,
    size: u64,
    /// The level of the roots of ranges. At most the depth of the tree.
    level: u32,
}

impl<H: NodeHasher> Ranges<H> {
    /// Divides the tree of `size` leaves into ranges of `2^height` leaves. A tree with at most that
    /// many leaves is a single range.
    ///
    /// # Errors
    ///
    /// Returns [`RangesError::TooManyLeaves`] if `size` is greater than [`NodeHasher::capacity`].
    pub fn new(hasher: H, size: u64, height: u32) -> Result<Self, RangesError> {
        let capacity = hasher.capacity();
        if size > capacity {
            return Err(RangesError::TooManyLeaves { size, capacity });
        }
        let level = height.min(hasher.depth(size));
        Ok(Self { hasher, size, level })
    }

    /// The family of the tree.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The number of ranges: 0 for a tree without leaves.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.size.div_ceil(1 << self.level)
    }

    /// Whether there are no ranges, because there are no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The leaf indices of range `index`.
    ///
    /// # Errors
    ///
    /// Returns [`RangesError::NoSuchRange`] if `index >= self.len()`.
    pub fn range(&self, index: u64) -> Result<Range<u64>, RangesError> {
        if index >= self.len() {
            return Err(RangesError::NoSuchRange { index, ranges: self.len() });
        }
        let start = index << self.level;
        Ok(start..start + (self.size - start).min(1 << self.level))
    }

    /// Computes the root of range `index` from its leaves.
    ///
    /// # Errors
    ///
    /// Returns [`RangesError::NoSuchRange`] if `index >= self.len()`, and
    /// [`RangesError::WrongLength`] if there are more or fewer leaves than in
    /// [`range`](Self::range).
    pub fn range_root(&self, index: u64, leaves: &[H::Node]) -> Result<H::Node, RangesError> {
        self.check_length(index, leaves.len() as u64)?;
        Ok(fold(&self.hasher, leaves, 0, self.level))
    }

    /// Computes the root of range `index` from a stream of its leaves, in constant memory. The
    /// builder must have started at the first leaf of the range.
    ///
    /// ```
    /// # use merkle_lanes::{Ranges, RootBuilder, bitcoin::Bitcoin};
    /// let ranges = Ranges::new(Bitcoin::new(), 7, 2)?;
    /// let mut leaves = RootBuilder::new(Bitcoin::new());
    /// leaves.push([5; 32]);
    /// leaves.extend(&[[6; 32], [7; 32]]);
    /// let last = ranges.range_root_of_stream(1, &leaves)?;
    /// assert_eq!(last, ranges.range_root(1, &[[5; 32], [6; 32], [7; 32]])?);
    /// # Ok::<(), merkle_lanes::RangesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`range_root`](Self::range_root).
    pub fn range_root_of_stream(
        &self,
        index: u64,
        leaves: &RootBuilder<H>,
    ) -> Result<H::Node, RangesError> {
        self.check_length(index, leaves.len())?;
        Ok(leaves.ancestor(self.level))
    }

    /// Computes the root of the tree from the roots of all ranges, in order.
    ///
    /// # Errors
    ///
    /// Returns [`RangesError::WrongCount`] if `range_roots.len() != self.len()`.
    pub fn root(&self, range_roots: &[H::Node]) -> Result<H::Node, RangesError> {
        if range_roots.len() as u64 != self.len() {
            return Err(RangesError::WrongCount {
                expected: self.len(),
                got: range_roots.len() as u64,
            });
        }
        if range_roots.is_empty() {
            return Ok(self.hasher.empty_root());
        }
        Ok(fold(&self.hasher, range_roots, self.level, self.hasher.depth(self.size)))
    }

    fn check_length(&self, index: u64, got: u64) -> Result<(), RangesError> {
        let range = self.range(index)?;
        let expected = range.end - range.start;
        if got == expected {
            Ok(())
        } else {
            Err(RangesError::WrongLength { index, expected, got })
        }
    }
}

/// The error for ranges that do not fit a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangesError {
    /// The tree would exceed the capacity of its family.
    #[error("a tree of {size} leaves exceeds the capacity of {capacity} leaves")]
    TooManyLeaves {
        /// The given number of leaves.
        size: u64,
        /// The maximum number of leaves.
        capacity: u64,
    },
    /// The index is out of range.
    #[error("range {index} does not exist: the tree has {ranges} ranges")]
    NoSuchRange {
        /// The index of the range.
        index: u64,
        /// The number of ranges.
        ranges: u64,
    },
    /// A range has more or fewer leaves.
    #[error("range {index} has {expected} leaves, not {got}")]
    WrongLength {
        /// The index of the range.
        index: u64,
        /// The expected number of leaves.
        expected: u64,
        /// The actual number of leaves.
        got: u64,
    },
    /// The tree has more or fewer ranges.
    #[error("expected the roots of {expected} ranges, got {got}")]
    WrongCount {
        /// The expected number of roots.
        expected: u64,
        /// The actual number of roots.
        got: u64,
    },
}
