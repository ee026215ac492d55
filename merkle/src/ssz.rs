//! Ethereum's Merkle trees: the Simple Serialize specification of the consensus layer
//! (`ssz/simple-serialize.md` and `ssz/merkle-proofs.md` of the consensus specifications).

mod branch;
mod deposits;
mod generalized_index;
mod node_proof;
mod objects;
mod vectors;
mod zero_hashes;

use hash_lanes::Backend;
use hash_lanes::engine::check_counts;

pub use deposits::{DEPOSIT_TREE_DEPTH, DepositTree, SnapshotError};
pub use generalized_index::GeneralizedIndex;
pub use node_proof::{NodeProof, NodeProofError, helper_indices};
pub use objects::{TooManyChunksError, pack};
pub use zero_hashes::ZERO_HASHES;

use crate::hasher::{NodeHasher, Odd, levels_above};
use crate::sha256::{self, Plain};

/// A chunk, a node or a root.
pub type Chunk = [u8; 32];

/// The most chunks of any tree.
const MAX_CHUNKS: u64 = 1 << 63;

/// The trees of SSZ: SHA-256 of two nodes, and the root of zero chunks where nodes are missing.
#[derive(Clone, Copy, Debug)]
pub struct Ssz {
    backend: Backend,
    /// The most chunks, where it is not their number that decides how deep the tree is.
    limit: Option<u64>,
}

impl Ssz {
    /// Trees as deep as their chunks need: of vectors and containers.
    #[must_use]
    pub fn new() -> Self {
        Self { backend: Backend::detect(), limit: None }
    }

    /// Trees with room for `limit` chunks: of lists.
    ///
    /// # Panics
    ///
    /// If `limit` is greater than 2^63.
    #[must_use]
    #[track_caller]
    pub fn with_limit(limit: u64) -> Self {
        assert!(limit <= MAX_CHUNKS, "a tree cannot have room for {limit} chunks");
        Self { limit: Some(limit), ..Self::new() }
    }

    /// The same with a backend of one's choice.
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

impl NodeHasher for Ssz {
    type Node = Chunk;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// The root of `2^level` zero chunks.
    fn missing(&self, level: u32) -> Chunk {
        ZERO_HASHES[level as usize]
    }

    fn empty_root(&self) -> Chunk {
        self.missing(self.depth(0))
    }

    fn depth(&self, leaves: u64) -> u32 {
        levels_above(self.limit.unwrap_or(leaves))
    }

    fn capacity(&self) -> u64 {
        self.limit.unwrap_or(MAX_CHUNKS)
    }

    /// Each piece of data is taken for a vector of bytes, and its leaf is the root of that: up to
    /// 32 bytes with zeros behind them.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Chunk]) {
        check_counts(data.len(), leaves.len());
        vectors::roots(&Self { limit: None, ..*self }, data, leaves);
    }

    sha256::levels!(Plain);
}
