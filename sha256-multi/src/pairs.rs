//! Hashes messages of exactly 64 bytes: the nodes of binary Merkle trees.

use alloc::vec::Vec;

use hash_lanes::engine::{
    BatchHash, Block, ByteOrder, KernelSet, LaneKernel, Lanes, NodeHash, Plans, ShaExtensions,
    hash_batch, lanes_of_batch,
};
use hash_lanes::{AsNodes, Backend};

use crate::Sha256Lanes;
use crate::costs::plans_of_nodes;
use crate::hw;
use crate::rounds::{compress_32_bytes, compress_64_bytes, store_digests};
use crate::sha256::Sha256;

/// Returns the digest of each 64-byte node (FIPS 180-4 §6.2). Two adjacent siblings of 32 bytes
/// each are a node, too.
///
/// This is faster than [`hash_many`](crate::hash_many): the second block is only padding, so its
/// message schedule is a constant.
///
/// ```
/// let children = [[1; 32], [2; 32], [3; 32], [4; 32]];
/// let parents = sha256_multi::hash_pairs(&children);
/// assert_eq!(parents.len(), 2);
/// ```
///
/// # Panics
///
/// Panics if `nodes` are an odd number of digests.
#[track_caller]
#[must_use]
pub fn hash_pairs<T: AsNodes>(nodes: &[T]) -> Vec<[u8; 32]> {
    Sha256Lanes::default().hash_pairs(nodes)
}

/// Hashes the 64-byte `nodes[i]` into `digests[i]`; see [`hash_pairs`].
///
/// # Panics
///
/// Panics if `digests.len() != nodes.len()` for nodes of 64 bytes, or if `2 * digests.len() !=
/// nodes.len()` for digests of 32 bytes.
#[track_caller]
pub fn hash_pairs_into<T: AsNodes>(nodes: &[T], digests: &mut [[u8; 32]]) {
    Sha256Lanes::default().hash_pairs_into(nodes, digests);
}

/// Returns the digest of the digest of each 64-byte node, as in Bitcoin.
///
/// # Panics
///
/// Panics if `nodes` are an odd number of digests.
#[track_caller]
#[must_use]
pub fn double_hash_pairs<T: AsNodes>(nodes: &[T]) -> Vec<[u8; 32]> {
    Sha256Lanes::default().double_hash_pairs(nodes)
}

/// Hashes the 64-byte `nodes[i]` twice, as Bitcoin does, into `digests[i]`.
///
/// # Panics
///
/// Panics like [`hash_pairs_into`] if the lengths do not match.
#[track_caller]
pub fn double_hash_pairs_into<T: AsNodes>(nodes: &[T], digests: &mut [[u8; 32]]) {
    Sha256Lanes::default().double_hash_pairs_into(nodes, digests);
}

impl NodeHash for Sha256 {
    fn hash_nodes(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
        hash::<false>(backend, nodes, digests);
    }

    fn hash_nodes_twice(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
        hash::<true>(backend, nodes, digests);
    }
}

#[inline]
fn hash<const DOUBLE: bool>(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
    match backend.sha() {
        // Looking up a plan would take a tenth of the time of two nodes on Zen 3.
        Some(sha) if matches!(nodes.len(), 1..=3) => {
            hw::hash_pairs::<DOUBLE>(sha, nodes.len(), nodes, digests);
        }
        _ => hash_planned::<DOUBLE>(backend, nodes, digests),
    }
}

/// Out of line, because it saves many registers.
#[inline(never)]
fn hash_planned<const DOUBLE: bool>(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
    hash_batch::<Nodes<DOUBLE>>(backend, nodes, digests);
}

/// The lanes that hash many nodes, once or twice; `None` if SHA instructions are faster.
#[must_use]
pub fn lanes_of_nodes(backend: Backend, is_double: bool) -> Option<LaneKernel> {
    if is_double {
        lanes_of_batch::<Nodes<true>>(backend)
    } else {
        lanes_of_batch::<Nodes<false>>(backend)
    }
}

/// 64-byte nodes, hashed once or twice.
struct Nodes<const DOUBLE: bool>;

impl<const DOUBLE: bool> BatchHash for Nodes<DOUBLE> {
    type Word = u32;
    type Input = Block;
    type Output = [u8; 32];
    type Sha = ShaExtensions;

    /// The message schedules of two groups of 16 lanes spill from the 32 registers. The two
    /// dependency chains still keep more units busy than one. On Zen 4 a node takes 27.2 ns, and
    /// 28.1 if only the padding is interleaved.
    const KERNELS: KernelSet = KernelSet::LANES;

    fn sample() -> Block {
        [0; 64]
    }

    fn plans() -> &'static Plans {
        plans_of_nodes(DOUBLE)
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes<Word = u32>>(
        token: V::Token,
        nodes: &[Block],
        digests: &mut [[u8; 32]],
    ) {
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
