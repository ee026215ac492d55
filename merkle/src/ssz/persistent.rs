//! Lists that share unchanged subtrees with their clones.

mod blocks;
mod packed;
mod rebase;

pub use packed::Packed;

use self::blocks::{BLOCK_CHUNKS, Block, Blocks};
use super::{Chunk, Ssz};
use crate::fold::fold;
use crate::hasher::NodeHasher;
use crate::tree::NoSuchLeafError;

/// A list or vector of basic values that shares unchanged subtrees with its clones, such as the
/// balances or block roots of a beacon state.
///
/// A clone takes constant time. Changing a value then copies only the path to it. The root rehashes
/// only what changed, and all changed nodes of a level together.
///
/// ```
/// use merkle_lanes::ssz::{PersistentList, Ssz};
///
/// // List[uint64, 2^40]: four balances to a chunk.
/// let ssz = Ssz::with_limit(1 << 38);
/// let mut balances = PersistentList::<u64>::new(ssz);
/// balances.extend(0..1000);
/// let root = ssz.mix_in_length(&balances.root(), balances.len());
///
/// let mut next = balances.clone();
/// next.set(7, 32_000_000_000)?;
/// assert_ne!(ssz.mix_in_length(&next.root(), next.len()), root);
/// assert_eq!((balances.get(7), next.get(7)), (Some(7), Some(32_000_000_000)));
/// # Ok::<(), merkle_lanes::NoSuchLeafError>(())
/// ```
///
/// A clone also shares the hashes. Call [`root`](Self::root) before cloning, so that the clones do
/// not each compute them.
///
/// # Memory
///
/// Values are stored as chunks, in blocks of eight. A list takes up about 42 bytes per chunk,
/// besides the overhead of the allocator. Changing a value of a clone copies its block of 272 bytes
/// and each ancestor of up to 416 bytes: one for each factor of eight in the number of blocks.
#[derive(Clone, Debug)]
pub struct PersistentList<T> {
    hasher: Ssz,
    len: u64,
    /// The blocks before the tail. Once hashed, also a copy of the tail.
    blocks: Blocks,
    /// The last values, fewer than a block. The rest is zero.
    tail: Block,
    /// The root. `None` if a value has changed since it was computed.
    root: Option<Chunk>,
    values: core::marker::PhantomData<T>,
}

impl<T: Packed> PersistentList<T> {
    /// The number of values in a block.
    const BLOCK_VALUES: u64 = {
        assert!(T::BYTES.is_power_of_two() && T::BYTES <= 32, "values must divide a chunk");
        (size_of::<Block>() / T::BYTES) as u64
    };

    /// Creates an empty list with the trees of this family. A limit counts chunks.
    #[must_use]
    pub fn new(hasher: Ssz) -> Self {
        Self {
            hasher,
            len: 0,
            blocks: Blocks::default(),
            tail: [[0; 32]; BLOCK_CHUNKS],
            root: None,
            values: core::marker::PhantomData,
        }
    }

    /// The family of the tree.
    #[must_use]
    pub fn hasher(&self) -> &Ssz {
        &self.hasher
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value at `index`. Takes a time proportional to the logarithm of the length.
    #[must_use]
    pub fn get(&self, index: u64) -> Option<T> {
        (index < self.len).then(|| decode(self.block(index / Self::BLOCK_VALUES), index))
    }

    /// The values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + '_ {
        Iter { list: self, block: &self.tail, next: 0 }
    }

    /// Appends a value. Takes amortized constant time.
    ///
    /// # Panics
    ///
    /// Panics if the chunks exceed [`NodeHasher::capacity`].
    #[track_caller]
    pub fn push(&mut self, value: T) {
        let per_chunk = Self::BLOCK_VALUES / BLOCK_CHUNKS as u64;
        let capacity = self.hasher.capacity();
        assert!(
            self.len / per_chunk < capacity,
            "a list of {} values exceeds the capacity of {capacity} chunks of {per_chunk}",
            self.len + 1
        );
        encode(&mut self.tail, self.len, value);
        self.root = None;
        self.len += 1;
        if self.len.is_multiple_of(Self::BLOCK_VALUES) {
            self.store_tail(self.len / Self::BLOCK_VALUES - 1);
            self.tail = [[0; 32]; BLOCK_CHUNKS];
        }
    }

    /// Replaces the value at `index`. Takes a time proportional to the logarithm of the length.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`. It counts values as leaves.
    pub fn set(&mut self, index: u64, value: T) -> Result<(), NoSuchLeafError> {
        if index >= self.len {
            return Err(NoSuchLeafError { index, size: self.len });
        }
        let block = index / Self::BLOCK_VALUES;
        let values = if block == self.len / Self::BLOCK_VALUES {
            &mut self.tail
        } else {
            self.blocks.get_mut(block)
        };
        encode(values, index, value);
        self.root = None;
        Ok(())
    }

    /// The root of the chunks, without the length. [`Ssz::mix_in_length`] adds that of a list.
    ///
    /// Hashes the blocks that changed since the last call, and their ancestors.
    pub fn root(&mut self) -> Chunk {
        if let Some(root) = self.root {
            return root;
        }
        let tail = self.len / Self::BLOCK_VALUES;
        let is_stored = tail < self.blocks.len && *self.blocks.get(tail) == self.tail;
        if !self.len.is_multiple_of(Self::BLOCK_VALUES) && !is_stored {
            self.store_tail(tail);
        }
        let per_chunk = Self::BLOCK_VALUES / BLOCK_CHUNKS as u64;
        let depth = self.hasher.depth(self.len.div_ceil(per_chunk));
        let root = match self.blocks.top(&self.hasher) {
            None => self.hasher.empty_root(),
            Some((level, nodes)) => {
                // A tree of low depth does not have all the nodes.
                let nodes = &nodes[..1 << (depth - level).min(3)];
                fold(&self.hasher, nodes, level, depth)
            }
        };
        self.root = Some(root);
        root
    }

    /// Shares all subtrees that are equal to those of `other`, which saves memory. Neither the
    /// values nor the root change.
    ///
    /// If both lists have computed their [`root`](Self::root), subtrees are compared by their
    /// roots, and the time depends on the differences. Later changes are compared by their values.
    pub fn rebase_on(&mut self, other: &Self) {
        self.blocks.rebase_on(&other.blocks);
    }

    /// The block at an index, which holds values.
    fn block(&self, index: u64) -> &Block {
        if index == self.len / Self::BLOCK_VALUES { &self.tail } else { self.blocks.get(index) }
    }

    fn store_tail(&mut self, index: u64) {
        *self.blocks.get_mut(index) = self.tail;
    }
}

impl<T: Packed> Extend<T> for PersistentList<T> {
    /// Appends values, see [`push`](Self::push).
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.push(value);
        }
    }
}

/// The bytes of a block that hold the value at an index of the list.
fn place<T: Packed>(index: u64) -> core::ops::Range<usize> {
    let start = index as usize * T::BYTES % size_of::<Block>();
    start..start + T::BYTES
}

fn decode<T: Packed>(block: &Block, index: u64) -> T {
    T::decode(&block.as_flattened()[place::<T>(index)])
}

fn encode<T: Packed>(block: &mut Block, index: u64, value: T) {
    value.encode(&mut block.as_flattened_mut()[place::<T>(index)]);
}

/// The values from index `next` on.
struct Iter<'a, T> {
    list: &'a PersistentList<T>,
    /// The block of the value before `next`.
    block: &'a Block,
    next: u64,
}

impl<T: Packed> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.next == self.list.len {
            return None;
        }
        if self.next.is_multiple_of(PersistentList::<T>::BLOCK_VALUES) {
            self.block = self.list.block(self.next / PersistentList::<T>::BLOCK_VALUES);
        }
        let value = decode(self.block, self.next);
        self.next += 1;
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.list.len - self.next) as usize;
        (left, Some(left))
    }
}

impl<T: Packed> ExactSizeIterator for Iter<'_, T> {}
