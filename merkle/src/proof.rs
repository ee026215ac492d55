//! Proofs, the tree heads that they are verified against, and verification errors.

mod consistency;
mod inclusion;
mod many;

pub(crate) use consistency::CommonNode;
pub use consistency::ConsistencyProof;
pub(crate) use inclusion::check_indices;
pub use inclusion::{InclusionProof, MultiProof};
pub use many::{Claim, verify_many};

/// The size and root of a tree: what a verifier must know from a source other than the proof.
///
/// Without the size, a node could be passed off as a leaf. RFC 9162 calls this a tree head; logs
/// sign it. Size and root must come from one signed head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeHead<N> {
    /// The number of leaves.
    pub size: u64,
    /// The root.
    pub root: N,
}

/// The error for a proof that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The tree would exceed the capacity of its family.
    TooManyLeaves {
        /// The given number of leaves.
        size: u64,
        /// The maximum number of leaves.
        capacity: u64,
    },
    /// The leaf index is out of range.
    NoSuchLeaf {
        /// The index of the leaf.
        index: u64,
        /// The number of leaves in the tree.
        size: u64,
    },
    /// A proof of no leaves proves nothing.
    NoLeaves,
    /// The leaf indices of a multiproof are not strictly ascending.
    Unsorted {
        /// The index that is not greater than the previous one.
        index: u64,
        /// The previous index.
        before: u64,
    },
    /// The proof has fewer or more nodes than the shape of the tree requires.
    WrongLength {
        /// The expected number of nodes.
        expected: usize,
        /// The actual number of nodes.
        got: usize,
    },
    /// The proof has a wrong node where the tree has none: padding, or a copy of the sibling, was
    /// expected.
    NotMissing {
        /// The position of the node in the proof.
        position: usize,
    },
    /// A node of a Bitcoin branch equals the node to its right, which therefore is a copy that
    /// stands for no transaction.
    EqualSiblings {
        /// The position of the node in the proof.
        position: usize,
    },
    /// The flags of a multiproof of OpenZeppelin do not match its nodes and the given leaves.
    WrongFlags {
        /// The number of leaves.
        leaves: usize,
        /// The number of nodes in the proof.
        nodes: usize,
        /// The number of flags.
        flags: usize,
    },
    /// The old size is greater than the new size.
    Shrunk {
        /// The old size.
        old: u64,
        /// The new size.
        new: u64,
    },
    /// An object has no node at a generalized index.
    NoSuchNode {
        /// The generalized index.
        index: u64,
    },
    /// A generalized index is given twice.
    Repeated {
        /// The generalized index.
        index: u64,
    },
    /// A given node is not the hash of the given nodes and proof nodes below it.
    NotParent {
        /// The generalized index of the node.
        index: u64,
    },
    /// Every tree is consistent with an empty one, so a proof from an empty tree proves nothing.
    FromEmpty,
    /// The proof leads to a different root. For a consistency proof, the new root.
    WrongRoot,
    /// A consistency proof leads to a different root of the old tree.
    WrongOldRoot,
}

error_messages!(VerifyError {
    Self::TooManyLeaves { size, capacity } =>
        "a tree of {size} leaves exceeds the capacity of {capacity} leaves";
    Self::NoSuchLeaf { index, size } =>
        "leaf index {index} is out of range for a tree of {size} leaves";
    Self::NoLeaves => "no leaves to prove";
    Self::Unsorted { index, before } =>
        "leaf indices must be strictly ascending, but {index} follows {before}";
    Self::WrongLength { expected, got } => "expected a proof of {expected} nodes, got {got}";
    Self::NotMissing { position } =>
        "node {position} of the proof is not the expected padding for a missing node";
    Self::EqualSiblings { position } =>
        "node {position} of the branch equals its right sibling, which stands for no transaction";
    Self::WrongFlags { leaves, nodes, flags } =>
        "the flags of the proof do not match: {flags} flags, {nodes} nodes, {leaves} leaves";
    Self::Shrunk { new, old } => "a tree of {new} leaves cannot extend a tree of {old} leaves";
    Self::NoSuchNode { index } => "the object has no node at generalized index {index}";
    Self::Repeated { index } => "generalized index {index} is given twice";
    Self::NotParent { index } =>
        "the node at generalized index {index} is not the hash of the nodes below it";
    Self::FromEmpty => "a consistency proof from an empty tree proves nothing";
    Self::WrongRoot => "the proof leads to a different root";
    Self::WrongOldRoot => "the proof leads to a different root of the old tree";
});

/// The error for bytes that do not encode a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The length is not a multiple of the node size.
    PartialNode {
        /// The number of bytes.
        length: usize,
        /// The size of a node in bytes.
        node: usize,
    },
    /// The proof has more nodes than any tree has levels.
    TooLong {
        /// The number of nodes.
        nodes: usize,
        /// The maximum number of nodes.
        max: usize,
    },
}

error_messages!(DecodeError {
    Self::PartialNode { length, node } =>
        "{length} bytes is not a multiple of the node size of {node} bytes";
    Self::TooLong { nodes, max } => "a proof of {nodes} nodes exceeds the maximum of {max} nodes";
});

/// Implements the common methods of a proof that is a newtype over its nodes. `$max` is the maximum
/// number of nodes.
macro_rules! nodes {
    ([$($generics:tt)*] $Proof:ty, $Node:ty, $max:expr) => {
        impl<$($generics)*> $Proof {
            /// The nodes of the proof.
            #[must_use]
            pub fn nodes(&self) -> &[$Node] {
                &self.0
            }

            /// Consumes the proof and returns its nodes.
            #[must_use]
            pub fn into_nodes(self) -> ::alloc::vec::Vec<$Node> {
                self.0
            }

            /// The concatenated bytes of the nodes.
            #[must_use]
            pub fn to_bytes(&self) -> ::alloc::vec::Vec<u8> {
                <$Node as $crate::hasher::Node>::as_bytes(&self.0).to_vec()
            }
        }

        impl<$($generics)*> From<::alloc::vec::Vec<$Node>> for $Proof {
            fn from(nodes: ::alloc::vec::Vec<$Node>) -> Self {
                Self(nodes)
            }
        }

        impl<$($generics)*> TryFrom<&[u8]> for $Proof {
            type Error = $crate::proof::DecodeError;

            fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                use $crate::proof::DecodeError;

                let (nodes, rest) = <$Node as $crate::hasher::Node>::from_bytes(bytes);
                if !rest.is_empty() {
                    let node = <$Node as $crate::hasher::Node>::BYTES;
                    return Err(DecodeError::PartialNode { length: bytes.len(), node });
                }
                let max: usize = $max;
                if nodes.len() > max {
                    return Err(DecodeError::TooLong { nodes: nodes.len(), max });
                }
                Ok(Self(nodes.to_vec()))
            }
        }

        #[cfg(feature = "serde")]
        impl<$($generics)*> serde::Serialize for $Proof {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let bytes = <$Node as $crate::hasher::Node>::as_bytes(&self.0);
                serdect::slice::serialize_hex_lower_or_bin(&bytes, serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, $($generics)*> serde::Deserialize<'de> for $Proof {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = serdect::slice::deserialize_hex_or_bin_vec(deserializer)?;
                Self::try_from(bytes.as_slice()).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use nodes;
