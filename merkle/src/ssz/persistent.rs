//! Lists that share unchanged subtrees with their clones.

mod blocks;

use alloc::vec::Vec;
use core::marker::PhantomData;

use self::blocks::{BLOCK_CHUNKS, Block, Blocks};
use super::{Chunk, GeneralizedIndex, NodeAt, Ssz, nodes};
use crate::fold::fold;
use crate::hasher::NodeHasher;
use crate::proof::{InclusionProof, MultiProof, TreeHead, VerifyError, check_indices};
use crate::shape::Shape;
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
///
/// // Values are proven by the chunk that they are in.
/// let (index, chunk) = next.chunk_of(7).expect("there is a value");
/// let (head, proof) = (next.head(), next.prove(index)?);
/// proof.verify(&ssz, &head, index.get(), &chunk)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
///
/// # Equality
///
/// Lists are equal if they have the same number of values with the same encodings. Their families
/// do not matter. Shared subtrees are not compared, nor those whose roots are known.
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
    values: PhantomData<T>,
}

impl<T: Packed> PersistentList<T> {
    /// The number of values in a block.
    const BLOCK_VALUES: u64 = {
        assert!(T::BYTES.is_power_of_two() && T::BYTES <= 32, "values must divide a chunk");
        (size_of::<Block>() / T::BYTES) as u64
    };

    /// The number of values in a chunk.
    const CHUNK_VALUES: u64 = Self::BLOCK_VALUES / BLOCK_CHUNKS as u64;

    /// Creates an empty list with the trees of this family. A limit counts chunks.
    #[must_use]
    pub fn new(hasher: Ssz) -> Self {
        Self {
            hasher,
            len: 0,
            blocks: Blocks::default(),
            tail: [[0; 32]; BLOCK_CHUNKS],
            root: None,
            values: PhantomData,
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
    #[must_use]
    pub fn iter(&self) -> PersistentIter<'_, T> {
        PersistentIter { list: self, block: &self.tail, next: 0 }
    }

    /// Appends a value. Takes amortized constant time.
    ///
    /// # Panics
    ///
    /// Panics if the chunks exceed [`NodeHasher::capacity`].
    #[track_caller]
    pub fn push(&mut self, value: T) {
        let (per_chunk, capacity) = (Self::CHUNK_VALUES, self.hasher.capacity());
        assert!(
            self.len / per_chunk < capacity,
            "a list of {} values exceeds the capacity of {capacity} chunks of {per_chunk}",
            self.len + 1
        );
        let bytes = encoded(value);
        store::<T>(&mut self.tail, self.len, &bytes);
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
        let bytes = encoded(value);
        let block = index / Self::BLOCK_VALUES;
        let values = if block == self.len / Self::BLOCK_VALUES {
            &mut self.tail
        } else {
            self.blocks.get_mut(block)
        };
        store::<T>(values, index, &bytes);
        self.root = None;
        Ok(())
    }

    /// Truncates the list to the first `len` values. Does nothing if it has no more than that.
    pub fn truncate(&mut self, len: u64) {
        if len >= self.len {
            return;
        }
        let block = len / Self::BLOCK_VALUES;
        let kept = place::<T>(len).start;
        let mut tail = [[0; 32]; BLOCK_CHUNKS];
        tail.as_flattened_mut()[..kept].copy_from_slice(&self.block(block).as_flattened()[..kept]);
        self.blocks.truncate(block);
        self.tail = tail;
        self.len = len;
        self.root = None;
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
        let depth = self.hasher.depth(self.chunks());
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

    /// The number of chunks and their root: what verifiers of [`prove`](Self::prove) need.
    pub fn head(&mut self) -> TreeHead<Chunk> {
        TreeHead { size: self.chunks(), root: self.root() }
    }

    /// The chunk that the value at `index` is in: its index, and the chunk.
    #[must_use]
    pub fn chunk_of(&self, index: u64) -> Option<(ChunkIndex, Chunk)> {
        (index < self.len).then(|| {
            let chunk = index / Self::CHUNK_VALUES;
            let block = self.block(index / Self::BLOCK_VALUES);
            (ChunkIndex(chunk), block[chunk as usize % BLOCK_CHUNKS])
        })
    }

    /// Proves a chunk, for [`InclusionProof::verify`] with [`head`](Self::head) or for
    /// [`Ssz::verify_branch`]. Hashes what [`root`](Self::root) would.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if the list has no such chunk.
    pub fn prove(&mut self, chunk: ChunkIndex) -> Result<InclusionProof<Chunk>, NoSuchLeafError> {
        let size = self.chunks();
        if chunk.0 >= size {
            return Err(NoSuchLeafError { index: chunk.0, size });
        }
        Ok(InclusionProof(self.siblings(&[chunk.0])))
    }

    /// Proves several chunks, in strictly ascending order. Hashes what [`root`](Self::root) would.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchLeaf`] if the list has no such chunk, [`VerifyError::Unsorted`]
    /// if the chunks are not strictly ascending, and [`VerifyError::NoLeaves`] if there are none.
    pub fn prove_many(&mut self, chunks: &[ChunkIndex]) -> Result<MultiProof<Chunk>, VerifyError> {
        let chunks: Vec<u64> = chunks.iter().map(|chunk| chunk.0).collect();
        check_indices(self.chunks(), chunks.iter().copied())?;
        Ok(MultiProof(self.siblings(&chunks)))
    }

    /// Hashes what [`root`](Self::root) would, and gives access to all nodes of the chunks' tree.
    pub fn hashed(&mut self) -> HashedList<'_, T> {
        self.root();
        HashedList { list: self }
    }

    /// The siblings that make up a proof of these chunks.
    fn siblings(&mut self, chunks: &[u64]) -> Vec<Chunk> {
        self.root();
        let (hasher, blocks) = (&self.hasher, &self.blocks);
        let shape = Shape::new(hasher, self.chunks());
        shape.siblings(hasher, chunks, |level, index| blocks.node(hasher, level, index))
    }

    /// The number of chunks.
    fn chunks(&self) -> u64 {
        self.len.div_ceil(Self::CHUNK_VALUES)
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

impl<T: Packed> FromIterator<T> for PersistentList<T> {
    /// Creates a list without a limit, with the trees of [`Ssz::new`].
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = Self::new(Ssz::new());
        list.extend(values);
        list
    }
}

impl<T: Packed> PartialEq for PersistentList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len
            && self.tail == other.tail
            && self.blocks.begin_alike(&other.blocks, self.len / Self::BLOCK_VALUES)
    }
}

impl<T: Packed> Eq for PersistentList<T> {}

/// The index of a chunk in a list: what proofs count. Lists count values, of which a chunk can
/// hold several.
///
/// ```
/// use merkle_lanes::ssz::ChunkIndex;
///
/// // Four balances to a chunk.
/// assert_eq!(ChunkIndex::of_value::<u64>(7), ChunkIndex::new(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkIndex(u64);

impl ChunkIndex {
    /// Creates an index from its number.
    #[must_use]
    pub const fn new(index: u64) -> Self {
        Self(index)
    }

    /// The chunk that the value at an index is in.
    #[must_use]
    pub const fn of_value<T: Packed>(index: u64) -> Self {
        Self(index / PersistentList::<T>::CHUNK_VALUES)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The chunks of a [`PersistentList`] whose nodes are all hashed, without its length.
#[derive(Debug)]
pub struct HashedList<'a, T> {
    list: &'a PersistentList<T>,
}

impl<T> Clone for HashedList<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for HashedList<'_, T> {}

impl<T: Packed> NodeAt for HashedList<'_, T> {
    fn node_at(&self, index: GeneralizedIndex) -> Option<Chunk> {
        let PersistentList { hasher, blocks, .. } = self.list;
        let chunks = self.list.chunks();
        nodes::padded_node(hasher.depth(chunks), chunks, index, |level, at| {
            blocks.node(hasher, level, at)
        })
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

/// The encoding of a value. A custom [`Packed::encode`] can panic, so this comes before any change.
fn encoded<T: Packed>(value: T) -> Chunk {
    let mut bytes = [0; 32];
    value.encode(&mut bytes[..T::BYTES]);
    bytes
}

fn store<T: Packed>(block: &mut Block, index: u64, bytes: &Chunk) {
    block.as_flattened_mut()[place::<T>(index)].copy_from_slice(&bytes[..T::BYTES]);
}

/// The values of a [`PersistentList`], in order.
#[derive(Clone, Debug)]
pub struct PersistentIter<'a, T> {
    list: &'a PersistentList<T>,
    /// The block of the value before `next`.
    block: &'a Block,
    /// The index of the next value.
    next: u64,
}

impl<'a, T: Packed> IntoIterator for &'a PersistentList<T> {
    type Item = T;
    type IntoIter = PersistentIter<'a, T>;

    fn into_iter(self) -> PersistentIter<'a, T> {
        self.iter()
    }
}

impl<T: Packed> Iterator for PersistentIter<'_, T> {
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

impl<T: Packed> ExactSizeIterator for PersistentIter<'_, T> {}

/// A basic value of SSZ: an unsigned integer, a boolean, or a whole chunk such as a root.
pub trait Packed: Copy {
    /// The number of bytes: a power of two up to 32. Anything else does not compile in a list.
    const BYTES: usize;

    /// Writes the value to [`BYTES`](Self::BYTES) bytes, which are zero.
    ///
    /// # Panics
    ///
    /// Panics if `bytes.len() != Self::BYTES`.
    fn encode(&self, bytes: &mut [u8]);

    /// Reads a value from the [`BYTES`](Self::BYTES) bytes that [`encode`](Self::encode) wrote.
    ///
    /// # Panics
    ///
    /// Panics if `bytes.len() != Self::BYTES`.
    fn decode(bytes: &[u8]) -> Self;
}

macro_rules! unsigned {
    ($($integer:ty),*) => {$(
        impl Packed for $integer {
            const BYTES: usize = size_of::<Self>();

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a value has BYTES bytes"))
            }
        }
    )*};
}
unsigned!(u8, u16, u32, u64, u128);

impl Packed for bool {
    const BYTES: usize = 1;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        u8::from(*self).encode(bytes);
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Self {
        u8::decode(bytes) != 0
    }
}

impl Packed for Chunk {
    const BYTES: usize = 32;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(self);
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Self {
        bytes.try_into().expect("a value has BYTES bytes")
    }
}
