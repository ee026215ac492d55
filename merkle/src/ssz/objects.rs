//! Roots of SSZ objects: of one, or of many byte vectors at once, such as public keys.

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
    /// the specification. The length counts elements; for a bitlist, bits. It is any integer, such
    /// as a `u64` or a `usize`.
    ///
    /// # Panics
    ///
    /// Panics if the length is negative or greater than 2^64 - 1.
    #[must_use]
    #[track_caller]
    pub fn mix_in_length(&self, root: &Chunk, length: impl TryInto<u64>) -> Chunk {
        self.hash_node(root, &length_chunk(length))
    }

    /// Computes the root of a union from the root of its value and the selector of its type:
    /// `mix_in_selector` of the specification.
    #[must_use]
    pub fn mix_in_selector(&self, root: &Chunk, selector: u8) -> Chunk {
        self.hash_node(root, &number(selector.into()))
    }
}

/// The error for more chunks than a list has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyChunksError {
    /// The maximum number of chunks.
    pub limit: u64,
    /// The actual number of chunks.
    pub got: u64,
}

error_messages!(TooManyChunksError {
    Self { got, limit } => "a list of {got} chunks exceeds the limit of {limit} chunks";
});

/// Splits bytes into chunks and pads the last one with zeros: `pack` of the specification.
#[must_use]
pub fn pack(bytes: &[u8]) -> Vec<Chunk> {
    let mut chunks = vec![[0; 32]; bytes.len().div_ceil(32)];
    chunks.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    chunks
}

/// The chunk with the length of a list.
#[track_caller]
pub(super) fn length_chunk(length: impl TryInto<u64>) -> Chunk {
    let Ok(length) = length.try_into() else { panic!("a length must be from 0 to 2^64 - 1") };
    number(length)
}

/// Encodes a `uint256`.
fn number(value: u64) -> Chunk {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&value.to_le_bytes());
    chunk
}

/// A vector with more chunks fills the lanes on its own.
const MAX_TOGETHER: usize = 64;

/// The number of chunks hashed together. With their parents, they fit into the L2 cache of any CPU
/// that has one.
const CHUNKS_AT_ONCE: usize = 1 << 10;

/// Computes the root of each byte vector. Consecutive vectors with the same number of chunks are
/// hashed together.
pub(super) fn vector_roots<M: AsRef<[u8]>>(ssz: &Ssz, data: &[M], mut leaves: &mut [Chunk]) {
    let chunks = |data: &M| data.as_ref().len().div_ceil(32).max(1);
    let mut buffers = Buffers::default();
    for group in data.chunk_by(|one, next| chunks(one) == chunks(next)) {
        let width = chunks(&group[0]);
        let now;
        (now, leaves) = leaves.split_at_mut(group.len());
        if width > MAX_TOGETHER {
            for (data, leaf) in group.iter().zip(now) {
                *leaf = root(ssz, &pack(data.as_ref()));
            }
            continue;
        }
        let together = CHUNKS_AT_ONCE / width;
        for (data, leaves) in group.chunks(together).zip(now.chunks_mut(together)) {
            buffers.equal_width_roots(ssz, data, width, leaves);
        }
    }
}

/// The inputs and outputs of a level.
#[derive(Default)]
struct Buffers {
    children: Vec<Chunk>,
    nodes: Vec<Chunk>,
}

impl Buffers {
    /// Computes the roots of vectors of `width` chunks each, level by level.
    fn equal_width_roots<M: AsRef<[u8]>>(
        &mut self,
        ssz: &Ssz,
        data: &[M],
        mut width: usize,
        roots: &mut [Chunk],
    ) {
        let Self { children, nodes } = self;
        nodes.clear();
        nodes.resize(data.len() * width, [0; 32]);
        for (data, chunks) in data.iter().zip(nodes.chunks_mut(width)) {
            let data = data.as_ref();
            chunks.as_flattened_mut()[..data.len()].copy_from_slice(data);
        }
        let mut level = 0;
        while width > 1 {
            children.clear();
            for nodes in nodes.chunks(width) {
                children.extend_from_slice(nodes);
                if width % 2 == 1 {
                    children.push(ssz.missing(level));
                }
            }
            nodes.truncate(children.len() / 2);
            ssz.hash_level(children, nodes);
            width = width.div_ceil(2);
            level += 1;
        }
        roots.copy_from_slice(nodes);
    }
}
