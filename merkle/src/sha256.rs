//! SHA-256 of tree nodes, in the variants that the families need.

mod costs;
mod parent_hash;
mod subtrees;

use core::marker::PhantomData;

use hash_lanes::engine::{LaneHash as _, Pass, ShaExtensions};
use hash_lanes::{Backend, LaneKernel, MAX_LANES};
pub(crate) use parent_hash::{Double, ParentHash, Plain, Prefixed};
use sha256_multi::Sha256Lanes;
use subtrees::{HashSubtrees, MAX_HEIGHT};

use crate::hasher::{NodeHasher, check_children, check_subtrees, level_by_level};

/// The lanes for [`HashSubtrees`], if lanes are the cheapest kernel and `nodes` fill them.
fn kernel<P: ParentHash>(backend: Backend, nodes: usize) -> Option<LaneKernel> {
    let cheapest = P::plan(backend).bulk();
    match backend.pass(cheapest) {
        Pass::Lanes(lanes) if costs::KERNELS.contains(cheapest) && nodes >= lanes.lanes() => {
            Some(lanes)
        }
        _ => None,
    }
}

/// See [`NodeHasher::subtree_height`]: as high as possible with a subtree in every lane.
pub(crate) fn subtree_height<P: ParentHash>(backend: Backend, nodes: usize) -> u32 {
    if nodes < 2 * MAX_LANES {
        1
    } else if kernel::<P>(backend, nodes).is_some() {
        (nodes / MAX_LANES).ilog2().min(MAX_HEIGHT)
    } else {
        crate::hasher::height_at_once(nodes)
    }
}

/// See [`NodeHasher::hash_subtrees`]: one subtree per lane while they fill the lanes.
#[track_caller]
pub(crate) fn hash_subtrees<P: ParentHash, H: NodeHasher<Node = [u8; 32]>>(
    backend: Backend,
    hasher: &H,
    leaves: &[[u8; 32]],
    height: u32,
    roots: &mut [[u8; 32]],
) {
    check_subtrees(leaves.len(), height, roots.len());
    let mut done = 0;
    if let Some(kernel) = kernel::<P>(backend, roots.len())
        && (2..=MAX_HEIGHT).contains(&height)
    {
        done = run::<P>(kernel, leaves, height, roots);
    }
    level_by_level(hasher, &leaves[done << height..], height, &mut roots[done..]);
}

fn run<P: ParentHash>(
    kernel: LaneKernel,
    leaves: &[[u8; 32]],
    height: u32,
    roots: &mut [[u8; 32]],
) -> usize {
    let (pairs, _) = leaves.as_flattened().as_chunks();
    kernel.run(HashSubtrees::<P> { pairs, height, roots, hash: PhantomData })
}

/// The node-hashing methods of [`NodeHasher`], for a family with a field `backend` and this
/// [`ParentHash`].
macro_rules! levels {
    ($hash:ty) => {
        #[track_caller]
        fn hash_level(&self, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
            <$hash as $crate::sha256::ParentHash>::hash_parents(self.backend, children, parents);
        }

        fn subtree_height(&self, nodes: usize) -> u32 {
            $crate::sha256::subtree_height::<$hash>(self.backend, nodes)
        }

        #[track_caller]
        fn hash_subtrees(&self, leaves: &[[u8; 32]], height: u32, roots: &mut [[u8; 32]]) {
            $crate::sha256::hash_subtrees::<$hash, _>(self.backend, self, leaves, height, roots);
        }
    };
}
pub(crate) use levels;

/// Hashes a level of nodes with a prefix of one to three bytes.
#[track_caller]
#[inline]
pub(crate) fn hash_prefixed<const BYTES: u32, const PREFIX: u32>(
    backend: Backend,
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    check_children(children.len(), parents.len());
    match (backend.sha(), parents.len()) {
        (Some(sha), 1) => hash_streams::<1, BYTES, PREFIX>(sha, children, parents),
        (Some(sha), 2) => hash_streams::<2, BYTES, PREFIX>(sha, children, parents),
        _ => hash_many_prefixed::<BYTES, PREFIX>(backend, children, parents),
    }
}

/// Hashes `N` nodes with a prefix by the SHA instructions.
///
/// Every node of a proof waits for the one before it, so the time between them counts. Both blocks
/// are therefore padded here and hashed in one call. As generic messages, one or two proofs take
/// 1.2 to 1.3 times as long (Granite Rapids).
#[inline]
fn hash_streams<const N: usize, const BYTES: u32, const PREFIX: u32>(
    sha: ShaExtensions,
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    let length = 64 + BYTES as usize;
    let prefix = &PREFIX.to_be_bytes()[..BYTES as usize];
    let mut blocks = [[[0; 64]; 2]; N];
    for (blocks, node) in blocks.iter_mut().zip(children.as_flattened().as_chunks::<64>().0) {
        let bytes = blocks.as_flattened_mut();
        bytes[..prefix.len()].copy_from_slice(prefix);
        bytes[prefix.len()..length].copy_from_slice(node);
        bytes[length] = 0x80;
        bytes[2 * 64 - 8..].copy_from_slice(&(8 * length as u64).to_be_bytes());
    }
    let mut states = [Sha256Lanes::IV; N];
    Sha256Lanes::compress_streams(sha, &mut states, &blocks.each_ref().map(|blocks| &blocks[..]));
    for (parent, state) in parents.iter_mut().zip(&states) {
        *parent = Sha256Lanes::row(state);
    }
}

/// [`hash_prefixed`] of more nodes, or without SHA instructions.
#[inline(never)]
fn hash_many_prefixed<const BYTES: u32, const PREFIX: u32>(
    backend: Backend,
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    let mut done = 0;
    if let Some(kernel) = kernel::<Prefixed<BYTES, PREFIX>>(backend, parents.len()) {
        done = run::<Prefixed<BYTES, PREFIX>>(kernel, children, 1, parents);
        let left = parents.len() - done;
        // A pass with more than half of its lanes used is no slower than hashing one by one.
        if left > MAX_LANES / 2 {
            let (children, parents) = (&children[2 * done..], &mut parents[done..]);
            return hash_partial_pass::<Prefixed<BYTES, PREFIX>>(kernel, children, parents);
        }
    }
    let (children, parents) = (&children[2 * done..], &mut parents[done..]);
    let prefix = &PREFIX.to_be_bytes()[..BYTES as usize];
    // Proofs hash one node at a time. Zeroing a large array would cost more than it gains.
    if parents.len() > 2 {
        hash_messages::<MAX_LANES>(backend, prefix, children, parents);
    } else if backend.widest().lanes() > 4 {
        hash_messages::<2>(backend, prefix, children, parents);
    } else {
        // Four lanes with two messages are no faster than one message after the other, which needs
        // no scheduling: a batch of two proofs took up to a tenth longer than one by one.
        hash_messages::<1>(backend, prefix, children, parents);
    }
}

/// Hashes a level in one pass whose last lanes are unused.
// Inlined, its arrays would take the stack of all calls.
#[inline(never)]
fn hash_partial_pass<P: ParentHash>(
    kernel: LaneKernel,
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    let left = parents.len();
    let mut all_children = [[0; 32]; 2 * MAX_LANES];
    let mut all_parents = [[0; 32]; MAX_LANES];
    all_children[..2 * left].copy_from_slice(children);
    let hashed = run::<P>(kernel, &all_children, 1, &mut all_parents);
    assert!(hashed >= left, "a kernel for {left} nodes hashed {hashed}");
    parents.copy_from_slice(&all_parents[..left]);
}

/// Hashes nodes with a prefix as generic messages, `AT_ONCE` per call.
fn hash_messages<const AT_ONCE: usize>(
    backend: Backend,
    prefix: &[u8],
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    let mut messages = [[0; 64 + 3]; AT_ONCE];
    let length = prefix.len() + 64;
    let (nodes, _) = children.as_flattened().as_chunks::<64>();
    for (nodes, parents) in nodes.chunks(AT_ONCE).zip(parents.chunks_mut(AT_ONCE)) {
        for (message, node) in messages.iter_mut().zip(nodes) {
            message[..prefix.len()].copy_from_slice(prefix);
            message[prefix.len()..length].copy_from_slice(node);
        }
        let messages = messages[..nodes.len()].iter().map(|message| &message[..length]);
        sha256_multi::hash_many_with(backend, messages, parents);
    }
}
