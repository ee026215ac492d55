//! Replacing leaves.

use alloc::vec;
use alloc::vec::Vec;

use super::{NoSuchLeafError, Tree};
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
        let mut dirty: Vec<usize> = leaves.iter().map(|&(index, _)| index as usize / 2).collect();
        dirty.sort_unstable();
        dirty.dedup();
        let mut children = Vec::with_capacity(2 * dirty.len());
        let mut parents = vec![H::Node::ZERO; dirty.len()];
        for level in 1..self.levels.len() {
            self.rehash(level, &dirty, &mut children, &mut parents);
            for index in &mut dirty {
                *index /= 2;
            }
            dirty.dedup();
        }
        Ok(())
    }

    /// Rehashes these nodes of a level.
    fn rehash(
        &mut self,
        level: usize,
        dirty: &[usize],
        children: &mut Vec<H::Node>,
        parents: &mut [H::Node],
    ) {
        let [below, nodes] = &mut self.levels[level - 1..=level] else {
            unreachable!("two levels")
        };
        // Only the last of them can lack its second child.
        let (pairs, odd) = match dirty {
            [pairs @ .., last] if 2 * last + 1 == below.len() => (pairs, Some(*last)),
            pairs => (pairs, None),
        };
        children.clear();
        for &index in pairs {
            children.extend_from_slice(&below[2 * index..2 * index + 2]);
        }
        let parents = &mut parents[..pairs.len()];
        self.hasher.hash_level(children, parents);
        for (&index, &parent) in pairs.iter().zip(&*parents) {
            nodes[index] = parent;
        }
        if let Some(index) = odd {
            nodes[index] = odd_parent(&self.hasher, level as u32 - 1, &below[2 * index]);
        }
    }
}
