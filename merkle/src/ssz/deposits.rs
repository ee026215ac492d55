//! The tree of Ethereum's deposit contract.

use alloc::vec::Vec;

use super::{Chunk, Ssz};
use crate::builder::{FrontierError, RootBuilder};

/// The depth of the deposit tree: `DEPOSIT_CONTRACT_TREE_DEPTH`.
pub const DEPOSIT_TREE_DEPTH: u32 = 32;

/// The maximum number of deposits: `MAX_DEPOSIT_COUNT`.
const MAX_DEPOSITS: u64 = (1 << DEPOSIT_TREE_DEPTH) - 1;

/// The tree of Ethereum's deposit contract in constant memory: its root and its snapshots
/// (EIP-4881).
///
/// ```
/// use merkle_lanes::ssz::DepositTree;
///
/// let mut deposits = DepositTree::new();
/// deposits.extend(&[[1; 32], [2; 32], [3; 32]]);
///
/// let (finalized, count, root) = (deposits.finalized(), deposits.len(), deposits.root());
/// let mut resumed = DepositTree::resume(finalized, count, &root)?;
/// deposits.push([4; 32]);
/// resumed.push([4; 32]);
/// assert_eq!(resumed.root(), deposits.root());
/// # Ok::<(), merkle_lanes::ssz::SnapshotError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DepositTree(RootBuilder<Ssz>);

impl DepositTree {
    /// Creates a tree without deposits.
    #[must_use]
    pub fn new() -> Self {
        Self(RootBuilder::new(hasher()))
    }

    /// Resumes from a snapshot: the roots of the complete subtrees (`finalized`), the number of
    /// deposits (`deposit_count`) and the root (`deposit_root`).
    ///
    /// # Errors
    ///
    /// Returns [`SnapshotError::Frontier`] if there are too many deposits or the wrong number of
    /// subtrees, and [`SnapshotError::WrongRoot`] if the deposits have a different root.
    pub fn resume(finalized: Vec<Chunk>, count: u64, root: &Chunk) -> Result<Self, SnapshotError> {
        let tree = Self(RootBuilder::resume(hasher(), count, finalized)?);
        if tree.root() == *root { Ok(tree) } else { Err(SnapshotError::WrongRoot) }
    }

    /// Appends a deposit, given the root of its data (`deposit_data_root`).
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2^32 - 1 deposits.
    #[track_caller]
    pub fn push(&mut self, deposit: Chunk) {
        self.0.push(deposit);
    }

    /// Appends deposits.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2^32 - 1 deposits.
    #[track_caller]
    pub fn extend(&mut self, deposits: &[Chunk]) {
        self.0.extend(deposits);
    }

    /// The number of deposits.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether there are no deposits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The root of the deposits with their number mixed in, as returned by `get_deposit_root` of
    /// the contract.
    #[must_use]
    pub fn root(&self) -> Chunk {
        self.0.hasher().mix_in_length(&self.0.root(), self.len())
    }

    /// The roots of the complete subtrees that the deposits decompose into, from left to right.
    /// This is `finalized` in a snapshot of all deposits.
    #[must_use]
    pub fn finalized(&self) -> Vec<Chunk> {
        self.0.frontier()
    }
}

impl Default for DepositTree {
    fn default() -> Self {
        Self::new()
    }
}

fn hasher() -> Ssz {
    Ssz::with_limit(MAX_DEPOSITS)
}

/// The error for an invalid snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// There are too many deposits, or too few or too many subtrees.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// The deposits have a different root.
    #[error("the deposits do not lead to the root of the snapshot")]
    WrongRoot,
}
