//! Merkle trees of Ethereum's consensus layer: Simple Serialize (SSZ), as in
//! `ssz/simple-serialize.md` and `ssz/merkle-proofs.md` of the consensus specifications.

mod generalized_index;
mod multiproof;
mod nodes;
mod objects;
mod persistent;
mod progressive;
mod zero_hashes;

use hash_lanes::Backend;
use hash_lanes::engine::check_counts;

pub use generalized_index::GeneralizedIndex;
pub use multiproof::{MultiClaim, SszMultiProof, helper_indices, verify_multiproofs};
pub use nodes::{NodeAt, Object};
pub use objects::{TooManyChunksError, pack};
pub use persistent::{ChunkIndex, HashedList, Packed, PersistentIter, PersistentList};
pub use progressive::{HashedProgressiveList, MAX_FIELDS, ProgressiveList, TooManyFieldsError};
pub use zero_hashes::ZERO_HASHES;
pub(crate) use zero_hashes::zero_hash;

use crate::hasher::{NodeHasher, Odd, levels_above};
use crate::sha256::{self, Plain};

/// A chunk, node or root.
pub type Chunk = [u8; 32];

/// The maximum number of chunks in any tree.
const MAX_CHUNKS: u64 = 1 << 63;

/// The trees of SSZ. A node is the SHA-256 of its children. A missing node is the root of a subtree
/// of zero chunks.
#[derive(Clone, Copy, Debug)]
pub struct Ssz {
    backend: Backend,
    /// The maximum number of chunks. If set, it determines the depth of the tree.
    limit: Option<u64>,
}

impl Ssz {
    /// Creates the family for vectors and containers: the depth follows the chunk count.
    #[must_use]
    pub fn new() -> Self {
        Self { backend: Backend::detect(), limit: None }
    }

    /// Creates the family for lists of up to `limit` chunks: the depth follows the limit.
    ///
    /// # Panics
    ///
    /// Panics if `limit` is greater than 2^63.
    #[must_use]
    #[track_caller]
    pub fn with_limit(limit: u64) -> Self {
        assert!(
            limit <= MAX_CHUNKS,
            "a limit of {limit} chunks exceeds the maximum of {MAX_CHUNKS}"
        );
        Self { limit: Some(limit), ..Self::new() }
    }

    /// Uses an explicit backend.
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }
}

impl Default for Ssz {
    fn default() -> Self {
        Self::new()
    }
}

crate::hasher::hash_node!([] Ssz, Chunk);

impl NodeHasher for Ssz {
    type Node = Chunk;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// The root of `2^level` zero chunks.
    ///
    /// # Panics
    ///
    /// Panics if `level` is greater than 63.
    #[track_caller]
    fn missing(&self, level: u32) -> Chunk {
        zero_hash(level)
    }

    fn empty_root(&self) -> Chunk {
        self.missing(self.depth(0))
    }

    fn depth(&self, leaves: u64) -> u32 {
        levels_above(self.limit.unwrap_or(leaves).min(MAX_CHUNKS))
    }

    fn capacity(&self) -> u64 {
        self.limit.unwrap_or(MAX_CHUNKS)
    }

    /// Hashes each piece of data as a byte vector: its leaf is the root of that vector. Data of up
    /// to 32 bytes is its own leaf, padded with zeros.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Chunk]) {
        check_counts(data.len(), leaves.len());
        objects::vector_roots(&Self { limit: None, ..*self }, data, leaves);
    }

    sha256::levels!(Plain);
}
