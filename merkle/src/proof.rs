//! Proofs, and why one may be refused.

mod bytes;
mod consistency;
mod inclusion;
mod many;
mod multi;

pub use bytes::DecodeError;
pub(crate) use bytes::nodes;
pub use consistency::ConsistencyProof;
pub(crate) use consistency::Start;
pub use inclusion::InclusionProof;
pub use many::{Claim, verify_many};
pub use multi::MultiProof;
pub(crate) use multi::check_indices;

/// Why a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The family has no tree of that many leaves.
    #[error("a tree for at most {capacity} leaves cannot have {size}")]
    TooManyLeaves {
        /// How many leaves the tree was said to have.
        size: u64,
        /// How many it can have.
        capacity: u64,
    },
    /// The leaf is not in the tree.
    #[error("there is no leaf {index} in a tree of {size} leaves")]
    NoSuchLeaf {
        /// The leaf's index.
        index: u64,
        /// How many leaves the tree has.
        size: u64,
    },
    /// A proof of no leaf proves nothing.
    #[error("there is no leaf to be proven")]
    NoLeaves,
    /// The leaves of a multiproof do not come in ascending order, or one of them comes twice.
    #[error("leaf {index} does not come after leaf {before}")]
    Unsorted {
        /// The index that is not greater than the one before.
        index: u64,
        /// The one before.
        before: u64,
    },
    /// The proof has fewer or more nodes than the shape of the tree asks for.
    #[error("a proof of {expected} nodes was expected, not of {got}")]
    WrongLength {
        /// How many nodes there should be.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// Where the tree has no node, the proof has another than the one that stands for it.
    #[error(
        "node {position} of the proof stands where the tree has none, and is not what stands for it"
    )]
    NotMissing {
        /// Its position in the proof.
        position: usize,
    },
    /// The earlier of the two sizes is the greater.
    #[error("a tree of {new} leaves cannot have grown from one of {old}")]
    Shrunk {
        /// The earlier size.
        old: u64,
        /// The later size.
        new: u64,
    },
    /// Any tree is consistent with one without leaves, so that a proof of it proves nothing.
    #[error("a proof from a tree without leaves proves nothing")]
    FromEmpty,
    /// The proof leads to another root: the later root, for a consistency proof.
    #[error("the proof leads to another root")]
    WrongRoot,
    /// A consistency proof leads to another root of the earlier tree.
    #[error("the proof leads to another root of the earlier tree")]
    WrongOldRoot,
}
