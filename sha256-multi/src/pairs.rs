//! Hashes messages of exactly 64 bytes: the nodes of binary Merkle trees.

use hash_lanes::engine::{BatchHash, ShaExtensions, check_counts, hash_batch};
use hash_lanes::{Backend, Block, ByteOrder, KernelSet, Lanes};

use crate::costs::{TWO_GROUPS, plan_of_nodes};
use crate::digests::store_digests;
use crate::hw;
use crate::rounds::{compress_32_bytes, compress_64_bytes};

/// Hashes the 64-byte `nodes[i]` into `digests[i]`.
///
/// This is faster than [`hash_many`](crate::hash_many): the second block is only padding, so its
/// message schedule is a constant.
///
/// ```
/// let children = [[1; 32], [2; 32], [3; 32], [4; 32]];
/// let (nodes, _) = children.as_flattened().as_chunks::<64>();
/// let mut parents = [[0; 32]; 2];
/// sha256_multi::hash_pairs(nodes, &mut parents);
/// ```
///
/// # Panics
///
/// Panics if `digests.len() != nodes.len()`.
#[track_caller]
pub fn hash_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    hash_pairs_with(Backend::detect(), nodes, digests);
}

/// [`hash_pairs`] with a custom backend.
///
/// # Panics
///
/// Panics if `digests.len() != nodes.len()`.
#[track_caller]
pub fn hash_pairs_with(backend: Backend, nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    check_counts(nodes.len(), digests.len());
    hash_nodes::<false>(backend, nodes, digests);
}

/// Hashes the 64-byte `nodes[i]` twice, as Bitcoin does, into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len() != nodes.len()`.
#[track_caller]
pub fn double_hash_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    double_hash_pairs_with(Backend::detect(), nodes, digests);
}

/// [`double_hash_pairs`] with a custom backend.
///
/// # Panics
///
/// Panics if `digests.len() != nodes.len()`.
#[track_caller]
pub fn double_hash_pairs_with(backend: Backend, nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    check_counts(nodes.len(), digests.len());
    hash_nodes::<true>(backend, nodes, digests);
}

fn hash_nodes<const DOUBLE: bool>(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
    hash_batch::<Nodes<DOUBLE>>(plan_of_nodes(backend, DOUBLE), backend, nodes, digests);
}

/// 64-byte nodes, hashed once or twice.
struct Nodes<const DOUBLE: bool>;

impl<const DOUBLE: bool> BatchHash for Nodes<DOUBLE> {
    type Input = Block;
    type Output = [u8; 32];

    /// The message schedules of two groups of 16 lanes spill from the 32 registers. The two
    /// dependency chains still keep more units busy than one. On Zen 4 a node takes 27.2 ns, and
    /// 28.1 if only the padding is interleaved.
    const KERNELS: KernelSet = TWO_GROUPS;

    #[inline(always)]
    fn hash_lanes<V: Lanes>(token: V::Token, nodes: &[Block], digests: &mut [[u8; 32]]) {
        let nodes = &nodes[..V::COUNT];
        let block = V::load_blocks(
            token,
            ByteOrder::Big,
            #[inline(always)]
            |lane| &nodes[lane],
        );
        let state = compress_64_bytes(token, block);
        let state = if DOUBLE { compress_32_bytes(token, state) } else { state };
        store_digests::<V>(state, digests);
    }

    fn hash_sha(sha: ShaExtensions, streams: usize, nodes: &[Block], digests: &mut [[u8; 32]]) {
        hw::hash_pairs::<DOUBLE>(sha, streams, nodes, digests);
    }
}
