//! That a node is at some place of an object.

use super::{Chunk, GeneralizedIndex, Ssz};
use crate::hasher::{NodeHasher, Odd};
use crate::proof::{InclusionProof, VerifyError};
use crate::tree::Tree;

impl Ssz {
    /// Verifies that the object with that root has `node` at `index`: `is_valid_merkle_branch` of
    /// the specification, whose depth and index make [`GeneralizedIndex::at`]. The branch has
    /// the siblings of the nodes on the way to the root, from that of `node` on.
    ///
    /// Unlike [`InclusionProof::verify`] it takes any sibling where the object has no chunks: how
    /// many it has is not known.
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
    /// If the branch does not show it, or has not one node for each level.
    pub fn verify_branch(
        &self,
        root: &Chunk,
        index: GeneralizedIndex,
        node: &Chunk,
        branch: &InclusionProof<Chunk>,
    ) -> Result<(), VerifyError> {
        // In a tree that is full no node stands for a missing one.
        let size = 1 << index.depth();
        let full = Self { limit: Some(size), ..*self };
        branch.verify(&full, root, size, index.position(), node)
    }
}

impl GeneralizedIndex {
    /// The node at this place of a tree whose root is at index 1: one above the chunks, or one of
    /// them, or what stands for a missing one. `None` if it would be below the chunks, or
    /// nothing stands for missing nodes in such trees.
    ///
    /// With [`helper_indices`](super::helper_indices) it makes a [`NodeProof`](super::NodeProof).
    #[must_use]
    pub fn node_of<H: NodeHasher<Node = Chunk>>(self, tree: &Tree<H>) -> Option<Chunk> {
        let level = tree.depth().checked_sub(self.depth())?;
        let is_there = self.position() < tree.level(level).len() as u64;
        (is_there || tree.hasher().odd() == Odd::Padded)
            .then(|| tree.node_or_missing(level, self.position()))
    }
}
