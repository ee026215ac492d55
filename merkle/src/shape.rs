//! Where the nodes of a tree stand.

use alloc::vec::Vec;

use crate::hasher::{NodeHasher, Odd};

/// The shape of a tree: how many nodes each level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) size: u64,
    pub(crate) depth: u32,
    pub(crate) odd: Odd,
}

/// What a node is hashed with on its way up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sibling {
    /// The node before it.
    Left,
    /// The node behind it.
    Right,
    /// Nothing: it is promoted.
    None,
    /// Itself.
    Itself,
    /// What stands for a missing node.
    Missing,
}

impl Shape {
    /// That of a tree of `size` leaves. Without a leaf, only its depth can be asked for.
    pub(crate) fn new<H: NodeHasher>(hasher: &H, size: u64) -> Self {
        Self { size, depth: hasher.depth(size), odd: hasher.odd() }
    }

    /// The index of the last node of a level.
    fn last(&self, level: u32) -> u64 {
        (self.size - 1) >> level
    }

    /// What node `index` of a level is hashed with.
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

    /// How many siblings a leaf meets on its way to the root.
    pub(crate) fn path_length(&self, index: u64) -> usize {
        match self.odd {
            Odd::Duplicated | Odd::Padded => self.depth as usize,
            Odd::Promoted => {
                // Below the level where its way joins that of the last node it always has a
                // sibling, and from there on it is the last node itself, which has
                // one where it is a right child.
                let joins = u64::BITS - (index ^ self.last(0)).leading_zeros();
                (joins + (index.unbounded_shr(joins)).count_ones()) as usize
            }
        }
    }

    /// Calls `entry` with the level and the index of each node, among those above the leaves
    /// `indices`, whose sibling is not above them itself: these siblings are a proof of the
    /// leaves. `indices` are in ascending order.
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
