//! Merkle trees of Ethereum's contracts and of Swarm, whose nodes are Keccak-256.
//!
//! - [`OpenZeppelin`]: the trees of `@openzeppelin/merkle-tree`, whose proofs `MerkleProof.sol`
//!   verifies in a contract. Airdrops and allow lists use them.
//! - [`Swarm`]: the binary Merkle tree (BMT) of a chunk of Swarm, and proofs of its segments.

mod open_zeppelin;
mod swarm;

use hash_lanes::Backend;
pub use open_zeppelin::{OpenZeppelin, OpenZeppelinMultiProof, OpenZeppelinTree};
use sha3_multi::Keccak256Lanes;
pub use swarm::{
    CHUNK_BYTES, CHUNK_SEGMENTS, Chunk, ChunkTooLongError, SEGMENT_BYTES, Swarm, ZERO_HASHES,
};

/// A leaf, node or root.
type Node = [u8; 32];

/// Two nodes that are hashed together.
type Pair = [u8; 64];

/// Hashes each pair into a node.
fn hash_pairs(backend: Backend, pairs: impl IntoIterator<Item: AsRef<[u8]>>, parents: &mut [Node]) {
    Keccak256Lanes::on(backend).hash_many_into(pairs, parents);
}
