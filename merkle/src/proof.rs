//! Proofs and their errors.

mod bytes;
mod consistency;
mod inclusion;
mod many;
mod multi;

pub use bytes::DecodeError;
pub(crate) use bytes::nodes;
pub(crate) use consistency::CommonNode;
pub use consistency::ConsistencyProof;
pub use inclusion::{InclusionProof, LeafPosition};
pub use many::{Claim, verify_many};
pub use multi::MultiProof;
pub(crate) use multi::check_indices;

/// The error for a proof that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The tree would exceed the capacity of its family.
    #[error("a tree of {size} leaves exceeds the capacity of {capacity} leaves")]
    TooManyLeaves {
        /// The given number of leaves.
        size: u64,
        /// The maximum number of leaves.
        capacity: u64,
    },
    /// The leaf index is out of range.
    #[error("leaf index {index} is out of range for a tree of {size} leaves")]
    NoSuchLeaf {
        /// The index of the leaf.
        index: u64,
        /// The number of leaves in the tree.
        size: u64,
    },
    /// A proof of no leaves proves nothing.
    #[error("no leaves to prove")]
    NoLeaves,
    /// The leaf indices of a multiproof are not strictly ascending.
    #[error("leaf indices must be strictly ascending, but {index} follows {before}")]
    Unsorted {
        /// The index that is not greater than the previous one.
        index: u64,
        /// The previous index.
        before: u64,
    },
    /// The proof has fewer or more nodes than the shape of the tree requires.
    #[error("expected a proof of {expected} nodes, got {got}")]
    WrongLength {
        /// The expected number of nodes.
        expected: usize,
        /// The actual number of nodes.
        got: usize,
    },
    /// The proof has a wrong node where the tree has none: padding, or a copy of the sibling, was
    /// expected.
    #[error("node {position} of the proof is not the expected padding for a missing node")]
    NotMissing {
        /// The position of the node in the proof.
        position: usize,
    },
    /// The old size is greater than the new size.
    #[error("a tree of {new} leaves cannot extend a tree of {old} leaves")]
    Shrunk {
        /// The old size.
        old: u64,
        /// The new size.
        new: u64,
    },
    /// Every tree is consistent with an empty one, so a proof from an empty tree proves nothing.
    #[error("a consistency proof from an empty tree proves nothing")]
    FromEmpty,
    /// The proof leads to a different root. For a consistency proof, the new root.
    #[error("the proof leads to a different root")]
    WrongRoot,
    /// A consistency proof leads to a different root of the old tree.
    #[error("the proof leads to a different root of the old tree")]
    WrongOldRoot,
}
