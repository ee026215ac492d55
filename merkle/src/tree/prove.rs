//! Creating proofs from a tree.

use alloc::vec::Vec;

use super::{NoSuchLeafError, Tree};
use crate::hasher::NodeHasher;
use crate::proof::{
    CommonNode, ConsistencyProof, InclusionProof, MultiProof, VerifyError, check_indices,
};
use crate::shape::{Shape, Sibling};

impl<H: NodeHasher> Tree<H> {
    /// Proves that a leaf is in the tree.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`.
    pub fn prove(&self, index: u64) -> Result<InclusionProof<H::Node>, NoSuchLeafError> {
        let size = self.len();
        if index >= size {
            return Err(NoSuchLeafError { index, size });
        }
        Ok(InclusionProof(self.entries(&[index])))
    }

    /// Proves that several leaves are in the tree. `indices` must be in strictly ascending order.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchLeaf`] if an index is out of range, [`VerifyError::Unsorted`]
    /// if the indices are not strictly ascending, and [`VerifyError::NoLeaves`] if there are none.
    pub fn prove_many(&self, indices: &[u64]) -> Result<MultiProof<H::Node>, VerifyError> {
        check_indices(self.len(), indices.iter().copied())?;
        Ok(MultiProof(self.entries(indices)))
    }

    /// Proves that the tree begins with the leaves it had when its size was `old_size`.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::Shrunk`] if `old_size > self.len()`, and [`VerifyError::FromEmpty`]
    /// if `old_size` is 0.
    pub fn prove_consistency(
        &self,
        old_size: u64,
    ) -> Result<ConsistencyProof<H::Node>, VerifyError> {
        let common = CommonNode::new(&self.hasher, old_size, self.len())?;
        let shape = self.shape();
        let mut nodes = Vec::new();
        if !common.is_old_root() {
            nodes.push(self.existing_node(common.level, common.index));
        }
        for level in common.level..shape.depth {
            let index = common.index >> (level - common.level);
            if matches!(shape.sibling(level, index), Sibling::Left | Sibling::Right) {
                nodes.push(self.existing_node(level, index ^ 1));
            }
        }
        Ok(ConsistencyProof(nodes))
    }

    /// The siblings that make up a proof of these leaves.
    fn entries(&self, indices: &[u64]) -> Vec<H::Node> {
        let mut entries = Vec::new();
        self.shape().entries(indices.to_vec(), |level, index, sibling| {
            entries.push(match sibling {
                Sibling::Left | Sibling::Right => self.existing_node(level, index ^ 1),
                Sibling::Itself => self.existing_node(level, index),
                Sibling::Missing => self.hasher.missing(level),
                Sibling::None => unreachable!("promoted nodes have no entry"),
            });
        });
        entries
    }

    fn shape(&self) -> Shape {
        Shape::new(&self.hasher, self.len())
    }
}
