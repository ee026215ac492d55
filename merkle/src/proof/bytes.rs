//! The byte encoding of proofs: their concatenated nodes.

/// The error for bytes that do not encode a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The length is not a multiple of the node size.
    #[error("{length} bytes is not a multiple of the node size of {node} bytes")]
    PartialNode {
        /// The number of bytes.
        length: usize,
        /// The size of a node in bytes.
        node: usize,
    },
    /// The proof has more nodes than any tree has levels.
    #[error("a proof of {nodes} nodes exceeds the maximum of {max} nodes")]
    TooLong {
        /// The number of nodes.
        nodes: usize,
        /// The maximum number of nodes.
        max: usize,
    },
}

/// Implements the common methods of a proof that is a newtype over its nodes. `$max` is the maximum
/// number of nodes.
macro_rules! nodes {
    ($proof:ident, $max:expr) => {
        impl<N: $crate::node::Node> $proof<N> {
            /// The nodes of the proof.
            #[must_use]
            pub fn nodes(&self) -> &[N] {
                &self.0
            }

            /// Consumes the proof and returns its nodes.
            #[must_use]
            pub fn into_nodes(self) -> ::alloc::vec::Vec<N> {
                self.0
            }

            /// The concatenated bytes of the nodes.
            #[must_use]
            pub fn to_bytes(&self) -> ::alloc::vec::Vec<u8> {
                N::as_bytes(&self.0).to_vec()
            }
        }

        impl<N> From<::alloc::vec::Vec<N>> for $proof<N> {
            fn from(nodes: ::alloc::vec::Vec<N>) -> Self {
                Self(nodes)
            }
        }

        impl<N: $crate::node::Node> TryFrom<&[u8]> for $proof<N> {
            type Error = $crate::proof::DecodeError;

            fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                use $crate::proof::DecodeError;

                let (nodes, rest) = N::from_bytes(bytes);
                if !rest.is_empty() {
                    return Err(DecodeError::PartialNode { length: bytes.len(), node: N::BYTES });
                }
                let max: usize = $max;
                if nodes.len() > max {
                    return Err(DecodeError::TooLong { nodes: nodes.len(), max });
                }
                Ok(Self(nodes.to_vec()))
            }
        }

        #[cfg(feature = "serde")]
        impl<N: $crate::node::Node> serde::Serialize for $proof<N> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serdect::slice::serialize_hex_lower_or_bin(&N::as_bytes(&self.0), serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, N: $crate::node::Node> serde::Deserialize<'de> for $proof<N> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = serdect::slice::deserialize_hex_or_bin_vec(deserializer)?;
                Self::try_from(bytes.as_slice()).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use nodes;
