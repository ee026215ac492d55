//! Hashes one subtree per lane.
//!
//! Only the leaves are transposed. Every digest is already where its parent needs it: its words are
//! in the lane of its subtree, in computation order.
//!
//! See docs/subtrees.md for the order of work.

use core::marker::PhantomData;

use hash_lanes::engine::{Block, ByteOrder, Kernel, KernelSet, LaneJob, Lanes};
use sha256_multi::hazmat::{initial_state, prefetch, store_digests};

use super::parent_hash::ParentHash;

/// The lane kernels of subtrees: only lanes that are the best for many nodes on some CPU.
///
/// The message schedules of two groups of 16 lanes spill, but two groups leave fewer execution
/// units idle than the dependency chains of one. On Zen 4 a node takes 26.8 ns, versus 28.7 ns if
/// only the padding is interleaved. Granite Rapids is faster with one group.
pub(super) const KERNELS: KernelSet =
    KernelSet::of(&[Kernel::Avx512x16x2, Kernel::Avx512x16, Kernel::Avx2x8]);

/// The maximum height of a subtree. With 32 lanes, its nodes and the next leaves fill the L1 cache.
pub(super) const MAX_HEIGHT: u32 = 5;

/// The maximum number of leaf pairs in a subtree.
const MAX_PAIRS: usize = 1 << (MAX_HEIGHT - 1);

/// Hashes complete subtrees of `2^(height - 1)` leaf pairs each, which is `pairs.len() /
/// roots.len()`. Returns how many were hashed, a multiple of the lane count; the rest is left to
/// the caller.
pub(super) struct HashSubtrees<'a, P> {
    pub(super) pairs: &'a [Block],
    pub(super) height: u32,
    pub(super) roots: &'a mut [[u8; 32]],
    pub(super) hash: PhantomData<P>,
}

impl<P: ParentHash> LaneJob for HashSubtrees<'_, P> {
    const KERNELS: KernelSet = KERNELS;

    type Word = u32;

    type Output = usize;

    #[inline(always)]
    fn run<V: Lanes<Word = u32>>(self, token: V::Token) -> usize {
        if self.roots.len() < V::COUNT {
            return 0;
        }
        let pairs_per_subtree = 1 << (self.height - 1);
        // Initialized to arbitrary words, because zeros would be a call to `memset`.
        let mut nodes = [initial_state(token); MAX_PAIRS];
        let mut rest = self.pairs;
        let mut done = 0;
        for roots in self.roots.chunks_exact_mut(V::COUNT) {
            let (pairs, ahead) = rest.split_at(V::COUNT * pairs_per_subtree);
            rest = ahead;
            // Go level by level: a node hashed right after its children would wait for their last
            // words.
            for parent in 0..pairs_per_subtree {
                for block in ahead.chunks(V::COUNT).nth(parent).unwrap_or_default() {
                    prefetch(block);
                }
                let children = V::load_blocks(
                    token,
                    ByteOrder::Big,
                    #[inline(always)]
                    |lane| &pairs[lane * pairs_per_subtree + parent],
                );
                nodes[parent] = P::parent(token, children);
            }
            for level in 1..self.height {
                for parent in 0..pairs_per_subtree >> level {
                    nodes[parent] = P::parent(token, nodes.as_flattened().as_chunks().0[parent]);
                }
            }
            store_digests::<V>(nodes[0], roots);
            done += V::COUNT;
        }
        done
    }
}
