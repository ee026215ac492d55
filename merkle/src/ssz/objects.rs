//! The roots of SSZ objects.

use alloc::vec;
use alloc::vec::Vec;

use super::{Chunk, Ssz};
use crate::fold::root;
use crate::hasher::NodeHasher;

impl Ssz {
    /// Computes the root of chunks: `merkleize` of the specification. The chunks are padded with
    /// zero chunks up to the limit of [`with_limit`](Self::with_limit), or up to the next power of
    /// two.
    ///
    /// ```
    /// use merkle_lanes::ssz::{Ssz, pack};
    ///
    /// // List[uint64, 1024] of 5 numbers.
    /// let numbers = [1_u64, 2, 3, 4, 5];
    /// let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    /// let ssz = Ssz::with_limit(1024 * 8 / 32);
    /// let root = ssz.mix_in_length(&ssz.merkleize(&pack(&bytes))?, 5);
    /// # Ok::<(), merkle_lanes::ssz::TooManyChunksError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`TooManyChunksError`] if there are more chunks than the limit allows.
    pub fn merkleize(&self, chunks: &[Chunk]) -> Result<Chunk, TooManyChunksError> {
        let (limit, got) = (self.capacity(), chunks.len() as u64);
        if got > limit { Err(TooManyChunksError { limit, got }) } else { Ok(root(self, chunks)) }
    }

    /// Computes the root of a list from the root of its chunks and its length: `mix_in_length` of
    /// the specification. The length counts elements; for a bitlist, bits.
    #[must_use]
    pub fn mix_in_length(&self, root: &Chunk, length: u64) -> Chunk {
        self.hash_node(root, &number(length))
    }

    /// Computes the root of a union from the root of its value and the selector of its type:
    /// `mix_in_selector` of the specification.
    #[must_use]
    pub fn mix_in_selector(&self, root: &Chunk, selector: u8) -> Chunk {
        self.hash_node(root, &number(selector.into()))
    }
}

/// The error for more chunks than a list has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a list of {got} chunks exceeds the limit of {limit} chunks")]
pub struct TooManyChunksError {
    /// The maximum number of chunks.
    pub limit: u64,
    /// The actual number of chunks.
    pub got: u64,
}

/// Splits bytes into chunks and pads the last one with zeros: `pack` of the specification.
#[must_use]
pub fn pack(bytes: &[u8]) -> Vec<Chunk> {
    let mut chunks = vec![[0; 32]; bytes.len().div_ceil(32)];
    chunks.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    chunks
}

/// Encodes a `uint256`.
fn number(value: u64) -> Chunk {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&value.to_le_bytes());
    chunk
}
