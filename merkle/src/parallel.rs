//! Hashes the trees of any family on all cores.

use hash_lanes::Parallel;
use hash_lanes::engine::{items_per_task, messages_per_task};
use rayon::prelude::*;

use crate::hasher::{NodeHasher, Odd, check_children, check_subtrees};

/// The minimum number of nodes per task: about ten microseconds of work.
const MIN_NODES: usize = 512;

impl<H: NodeHasher + Sync> NodeHasher for Parallel<H> {
    type Node = H::Node;

    fn odd(&self) -> Odd {
        self.0.odd()
    }

    fn missing(&self, level: u32) -> Self::Node {
        self.0.missing(level)
    }

    fn empty_root(&self) -> Self::Node {
        self.0.empty_root()
    }

    fn depth(&self, leaves: u64) -> u32 {
        self.0.depth(leaves)
    }

    fn capacity(&self) -> u64 {
        self.0.capacity()
    }

    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Self::Node]) {
        hash_lanes::engine::check_counts(data.len(), leaves.len());
        let at_once = messages_per_task(data);
        if data.len() <= at_once {
            return self.0.hash_leaves(data, leaves);
        }
        data.par_chunks(at_once)
            .zip(leaves.par_chunks_mut(at_once))
            .for_each(|(data, leaves)| self.0.hash_leaves(data, leaves));
    }

    #[track_caller]
    fn hash_level(&self, children: &[Self::Node], parents: &mut [Self::Node]) {
        check_children(children.len(), parents.len());
        if parents.len() <= MIN_NODES {
            return self.0.hash_level(children, parents);
        }
        let at_once = items_per_task(parents.len(), MIN_NODES);
        children
            .par_chunks(2 * at_once)
            .zip(parents.par_chunks_mut(at_once))
            .for_each(|(children, parents)| self.0.hash_level(children, parents));
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        self.0.subtree_height(nodes)
    }

    #[track_caller]
    fn hash_subtrees(&self, leaves: &[Self::Node], height: u32, roots: &mut [Self::Node]) {
        check_subtrees(leaves.len(), height, roots.len());
        if leaves.len() <= MIN_NODES {
            return self.0.hash_subtrees(leaves, height, roots);
        }
        let at_once = items_per_task(roots.len(), MIN_NODES >> height);
        leaves
            .par_chunks(at_once << height)
            .zip(roots.par_chunks_mut(at_once))
            .for_each(|(leaves, roots)| self.0.hash_subtrees(leaves, height, roots));
    }
}
