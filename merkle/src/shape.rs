//! Positions of nodes in a tree, independent of their values.

use alloc::vec::Vec;

use crate::hasher::{NodeHasher, Odd};

/// The shape of a tree, which determines the number of nodes on each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) size: u64,
    pub(crate) depth: u32,
    pub(crate) odd: Odd,
}

/// What a node is hashed with on the path to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sibling {
    /// The node to its left.
    Left,
    /// The node to its right.
    Right,
    /// Nothing: the node is promoted.
    None,
    /// The node itself.
    Itself,
    /// The padding for a missing node.
    Missing,
}

impl Shape {
    /// The shape of a tree with `size` leaves. If `size == 0`, only `depth` is meaningful.
    pub(crate) fn new<H: NodeHasher>(hasher: &H, size: u64) -> Self {
        Self { size, depth: hasher.depth(size), odd: hasher.odd() }
    }

    /// The index of the last node on a level.
    fn last(&self, level: u32) -> u64 {
        (self.size - 1) >> level
    }

    /// What node `index` on a level is hashed with.
    pub(crate) fn sibling(&self, level: u32, index: u64) -> Sibling {
        if index % 2 == 1 {
            Sibling::Left
        } else if index < self.last(level) {
            Sibling::Right
        } else {
            match self.odd {
                Odd::Promoted => Sibling::None,
                Odd::Duplicated => Sibling::Itself,
                Odd::Padded => Sibling::Missing,
            }
        }
    }

    /// The number of siblings on the path from a leaf to the root.
    pub(crate) fn path_length(&self, index: u64) -> usize {
        match self.odd {
            Odd::Duplicated | Odd::Padded => self.depth as usize,
            Odd::Promoted => {
                // Every node on the path has a sibling until the path joins that of the last leaf.
                // From there on it is the last node of its level, which has a sibling only if it is
                // a right child.
                let joins = u64::BITS - (index ^ self.last(0)).leading_zeros();
                (joins + (index.unbounded_shr(joins)).count_ones()) as usize
            }
        }
    }

    /// The siblings that make up a proof of the leaves `indices`, which must be ascending. `node`
    /// returns a node that has leaves below it.
    pub(crate) fn siblings<H: NodeHasher>(
        &self,
        hasher: &H,
        indices: &[u64],
        mut node: impl FnMut(u32, u64) -> H::Node,
    ) -> Vec<H::Node> {
        let mut siblings = Vec::new();
        self.entries(indices.to_vec(), |level, index, sibling| {
            siblings.push(match sibling {
                Sibling::Left | Sibling::Right => node(level, index ^ 1),
                Sibling::Itself => node(level, index),
                Sibling::Missing => hasher.missing(level),
                Sibling::None => unreachable!("promoted nodes have no entry"),
            });
        });
        siblings
    }

    /// Calls `entry` with the level, index and sibling of each node that needs a proof entry.
    ///
    /// These are the nodes on the paths from the leaves `indices` whose sibling is not on such a
    /// path itself. `indices` must be ascending.
    pub(crate) fn entries(&self, mut indices: Vec<u64>, mut entry: impl FnMut(u32, u64, Sibling)) {
        for level in 0..self.depth {
            let mut i = 0;
            while i < indices.len() {
                let index = indices[i];
                let sibling = self.sibling(level, index);
                if sibling == Sibling::Right && indices.get(i + 1) == Some(&(index + 1)) {
                    i += 1;
                } else if sibling != Sibling::None {
                    entry(level, index, sibling);
                }
                i += 1;
            }
            for index in &mut indices {
                *index /= 2;
            }
            indices.dedup();
        }
    }
}
