//! One subtree per lane.
//!
//! Only the leaves are transposed. A digest is already where its parent needs it: its words lie in the lane of
//! its subtree, in the order in which they are computed with.

use core::marker::PhantomData;

use hash_lanes::{BLOCK_WORDS, Block, ByteOrder, LaneJob, Lanes, Two, Words};
use sha256_multi::hazmat::{State, initial_state, prefetch, store_digests};

use super::shape::NodeShape;

/// The most levels of a subtree: with 32 lanes its nodes, and the next leaves, fill the L1 cache.
pub(super) const MAX_HEIGHT: u32 = 5;

/// The most pairs of leaves of a subtree.
const MAX_PAIRS: usize = 1 << (MAX_HEIGHT - 1);

/// Hashes complete subtrees of `pairs.len() / roots.len()` pairs of leaves each, which is `2^(height - 1)`. Its output
/// is how many, from the first on: as many as fill all lanes some times.
pub(super) struct HashSubtrees<'a, S> {
    pub(super) pairs: &'a [Block],
    pub(super) height: u32,
    pub(super) roots: &'a mut [[u8; 32]],
    pub(super) shape: PhantomData<S>,
}

impl<S: NodeShape> LaneJob for HashSubtrees<'_, S> {
    type Output = usize;

    /// Two groups of lanes with AVX-512. The message schedule of both does not fit into the registers, but the chains of
    /// operations of two groups leave fewer units idle than those of one: on Zen 4 a node takes 26.8 ns, and 28.7 when
    /// only the padding is hashed for both together.
    ///
    /// Each kernel takes seconds to compile. Lanes that are never the best for many nodes have none.
    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> usize {
        match (V::COUNT, V::REGISTERS) {
            (16, _) => self.hash::<V, Pair>(token),
            (8, 16) => self.hash::<V, One>(token),
            _ => 0,
        }
    }
}

impl<S: NodeShape> HashSubtrees<'_, S> {
    #[inline(always)]
    fn hash<V: Lanes, G: Groups<V>>(self, token: V::Token) -> usize {
        let lanes = G::COUNT * V::COUNT;
        if self.roots.len() < lanes {
            return 0;
        }
        let pairs_of_one = 1 << (self.height - 1);
        // Any words; zeros would be written by a call of `memset`.
        let mut nodes = [initial_state(token); MAX_PAIRS];
        let mut rest = self.pairs;
        let mut done = 0;
        for roots in self.roots.chunks_exact_mut(lanes) {
            let (pairs, ahead) = rest.split_at(lanes * pairs_of_one);
            rest = ahead;
            // Level by level, so that no node is hashed right behind its children, for whose last words it would have
            // to wait.
            for parent in 0..pairs_of_one {
                for block in ahead.chunks(lanes).nth(parent).unwrap_or_default() {
                    prefetch(block);
                }
                let children = G::load(
                    token,
                    #[inline(always)]
                    |lane| &pairs[lane * pairs_of_one + parent],
                );
                nodes[parent] = S::parent(token, children);
            }
            for level in 1..self.height {
                for parent in 0..pairs_of_one >> level {
                    nodes[parent] = S::parent(token, nodes.as_flattened().as_chunks().0[parent]);
                }
            }
            G::store(nodes[0], roots);
            done += lanes;
        }
        done
    }
}

/// How many groups of lanes are computed with side by side.
trait Groups<V: Lanes> {
    /// One word of each lane of each group.
    type Words: Words<Token = V::Token>;

    /// How many groups.
    const COUNT: usize;

    /// Reads a block for every lane.
    fn load<'a>(token: V::Token, block: impl Fn(usize) -> &'a Block) -> [Self::Words; BLOCK_WORDS];

    /// Writes the digest of every lane.
    fn store(state: State<Self::Words>, digests: &mut [[u8; 32]]);
}

/// One group of lanes.
struct One;

impl<V: Lanes> Groups<V> for One {
    type Words = V;
    const COUNT: usize = 1;

    #[inline(always)]
    fn load<'a>(token: V::Token, block: impl Fn(usize) -> &'a Block) -> [V; BLOCK_WORDS] {
        V::load_blocks(token, ByteOrder::Big, block)
    }

    #[inline(always)]
    fn store(state: State<V>, digests: &mut [[u8; 32]]) {
        store_digests::<V>(state, digests);
    }
}

/// Two groups, whose registers do not depend on each other.
struct Pair;

impl<V: Lanes> Groups<V> for Pair {
    type Words = Two<V>;
    const COUNT: usize = 2;

    #[inline(always)]
    fn load<'a>(token: V::Token, block: impl Fn(usize) -> &'a Block) -> [Two<V>; BLOCK_WORDS] {
        let first = One::load(token, &block);
        let second: [V; BLOCK_WORDS] = One::load(
            token,
            #[inline(always)]
            |lane| block(V::COUNT + lane),
        );
        Two::join(first, second)
    }

    #[inline(always)]
    fn store(state: State<Two<V>>, digests: &mut [[u8; 32]]) {
        let (first, second) = Two::part(state);
        One::store(first, &mut digests[..V::COUNT]);
        One::store(second, &mut digests[V::COUNT..]);
    }
}
