//! Messages of exactly 64 bytes: the nodes of binary Merkle trees.

use hash_lanes::{
    BLOCK_WORDS, Backend, Block, ByteOrder, LaneJob, Lanes, MAX_LANES, Pass, Two, TwoGroups, Words,
    check_counts,
};

use crate::constants::K_PLUS_PADDING_OF_64;
use crate::digests::store_digests;
use crate::rounds::{State, compress, compress_constant, hash_digest, initial_state};
use crate::{backend, hw};

/// Hashes each 64-byte node into the digest at its own place.
///
/// The second block of each is padding, whose message schedule is a constant.
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
/// If there are not as many digests as nodes.
#[track_caller]
pub fn hash_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    hash_pairs_with(Backend::detect(), nodes, digests);
}

/// [`hash_pairs`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many digests as nodes.
#[track_caller]
pub fn hash_pairs_with(backend: Backend, nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    check_counts(nodes.len(), digests.len());
    hash_nodes::<false>(backend, nodes, digests);
}

/// Hashes each 64-byte node twice, as Bitcoin does, into the digest at its own place.
///
/// # Panics
///
/// If there are not as many digests as nodes.
#[track_caller]
pub fn double_hash_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    double_hash_pairs_with(Backend::detect(), nodes, digests);
}

/// [`double_hash_pairs`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many digests as nodes.
#[track_caller]
pub fn double_hash_pairs_with(backend: Backend, nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    check_counts(nodes.len(), digests.len());
    hash_nodes::<true>(backend, nodes, digests);
}

fn hash_nodes<const DOUBLE: bool>(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]) {
    for (pass, range) in backend::pair_crossovers(backend).passes(TwoGroups::NEVER, backend, nodes.len()) {
        let now = &nodes[range.clone()];
        let into = &mut digests[range];
        match pass {
            Pass::Hardware(sha, _) => hw::hash_pairs::<DOUBLE>(sha, now, into),
            Pass::Lanes(kernel) if now.len() >= kernel.lanes() => {
                kernel.run(HashNodes::<DOUBLE> { nodes: now, digests: into });
            }
            Pass::Lanes(kernel) => {
                let mut all_nodes = [[0; 64]; MAX_LANES];
                let mut all_digests = [[0; 32]; MAX_LANES];
                all_nodes[..now.len()].copy_from_slice(now);
                let lanes = kernel.lanes();
                kernel.run(HashNodes::<DOUBLE> {
                    nodes: &all_nodes[..lanes],
                    digests: &mut all_digests[..lanes],
                });
                into.copy_from_slice(&all_digests[..now.len()]);
            }
        }
    }
}

/// Hashes as many nodes as fill the lanes some times.
struct HashNodes<'a, const DOUBLE: bool> {
    nodes: &'a [Block],
    digests: &'a mut [[u8; 32]],
}

impl<const DOUBLE: bool> LaneJob for HashNodes<'_, DOUBLE> {
    type Output = ();

    /// Two groups of lanes side by side where there are 32 registers: the message schedule of both does not fit
    /// into them, but the chains of operations of two groups leave fewer units idle than those of one. With 16 lanes
    /// on Zen 4 a node takes 27.2 ns, and 28.1 when only the padding goes side by side; hashed twice, 42.7 and 44.2.
    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut nodes = self.nodes;
        let mut digests = self.digests;
        while V::REGISTERS >= 32 && nodes.len() >= 2 * V::COUNT {
            let (now, later) = nodes.split_at(2 * V::COUNT);
            let (into, later_digests) = digests.split_at_mut(2 * V::COUNT);
            let both: [Two<V>; 16] = Two::join(load(token, &now[..V::COUNT]), load(token, &now[V::COUNT..]));
            let (first, second) = Two::part(hash_block::<_, DOUBLE>(token, both));
            store_digests(first, &mut into[..V::COUNT]);
            store_digests(second, &mut into[V::COUNT..]);
            (nodes, digests) = (later, later_digests);
        }
        for (nodes, digests) in nodes.chunks_exact(V::COUNT).zip(digests.chunks_exact_mut(V::COUNT)) {
            store_digests::<V>(hash_block::<_, DOUBLE>(token, load(token, nodes)), digests);
        }
    }
}

/// Reads a node for each lane.
#[inline(always)]
fn load<V: Lanes>(token: V::Token, nodes: &[Block]) -> [V; BLOCK_WORDS] {
    let nodes = &nodes[..V::COUNT];
    V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &nodes[lane],
    )
}

/// Hashes a message of one block, and the padding behind it, once or twice.
#[inline(always)]
fn hash_block<V: Words, const DOUBLE: bool>(token: V::Token, block: [V; BLOCK_WORDS]) -> State<V> {
    let mut state = initial_state(token);
    compress(token, &mut state, block);
    compress_constant(token, &mut state, &K_PLUS_PADDING_OF_64);
    if DOUBLE { hash_digest(token, state) } else { state }
}
