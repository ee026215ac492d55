//! One subtree per lane.
//!
//! Only the leaves are transposed. A digest is already where its parent needs it: its words lie in
//! the lane of its subtree, in the order in which they are computed with.
//!
//! See docs/subtrees.md for the order of work.

use core::marker::PhantomData;

use hash_lanes::{Block, ByteOrder, Kernel, KernelSet, LaneJob, Lanes};
use sha256_multi::hazmat::{initial_state, prefetch, store_digests};

use super::shape::NodeShape;

/// The most levels of a subtree: with 32 lanes its nodes, and the next leaves, fill the L1 cache.
pub(super) const MAX_HEIGHT: u32 = 5;

/// The most pairs of leaves of a subtree.
const MAX_PAIRS: usize = 1 << (MAX_HEIGHT - 1);

/// Hashes complete subtrees of `pairs.len() / roots.len()` pairs of leaves each, which is
/// `2^(height - 1)`. Its output is how many, from the first on: as many as fill all lanes some
/// times.
pub(super) struct HashSubtrees<'a, S> {
    pub(super) pairs: &'a [Block],
    pub(super) height: u32,
    pub(super) roots: &'a mut [[u8; 32]],
    pub(super) shape: PhantomData<S>,
}

/// Lanes that are never the best for many nodes have no kernel.
///
/// The message schedules of two groups of 16 lanes do not fit into the registers, but their
/// dependency chains leave fewer units idle than those of one: on Zen 4 a node takes 26.8 ns, and
/// 28.7 if only the padding is interleaved. Sapphire Rapids is faster with one group.
pub(super) const KERNELS: KernelSet =
    KernelSet::of(&[Kernel::Avx512x16x2, Kernel::Avx512x16, Kernel::Avx2x8]);

impl<S: NodeShape> LaneJob for HashSubtrees<'_, S> {
    const KERNELS: KernelSet = KERNELS;

    type Output = usize;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> usize {
        if self.roots.len() < V::COUNT {
            return 0;
        }
        let pairs_of_one = 1 << (self.height - 1);
        // Any words; zeros would be written by a call of `memset`.
        let mut nodes = [initial_state(token); MAX_PAIRS];
        let mut rest = self.pairs;
        let mut done = 0;
        for roots in self.roots.chunks_exact_mut(V::COUNT) {
            let (pairs, ahead) = rest.split_at(V::COUNT * pairs_of_one);
            rest = ahead;
            // Level by level: a node hashed right after its children would wait for their last
            // words.
            for parent in 0..pairs_of_one {
                for block in ahead.chunks(V::COUNT).nth(parent).unwrap_or_default() {
                    prefetch(block);
                }
                let children = V::load_blocks(
                    token,
                    ByteOrder::Big,
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
            store_digests::<V>(nodes[0], roots);
            done += V::COUNT;
        }
        done
    }
}
