//! Progressive lists and containers (EIP-7916, EIP-7495): trees without a limit, in which a chunk
//! keeps its place while the list grows.
//!
//! The chunks fill subtrees of 1, 4, 16, 64, ... chunks, each four times as large as the one
//! before. The root of each is the left child of a node, the rest of the list its right child. A
//! zero chunk ends the list:
//!
//! ```text
//!     root
//!     /  \
//!   1     *
//!        / \
//!       4   *
//!          / \
//!        16   0
//! ```

use alloc::vec::Vec;

use super::{Chunk, ChunkIndex, GeneralizedIndex, HashedList, NodeAt, Packed, PersistentList, Ssz};
use crate::fold::root;
use crate::proof::InclusionProof;
use crate::tree::NoSuchLeafError;

/// The maximum number of fields of a progressive container, active or not: `active_fields` is one
/// chunk.
pub const MAX_FIELDS: usize = 256;

/// The number of levels of subtree `number`, which has `4^number` chunks.
fn depth(number: u32) -> u32 {
    2 * number
}

/// The number of chunks in the subtrees before subtree `number`: 0, 1, 5, 21, ...
fn chunks_before(number: u32) -> u64 {
    ((1_u128 << depth(number)) / 3) as u64
}

/// The subtree that a chunk is in.
fn subtree_of(chunk: u64) -> u32 {
    (3 * u128::from(chunk) + 1).ilog2() / 2
}

/// The root of subtrees with these roots.
fn join(ssz: &Ssz, roots: &[Chunk]) -> Chunk {
    roots.iter().rev().fold([0; 32], |rest, root| ssz.hash_node(root, &rest))
}

impl Ssz {
    /// Computes the root of the chunks of a progressive list: `merkleize_progressive` of the
    /// specification. [`mix_in_length`](Self::mix_in_length) adds the length. A limit has no
    /// effect.
    ///
    /// ```
    /// use merkle_lanes::ssz::{Ssz, pack};
    ///
    /// // ProgressiveList[uint64] of 5 numbers.
    /// let numbers = [1_u64, 2, 3, 4, 5];
    /// let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    /// let ssz = Ssz::new();
    /// let root = ssz.mix_in_length(&ssz.merkleize_progressive(&pack(&bytes)), 5);
    /// ```
    #[must_use]
    pub fn merkleize_progressive(&self, mut chunks: &[Chunk]) -> Chunk {
        let mut roots = Vec::new();
        for number in 0.. {
            if chunks.is_empty() {
                break;
            }
            let width = 1_u64 << depth(number);
            let (now, later) = chunks.split_at(chunks.len().min(width as usize));
            roots.push(root(&Self { limit: Some(width), ..*self }, now));
            chunks = later;
        }
        join(self, &roots)
    }

    /// Computes the root of a progressive container from the root of its fields and which of them
    /// are active: `mix_in_active_fields` of the specification.
    ///
    /// # Errors
    ///
    /// Returns [`TooManyFieldsError`] if there are more than [`MAX_FIELDS`].
    pub fn mix_in_active_fields(
        &self,
        root: &Chunk,
        active_fields: &[bool],
    ) -> Result<Chunk, TooManyFieldsError> {
        if active_fields.len() > MAX_FIELDS {
            return Err(TooManyFieldsError { got: active_fields.len() });
        }
        let mut bits = [0; 32];
        for (i, &is_active) in active_fields.iter().enumerate() {
            bits[i / 8] |= u8::from(is_active) << (i % 8);
        }
        Ok(self.hash_node(root, &bits))
    }

    /// Computes the root of a progressive container: `hash_tree_root` of
    /// `ProgressiveContainer(active_fields)`. `fields` has the root of each field, or `None` where
    /// `active_fields` is 0.
    ///
    /// ```
    /// use merkle_lanes::ssz::{GeneralizedIndex, Ssz};
    ///
    /// // active_fields = [1, 0, 1]
    /// let ssz = Ssz::new();
    /// let root = ssz.progressive_container(&[Some([1; 32]), None, Some([3; 32])])?;
    /// // The fields are to the left of the active fields.
    /// let fields = ssz.merkleize_progressive(&[[1; 32], [0; 32], [3; 32]]);
    /// assert_eq!(root, ssz.mix_in_active_fields(&fields, &[true, false, true])?);
    /// # Ok::<(), merkle_lanes::ssz::TooManyFieldsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`TooManyFieldsError`] if there are more than [`MAX_FIELDS`].
    pub fn progressive_container(
        &self,
        fields: &[Option<Chunk>],
    ) -> Result<Chunk, TooManyFieldsError> {
        let chunks: Vec<Chunk> = fields.iter().map(|field| field.unwrap_or_default()).collect();
        let active_fields: Vec<bool> = fields.iter().map(Option::is_some).collect();
        self.mix_in_active_fields(&self.merkleize_progressive(&chunks), &active_fields)
    }
}

/// The error for more fields than a progressive container can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyFieldsError {
    /// The number of fields.
    pub got: usize,
}

error_messages!(TooManyFieldsError {
    Self { got } => "{got} fields exceed the maximum of {MAX_FIELDS} fields";
});

impl GeneralizedIndex {
    /// The place of a chunk in a progressive list or container, below the length or the active
    /// fields. It does not depend on the number of chunks. Returns `None` if it would be too deep.
    ///
    /// ```
    /// use merkle_lanes::ssz::{ChunkIndex, GeneralizedIndex};
    ///
    /// let place = |chunk| GeneralizedIndex::progressive(ChunkIndex::new(chunk)).unwrap();
    /// assert_eq!([0, 1, 5, 21].map(|chunk| place(chunk).get()), [2, 24, 224, 1920]);
    /// // In the list, the chunks are to the left of the length.
    /// let chunks = GeneralizedIndex::ROOT.left().unwrap();
    /// let in_list = chunks.concat(place(5)).unwrap();
    /// ```
    #[must_use]
    pub fn progressive(chunk: ChunkIndex) -> Option<Self> {
        let chunk = chunk.get();
        let number = subtree_of(chunk);
        // To the right once for each subtree before it, and then to the left.
        let to_subtree = (2 << (number + 1)) - 2;
        let below = Self::at(depth(number), chunk - chunks_before(number))?;
        Self::new(to_subtree)?.concat(below)
    }
}

/// A progressive list of basic values or roots that shares unchanged subtrees with its clones: what
/// [`PersistentList`] is to a list with a limit.
///
/// ```
/// use merkle_lanes::ssz::{GeneralizedIndex, ProgressiveList, Ssz};
///
/// // ProgressiveList[uint64]
/// let ssz = Ssz::new();
/// let mut balances = ProgressiveList::<u64>::new(ssz);
/// balances.extend(0..1000);
/// let old_root = ssz.mix_in_length(&balances.root(), balances.len());
/// let mut next = balances.clone();
/// next.set(7, 32_000_000_000)?;
/// assert_ne!(ssz.mix_in_length(&next.root(), next.len()), old_root);
///
/// // Values are proven by the chunk that they are in.
/// let (index, chunk) = next.chunk_of(7).expect("there is a value");
/// let (root, proof) = (next.root(), next.prove(index)?);
/// let place = GeneralizedIndex::progressive(index).expect("no list is that long");
/// ssz.verify_branch(&root, place, &chunk, &proof)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgressiveList<T> {
    hasher: Ssz,
    /// All are full but the last.
    subtrees: Vec<PersistentList<T>>,
}

impl<T: Packed> ProgressiveList<T> {
    /// The number of values in a chunk.
    const CHUNK_VALUES: u64 = (size_of::<Chunk>() / T::BYTES) as u64;

    /// Creates an empty list that is hashed on the backend of this family. A limit has no effect.
    #[must_use]
    pub fn new(hasher: Ssz) -> Self {
        Self { hasher, subtrees: Vec::new() }
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> u64 {
        let full = self.subtrees.len().saturating_sub(1) as u32;
        let last = self.subtrees.last().map_or(0, PersistentList::len);
        chunks_before(full) * Self::CHUNK_VALUES + last
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.subtrees.is_empty()
    }

    /// The subtree that the value at `index` is in, and its index there.
    fn place(index: u64) -> (usize, u64) {
        let number = subtree_of(index / Self::CHUNK_VALUES);
        (number as usize, index - chunks_before(number) * Self::CHUNK_VALUES)
    }

    /// The place of a value, if there is one.
    fn checked_place(&self, index: u64) -> Result<(usize, u64), NoSuchLeafError> {
        let size = self.len();
        if index < size { Ok(Self::place(index)) } else { Err(NoSuchLeafError { index, size }) }
    }

    /// The value at `index`. Takes a time proportional to the logarithm of the length.
    #[must_use]
    pub fn get(&self, index: u64) -> Option<T> {
        let (number, index) = self.checked_place(index).ok()?;
        self.subtrees[number].get(index)
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.subtrees.iter().flatten()
    }

    /// Appends a value. Takes amortized constant time.
    pub fn push(&mut self, value: T) {
        let (number, _) = Self::place(self.len());
        if number == self.subtrees.len() {
            let limit = Some(1 << depth(number as u32));
            self.subtrees.push(PersistentList::new(Ssz { limit, ..self.hasher }));
        }
        self.subtrees[number].push(value);
    }

    /// Replaces the value at `index`. Takes a time proportional to the logarithm of the length.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`. It counts values as leaves.
    pub fn set(&mut self, index: u64, value: T) -> Result<(), NoSuchLeafError> {
        let (number, index) = self.checked_place(index)?;
        self.subtrees[number].set(index, value)
    }

    /// Truncates the list to the first `len` values. Does nothing if it has no more than that.
    pub fn truncate(&mut self, len: u64) {
        if len >= self.len() {
            return;
        }
        let Some(last) = len.checked_sub(1) else { return self.subtrees.clear() };
        let (number, index) = Self::place(last);
        self.subtrees.truncate(number + 1);
        self.subtrees[number].truncate(index + 1);
    }

    /// The root of the chunks, without the length. [`Ssz::mix_in_length`] adds that.
    ///
    /// Hashes what changed since the last call.
    pub fn root(&mut self) -> Chunk {
        let roots = self.roots();
        join(&self.hasher, &roots)
    }

    fn roots(&mut self) -> Vec<Chunk> {
        self.subtrees.iter_mut().map(PersistentList::root).collect()
    }

    /// The chunk that the value at `index` is in: its index, and the chunk.
    #[must_use]
    pub fn chunk_of(&self, index: u64) -> Option<(ChunkIndex, Chunk)> {
        let (number, index) = self.checked_place(index).ok()?;
        let (chunk_index, chunk) = self.subtrees[number].chunk_of(index)?;
        Some((ChunkIndex::new(chunks_before(number as u32) + chunk_index.get()), chunk))
    }

    /// Proves a chunk, for [`Ssz::verify_branch`] with [`GeneralizedIndex::progressive`]. Hashes
    /// what [`root`](Self::root) would.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if the list has no such chunk.
    pub fn prove(&mut self, chunk: ChunkIndex) -> Result<InclusionProof<Chunk>, NoSuchLeafError> {
        let (index, size) = (chunk.get(), self.len().div_ceil(Self::CHUNK_VALUES));
        if index >= size {
            return Err(NoSuchLeafError { index, size });
        }
        let number = subtree_of(index);
        let within = ChunkIndex::new(index - chunks_before(number));
        let number = number as usize;
        let roots = self.roots();
        let mut siblings = self.subtrees[number].prove(within)?.into_nodes();
        siblings.push(join(&self.hasher, &roots[number + 1..]));
        siblings.extend(roots[..number].iter().rev());
        Ok(InclusionProof(siblings))
    }

    /// Hashes what [`root`](Self::root) would, and gives access to all nodes of the chunks' tree.
    pub fn hashed(&mut self) -> HashedProgressiveList<'_, T> {
        let hasher = self.hasher;
        HashedProgressiveList {
            hasher,
            subtrees: self.subtrees.iter_mut().map(PersistentList::hashed).collect(),
        }
    }

    /// Shares all subtrees that are equal to those of `other`, see [`PersistentList::rebase_on`].
    pub fn rebase_on(&mut self, other: &Self) {
        for (own, base) in self.subtrees.iter_mut().zip(&other.subtrees) {
            own.rebase_on(base);
        }
    }
}

/// The chunks of a [`ProgressiveList`] whose nodes are all hashed, without its length.
#[derive(Clone, Debug)]
pub struct HashedProgressiveList<'a, T> {
    hasher: Ssz,
    subtrees: Vec<HashedList<'a, T>>,
}

impl<T: Packed> NodeAt for HashedProgressiveList<'_, T> {
    fn node_at(&self, index: GeneralizedIndex) -> Option<Chunk> {
        // To the right once for each subtree before it, and then to the left.
        let from_root = index.get() << index.get().leading_zeros() << 1;
        let before = from_root.leading_ones().min(index.depth());
        let rest = self.subtrees.get(before as usize..)?;
        if before == index.depth() {
            let roots: Vec<_> =
                rest.iter().filter_map(|nodes| nodes.node_at(GeneralizedIndex::ROOT)).collect();
            return Some(join(&self.hasher, &roots));
        }
        let (_, below) = index.split(before + 1);
        rest.first()?.node_at(below)
    }
}

impl<T: Packed> Extend<T> for ProgressiveList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.push(value);
        }
    }
}

impl<T: Packed> FromIterator<T> for ProgressiveList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = Self::new(Ssz::new());
        list.extend(values);
        list
    }
}

/// Lists are equal if they have the same values.
impl<T: Packed> PartialEq for ProgressiveList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.subtrees == other.subtrees
    }
}

impl<T: Packed> Eq for ProgressiveList<T> {}
