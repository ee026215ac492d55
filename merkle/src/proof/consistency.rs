//! Proves that a tree extends an earlier one.

use alloc::vec::Vec;

use super::inclusion::check_size;
use super::{TreeHead, VerifyError, nodes};
use crate::hasher::{Node, NodeHasher, odd_parent};
use crate::shape::{Shape, Sibling};

/// Proves that a tree begins with the leaves of an earlier tree.
///
/// If odd nodes are promoted, the proof has the nodes of RFC 9162 §2.1.4.1: the root of the last
/// complete subtree of the old tree, unless it is the whole old tree, and its siblings on the path
/// to the new root. Other families have the same proof, and the verifier computes the padding of
/// odd nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsistencyProof<N>(pub(crate) Vec<N>);
nodes!([N: Node] ConsistencyProof<N>, N, u64::BITS as usize + 1);

impl<N: Node> ConsistencyProof<N> {
    /// Verifies that the tree with the head `new` begins with the leaves of the tree with the head
    /// `old`.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify<H: NodeHasher<Node = N>>(
        &self,
        hasher: &H,
        old: &TreeHead<N>,
        new: &TreeHead<N>,
    ) -> Result<(), VerifyError> {
        let shape = check_size(hasher, new.size)?;
        let common = CommonNode::new(hasher, old.size, new.size)?;
        let expected = common.proof_length(&shape);
        if self.0.len() != expected {
            return Err(VerifyError::WrongLength { expected, got: self.0.len() });
        }

        let mut entries = self.0.iter();
        let node = if common.is_old_root() {
            &old.root
        } else {
            entries.next().expect("the length was checked")
        };
        let (mut in_old, mut in_new) = (*node, *node);
        for level in common.level..shape.depth {
            let index = common.index >> (level - common.level);
            match shape.sibling(level, index) {
                Sibling::Left => {
                    let left = entries.next().expect("the length was checked");
                    in_new = hasher.hash_node(left, &in_new);
                    // The old root is higher up: it has no nodes to its left.
                    in_old = hasher.hash_node(left, &in_old);
                    continue;
                }
                Sibling::Right => {
                    let right = entries.next().expect("the length was checked");
                    in_new = hasher.hash_node(&in_new, right);
                }
                _ => in_new = odd_parent(hasher, level, &in_new),
            }
            if level < common.old.depth {
                in_old = odd_parent(hasher, level, &in_old);
            }
        }
        if in_old != old.root {
            Err(VerifyError::WrongOldRoot)
        } else if in_new != new.root {
            Err(VerifyError::WrongRoot)
        } else {
            Ok(())
        }
    }
}

/// The node where a consistency proof starts: the root of the last complete subtree of the old
/// tree. The new tree has it, too, so it is hashed up to both roots.
pub(crate) struct CommonNode {
    pub(crate) old: Shape,
    pub(crate) level: u32,
    pub(crate) index: u64,
}

impl CommonNode {
    pub(crate) fn new<H: NodeHasher>(
        hasher: &H,
        old_size: u64,
        new_size: u64,
    ) -> Result<Self, VerifyError> {
        if old_size > new_size {
            return Err(VerifyError::Shrunk { old: old_size, new: new_size });
        }
        if old_size == 0 {
            return Err(VerifyError::FromEmpty);
        }
        // For trees of the same size, comparing the roots suffices.
        let old = Shape::new(hasher, old_size);
        let level = if old_size == new_size { old.depth } else { old_size.trailing_zeros() };
        Ok(Self { old, level, index: (old_size - 1) >> level })
    }

    /// Whether the subtree is the whole old tree.
    pub(crate) fn is_old_root(&self) -> bool {
        self.level == self.old.depth
    }

    fn proof_length(&self, new: &Shape) -> usize {
        let has_entry = |&level: &u32| {
            matches!(
                new.sibling(level, self.index >> (level - self.level)),
                Sibling::Left | Sibling::Right
            )
        };
        usize::from(!self.is_old_root()) + (self.level..new.depth).filter(has_entry).count()
    }
}
