//! Proofs padded to a fixed length, for places where a proof is itself hashed.

use alloc::vec;
use alloc::vec::Vec;

use crate::hasher::Node;
use crate::proof::InclusionProof;

/// The maximum depth of a tree whose proofs have this encoding: `MaxEncodedTreeDepth` of
/// go-algorand.
const MAX_DEPTH: usize = 16;

/// An inclusion proof with a fixed-length encoding, so that it can be hashed. State proofs use it
/// in signature slots.
///
/// The encoding is a byte with the depth of the tree, then zeros in place of unused nodes, then the
/// nodes of the proof. There are 16 nodes in total.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FixedLengthProof<N>(InclusionProof<N>);

/// The error for bytes or a proof without a valid fixed-length encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FixedLengthError {
    /// The tree is too deep.
    #[error("a proof of {depth} nodes exceeds the maximum of {MAX_DEPTH} nodes")]
    TooDeep {
        /// The number of nodes in the proof.
        depth: usize,
    },
    /// There are more or fewer bytes.
    #[error("expected a proof of {expected} bytes, got {got}")]
    WrongLength {
        /// The expected number of bytes.
        expected: usize,
        /// The actual number of bytes.
        got: usize,
    },
    /// A byte before the nodes is not zero.
    #[error("byte {position} of the proof is padding and must be zero")]
    NotZero {
        /// The position of the byte in the proof.
        position: usize,
    },
}

impl<N: Node> FixedLengthProof<N> {
    /// The length of the encoding in bytes: 1025 with nodes of 64 bytes.
    pub const BYTES: usize = 1 + MAX_DEPTH * N::BYTES;

    /// The proof.
    #[must_use]
    pub fn proof(&self) -> &InclusionProof<N> {
        &self.0
    }

    /// Returns the proof.
    #[must_use]
    pub fn into_proof(self) -> InclusionProof<N> {
        self.0
    }

    /// Encodes the proof in [`BYTES`](Self::BYTES) bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::BYTES];
        let nodes = N::as_bytes(self.0.nodes());
        bytes[0] = self.0.nodes().len() as u8;
        bytes[Self::BYTES - nodes.len()..].copy_from_slice(nodes);
        bytes
    }
}

impl<N: Node> TryFrom<InclusionProof<N>> for FixedLengthProof<N> {
    type Error = FixedLengthError;

    fn try_from(proof: InclusionProof<N>) -> Result<Self, FixedLengthError> {
        let depth = proof.nodes().len();
        if depth > MAX_DEPTH { Err(FixedLengthError::TooDeep { depth }) } else { Ok(Self(proof)) }
    }
}

impl<N: Node> TryFrom<&[u8]> for FixedLengthProof<N> {
    type Error = FixedLengthError;

    fn try_from(bytes: &[u8]) -> Result<Self, FixedLengthError> {
        if bytes.len() != Self::BYTES {
            return Err(FixedLengthError::WrongLength { expected: Self::BYTES, got: bytes.len() });
        }
        let depth = usize::from(bytes[0]);
        if depth > MAX_DEPTH {
            return Err(FixedLengthError::TooDeep { depth });
        }
        let begin = Self::BYTES - depth * N::BYTES;
        if let Some(position) = (1..begin).find(|&position| bytes[position] != 0) {
            return Err(FixedLengthError::NotZero { position });
        }
        Ok(Self(N::from_bytes(&bytes[begin..]).0.to_vec().into()))
    }
}

#[cfg(feature = "serde")]
impl<N: Node> serde::Serialize for FixedLengthProof<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serdect::slice::serialize_hex_lower_or_bin(&self.to_bytes(), serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, N: Node> serde::Deserialize<'de> for FixedLengthProof<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = serdect::slice::deserialize_hex_or_bin_vec(deserializer)?;
        Self::try_from(bytes.as_slice()).map_err(serde::de::Error::custom)
    }
}
