//! Generalized indices: the position of any node in an SSZ object, and its proof.

use core::num::NonZeroU64;

use super::{Chunk, Ssz};
use crate::proof::{InclusionProof, TreeHead, VerifyError};

/// The place of a node, counted from the root: the root is 1, and the children of node `i` are `2 *
/// i` and `2 * i + 1` (`ssz/merkle-proofs.md` of the consensus specifications).
///
/// The node at position `p` of depth `d` is `2^d + p`. No node is deeper than 63 levels.
///
/// ```
/// use merkle_lanes::ssz::GeneralizedIndex;
///
/// // In a list, the chunks are to the left of the length. This is chunk 2 of up to 2^40.
/// let chunks = GeneralizedIndex::ROOT.left().unwrap();
/// let third = chunks.concat(GeneralizedIndex::at(40, 2).unwrap()).unwrap();
/// assert_eq!(third.get(), (1 << 41) + 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeneralizedIndex(NonZeroU64);

impl GeneralizedIndex {
    /// The root.
    pub const ROOT: Self = Self(NonZeroU64::MIN);

    /// Creates an index from its number. Returns `None` for zero.
    #[must_use]
    pub const fn new(index: u64) -> Option<Self> {
        match NonZeroU64::new(index) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// The node `depth` levels below the root at a position counted from the left. Returns `None`
    /// if there is no such position or `depth` is greater than 63.
    #[must_use]
    pub const fn at(depth: u32, position: u64) -> Option<Self> {
        if depth < u64::BITS && position >> depth == 0 {
            Self::new(1 << depth | position)
        } else {
            None
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// The number of levels below the root: `get_generalized_index_length`.
    #[must_use]
    pub const fn depth(self) -> u32 {
        self.0.ilog2()
    }

    /// The position among the nodes of its depth, counted from the left.
    #[must_use]
    pub const fn position(self) -> u64 {
        self.get() ^ (1 << self.depth())
    }

    /// The left child, or `None` if it would be too deep.
    #[must_use]
    pub const fn left(self) -> Option<Self> {
        self.concat(Self(NonZeroU64::MIN.saturating_add(1)))
    }

    /// The right child, or `None` if it would be too deep.
    #[must_use]
    pub const fn right(self) -> Option<Self> {
        self.concat(Self(NonZeroU64::MIN.saturating_add(2)))
    }

    /// The node at `below` in the subtree rooted here, or `None` if it would be too deep:
    /// `concat_generalized_indices`.
    #[must_use]
    pub const fn concat(self, below: Self) -> Option<Self> {
        if self.depth() + below.depth() < u64::BITS {
            Self::new(self.get() << below.depth() | below.position())
        } else {
            None
        }
    }

    /// The reverse of [`concat`](Self::concat): the ancestor at most `depth` levels below the root,
    /// and the place of this node in the subtree rooted there.
    pub(super) const fn split(self, depth: u32) -> (Self, Self) {
        let below = self.depth().saturating_sub(depth);
        let place = self.get() & ((1 << below) - 1) | 1 << below;
        match (Self::new(self.get() >> below), Self::new(place)) {
            (Some(ancestor), Some(place)) => (ancestor, place),
            _ => unreachable!(),
        }
    }
}

impl Ssz {
    /// Verifies that the object with this root has `node` at `index`. The branch has the siblings
    /// on the path from `node` to the root.
    ///
    /// This is `is_valid_merkle_branch` of the specification; [`GeneralizedIndex::at`] combines its
    /// depth and index.
    ///
    /// Unlike [`InclusionProof::verify`], it accepts any sibling where the object has no chunks,
    /// because the number of chunks is not known.
    ///
    /// ```
    /// use merkle_lanes::{NodeHasher, ssz::{GeneralizedIndex, Ssz}};
    ///
    /// let ssz = Ssz::new();
    /// let [a, b, c] = [[1; 32], [2; 32], [3; 32]];
    /// let root = ssz.hash_node(&a, &ssz.hash_node(&b, &c));
    /// let index = GeneralizedIndex::at(2, 3).unwrap();
    /// ssz.verify_branch(&root, index, &c, &vec![b, a].into())?;
    /// # Ok::<(), merkle_lanes::VerifyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the branch does not show this or does not have one node per
    /// level.
    pub fn verify_branch(
        &self,
        root: &Chunk,
        index: GeneralizedIndex,
        node: &Chunk,
        branch: &InclusionProof<Chunk>,
    ) -> Result<(), VerifyError> {
        // A full tree has no missing nodes.
        let size = 1 << index.depth();
        let full = Self { limit: Some(size), ..*self };
        branch.verify(&full, &TreeHead { size, root: *root }, index.position(), node)
    }
}
