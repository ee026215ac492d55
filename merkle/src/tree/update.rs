//! Replacing leaves.

use alloc::vec;
use alloc::vec::Vec;

use super::{NoSuchLeafError, Tree, below, two_levels};
use crate::fold::fold;
use crate::hasher::{NodeHasher, odd_parent};
use crate::node::Node;

impl<H: NodeHasher> Tree<H> {
    /// Replaces a leaf.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`.
    pub fn update(&mut self, index: u64, leaf: H::Node) -> Result<(), NoSuchLeafError> {
        self.update_many(&[(index, leaf)])
    }

    /// Replaces leaves, given with their indices in any order. If an index occurs more than once,
    /// the last occurrence wins. Each ancestor is hashed once, together with the others on its
    /// level.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if an index is out of range. The tree is unchanged then.
    pub fn update_many(&mut self, leaves: &[(u64, H::Node)]) -> Result<(), NoSuchLeafError> {
        let size = self.len();
        if let Some(&(index, _)) = leaves.iter().find(|&&(index, _)| index >= size) {
            return Err(NoSuchLeafError { index, size });
        }
        if leaves.is_empty() {
            return Ok(());
        }
        for &(index, leaf) in leaves {
            self.levels[0][index as usize] = leaf;
        }
        // The indices to rehash, on one level after another.
        let mut dirty: Vec<usize> =
            leaves.iter().map(|&(index, _)| (index >> self.first) as usize).collect();
        dirty.sort_unstable();
        dirty.dedup();
        let mut children = Vec::with_capacity(2 * dirty.len());
        let mut parents = vec![H::Node::ZERO; dirty.len()];
        for i in 1..self.levels.len() {
            self.rehash(i, &dirty, &mut children, &mut parents);
            for index in &mut dirty {
                *index /= 2;
            }
            dirty.dedup();
        }
        Ok(())
    }

    /// Rehashes these nodes of the `i`-th kept level.
    fn rehash(
        &mut self,
        i: usize,
        dirty: &[usize],
        children: &mut Vec<H::Node>,
        parents: &mut [H::Node],
    ) {
        let (level_below, level) = (self.level_of(i - 1), self.level_of(i));
        let height = level - level_below;
        let (nodes_below, nodes) = two_levels(&mut self.levels, i);
        if height > 1 {
            for &index in dirty {
                let subtree = &nodes_below[below(index, height)..];
                let width = 1_usize.checked_shl(height).unwrap_or(usize::MAX);
                let subtree = &subtree[..subtree.len().min(width)];
                nodes[index] = fold(&self.hasher, subtree, level_below, level);
            }
            return;
        }
        // Only the last of them can lack its second child.
        let (pairs, odd) = match dirty {
            [pairs @ .., last] if 2 * last + 1 == nodes_below.len() => (pairs, Some(*last)),
            pairs => (pairs, None),
        };
        children.clear();
        for &index in pairs {
            children.extend_from_slice(&nodes_below[2 * index..2 * index + 2]);
        }
        let parents = &mut parents[..pairs.len()];
        self.hasher.hash_level(children, parents);
        for (&index, &parent) in pairs.iter().zip(&*parents) {
            nodes[index] = parent;
        }
        if let Some(index) = odd {
            nodes[index] = odd_parent(&self.hasher, level_below, &nodes_below[2 * index]);
        }
    }
}
