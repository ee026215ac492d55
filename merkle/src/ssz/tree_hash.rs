//! The functions of the crates [`tree_hash`](https://docs.rs/tree_hash/0.12) and
//! [`ethereum_hashing`](https://docs.rs/ethereum_hashing/0.8) under their names, with many nodes
//! hashed at once.
//!
//! Roots are arrays, which `tree_hash::Hash256::from` converts. A hand-written implementation of
//! `TreeHash` calls these functions instead of those of `tree_hash`:
//!
//! ```
//! use merkle_lanes::ssz::tree_hash::{BYTES_PER_CHUNK, merkle_root};
//! use merkle_lanes::ssz::Ssz;
//!
//! // List[uint64, 2^20].
//! let balances = [32_000_000_000_u64; 1000];
//! let bytes: Vec<u8> = balances.iter().flat_map(|balance| balance.to_le_bytes()).collect();
//! let chunks = (1 << 20) * size_of::<u64>() / BYTES_PER_CHUNK;
//! let root = Ssz::new().mix_in_length(&merkle_root(&bytes, chunks), 1000);
//! ```

pub use super::ZERO_HASHES;
use super::{Chunk, MAX_CHUNKS, Ssz, pack};
use crate::builder::RootBuilder;
use crate::fold::root;
use crate::hasher::NodeHasher;

/// Bytes in a chunk: a leaf.
pub const BYTES_PER_CHUNK: usize = 32;

/// The maximum index of [`ZERO_HASHES`].
pub const ZERO_HASHES_MAX_INDEX: usize = ZERO_HASHES.len() - 1;

/// SHA-256 of `left` followed by `right`, which may have any lengths. Two nodes hash to their
/// parent.
#[must_use]
pub fn hash32_concat(left: &[u8], right: &[u8]) -> [u8; 32] {
    match (left.try_into(), right.try_into()) {
        (Ok(left), Ok(right)) => Ssz::new().hash_node(left, right),
        _ => sha256_multi::hash(&[left, right].concat()),
    }
}

/// The root of `bytes`, padded with zero chunks to `minimum_leaf_count` leaves if they are fewer,
/// and to the next power of two.
///
/// The bytes are read in place, unless their number is not a multiple of 32.
///
/// # Panics
///
/// Panics if `minimum_leaf_count` is greater than 2^63.
#[track_caller]
#[must_use]
pub fn merkle_root(bytes: &[u8], minimum_leaf_count: usize) -> Chunk {
    let leaf_count = bytes.len().div_ceil(BYTES_PER_CHUNK).max(minimum_leaf_count);
    let ssz = Ssz::with_limit(leaf_count as u64);
    match bytes.as_chunks() {
        (chunks, []) => root(&ssz, chunks),
        _ => root(&ssz, &pack(bytes)),
    }
}

/// Computes a root from bytes that arrive in parts of any length, in constant memory.
///
/// ```
/// use merkle_lanes::ssz::tree_hash::{MerkleHasher, merkle_root};
///
/// let mut hasher = MerkleHasher::with_leaves(5);
/// hasher.write(b"parts of ")?;
/// hasher.write(b"any length")?;
/// assert_eq!(hasher.finish()?, merkle_root(b"parts of any length", 5));
/// # Ok::<(), merkle_lanes::ssz::tree_hash::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MerkleHasher {
    builder: RootBuilder<Ssz>,
    /// The last, incomplete leaf: `filled` bytes, fewer than 32, then zeros.
    last: Chunk,
    filled: usize,
}

impl MerkleHasher {
    /// Creates a hasher with room for `num_leaves` leaves, rounded up to a power of two.
    ///
    /// # Panics
    ///
    /// Panics if `num_leaves` is greater than 2^63.
    #[track_caller]
    #[must_use]
    pub fn with_leaves(num_leaves: usize) -> Self {
        let limit = (num_leaves as u64).checked_next_power_of_two().unwrap_or(MAX_CHUNKS + 1);
        Self { builder: RootBuilder::new(Ssz::with_limit(limit)), last: [0; 32], filled: 0 }
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// Returns [`Error::MaximumLeavesExceeded`] if the bytes do not fit into the leaves. The hasher
    /// is then unchanged. `tree_hash` 0.12 ignores some surplus leaves.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let max_leaves = self.builder.hasher().capacity();
        let written = u128::from(self.builder.len()) * 32 + self.filled as u128;
        if (written + bytes.len() as u128).div_ceil(32) > u128::from(max_leaves) {
            return Err(Error::MaximumLeavesExceeded { max_leaves: max_leaves as usize });
        }
        let (first, rest) = if self.filled == 0 {
            (&[][..], bytes)
        } else {
            bytes.split_at(bytes.len().min(BYTES_PER_CHUNK - self.filled))
        };
        self.fill(first);
        let (chunks, rest) = rest.as_chunks();
        if !chunks.is_empty() {
            self.builder.extend(chunks);
        }
        self.fill(rest);
        Ok(())
    }

    /// Appends bytes to the last leaf, which has room for them.
    fn fill(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        self.last[self.filled..end].copy_from_slice(bytes);
        self.filled = end;
        if end == BYTES_PER_CHUNK {
            self.builder.push(self.last);
            (self.last, self.filled) = ([0; 32], 0);
        }
    }

    /// The root. Bytes and leaves that have not been written are zero.
    ///
    /// # Errors
    ///
    /// Never returns an error, because [`write`](Self::write) refuses surplus bytes. The signature
    /// is that of `tree_hash`.
    pub fn finish(mut self) -> Result<Chunk, Error> {
        if self.filled > 0 {
            self.builder.push(self.last);
        }
        Ok(self.builder.root())
    }
}

/// The error of [`MerkleHasher`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes need more leaves than there are.
    #[error("the bytes do not fit into {max_leaves} leaves")]
    MaximumLeavesExceeded {
        /// The number of leaves.
        max_leaves: usize,
    },
}
