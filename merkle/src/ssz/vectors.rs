//! Hashes many byte vectors at once, such as public keys.

use alloc::vec::Vec;

use super::{Chunk, Ssz, pack};
use crate::fold::root;
use crate::hasher::NodeHasher;

/// A vector with more chunks fills the lanes on its own.
const MAX_CHUNKS: usize = 64;

/// The number of chunks hashed together. With their parents, they fit into the L2 cache of any CPU
/// that has one.
const CHUNKS_AT_ONCE: usize = 1 << 10;

/// Computes the root of each byte vector. Consecutive vectors with the same number of chunks are
/// hashed together.
pub(super) fn roots<M: AsRef<[u8]>>(ssz: &Ssz, data: &[M], mut leaves: &mut [Chunk]) {
    let chunks = |data: &M| data.as_ref().len().div_ceil(32).max(1);
    let mut buffers = Buffers::default();
    for group in data.chunk_by(|one, next| chunks(one) == chunks(next)) {
        let width = chunks(&group[0]);
        let now;
        (now, leaves) = leaves.split_at_mut(group.len());
        if width > MAX_CHUNKS {
            for (data, leaf) in group.iter().zip(now) {
                *leaf = root(ssz, &pack(data.as_ref()));
            }
            continue;
        }
        let together = CHUNKS_AT_ONCE / width;
        for (data, leaves) in group.chunks(together).zip(now.chunks_mut(together)) {
            buffers.equal_width_roots(ssz, data, width, leaves);
        }
    }
}

/// The inputs and outputs of a level.
#[derive(Default)]
struct Buffers {
    children: Vec<Chunk>,
    nodes: Vec<Chunk>,
}

impl Buffers {
    /// Computes the roots of vectors of `width` chunks each, level by level.
    fn equal_width_roots<M: AsRef<[u8]>>(
        &mut self,
        ssz: &Ssz,
        data: &[M],
        mut width: usize,
        roots: &mut [Chunk],
    ) {
        let Self { children, nodes } = self;
        nodes.clear();
        nodes.resize(data.len() * width, [0; 32]);
        for (data, chunks) in data.iter().zip(nodes.chunks_mut(width)) {
            let data = data.as_ref();
            chunks.as_flattened_mut()[..data.len()].copy_from_slice(data);
        }
        let mut level = 0;
        while width > 1 {
            children.clear();
            for nodes in nodes.chunks(width) {
                children.extend_from_slice(nodes);
                if width % 2 == 1 {
                    children.push(ssz.missing(level));
                }
            }
            nodes.truncate(children.len() / 2);
            ssz.hash_level(children, nodes);
            width = width.div_ceil(2);
            level += 1;
        }
        roots.copy_from_slice(nodes);
    }
}
