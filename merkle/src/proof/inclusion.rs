//! Proves that one or several leaves are in a tree.

use alloc::vec::Vec;

use super::{TreeHead, VerifyError, nodes};
use crate::hasher::{Node, NodeHasher};
use crate::shape::{Shape, Sibling};

/// Proves that a leaf is in a tree. The proof consists of the siblings on the path from the leaf to
/// the root.
///
/// The entry for a node without a sibling depends on the family: none if the node is promoted, the
/// node itself if it is duplicated, and the padding otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InclusionProof<N>(pub(crate) Vec<N>);
nodes!([N: Node] InclusionProof<N>, N, u64::BITS as usize);

impl<N: Node> InclusionProof<N> {
    /// Verifies that the tree with this head has `leaf` at `index`.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify<H>(
        &self,
        hasher: &H,
        head: &TreeHead<N>,
        index: u64,
        leaf: &N,
    ) -> Result<(), VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        if self.root(hasher, head.size, index, leaf)? == head.root {
            Ok(())
        } else {
            Err(VerifyError::WrongRoot)
        }
    }

    /// Computes the root of the tree of `size` leaves with `leaf` at `index`, according to this
    /// proof.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not match the shape of the tree.
    pub fn root<H>(&self, hasher: &H, size: u64, index: u64, leaf: &N) -> Result<N, VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        let shape = check_shape(hasher, size, index, &self.0)?;
        let mut siblings = self.0.iter().enumerate();
        let mut node = *leaf;
        for level in 0..shape.depth {
            let sibling = shape.sibling(level, index >> level);
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

/// Proves that several leaves are in a tree. The proof consists of the siblings on the paths to the
/// root that cannot be computed from the leaves. They are ordered by level from the leaves up, and
/// from left to right on each level.
///
/// Entries for nodes without a sibling are as in an [`InclusionProof`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MultiProof<N>(pub(crate) Vec<N>);
nodes!([N: Node] MultiProof<N>, N, usize::MAX);

impl<N: Node> MultiProof<N> {
    /// Verifies that the tree with this head has these leaves. They are given with their indices,
    /// in strictly ascending order.
    ///
    /// The nodes of each level are hashed in one call.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify<H>(
        &self,
        hasher: &H,
        head: &TreeHead<N>,
        leaves: &[(u64, N)],
    ) -> Result<(), VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        if self.root(hasher, head.size, leaves)? == head.root {
            Ok(())
        } else {
            Err(VerifyError::WrongRoot)
        }
    }

    /// Computes the root of the tree of `size` leaves that has these leaves, according to this
    /// proof.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the indices are invalid or the proof does not match the shape
    /// of the tree.
    pub fn root<H>(&self, hasher: &H, size: u64, leaves: &[(u64, N)]) -> Result<N, VerifyError>
    where
        H: NodeHasher<Node = N>,
    {
        let shape = check_size(hasher, size)?;
        check_indices(size, leaves.iter().map(|&(index, _)| index))?;
        let wrong_length = || VerifyError::WrongLength {
            expected: self.expected(hasher, size, leaves),
            got: self.0.len(),
        };

        let mut nodes = leaves.to_vec();
        let mut entries = self.0.iter().enumerate();
        let (mut children, mut parents) = (Vec::new(), Vec::new());
        for level in 0..shape.depth {
            children.clear();
            // The number of nodes kept. The last one may be promoted instead of hashed.
            let (mut kept, mut promoted) = (0, None);
            let mut i = 0;
            while i < nodes.len() {
                let (index, node) = nodes[i];
                i += 1;
                let sibling = shape.sibling(level, index);
                match (sibling, nodes.get(i)) {
                    (Sibling::Right, Some(&(next, right))) if next == index + 1 => {
                        children.extend([node, right]);
                        i += 1;
                    }
                    (Sibling::None, _) => promoted = Some(node),
                    _ => {
                        let (position, entry) = entries.next().ok_or_else(wrong_length)?;
                        check_entry(hasher, sibling, level, &node, (position, entry))?;
                        children.extend(if sibling == Sibling::Left {
                            [*entry, node]
                        } else {
                            [node, *entry]
                        });
                    }
                }
                nodes[kept].0 = index / 2;
                kept += 1;
            }
            nodes.truncate(kept);
            parents.resize(children.len() / 2, N::ZERO);
            hasher.hash_level(&children, &mut parents);
            for (node, parent) in nodes.iter_mut().zip(parents.iter().copied().chain(promoted)) {
                node.1 = parent;
            }
        }
        if entries.next().is_some() {
            return Err(wrong_length());
        }
        Ok(nodes[0].1)
    }

    /// The number of nodes in a proof of these leaves.
    fn expected<H: NodeHasher<Node = N>>(
        &self,
        hasher: &H,
        size: u64,
        leaves: &[(u64, N)],
    ) -> usize {
        let indices: Vec<u64> = leaves.iter().map(|&(index, _)| index).collect();
        let mut count = 0;
        Shape::new(hasher, size).entries(indices, |_, _, _| count += 1);
        count
    }
}

/// The shape of a tree, after checking the leaf index and the length of its path.
pub(super) fn check_shape<H: NodeHasher>(
    hasher: &H,
    size: u64,
    index: u64,
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

/// Checks that indices are leaves of a tree, in strictly ascending order.
pub(crate) fn check_indices(
    size: u64,
    indices: impl Iterator<Item = u64>,
) -> Result<(), VerifyError> {
    let mut last = None;
    for index in indices {
        if index >= size {
            return Err(VerifyError::NoSuchLeaf { index, size });
        }
        if let Some(before) = last.filter(|&before| before >= index) {
            return Err(VerifyError::Unsorted { index, before });
        }
        last = Some(index);
    }
    last.map(|_| ()).ok_or(VerifyError::NoLeaves)
}
