//! Proofs that a leaf is in a tree.

use alloc::vec::Vec;

use super::VerifyError;
use super::bytes::nodes;
use crate::hasher::NodeHasher;
use crate::shape::{Shape, Sibling};

/// Proves that a leaf is in a tree. The proof consists of the siblings on the path from the leaf to
/// the root.
///
/// The entry for a node without a sibling depends on the family: none if the node is promoted, the
/// node itself if it is duplicated, and the padding otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InclusionProof<N>(pub(crate) Vec<N>);
nodes!(InclusionProof, u64::BITS as usize);

/// The position of a leaf: its index, and the size of the tree.
///
/// These are `leaf_index` and `tree_size` of RFC 6962 and RFC 9162.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeafPosition {
    /// The index of the leaf, from 0.
    pub index: u64,
    /// The number of leaves in the tree.
    pub size: u64,
}

impl<N: crate::node::Node> InclusionProof<N> {
    /// Verifies that the tree of `position.size` leaves with this root has `leaf` at
    /// `position.index`.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify<H>(
        &self,
        hasher: &H,
        root: &N,
        position: LeafPosition,
        leaf: &N,
    ) -> Result<(), VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        if self.root(hasher, position, leaf)? == *root {
            Ok(())
        } else {
            Err(VerifyError::WrongRoot)
        }
    }

    /// Computes the root of the tree of `position.size` leaves with `leaf` at `position.index`,
    /// according to this proof.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not match the shape of the tree.
    pub fn root<H>(&self, hasher: &H, position: LeafPosition, leaf: &N) -> Result<N, VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        let shape = check_shape(hasher, position, &self.0)?;
        let mut siblings = self.0.iter().enumerate();
        let mut node = *leaf;
        for level in 0..shape.depth {
            let sibling = shape.sibling(level, position.index >> level);
            if sibling == Sibling::None {
                continue;
            }
            let (i, entry) = siblings.next().expect("the length was checked");
            check_entry(hasher, sibling, level, &node, (i, entry))?;
            node = match sibling {
                Sibling::Left => hasher.hash_node(entry, &node),
                _ => hasher.hash_node(&node, entry),
            };
        }
        Ok(node)
    }
}

/// The shape of a tree, after checking the leaf index and the length of its path.
pub(super) fn check_shape<H: NodeHasher>(
    hasher: &H,
    LeafPosition { index, size }: LeafPosition,
    path: &[H::Node],
) -> Result<Shape, VerifyError> {
    let shape = check_size(hasher, size)?;
    if index >= size {
        return Err(VerifyError::NoSuchLeaf { index, size });
    }
    let expected = shape.path_length(index);
    if path.len() != expected {
        return Err(VerifyError::WrongLength { expected, got: path.len() });
    }
    Ok(shape)
}

/// The shape of a tree, after checking its size.
pub(super) fn check_size<H: NodeHasher>(hasher: &H, size: u64) -> Result<Shape, VerifyError> {
    let capacity = hasher.capacity();
    if size > capacity {
        return Err(VerifyError::TooManyLeaves { size, capacity });
    }
    Ok(Shape::new(hasher, size))
}

/// Checks a proof entry for the sibling of `node`.
pub(super) fn check_entry<H: NodeHasher>(
    hasher: &H,
    sibling: Sibling,
    level: u32,
    node: &H::Node,
    (position, entry): (usize, &H::Node),
) -> Result<(), VerifyError> {
    let is_valid = match sibling {
        Sibling::Left | Sibling::Right | Sibling::None => true,
        Sibling::Itself => entry == node,
        Sibling::Missing => *entry == hasher.missing(level),
    };
    if is_valid { Ok(()) } else { Err(VerifyError::NotMissing { position }) }
}
