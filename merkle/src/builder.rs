//! The root of leaves that come one after another.

use alloc::vec;
use alloc::vec::Vec;

use crate::fold::{check_capacity, fold};
use crate::hasher::{NodeHasher, odd_parent};
use crate::node::Node;

/// Leaves that are hashed together, so that all lanes have work.
const LEAVES_AT_ONCE_LOG2: u32 = 12;

/// Computes the root of leaves that come one after another, in constant memory: 4096 leaves and one
/// node for each level.
///
/// ```
/// use merkle_lanes::{NodeHasher, RootBuilder, rfc6962::Rfc6962, root};
///
/// let log = Rfc6962::new();
/// let mut builder = RootBuilder::new(log);
/// builder.extend_data(&["first entry", "second entry"]);
/// builder.push(log.hash_leaf(b"third entry"));
///
/// let leaves = ["first entry", "second entry", "third entry"].map(|entry| log.hash_leaf(entry.as_bytes()));
/// assert_eq!(builder.root(), root(&log, &leaves));
/// ```
#[derive(Clone, Debug)]
pub struct RootBuilder<H: NodeHasher> {
    hasher: H,
    /// Of the leaves that have been hashed already.
    frontier: Frontier<H::Node>,
    /// The others.
    waiting: Vec<H::Node>,
}

/// The roots of the complete subtrees that `size` leaves are divided into, the largest first: one
/// for each one in the binary form of `size`.
#[derive(Clone, Debug)]
struct Frontier<N> {
    size: u64,
    roots: Vec<N>,
}

impl<H: NodeHasher> RootBuilder<H> {
    /// A tree without leaves.
    pub const fn new(hasher: H) -> Self {
        Self { hasher, frontier: Frontier { size: 0, roots: Vec::new() }, waiting: Vec::new() }
    }

    /// Goes on with a tree of `size` leaves, of which nothing is known but its
    /// [`frontier`](Self::frontier).
    ///
    /// ```
    /// # use merkle_lanes::{RootBuilder, ssz::Ssz};
    /// let mut whole = RootBuilder::new(Ssz::new());
    /// whole.extend(&[[1; 32], [2; 32], [3; 32]]);
    ///
    /// let mut resumed = RootBuilder::resume(Ssz::new(), 3, whole.frontier())?;
    /// whole.push([4; 32]);
    /// resumed.push([4; 32]);
    /// assert_eq!(resumed.root(), whole.root());
    /// # Ok::<(), merkle_lanes::FrontierError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a tree cannot have that many leaves, or has another number of complete subtrees.
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

    /// How many leaves there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.frontier.size + self.waiting.len() as u64
    }

    /// Whether there are no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How nodes are hashed.
    #[must_use]
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// Appends a leaf.
    ///
    /// # Panics
    ///
    /// If there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn push(&mut self, leaf: H::Node) {
        self.extend(&[leaf]);
    }

    /// Appends leaves.
    ///
    /// # Panics
    ///
    /// If there are more leaves than [`NodeHasher::capacity`].
    #[track_caller]
    pub fn extend(&mut self, mut leaves: &[H::Node]) {
        check_capacity(&self.hasher, self.len() + leaves.len() as u64);
        while !leaves.is_empty() {
            // Up to where the next complete subtree of so many leaves ends.
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

    /// Appends the leaf of each piece of data.
    ///
    /// # Panics
    ///
    /// If there are more leaves than [`NodeHasher::capacity`].
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

    /// The roots of the complete subtrees that the leaves are divided into, the largest first: all
    /// that [`resume`](Self::resume) needs to go on. There is one for each one in the binary
    /// form of [`size`](Self::size).
    ///
    /// For the tree of deposits, this is `finalized` of EIP-4881.
    #[must_use]
    pub fn frontier(&self) -> Vec<H::Node> {
        self.whole_frontier().roots
    }

    fn whole_frontier(&self) -> Frontier<H::Node> {
        let mut frontier = self.frontier.clone();
        frontier.append(&self.hasher, &self.waiting);
        frontier
    }

    /// The root of the tree of the leaves so far; more may follow.
    #[must_use]
    pub fn root(&self) -> H::Node {
        let size = self.len();
        if size == 0 {
            return self.hasher.empty_root();
        }
        let Frontier { mut roots, .. } = self.whole_frontier();
        let depth = self.hasher.depth(size);
        // The last node of each level, from the smallest of the complete subtrees on.
        let mut edge = roots.pop().expect("there is a leaf");
        for level in size.trailing_zeros()..depth {
            let is_right = ((size - 1) >> level) & 1 == 1;
            edge = if is_right {
                let left = roots.pop().expect("there is one for each one of the size");
                self.hasher.hash_node(&left, &edge)
            } else {
                odd_parent(&self.hasher, level, &edge)
            };
        }
        edge
    }
}

impl<N: Node> Frontier<N> {
    /// Appends leaves, as complete subtrees that are as large as can be.
    fn append<H: NodeHasher<Node = N>>(&mut self, hasher: &H, mut leaves: &[N]) {
        while !leaves.is_empty() {
            let height = self.size.trailing_zeros().min(leaves.len().ilog2());
            let (now, later) = leaves.split_at(1 << height);
            let mut root = fold(hasher, now, 0, height);
            // As the ones of a binary number are carried when one is added.
            let mut level = height;
            while (self.size >> level) & 1 == 1 {
                let left = self.roots.pop().expect("there is one for each one of the size");
                root = hasher.hash_node(&left, &root);
                level += 1;
            }
            self.roots.push(root);
            self.size += 1 << height;
            leaves = later;
        }
    }
}

/// Why a frontier is not that of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierError {
    /// The tree has no room for that many leaves.
    #[error("a tree for at most {capacity} leaves cannot have {size}")]
    TooManyLeaves {
        /// How many leaves it was said to have.
        size: u64,
        /// How many it can have.
        capacity: u64,
    },
    /// The number of complete subtrees does not fit the number of leaves.
    #[error("{size} leaves are divided into {expected} complete subtrees, not {got}")]
    WrongLength {
        /// How many leaves there are.
        size: u64,
        /// How many roots there should be.
        expected: usize,
        /// How many there are.
        got: usize,
    },
}
