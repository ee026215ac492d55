//! The partial Merkle tree of BIP 37 proves that some transactions are in a block.

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
    transactions: u32,
    hashes: Vec<[u8; 32]>,
    /// Eight flags per byte, the first in the lowest bit.
    flags: Vec<u8>,
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
                hashes.push(block.node(level, position));
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
        let Outline { levels, transactions } = self.outline()?;
        // All nodes of one level, and their parents.
        let (mut nodes, mut parents) = (Vec::new(), Vec::new());
        for (level, outline) in levels.iter().enumerate() {
            let mut computed = parents.iter();
            nodes.clear();
            nodes.reserve_exact(outline.len() + 1);
            nodes.extend(outline.iter().filter_map(|&(_, hash)| match hash {
                Some(hash) => self.hashes.get(hash as usize),
                None => computed.next(),
            }));
            if level + 1 == levels.len() {
                break;
            }
            let (pairs, last) = nodes.as_chunks();
            if let Some(pair) = pairs.iter().position(|[left, right]| left == right) {
                let (position, _) = outline[2 * pair];
                return Err(ExtractError::EqualSiblings { level: level as u32, position });
            }
            if let &[last] = last {
                nodes.push(last);
            }
            parents.resize(nodes.len() / 2, [0; 32]);
            hasher.hash_level(&nodes, &mut parents);
        }
        Ok(Matches { root: nodes[0], transactions })
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
        let mut transactions = Vec::with_capacity(hashes.len());
        let (mut bits_used, mut hashes_used) = (0, 0);
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
            let hash = *hashes
                .get(hashes_used)
                .ok_or(ExtractError::OutOfHashes { hashes: hashes.len() })?;
            levels[level as usize].push((position, Some(hashes_used as u32)));
            hashes_used += 1;
            if is_match {
                transactions.push((position, hash));
            }
        }
        if bits_used.div_ceil(8) != flags.len() {
            return Err(ExtractError::UnusedFlags { used: bits_used, flags: bits });
        }
        if hashes_used < hashes.len() {
            return Err(ExtractError::UnusedHashes { used: hashes_used, hashes: hashes.len() });
        }
        transactions.shrink_to_fit();
        Ok(Outline { levels, transactions })
    }
}

/// A partial tree whose nodes have not been hashed yet.
struct Outline {
    /// The nodes of each level, from left to right: their positions, and the indices of the hashes
    /// that are given. Nodes without one are above matches.
    levels: Vec<Vec<(u32, Option<u32>)>>,
    transactions: Vec<(u32, [u8; 32])>,
}

/// The byte encoding.
impl PartialMerkleTree {
    /// The bytes that follow the header in a `merkleblock` message:
    ///
    /// - the number of transactions, as 4 little-endian bytes;
    /// - the number of hashes as a `CompactSize`, and the hashes;
    /// - the number of flag bytes as a `CompactSize`, and the flag bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Neither number takes more than 9 bytes.
        let mut bytes = Vec::with_capacity(4 + 9 + 32 * self.hashes.len() + 9 + self.flags.len());
        bytes.extend(self.transactions.to_le_bytes());
        push_compact_size(&mut bytes, self.hashes.len() as u64);
        bytes.extend(self.hashes.as_flattened());
        push_compact_size(&mut bytes, self.flags.len() as u64);
        bytes.extend(&self.flags);
        bytes
    }
}

impl TryFrom<&[u8]> for PartialMerkleTree {
    type Error = PartialDecodeError;

    /// Decodes the output of [`to_bytes`](Self::to_bytes). This does not check that the proof is
    /// valid; [`verify`](Self::verify) does.
    fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
        let mut rest = bytes;
        let transactions = u32::from_le_bytes(*take_array(&mut rest)?);
        let count = compact_size(&mut rest)?;
        let hashes = take(&mut rest, count.saturating_mul(32))?.as_chunks().0.to_vec();
        let count = compact_size(&mut rest)?;
        let flags = take(&mut rest, count)?.to_vec();
        if !rest.is_empty() {
            return Err(PartialDecodeError::Surplus { bytes: rest.len() });
        }
        Ok(Self { transactions, hashes, flags })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PartialMerkleTree {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serdect::slice::serialize_hex_lower_or_bin(&self.to_bytes(), serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for PartialMerkleTree {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = serdect::slice::deserialize_hex_or_bin_vec(deserializer)?;
        Self::try_from(bytes.as_slice()).map_err(serde::de::Error::custom)
    }
}

/// The error for a [`PartialMerkleTree`] that proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtractError {
    /// A block has at least one transaction.
    NoTransactions,
    /// No block has room for that many transactions.
    TooManyTransactions {
        /// The claimed number of transactions.
        transactions: u32,
    },
    /// There are more hashes than transactions.
    TooManyHashes {
        /// The number of hashes.
        hashes: usize,
        /// The number of transactions in the block.
        transactions: u32,
    },
    /// There are fewer flags than hashes.
    TooFewFlags {
        /// The number of flags.
        flags: usize,
        /// The number of hashes.
        hashes: usize,
    },
    /// The flags end before the tree does.
    OutOfFlags {
        /// The number of flags.
        flags: usize,
    },
    /// The hashes end before the tree does.
    OutOfHashes {
        /// The number of hashes.
        hashes: usize,
    },
    /// Whole bytes of flags are unused.
    UnusedFlags {
        /// The number of flags used.
        used: usize,
        /// The number of flags.
        flags: usize,
    },
    /// Some hashes are unused.
    UnusedHashes {
        /// The number of hashes used.
        used: usize,
        /// The number of hashes.
        hashes: usize,
    },
    /// Two siblings are equal, which only happens if transactions are repeated (CVE-2012-2459).
    EqualSiblings {
        /// The level of the siblings; 0 for the transactions.
        level: u32,
        /// The position of the left sibling on that level.
        position: u32,
    },
    /// The block has a different root.
    WrongRoot,
}

error_messages!(ExtractError {
    Self::NoTransactions => "the proof is for a block without transactions";
    Self::TooManyTransactions { transactions } =>
        "{transactions} transactions exceed the maximum of {MAX_TRANSACTIONS} in a block";
    Self::TooManyHashes { hashes, transactions } =>
        "{hashes} hashes are too many for a block of {transactions} transactions";
    Self::TooFewFlags { flags, hashes } => "{flags} flags are too few for {hashes} hashes";
    Self::OutOfFlags { flags } => "the tree needs more than {flags} flags";
    Self::OutOfHashes { hashes } => "the tree needs more than {hashes} hashes";
    Self::UnusedFlags { used, flags } => "only {used} of {flags} flags are used";
    Self::UnusedHashes { used, hashes } => "only {used} of {hashes} hashes are used";
    Self::EqualSiblings { position, level } =>
        "node {position} of level {level} equals its sibling";
    Self::WrongRoot => "the proof leads to a different root";
});

/// The error for bytes that do not encode a partial Merkle tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartialDecodeError {
    /// The bytes end too early.
    Truncated {
        /// The size of the next part in bytes.
        needed: u64,
        /// The number of bytes left.
        left: usize,
    },
    /// A `CompactSize` has more bytes than its value needs.
    NotMinimal {
        /// The value.
        value: u64,
    },
    /// Bytes follow the flags.
    Surplus {
        /// The number of extra bytes.
        bytes: usize,
    },
}

error_messages!(PartialDecodeError {
    Self::Truncated { needed, left } => "expected {needed} more bytes, but only {left} are left";
    Self::NotMinimal { value } => "the number {value} is encoded in more bytes than it needs";
    Self::Surplus { bytes } => "{bytes} extra bytes follow the flags";
});

fn push_compact_size(bytes: &mut Vec<u8>, value: u64) {
    match value {
        0..0xFD => bytes.push(value as u8),
        0xFD..=0xFFFF => {
            bytes.push(0xFD);
            bytes.extend((value as u16).to_le_bytes());
        }
        0x1_0000..=0xFFFF_FFFF => {
            bytes.push(0xFE);
            bytes.extend((value as u32).to_le_bytes());
        }
        _ => {
            bytes.push(0xFF);
            bytes.extend(value.to_le_bytes());
        }
    }
}

fn compact_size(rest: &mut &[u8]) -> Result<u64, PartialDecodeError> {
    let [first] = *take_array(rest)?;
    let (value, min) = match first {
        0..0xFD => return Ok(first.into()),
        0xFD => (u16::from_le_bytes(*take_array(rest)?).into(), 0xFD),
        0xFE => (u32::from_le_bytes(*take_array(rest)?).into(), 0x1_0000),
        0xFF => (u64::from_le_bytes(*take_array(rest)?), 0x1_0000_0000),
    };
    if value < min { Err(PartialDecodeError::NotMinimal { value }) } else { Ok(value) }
}

/// Splits off the first bytes.
fn take<'a>(rest: &mut &'a [u8], needed: u64) -> Result<&'a [u8], PartialDecodeError> {
    let truncated = PartialDecodeError::Truncated { needed, left: rest.len() };
    let needed = usize::try_from(needed).map_err(|_| truncated)?;
    let (taken, left) = rest.split_at_checked(needed).ok_or(truncated)?;
    *rest = left;
    Ok(taken)
}

/// Splits off the first `N` bytes.
fn take_array<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], PartialDecodeError> {
    let truncated = PartialDecodeError::Truncated { needed: N as u64, left: rest.len() };
    let (taken, left) = rest.split_first_chunk().ok_or(truncated)?;
    *rest = left;
    Ok(taken)
}
