//! The roots of SSZ's objects.

use alloc::vec;
use alloc::vec::Vec;

use super::{Chunk, Ssz};
use crate::fold::root;
use crate::hasher::NodeHasher;

impl Ssz {
    /// The root of chunks, with zero chunks behind them up to the limit of
    /// [`with_limit`](Self::with_limit), or up to the next power of two: `merkleize` of the
    /// specification.
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
    /// If there are more chunks than the limit allows.
    pub fn merkleize(&self, chunks: &[Chunk]) -> Result<Chunk, TooManyChunksError> {
        let (limit, got) = (self.capacity(), chunks.len() as u64);
        if got > limit { Err(TooManyChunksError { limit, got }) } else { Ok(root(self, chunks)) }
    }

    /// The root of a list, from the root of its chunks and its length in elements: `mix_in_length`
    /// of the specification. Bits count by themselves.
    #[must_use]
    pub fn mix_in_length(&self, root: &Chunk, length: u64) -> Chunk {
        self.hash_node(root, &number(length))
    }

    /// The root of a union, from the root of its value and the number of the type that it has:
    /// `mix_in_selector` of the specification.
    #[must_use]
    pub fn mix_in_selector(&self, root: &Chunk, selector: u8) -> Chunk {
        self.hash_node(root, &number(selector.into()))
    }
}

/// More chunks than a list has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a list with room for {limit} chunks cannot have {got}")]
pub struct TooManyChunksError {
    /// How many it has room for.
    pub limit: u64,
    /// How many there are.
    pub got: u64,
}

/// Divides bytes into chunks, with zeros behind the last one: `pack` of the specification.
#[must_use]
pub fn pack(bytes: &[u8]) -> Vec<Chunk> {
    let mut chunks = vec![[0; 32]; bytes.len().div_ceil(32)];
    chunks.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    chunks
}

/// A `uint256`.
fn number(value: u64) -> Chunk {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&value.to_le_bytes());
    chunk
}
