//! Proofs as bytes: their nodes, one after another.

/// Why bytes are no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes are not a whole number of nodes.
    #[error("{length} bytes are not a whole number of nodes of {node} bytes")]
    NoWholeNodes {
        /// How many bytes there are.
        length: usize,
        /// How many a node has.
        node: usize,
    },
    /// No tree is that deep.
    #[error("a proof of {nodes} nodes is longer than any tree is deep ({most})")]
    TooLong {
        /// How many nodes there are.
        nodes: usize,
        /// How many there can be.
        most: usize,
    },
}

/// Gives a proof, which is a newtype of its nodes, all that it has in common with the others. Such
/// a proof has `$most` nodes at most.
macro_rules! nodes {
    ($proof:ident, $most:expr) => {
        impl<N: $crate::node::Node> $proof<N> {
            /// Its nodes.
            #[must_use]
            pub fn nodes(&self) -> &[N] {
                &self.0
            }

            /// Its nodes.
            #[must_use]
            pub fn into_nodes(self) -> ::alloc::vec::Vec<N> {
                self.0
            }

            /// The bytes of its nodes, one after another.
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
                    return Err(DecodeError::NoWholeNodes { length: bytes.len(), node: N::BYTES });
                }
                let most: usize = $most;
                if nodes.len() > most {
                    return Err(DecodeError::TooLong { nodes: nodes.len(), most });
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
