//! Proofs that some transactions are in a block: the partial Merkle tree of BIP 37.

use alloc::vec;
use alloc::vec::Vec;

use super::{Bitcoin, MAX_TRANSACTIONS};
use crate::hasher::{NodeHasher, levels_above};
use crate::proof::{VerifyError, check_indices};
use crate::tree::Tree;

/// Proves that some transactions are in a block (BIP 37). It follows the header in a `merkleblock`
/// message and in the output of Bitcoin Core's `gettxoutproof`.
///
/// The proof has a flag for the root, for each node above a proven transaction, and for the
/// children of these nodes. The flag says whether the node is, or is above, a proven transaction.
/// The proof has a hash for each of these nodes that is not, and for each proven transaction. Flags
/// and hashes are in depth-first order.
///
/// ```
/// use merkle_lanes::{Tree, bitcoin::{Bitcoin, PartialMerkleTree}};
///
/// let txids = [[1; 32], [2; 32], [3; 32]];
/// let block = Tree::from_leaves(Bitcoin::new(), txids);
/// let bytes = PartialMerkleTree::new(&block, &[1])?.to_bytes();
///
/// let proof = PartialMerkleTree::try_from(bytes.as_slice())?;
/// assert_eq!(proof.verify(&Bitcoin::new(), &block.root())?, [(1, txids[1])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartialMerkleTree {
    pub(super) transactions: u32,
    pub(super) hashes: Vec<[u8; 32]>,
    /// Eight flags per byte, the first in the lowest bit.
    pub(super) flags: Vec<u8>,
}

/// What a [`PartialMerkleTree`] proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matches {
    /// The root of the block.
    pub root: [u8; 32],
    /// The proven transactions: their positions in the block, in ascending order, and their ids.
    pub transactions: Vec<(u32, [u8; 32])>,
}

impl PartialMerkleTree {
    /// Proves that some transactions are in a block. `indices` must be in strictly ascending order
    /// and may be empty.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoLeaves`] if the block has no transactions,
    /// [`VerifyError::TooManyLeaves`] if it has more than [`MAX_TRANSACTIONS`],
    /// [`VerifyError::NoSuchLeaf`] if an index is out of range, and [`VerifyError::Unsorted`] if
    /// the indices are not strictly ascending.
    pub fn new(block: &Tree<Bitcoin>, indices: &[u64]) -> Result<Self, VerifyError> {
        let size = block.len();
        let transactions = match u32::try_from(size) {
            Ok(0) => return Err(VerifyError::NoLeaves),
            Ok(transactions @ 1..=MAX_TRANSACTIONS) => transactions,
            _ => {
                return Err(VerifyError::TooManyLeaves { size, capacity: MAX_TRANSACTIONS.into() });
            }
        };
        if !indices.is_empty() {
            check_indices(size, indices.iter().copied())?;
        }

        let (mut hashes, mut flags, mut count) = (Vec::new(), Vec::new(), 0);
        // A stack of the nodes to write, each with the matches below it.
        let mut ahead = vec![(block.depth(), 0_u64, indices)];
        while let Some((level, position, matches)) = ahead.pop() {
            if count % 8 == 0 {
                flags.push(0);
            }
            flags[count / 8] |= u8::from(!matches.is_empty()) << (count % 8);
            count += 1;
            if level == 0 || matches.is_empty() {
                hashes.push(block.existing_node(level, position));
                continue;
            }
            let right = 2 * position + 1;
            let middle = right << (level - 1);
            let (left_matches, right_matches) =
                matches.split_at(matches.partition_point(|&index| index < middle));
            if middle < size {
                ahead.push((level - 1, right, right_matches));
            }
            ahead.push((level - 1, 2 * position, left_matches));
        }
        Ok(Self { transactions, hashes, flags })
    }

    /// The number of transactions in the block, **as claimed by the proof**. A different number can
    /// lead to the same root: see the section on 64-byte transactions in [the module](super).
    #[must_use]
    pub fn transactions(&self) -> u32 {
        self.transactions
    }

    /// Verifies that the block with this root has the proven transactions. Returns their positions
    /// in the block, in ascending order, and their ids.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the proof does not show this.
    pub fn verify(
        &self,
        hasher: &Bitcoin,
        root: &[u8; 32],
    ) -> Result<Vec<(u32, [u8; 32])>, ExtractError> {
        let matches = self.extract_matches(hasher)?;
        if matches.root == *root { Ok(matches.transactions) } else { Err(ExtractError::WrongRoot) }
    }

    /// The proven transactions, and the root of the block that they are in. The caller must compare
    /// the root with the one in the block's header.
    ///
    /// This makes all checks of Bitcoin Core's `CPartialMerkleTree::ExtractMatches`. As there, the
    /// unused flags of the last byte can have any value.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the proof is malformed or two siblings are equal.
    pub fn extract_matches(&self, hasher: &Bitcoin) -> Result<Matches, ExtractError> {
        let Outline { mut levels, transactions } = self.outline()?;
        let (mut children, mut parents) = (Vec::new(), Vec::new());
        for level in 1..levels.len() {
            children.clear();
            // All nodes of the level below are known by now.
            children.extend(levels[level - 1].iter().filter_map(|&(_, hash)| hash));
            let (pairs, last) = children.as_chunks();
            if let Some(pair) = pairs.iter().position(|[left, right]| left == right) {
                let (position, _) = levels[level - 1][2 * pair];
                return Err(ExtractError::EqualSiblings { level: level as u32 - 1, position });
            }
            if let &[last] = last {
                children.push(last);
            }
            parents.resize(children.len() / 2, [0; 32]);
            hasher.hash_level(&children, &mut parents);
            let unknown = levels[level].iter_mut().filter(|(_, hash)| hash.is_none());
            for ((_, hash), parent) in unknown.zip(&parents) {
                *hash = Some(*parent);
            }
        }
        let root = levels.last().and_then(|top| top[0].1).expect("the top level has the root");
        Ok(Matches { root, transactions })
    }

    /// Assigns the hashes to levels according to the flags, and finds the matches.
    ///
    /// It is not recursive. Memory use is proportional to the number of hashes: except for one node
    /// per level, every unknown node has two children.
    fn outline(&self) -> Result<Outline, ExtractError> {
        let &Self { transactions: count, ref hashes, ref flags } = self;
        let bits = flags.len().saturating_mul(8);
        if count == 0 {
            return Err(ExtractError::NoTransactions);
        }
        if count > MAX_TRANSACTIONS {
            return Err(ExtractError::TooManyTransactions { transactions: count });
        }
        if hashes.len() > count as usize {
            return Err(ExtractError::TooManyHashes { hashes: hashes.len(), transactions: count });
        }
        if bits < hashes.len() {
            return Err(ExtractError::TooFewFlags { flags: bits, hashes: hashes.len() });
        }

        let depth = levels_above(count.into());
        let mut levels = vec![Vec::new(); 1 + depth as usize];
        let mut transactions = Vec::new();
        let (mut bits_used, mut hashes_left) = (0, hashes.iter());
        // A stack of the nodes to read.
        let mut ahead = vec![(depth, 0)];
        while let Some((level, position)) = ahead.pop() {
            let byte = flags.get(bits_used / 8).ok_or(ExtractError::OutOfFlags { flags: bits })?;
            let is_match = (byte >> (bits_used % 8)) & 1 == 1;
            bits_used += 1;
            if level > 0 && is_match {
                levels[level as usize].push((position, None));
                let (right, last) = (2 * position + 1, (count - 1) >> (level - 1));
                if right <= last {
                    ahead.push((level - 1, right));
                }
                ahead.push((level - 1, 2 * position));
                continue;
            }
            let hash =
                *hashes_left.next().ok_or(ExtractError::OutOfHashes { hashes: hashes.len() })?;
            levels[level as usize].push((position, Some(hash)));
            if is_match {
                transactions.push((position, hash));
            }
        }
        if bits_used.div_ceil(8) != flags.len() {
            return Err(ExtractError::UnusedFlags { used: bits_used, flags: bits });
        }
        if !hashes_left.as_slice().is_empty() {
            let used = hashes.len() - hashes_left.len();
            return Err(ExtractError::UnusedHashes { used, hashes: hashes.len() });
        }
        Ok(Outline { levels, transactions })
    }
}

/// A partial tree whose nodes have not been hashed yet.
struct Outline {
    /// The nodes of each level with their positions, from left to right: those whose hashes are
    /// given, and those above matches.
    levels: Vec<Vec<(u32, Option<[u8; 32]>)>>,
    transactions: Vec<(u32, [u8; 32])>,
}

/// The error for a [`PartialMerkleTree`] that proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// A block has at least one transaction.
    #[error("the proof is for a block without transactions")]
    NoTransactions,
    /// No block has room for that many transactions.
    #[error("{transactions} transactions exceed the maximum of {MAX_TRANSACTIONS} in a block")]
    TooManyTransactions {
        /// The claimed number of transactions.
        transactions: u32,
    },
    /// There are more hashes than transactions.
    #[error("{hashes} hashes are too many for a block of {transactions} transactions")]
    TooManyHashes {
        /// The number of hashes.
        hashes: usize,
        /// The number of transactions in the block.
        transactions: u32,
    },
    /// There are fewer flags than hashes.
    #[error("{flags} flags are too few for {hashes} hashes")]
    TooFewFlags {
        /// The number of flags.
        flags: usize,
        /// The number of hashes.
        hashes: usize,
    },
    /// The flags end before the tree does.
    #[error("the tree needs more than {flags} flags")]
    OutOfFlags {
        /// The number of flags.
        flags: usize,
    },
    /// The hashes end before the tree does.
    #[error("the tree needs more than {hashes} hashes")]
    OutOfHashes {
        /// The number of hashes.
        hashes: usize,
    },
    /// Whole bytes of flags are unused.
    #[error("only {used} of {flags} flags are used")]
    UnusedFlags {
        /// The number of flags used.
        used: usize,
        /// The number of flags.
        flags: usize,
    },
    /// Some hashes are unused.
    #[error("only {used} of {hashes} hashes are used")]
    UnusedHashes {
        /// The number of hashes used.
        used: usize,
        /// The number of hashes.
        hashes: usize,
    },
    /// Two siblings are equal, which only happens if transactions are repeated (CVE-2012-2459).
    #[error("node {position} of level {level} equals its sibling")]
    EqualSiblings {
        /// The level of the siblings; 0 for the transactions.
        level: u32,
        /// The position of the left sibling on that level.
        position: u32,
    },
    /// The block has a different root.
    #[error("the proof leads to a different root")]
    WrongRoot,
}
