//! SHA-256 of nodes, in the forms that the families want.

mod shape;
mod subtrees;

use core::marker::PhantomData;

use hash_lanes::{Backend, LaneKernel, Pass};
use sha256_multi::hazmat;

pub(crate) use shape::{Double, NodeShape, Plain, Prefixed};
use subtrees::{HashSubtrees, MAX_HEIGHT};

use crate::hasher::{NodeHasher, check_children, check_subtrees, level_by_level};

/// The most nodes that one pass of the widest lanes takes.
const LANES_OF_ALL: usize = 32;

/// The lanes that hash many nodes the quickest, where they do.
fn kernel(backend: Backend) -> Option<LaneKernel> {
    match hazmat::pair_crossovers(backend).next_pass(backend, LANES_OF_ALL) {
        Pass::Lanes(kernel) if kernel.lanes() > 1 => Some(kernel),
        _ => None,
    }
}

/// See [`NodeHasher::subtree_height`]: as high as leaves a subtree for every lane.
pub(crate) fn subtree_height(backend: Backend, nodes: usize) -> u32 {
    if nodes < 2 * LANES_OF_ALL {
        1
    } else if kernel(backend).is_some() {
        (nodes / LANES_OF_ALL).ilog2().min(MAX_HEIGHT)
    } else {
        crate::hasher::height_at_once(nodes)
    }
}

/// See [`NodeHasher::hash_subtrees`]: one subtree in each lane, as far as they fill the lanes.
#[track_caller]
pub(crate) fn hash_subtrees<S: NodeShape, H: NodeHasher<Node = [u8; 32]>>(
    backend: Backend,
    hasher: &H,
    leaves: &[[u8; 32]],
    height: u32,
    roots: &mut [[u8; 32]],
) {
    check_subtrees(leaves.len(), height, roots.len());
    let mut done = 0;
    if let Some(kernel) = kernel(backend)
        && (2..=MAX_HEIGHT).contains(&height)
    {
        done = run::<S>(kernel, leaves, height, roots);
    }
    level_by_level(hasher, &leaves[done << height..], height, &mut roots[done..]);
}

fn run<S: NodeShape>(kernel: LaneKernel, leaves: &[[u8; 32]], height: u32, roots: &mut [[u8; 32]]) -> usize {
    let (pairs, _) = leaves.as_flattened().as_chunks();
    kernel.run(HashSubtrees::<S> { pairs, height, roots, shape: PhantomData })
}

/// Hashes a level of nodes with a prefix of one to three bytes.
#[track_caller]
pub(crate) fn hash_prefixed<const BYTES: u32, const PREFIX: u32>(
    backend: Backend,
    children: &[[u8; 32]],
    parents: &mut [[u8; 32]],
) {
    check_children(children.len(), parents.len());
    let mut done = 0;
    if let Some(kernel) = kernel(backend) {
        done = run::<Prefixed<BYTES, PREFIX>>(kernel, children, 1, parents);
        let left = parents.len() - done;
        // A pass that is half full takes no longer than the messages one by one.
        if left > LANES_OF_ALL / 2 {
            let mut all_children = [[0; 32]; 2 * LANES_OF_ALL];
            let mut all_parents = [[0; 32]; LANES_OF_ALL];
            all_children[..2 * left].copy_from_slice(&children[2 * done..]);
            run::<Prefixed<BYTES, PREFIX>>(kernel, &all_children, 1, &mut all_parents);
            parents[done..].copy_from_slice(&all_parents[..left]);
            return;
        }
    }
    let mut messages = [[0; 64 + 3]; LANES_OF_ALL];
    let prefix = BYTES as usize;
    for message in &mut messages {
        message[..prefix].copy_from_slice(&PREFIX.to_be_bytes()[..prefix]);
    }
    let (nodes, _) = children[2 * done..].as_flattened().as_chunks::<64>();
    for (nodes, parents) in nodes.chunks(LANES_OF_ALL).zip(parents[done..].chunks_mut(LANES_OF_ALL)) {
        for (message, node) in messages.iter_mut().zip(nodes) {
            message[prefix..prefix + 64].copy_from_slice(node);
        }
        let messages = &messages[..nodes.len()];
        let messages = messages.iter().map(|message| &message[..prefix + 64]);
        sha256_multi::hash_many_with(backend, messages, parents);
    }
}
