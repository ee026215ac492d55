//! Appending and truncating leaves.

use alloc::vec;
use alloc::vec::Vec;

use super::Tree;
use crate::fold::check_capacity;
use crate::hasher::{NodeHasher, odd_parent};
use crate::node::Node;

/// How many leaves are hashed up to the root of their subtree before the next ones. Their ancestors
/// are then still in the cache.
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
        self.levels.resize_with(1 + self.hasher.depth(size) as usize, Vec::new);
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
        let levels = if size == 0 { 0 } else { 1 + self.hasher.depth(size) as usize };
        self.levels.truncate(levels);
        self.hash_edge();
    }

    /// Keeps only the nodes whose leaves are all among the first `size`.
    fn keep_complete(&mut self, size: u64) {
        for (level, nodes) in self.levels.iter_mut().enumerate() {
            nodes.truncate((size >> level) as usize);
        }
    }

    /// Hashes all nodes above the leaves from index `before` on. None of them may exist yet.
    pub(super) fn hash_from(&mut self, before: usize) {
        let size = self.levels[0].len();
        for (level, nodes) in self.levels.iter_mut().enumerate().skip(1) {
            nodes.reserve((size as u64).div_ceil(1 << level) as usize - nodes.len());
        }
        for complete in (before..size).step_by(LEAVES_AT_ONCE).skip(1).chain([size]) {
            self.hash_complete(complete);
        }
        self.hash_edge();
    }

    /// Hashes the missing nodes whose leaves are all among the first `size`.
    fn hash_complete(&mut self, size: usize) {
        for level in 1..self.levels.len() {
            let [children, parents] = &mut self.levels[level - 1..=level] else {
                unreachable!("two levels")
            };
            let (before, after) = (parents.len(), ((size as u64) >> level) as usize);
            parents.resize(after, H::Node::ZERO);
            self.hasher.hash_level(&children[2 * before..2 * after], &mut parents[before..]);
        }
    }

    /// Hashes the last node of each level whose subtree is incomplete.
    fn hash_edge(&mut self) {
        for level in 1..self.levels.len() {
            let [children, parents] = &mut self.levels[level - 1..=level] else {
                unreachable!("two levels")
            };
            if parents.len() < children.len().div_ceil(2) {
                parents.push(match children[2 * parents.len()..] {
                    [left, right] => self.hasher.hash_node(&left, &right),
                    [node] => odd_parent(&self.hasher, level as u32 - 1, &node),
                    _ => unreachable!("all parents but the last exist"),
                });
            }
        }
    }
}
