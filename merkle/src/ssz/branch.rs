//! Proofs that a node is at a given place in an object.

use super::{Chunk, GeneralizedIndex, Ssz};
use crate::hasher::{NodeHasher, Odd};
use crate::proof::{InclusionProof, LeafPosition, VerifyError};
use crate::tree::Tree;

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
        let position = LeafPosition { index: index.position(), size };
        branch.verify(&full, root, position, node)
    }
}

impl GeneralizedIndex {
    /// The node at this place in a tree whose root is at index 1: a chunk, a node above the chunks,
    /// or the padding for a missing one.
    ///
    /// Returns `None` for a place below the chunks, or for a missing node in a tree without
    /// padding.
    ///
    /// Together with [`helper_indices`](super::helper_indices), it creates a
    /// [`NodeProof`](super::NodeProof).
    #[must_use]
    pub fn node_of<H: NodeHasher<Node = Chunk>>(self, tree: &Tree<H>) -> Option<Chunk> {
        let level = tree.depth().checked_sub(self.depth())?;
        let missing = || (tree.hasher().odd() == Odd::Padded).then(|| tree.hasher().missing(level));
        tree.node(level, self.position()).or_else(missing)
    }
}
