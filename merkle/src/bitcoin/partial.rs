//! That some transactions are in a block: BIP 37's partial Merkle tree.

use alloc::vec;
use alloc::vec::Vec;

use super::{Bitcoin, MAX_TRANSACTIONS};
use crate::hasher::{NodeHasher, levels_above};
use crate::proof::{VerifyError, check_indices};
use crate::tree::Tree;

/// Proves that some transactions are in a block: what follows the header in a `merkleblock` message
/// (BIP 37), and in what Bitcoin Core's `gettxoutproof` returns.
///
/// It has a flag for each node above a transaction that is proven, for the children of these nodes,
/// and for the root: whether there is such a transaction at it or below it. It has the hash of each
/// of them that has not, and of each proven transaction. Both are in depth-first order.
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
    /// Eight flags in each byte, the first in the lowest bit.
    pub(super) flags: Vec<u8>,
}

/// What a [`PartialMerkleTree`] shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matches {
    /// The root of the block that it shows it of.
    pub root: [u8; 32],
    /// The transactions that are proven: their places in the block, in ascending order, and their
    /// ids.
    pub transactions: Vec<(u32, [u8; 32])>,
}

impl PartialMerkleTree {
    /// Proves that some transactions are in a block, given by their indices in ascending order.
    /// There may be none.
    ///
    /// # Errors
    ///
    /// If the block has no transaction or more than [`MAX_TRANSACTIONS`], if there is no
    /// transaction of one of those indices, or if one does not come after the one before.
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
        // Nodes that are still to be written, the next one last, each with the matches below it.
        let mut ahead = vec![(block.depth(), 0, indices)];
        while let Some((level, position, matches)) = ahead.pop() {
            if count % 8 == 0 {
                flags.push(0);
            }
            flags[count / 8] |= u8::from(!matches.is_empty()) << (count % 8);
            count += 1;
            if level == 0 || matches.is_empty() {
                hashes.push(block.level(level)[position]);
                continue;
            }
            let right = 2 * position + 1;
            let middle = (right as u64) << (level - 1);
            let (left_matches, right_matches) =
                matches.split_at(matches.partition_point(|&index| index < middle));
            if right < block.level(level - 1).len() {
                ahead.push((level - 1, right, right_matches));
            }
            ahead.push((level - 1, 2 * position, left_matches));
        }
        Ok(Self { transactions, hashes, flags })
    }

    /// How many transactions the block has, **according to the proof**: another number may lead to
    /// the same root, see [the module](super) about transactions of 64 bytes.
    #[must_use]
    pub fn transactions(&self) -> u32 {
        self.transactions
    }

    /// Verifies that the block with that root has the transactions that this proves, and returns
    /// these: their places in the block, in ascending order, and their ids.
    ///
    /// # Errors
    ///
    /// If the proof does not show it.
    pub fn verify(
        &self,
        hasher: &Bitcoin,
        root: &[u8; 32],
    ) -> Result<Vec<(u32, [u8; 32])>, ExtractError> {
        let matches = self.extract_matches(hasher)?;
        if matches.root == *root { Ok(matches.transactions) } else { Err(ExtractError::WrongRoot) }
    }

    /// The transactions that this proves, and the root of the block that it proves it of: it is for
    /// the caller to compare that with the root in the block's header.
    ///
    /// All is checked that Bitcoin Core's `CPartialMerkleTree::ExtractMatches` checks. As there,
    /// the flags that fill up the last byte may have any values.
    ///
    /// # Errors
    ///
    /// If the proof has not the shape that it must have, or two siblings are equal.
    pub fn extract_matches(&self, hasher: &Bitcoin) -> Result<Matches, ExtractError> {
        let Outline { mut levels, transactions } = self.outline()?;
        let (mut children, mut parents) = (Vec::new(), Vec::new());
        for level in 1..levels.len() {
            children.clear();
            // By now all nodes of the level below are known.
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
        let root = levels.last().and_then(|top| top[0].1).expect("the root is above all");
        Ok(Matches { root, transactions })
    }

    /// Divides the hashes among the levels, as the flags say, and finds the matches.
    ///
    /// Without recursion, and in no more memory than some times that of the hashes: but for one
    /// node on each level, those that are not known have two children each.
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
        // Nodes that are still to be read, the next one last.
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

/// A partial tree whose nodes are not hashed yet.
struct Outline {
    /// Of each level, from left to right, with their positions: the nodes whose hashes were given,
    /// and those that are above matches.
    levels: Vec<Vec<(u32, Option<[u8; 32]>)>>,
    transactions: Vec<(u32, [u8; 32])>,
}

/// Why a [`PartialMerkleTree`] proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// A block has one transaction at least.
    #[error("a block without transactions")]
    NoTransactions,
    /// No block has room for that many transactions.
    #[error("a block has room for {MAX_TRANSACTIONS} transactions, not for {transactions}")]
    TooManyTransactions {
        /// How many it was said to have.
        transactions: u32,
    },
    /// There are more hashes than transactions.
    #[error("{hashes} hashes for a block of {transactions} transactions")]
    TooManyHashes {
        /// How many hashes there are.
        hashes: usize,
        /// How many transactions the block has.
        transactions: u32,
    },
    /// There are fewer flags than hashes.
    #[error("{flags} flags for {hashes} hashes")]
    TooFewFlags {
        /// How many flags there are.
        flags: usize,
        /// How many hashes there are.
        hashes: usize,
    },
    /// The tree goes on when all flags have been used.
    #[error("more nodes than the {flags} flags")]
    OutOfFlags {
        /// How many flags there are.
        flags: usize,
    },
    /// The flags ask for more hashes than there are.
    #[error("the flags ask for more than the {hashes} hashes")]
    OutOfHashes {
        /// How many hashes there are.
        hashes: usize,
    },
    /// There are whole bytes of flags that are not used.
    #[error("{used} of {flags} flags were used")]
    UnusedFlags {
        /// How many were used.
        used: usize,
        /// How many there are.
        flags: usize,
    },
    /// There are hashes that are not used.
    #[error("{used} of {hashes} hashes were used")]
    UnusedHashes {
        /// How many were used.
        used: usize,
        /// How many there are.
        hashes: usize,
    },
    /// Two siblings are equal, as only repeated transactions make them (CVE-2012-2459).
    #[error("node {position} of level {level} equals its sibling")]
    EqualSiblings {
        /// Their level, that of the transactions being 0.
        level: u32,
        /// The position on that level of the left one.
        position: u32,
    },
    /// The block has another root.
    #[error("the proof leads to another root")]
    WrongRoot,
}
