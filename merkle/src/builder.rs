//! Computes a root while the leaves stream by, in constant memory.

use alloc::vec;
use alloc::vec::Vec;

use crate::fold::check_capacity;
use crate::hasher::{Node, NodeHasher, odd_parent};
use crate::proof::TreeHead;
use crate::subtree::{SubtreeError, SubtreeRoot, subtree_roots};

/// The number of leaves hashed together, to fill the lanes.
const LEAVES_AT_ONCE_LOG2: u32 = 12;

/// Computes the root of a stream of leaves in constant memory: 4096 leaves and one node per level.
///
/// ```
/// use merkle_lanes::{NodeHasher, RootBuilder, rfc6962::Rfc6962, root};
///
/// let log = Rfc6962::new();
/// let mut builder = RootBuilder::new(log);
/// builder.extend_data(&["first entry", "second entry"]);
/// builder.push(log.hash_leaf(b"third entry"));
///
/// let entries = ["first entry", "second entry", "third entry"];
/// let leaves = entries.map(|entry| log.hash_leaf(entry.as_bytes()));
/// assert_eq!(builder.root(), root(&log, &leaves));
/// ```
#[derive(Clone, Debug)]
pub struct RootBuilder<H: NodeHasher> {
    hasher: H,
    /// The leaves that have been hashed.
    frontier: Frontier<H::Node>,
    /// The leaves that have not been hashed.
    waiting: Vec<H::Node>,
}

/// The roots of the complete subtrees that `size` leaves decompose into, largest first: one for
/// each set bit of `size`.
#[derive(Clone, Debug)]
struct Frontier<N> {
    size: u64,
    roots: Vec<N>,
}

impl<H: NodeHasher> RootBuilder<H> {
    /// Creates a builder without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, frontier: Frontier { size: 0, roots: Vec::new() }, waiting: Vec::new() }
    }

    /// Resumes with a tree of `size` leaves, given only its [`frontier`](Self::frontier).
    ///
    /// A snapshot of Ethereum's deposit contract (EIP-4881) is saved and resumed like this:
    ///
    /// ```
    /// use merkle_lanes::{RootBuilder, ssz::Ssz};
    ///
    /// let ssz = Ssz::with_limit((1 << 32) - 1); // MAX_DEPOSIT_COUNT
    /// let deposit_root =
    ///     |tree: &mut RootBuilder<Ssz>| ssz.mix_in_length(&tree.root(), tree.len());
    /// let mut deposits = RootBuilder::new(ssz);
    /// deposits.extend(&[[1; 32], [2; 32], [3; 32]]); // the roots of the deposits' data
    /// let (finalized, deposit_count) = (deposits.frontier(), deposits.len());
    ///
    /// let mut resumed = RootBuilder::resume(ssz, deposit_count, finalized)?;
    /// assert_eq!(deposit_root(&mut resumed), deposit_root(&mut deposits));
    /// resumed.push([4; 32]);
    /// # Ok::<(), merkle_lanes::FrontierError>(())
    /// ```
    ///
    /// The frontier is not checked against a root: compare [`root`](Self::root) with one that you
    /// trust.
    ///
    /// # Errors
    ///
    /// Returns [`FrontierError::TooManyLeaves`] if `size` is greater than [`NodeHasher::capacity`],
    /// and [`FrontierError::WrongLength`] if `frontier` does not have one node for each set bit of
    /// `size`.
    pub fn resume(hasher: H, size: u64, frontier: Vec<H::Node>) -> Result<Self, FrontierError> {
        let capacity = hasher.capacity();
        if size > capacity {
            return Err(FrontierError::TooManyLeaves { size, capacity });
        }
        let expected = size.count_ones() as usize;
        if frontier.len() != expected {
            return Err(FrontierError::WrongLength { size, expected, got: frontier.len() });
        }
        Ok(Self { hasher, frontier: Frontier { size, roots: frontier }, waiting: Vec::new() })
    }

    /// The number of leaves so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.frontier.size + self.waiting.len() as u64
    }

    /// Whether there are no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The family of the tree.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

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
    pub fn extend(&mut self, mut leaves: &[H::Node]) {
        check_capacity(&self.hasher, self.len() + leaves.len() as u64);
        while !leaves.is_empty() {
            // Fill up to the end of the next complete subtree of this size.
            let ahead =
                (1 << LEAVES_AT_ONCE_LOG2) - (self.len() % (1 << LEAVES_AT_ONCE_LOG2)) as usize;
            let (now, later) = leaves.split_at(leaves.len().min(ahead));
            if now.len() < ahead {
                self.waiting.extend_from_slice(now);
            } else if self.waiting.is_empty() {
                self.frontier.append(&self.hasher, now);
            } else {
                self.waiting.extend_from_slice(now);
                self.frontier.append(&self.hasher, &self.waiting);
                self.waiting.clear();
            }
            leaves = later;
        }
    }

    /// Hashes each piece of data into a leaf and appends it.
    ///
    /// # Panics
    ///
    /// Panics if there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn extend_data<M: AsRef<[u8]> + Sync>(&mut self, data: &[M]) {
        check_capacity(&self.hasher, self.len() + data.len() as u64);
        let mut leaves = vec![H::Node::ZERO; data.len().min(1 << LEAVES_AT_ONCE_LOG2)];
        for data in data.chunks(1 << LEAVES_AT_ONCE_LOG2) {
            let leaves = &mut leaves[..data.len()];
            self.hasher.hash_leaves(data, leaves);
            self.extend(leaves);
        }
    }

    /// Appends a complete subtree by its root: `2^height` leaves that were hashed elsewhere. See
    /// [`subtree_root`](crate::subtree_root).
    ///
    /// The root is not checked, but its place is: a subtree that follows one of the wrong height,
    /// or a gap, is refused unless it could begin there. Compare [`len`](Self::len) with the
    /// expected number of leaves after the last one.
    ///
    /// # Errors
    ///
    /// Returns [`SubtreeError::Misplaced`] if the number of leaves so far is not a multiple of
    /// `2^height`, and [`SubtreeError::TooManyLeaves`] if there would be more leaves than
    /// [`NodeHasher::capacity`]. The builder is unchanged then.
    pub fn push_subtree(&mut self, subtree: &SubtreeRoot<H::Node>) -> Result<(), SubtreeError> {
        let (height, first, capacity) = (subtree.height, self.len(), self.hasher.capacity());
        if 1_u64.checked_shl(height).is_none_or(|leaves| leaves > capacity - first) {
            return Err(SubtreeError::TooManyLeaves { height, first, capacity });
        }
        if !first.is_multiple_of(1 << height) {
            return Err(SubtreeError::Misplaced { height, first });
        }
        self.fold_waiting();
        self.frontier.push(&self.hasher, subtree);
        Ok(())
    }

    /// The state that [`resume`](Self::resume) needs: the roots of the complete subtrees that the
    /// leaves decompose into, largest first. There is one for each set bit of [`len`](Self::len).
    ///
    /// For the deposit tree, this is `finalized` of EIP-4881.
    #[must_use]
    pub fn frontier(&mut self) -> Vec<H::Node> {
        self.fold_waiting();
        self.frontier.roots.clone()
    }

    /// Hashes the waiting leaves.
    fn fold_waiting(&mut self) {
        self.frontier.append(&self.hasher, &self.waiting);
        self.waiting.clear();
    }

    /// The number of leaves so far and their root.
    #[must_use]
    pub fn head(&mut self) -> TreeHead<H::Node> {
        TreeHead { size: self.len(), root: self.root() }
    }

    /// The root of the leaves so far. More can follow.
    ///
    /// Each leaf is hashed once, however often this is called. Besides, a call hashes at most one
    /// node for each level. Leaves that are appended many at a time between the calls fill the
    /// lanes.
    #[must_use]
    pub fn root(&mut self) -> H::Node {
        self.fold_waiting();
        let Frontier { size, ref roots } = self.frontier;
        // The last node of each level, starting with the smallest complete subtree.
        let mut roots = roots.iter().rev();
        let Some(smallest) = roots.next() else { return self.hasher.empty_root() };
        let mut edge = *smallest;
        for level in size.trailing_zeros()..self.hasher.depth(size) {
            let is_right = ((size - 1) >> level) & 1 == 1;
            edge = if is_right {
                let left = roots.next().expect("the frontier has one root per set bit");
                self.hasher.hash_node(left, &edge)
            } else {
                odd_parent(&self.hasher, level, &edge)
            };
        }
        edge
    }
}

impl<N: Node> Frontier<N> {
    /// Appends leaves as the largest possible complete subtrees.
    fn append<H: NodeHasher<Node = N>>(&mut self, hasher: &H, leaves: &[N]) {
        for subtree in subtree_roots(hasher, self.size, leaves) {
            self.push(hasher, &subtree);
        }
    }

    /// Appends a complete subtree. Its height must fit the number of leaves so far.
    fn push<H: NodeHasher<Node = N>>(&mut self, hasher: &H, subtree: &SubtreeRoot<N>) {
        let SubtreeRoot { height, mut root } = *subtree;
        // Merge equal subtrees, like carries when adding to a binary number.
        let mut level = height;
        while (self.size >> level) & 1 == 1 {
            let left = self.roots.pop().expect("the frontier has one root per set bit");
            root = hasher.hash_node(&left, &root);
            level += 1;
        }
        self.roots.push(root);
        self.size += 1 << height;
    }
}

/// The error for a frontier that does not fit a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrontierError {
    /// The tree has no room for that many leaves.
    TooManyLeaves {
        /// The given number of leaves.
        size: u64,
        /// The maximum number of leaves.
        capacity: u64,
    },
    /// The number of complete subtrees does not match the number of leaves.
    WrongLength {
        /// The given number of leaves.
        size: u64,
        /// The expected number of nodes.
        expected: usize,
        /// The actual number of nodes.
        got: usize,
    },
}

error_messages!(FrontierError {
    Self::TooManyLeaves { size, capacity } =>
        "a tree of {size} leaves exceeds the capacity of {capacity} leaves";
    Self::WrongLength { size, expected, got } =>
        "a frontier of {size} leaves has {expected} nodes, not {got}";
});
