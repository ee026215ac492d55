//! A tree in memory: it grows, shrinks, updates and proves.

use alloc::collections::TryReserveError;
use alloc::vec;
use alloc::vec::Vec;

use crate::fold::check_capacity;
use crate::hasher::{Node, NodeHasher, odd_parent};
use crate::proof::{
    CommonNode, ConsistencyProof, InclusionProof, MultiProof, TreeHead, VerifyError, check_indices,
};
use crate::shape::{Shape, Sibling};

/// The number of leaves hashed up to the root of their subtree before the next ones. Their
/// ancestors are then still in the cache.
const LEAVES_AT_ONCE: usize = 1 << 13;

/// A Merkle tree that keeps all its nodes in memory, about twice the size of its leaves.
///
/// ```
/// use merkle_lanes::{Tree, rfc6962::Rfc6962};
///
/// let mut tree = Tree::new(Rfc6962::new());
/// tree.extend_data(&["first entry", "second entry", "third entry"]);
/// let proof = tree.prove(1)?;
/// proof.verify(tree.hasher(), &tree.head(), 1, &tree.leaves()[1])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<H: NodeHasher> {
    hasher: H,
    /// The nodes of each level, leaves first. The last level holds only the root. Empty if there
    /// are no leaves.
    levels: Vec<Vec<H::Node>>,
}

impl<H: NodeHasher> Tree<H> {
    /// Creates a tree without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, levels: Vec::new() }
    }

    /// Creates a tree from an array, slice or vector of leaves. A vector is not copied.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn from_leaves(hasher: H, leaves: impl Into<Vec<H::Node>>) -> Self {
        let mut tree = Self::unhashed(hasher, leaves.into());
        tree.hash_all();
        tree
    }

    /// [`from_leaves`](Self::from_leaves) for a tree that may not fit into memory.
    ///
    /// # Errors
    ///
    /// Returns the error of the allocator if it has no room for the nodes above the leaves.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn try_from_leaves(hasher: H, leaves: Vec<H::Node>) -> Result<Self, TryReserveError> {
        let mut tree = Self::unhashed(hasher, leaves);
        for level in 1..tree.levels.len() {
            let missing = tree.missing(level);
            tree.levels[level].try_reserve_exact(missing)?;
        }
        tree.hash_all();
        Ok(tree)
    }

    /// The leaves, with empty levels above them.
    #[track_caller]
    fn unhashed(hasher: H, leaves: Vec<H::Node>) -> Self {
        let mut tree = Self::new(hasher);
        let size = leaves.len() as u64;
        check_capacity(&tree.hasher, size);
        if !leaves.is_empty() {
            tree.levels.push(leaves);
            tree.resize_levels(size);
        }
        tree
    }

    /// Hashes all nodes of a tree that has only its leaves.
    fn hash_all(&mut self) {
        if !self.is_empty() {
            self.hash_from(0);
        }
    }

    /// The family of the tree.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The number of leaves.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.leaves().len() as u64
    }

    /// Whether the tree has no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaves().is_empty()
    }

    /// The number of levels above the leaves.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.hasher.depth(self.len())
    }

    /// The leaves.
    #[must_use]
    pub fn leaves(&self) -> &[H::Node] {
        self.level(0)
    }

    /// The nodes of a level that have leaves below them. Level 0 holds the leaves, level
    /// [`depth`](Self::depth) the root. Higher levels are empty.
    #[must_use]
    pub fn level(&self, level: u32) -> &[H::Node] {
        self.levels.get(level as usize).map_or(&[], |nodes| nodes)
    }

    /// A node that has leaves below it.
    pub(crate) fn node(&self, level: u32, index: u64) -> H::Node {
        self.level(level)[index as usize]
    }

    /// The number of leaves and the root: what verifiers need.
    #[must_use]
    pub fn head(&self) -> TreeHead<H::Node> {
        TreeHead { size: self.len(), root: self.root() }
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> H::Node {
        match self.levels.last() {
            Some(top) => top[0],
            None => self.hasher.empty_root(),
        }
    }
}

/// Appending and truncating.
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
        for (level, nodes) in self.levels.iter_mut().enumerate() {
            nodes.truncate((size >> level) as usize);
        }
    }

    /// Makes room for the levels of a tree of `size` leaves.
    fn resize_levels(&mut self, size: u64) {
        let levels = if size == 0 { 0 } else { 1 + self.hasher.depth(size) };
        self.levels.resize_with(levels as usize, Vec::new);
    }

    /// The number of nodes that a level lacks.
    fn missing(&self, level: usize) -> usize {
        self.len().div_ceil(1 << level) as usize - self.levels[level].len()
    }

    /// Hashes all nodes above the leaves from index `before` on. None of them may exist yet.
    fn hash_from(&mut self, before: usize) {
        let size = self.levels[0].len();
        for level in 1..self.levels.len() {
            let missing = self.missing(level);
            self.levels[level].reserve(missing);
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
        for level in 1..self.levels.len() {
            let [before, after] = [before, after].map(|leaves| (leaves as u64 >> level) as usize);
            if before == after {
                break;
            }
            let (children, parents) = two_levels(&mut self.levels, level);
            if parents.len() < after {
                // Fresh memory is zeroed here, in the cache. If the first writes to its pages were
                // those of hashing, or all were zeroed before, a new tree would take longer.
                parents.resize(after, H::Node::ZERO);
            }
            self.hasher.hash_level(&children[2 * before..2 * after], &mut parents[before..after]);
        }
    }

    /// Hashes the last node of each level whose subtree is incomplete.
    fn hash_edge(&mut self) {
        for level in 1..self.levels.len() {
            let (children, parents) = two_levels(&mut self.levels, level);
            match &children[2 * parents.len()..] {
                [] => {}
                [left, right] => parents.push(self.hasher.hash_node(left, right)),
                edge => parents.push(odd_parent(&self.hasher, level as u32 - 1, &edge[0])),
            }
        }
    }
}

/// Replacing leaves.
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

    /// Rehashes these nodes of a level above the leaves.
    fn rehash(
        &mut self,
        level: usize,
        dirty: &[usize],
        children: &mut Vec<H::Node>,
        parents: &mut [H::Node],
    ) {
        let (nodes_below, nodes) = two_levels(&mut self.levels, level);
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
            nodes[index] = odd_parent(&self.hasher, level as u32 - 1, &nodes_below[2 * index]);
        }
    }
}

/// Creating proofs.
impl<H: NodeHasher> Tree<H> {
    /// Proves that a leaf is in the tree.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`.
    pub fn prove(&self, index: u64) -> Result<InclusionProof<H::Node>, NoSuchLeafError> {
        let size = self.len();
        if index >= size {
            return Err(NoSuchLeafError { index, size });
        }
        Ok(InclusionProof(self.entries(&[index])))
    }

    /// Proves that several leaves are in the tree. `indices` must be in strictly ascending order.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchLeaf`] if an index is out of range, [`VerifyError::Unsorted`]
    /// if the indices are not strictly ascending, and [`VerifyError::NoLeaves`] if there are none.
    pub fn prove_many(&self, indices: &[u64]) -> Result<MultiProof<H::Node>, VerifyError> {
        check_indices(self.len(), indices.iter().copied())?;
        Ok(MultiProof(self.entries(indices)))
    }

    /// Proves that the tree begins with the leaves it had when its size was `old_size`.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::Shrunk`] if `old_size > self.len()`, and [`VerifyError::FromEmpty`]
    /// if `old_size` is 0.
    pub fn prove_consistency(
        &self,
        old_size: u64,
    ) -> Result<ConsistencyProof<H::Node>, VerifyError> {
        let common = CommonNode::new(&self.hasher, old_size, self.len())?;
        let shape = self.shape();
        let mut nodes = Vec::new();
        if !common.is_old_root() {
            nodes.push(self.node(common.level, common.index));
        }
        for level in common.level..shape.depth {
            let index = common.index >> (level - common.level);
            if matches!(shape.sibling(level, index), Sibling::Left | Sibling::Right) {
                nodes.push(self.node(level, index ^ 1));
            }
        }
        Ok(ConsistencyProof(nodes))
    }

    /// The siblings that make up a proof of these leaves.
    fn entries(&self, indices: &[u64]) -> Vec<H::Node> {
        self.shape().siblings(&self.hasher, indices, |level, index| self.node(level, index))
    }

    fn shape(&self) -> Shape {
        Shape::new(&self.hasher, self.len())
    }
}

/// A level above the leaves and the one below it.
fn two_levels<N: Node>(levels: &mut [Vec<N>], level: usize) -> (&[N], &mut Vec<N>) {
    let (lower, upper) = levels.split_at_mut(level);
    (&lower[level - 1], &mut upper[0])
}

/// The error for a leaf index that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLeafError {
    /// The index.
    pub index: u64,
    /// The number of leaves in the tree.
    pub size: u64,
}

error_messages!(NoSuchLeafError {
    Self { index, size } => "leaf index {index} is out of range for a tree of {size} leaves";
});
