//! Appending and truncating leaves.

use alloc::vec;

use super::{Nodes, Tree, below, two_levels};
use crate::fold::{check_capacity, fold};
use crate::hasher::NodeHasher;
use crate::node::Node;

/// The number of leaves hashed up to the root of their subtree before the next ones. Their
/// ancestors are then still in the cache.
const LEAVES_AT_ONCE: usize = 1 << 13;

impl<H: NodeHasher> Tree<H> {
    /// Appends a leaf.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn push(&mut self, leaf: H::Node) {
        self.extend(&[leaf]);
    }

    /// Appends leaves.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn extend(&mut self, leaves: &[H::Node]) {
        if leaves.is_empty() {
            return;
        }
        let size = self.len() + leaves.len() as u64;
        check_capacity(&self.hasher, size);
        let before = self.leaves().len();
        self.keep_complete(self.len());
        self.resize_levels(size);
        self.levels[0].extend_from_slice(leaves);
        self.hash_from(before);
    }

    /// Hashes each piece of data into a leaf and appends it.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn extend_data<M: AsRef<[u8]> + Sync>(&mut self, data: &[M]) {
        check_capacity(&self.hasher, self.len() + data.len() as u64);
        let mut leaves = vec![H::Node::ZERO; data.len()];
        self.hasher.hash_leaves(data, &mut leaves);
        self.extend(&leaves);
    }

    /// Truncates the tree to the first `size` leaves. Does nothing if it has no more than that.
    pub fn truncate(&mut self, size: u64) {
        if size >= self.len() {
            return;
        }
        self.keep_complete(size);
        self.resize_levels(size);
        self.hash_edge();
    }

    /// Keeps only the nodes whose leaves are all among the first `size`.
    fn keep_complete(&mut self, size: u64) {
        for i in 0..self.levels.len() {
            let complete = size >> self.level_of(i);
            self.levels[i].truncate(complete as usize);
        }
    }

    /// Makes room for the levels of a tree of `size` leaves.
    pub(super) fn resize_levels(&mut self, size: u64) {
        let depth = self.hasher.depth(size);
        let first = self.lowest.min(depth);
        if first != self.first {
            // The root of a tree with fewer levels is on a level that this tree does not keep.
            self.levels.truncate(1);
            self.first = first;
        }
        let levels = match (size, depth) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => 2 + depth - first,
        };
        self.levels.resize_with(levels as usize, Nodes::new);
    }

    /// Hashes all nodes above the leaves from index `before` on. None of them may exist yet.
    pub(super) fn hash_from(&mut self, before: usize) {
        let size = self.levels[0].len();
        for i in 1..self.levels.len() {
            let level = self.level_of(i);
            let nodes = (size as u64).div_ceil(1 << level) as usize;
            let level_nodes = &mut self.levels[i];
            level_nodes.reserve(nodes - level_nodes.len());
        }
        let mut done = before;
        for complete in (before..size).step_by(LEAVES_AT_ONCE).skip(1).chain([size]) {
            self.hash_complete(done, complete);
            done = complete;
        }
        self.hash_edge();
    }

    /// Hashes the nodes whose leaves are all among the first `after`, but not the first `before`.
    fn hash_complete(&mut self, before: usize, after: usize) {
        for i in 1..self.levels.len() {
            let (level_below, level) = (self.level_of(i - 1), self.level_of(i));
            let complete = |leaves: usize| (leaves as u64 >> level) as usize;
            let (before, after) = (complete(before), complete(after));
            if before == after {
                continue;
            }
            let height = level - level_below;
            let (children, parents) = two_levels(&mut self.levels, i);
            if parents.len() < after {
                // Fresh memory is zeroed here, in the cache. If the first writes to its pages were
                // those of hashing, or all were zeroed before, a new tree would take longer.
                parents.resize(after, H::Node::ZERO);
            }
            let children = &children[below(before, height)..below(after, height)];
            let parents = &mut parents[before..after];
            if height == 1 {
                self.hasher.hash_level(children, parents);
            } else {
                self.hasher.hash_subtrees(children, height, parents);
            }
        }
    }

    /// Hashes the last node of each level whose subtree is incomplete.
    fn hash_edge(&mut self) {
        for i in 1..self.levels.len() {
            let (level_below, level) = (self.level_of(i - 1), self.level_of(i));
            let (children, parents) = two_levels(&mut self.levels, i);
            let edge = &children[below(parents.len(), level - level_below)..];
            match edge {
                [] => {}
                [left, right] if level == level_below + 1 => {
                    parents.push(self.hasher.hash_node(left, right));
                }
                _ => parents.push(fold(&self.hasher, edge, level_below, level)),
            }
        }
    }
}
