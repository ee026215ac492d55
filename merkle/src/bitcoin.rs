//! Merkle trees of Bitcoin blocks.
//!
//! Transaction ids and nodes are in the byte order in which they are hashed and sent. Block
//! explorers and JSON show them reversed.
//!
//! An [`InclusionProof`] proves that one transaction is in a block. Electrum calls it a Merkle
//! branch:
//!
//! ```
//! use merkle_lanes::{Tree, bitcoin::{Bitcoin, verify_branch}};
//!
//! let txids = [[1; 32], [2; 32], [3; 32]];
//! let tree = Tree::from_leaves(Bitcoin::new(), txids);
//! let branch = tree.prove(2)?;
//! // A client that knows the number of transactions:
//! branch.verify(tree.hasher(), &tree.head(), 2, &txids[2])?;
//! // A client that knows only the header:
//! verify_branch(&tree.root(), &txids[2], 2, &branch)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types of the crate `bitcoin`
//!
//! Its `Txid`, `Wtxid` and `TxMerkleNode` are newtypes of `[u8; 32]` with the same bytes. Safe code
//! cannot view a slice of them as a slice of arrays, but none of these makes a second list:
//!
//! - A vector is converted in place: the standard library reuses its memory for
//!   `txids.into_iter().map(Txid::to_byte_array).collect::<Vec<_>>()`. `Tree::from_leaves` takes
//!   over the result.
//! - Ids that are computed first are collected as arrays:
//!   `transactions.iter().map(|tx| tx.compute_txid().to_byte_array()).collect::<Vec<_>>()`.
//! - [`RootBuilder::push`](crate::RootBuilder::push) takes `txid.to_byte_array()`, one at a time.
//!
//! `TxMerkleNode::from_byte_array` converts a root. The `txn` of a `MerkleBlock` has the bytes of a
//! [`PartialMerkleTree`]: `consensus::serialize(&block.txn)` is the input of its `try_from`, and
//! `consensus::deserialize` reads its `to_bytes`.
//!
//! # 64-byte transactions (CVE-2017-12842)
//!
//! Leaves and nodes are hashed alike, so a 64-byte transaction can pass for a node and vice versa.
//! An attacker who mines such a transaction can extend a branch below its 64 bytes and prove a
//! transaction that is not in the block.
//!
//! A verifier who knows the number of transactions in the block is safe: branches are refused
//! unless their length matches the depth of the tree. But neither the header nor Electrum's
//! protocol contains that number. If the number comes from the same peer as the branch, there are
//! two defences:
//!
//! - Learn the depth independently. A branch of the first transaction shows it, if the whole
//!   transaction is sent to prove that it is a coinbase.
//! - Refuse 64-byte transactions.
//!
//! The same holds for a [`PartialMerkleTree`], which [claims](PartialMerkleTree::transactions) the
//! number of transactions itself.
//!
//! # Repeated transactions (CVE-2012-2459)
//!
//! The number of transactions matters for another reason: three transactions have the same root as
//! four whose last is a copy of the third. [`Bitcoin::block_root`] reports such lists, and a
//! [`PartialMerkleTree`] with two equal siblings is refused. [`InclusionProof::verify`] checks a
//! branch against a tree of the given size, so a number of transactions that comes from the same
//! peer lets the last one be proven in a position that does not exist. [`verify_branch`] needs no
//! number, and refuses such positions.

mod partial;

use alloc::vec::Vec;

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;

pub use partial::{ExtractError, Matches, PartialDecodeError, PartialMerkleTree};

use crate::hasher::{NodeHasher, Odd, levels_above};
use crate::proof::{InclusionProof, VerifyError};
use crate::sha256::{self, Double};

/// The maximum number of transactions in a block: its weight limit, 4,000,000, divided by the
/// minimum weight of a transaction, 240. These are `MAX_BLOCK_WEIGHT` and `MIN_TRANSACTION_WEIGHT`
/// of Bitcoin Core.
pub const MAX_TRANSACTIONS: u32 = 4_000_000 / 240;

/// The trees of transactions in a block. A node is the double SHA-256 of its children. A node
/// without a sibling is hashed with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitcoin {
    backend: Backend,
}

/// The root of the transactions in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockRoot {
    /// The root, or zeros if there are no transactions.
    pub root: [u8; 32],
    /// Whether two siblings are equal (CVE-2012-2459).
    ///
    /// A node without a sibling is hashed with itself, so repeating the last transactions can leave
    /// the root unchanged. A block with such a repetition is invalid. It must not be marked invalid
    /// by its hash, because the valid block has the same hash.
    pub mutated: bool,
}

sha256::constructors!(Bitcoin);

impl Bitcoin {
    /// Computes the root of the transactions in a block and detects mutated lists that share it,
    /// like `ComputeMerkleRoot` of Bitcoin Core.
    ///
    /// ```
    /// use merkle_lanes::bitcoin::Bitcoin;
    ///
    /// let (bitcoin, [a, b, c]) = (Bitcoin::new(), [[1; 32], [2; 32], [3; 32]]);
    /// let block = bitcoin.block_root(&[a, b, c]);
    /// assert!(!block.mutated);
    /// let forged = bitcoin.block_root(&[a, b, c, c]);
    /// assert!(forged.mutated && forged.root == block.root);
    /// ```
    ///
    /// This inspects every level. If mutation is already ruled out, [`root`](crate::root) is
    /// faster: it hashes several levels at once.
    #[must_use]
    pub fn block_root(&self, txids: &[[u8; 32]]) -> BlockRoot {
        let mut mutated = false;
        // The output of one level, and the buffer for the next.
        let (mut parents, mut room) = (Vec::new(), Vec::new());
        let mut nodes = txids;
        while nodes.len() > 1 {
            let (pairs, last) = nodes.as_chunks();
            mutated |= pairs.iter().any(|[left, right]| left == right);
            room.resize(pairs.len(), [0; 32]);
            self.hash_level(pairs.as_flattened(), &mut room);
            if let [last] = last {
                room.push(self.hash_node(last, last));
            }
            (parents, room) = (room, parents);
            nodes = &parents;
        }
        BlockRoot { root: nodes.first().copied().unwrap_or_default(), mutated }
    }

    /// Computes the root of the transactions in a block with their witnesses (BIP 141). It is the
    /// [`block_root`](Self::block_root) of the witness ids, with the first, of the coinbase,
    /// replaced by zeros.
    #[must_use]
    pub fn witness_root(&self, wtxids: &[[u8; 32]]) -> BlockRoot {
        let mut wtxids = wtxids.to_vec();
        if let Some(coinbase) = wtxids.first_mut() {
            *coinbase = [0; 32];
        }
        self.block_root(&wtxids)
    }

    /// Computes the commitment in the coinbase output (BIP 141). `reserved` is the 32-byte reserved
    /// value from the coinbase's witness, so far always zeros.
    #[must_use]
    pub fn witness_commitment(&self, witness_root: &[u8; 32], reserved: &[u8; 32]) -> [u8; 32] {
        self.hash_node(witness_root, reserved)
    }
}

/// Verifies that the block with this root has the transaction `txid` at `position`, for a client
/// that does not know the number of transactions.
///
/// A position that no block with this branch can have is refused: one of `2^branch.len()` or more,
/// and one whose path is the right child of two equal nodes. The latter is the copy of a last node
/// (CVE-2012-2459), in whose place there is no transaction.
///
/// The depth of the tree is taken from the branch, so a 64-byte transaction can pass for a node
/// (CVE-2017-12842): see [the module](self#64-byte-transactions-cve-2017-12842).
///
/// # Errors
///
/// Returns [`VerifyError::TooManyLeaves`] if the branch is longer than that of a block with
/// [`MAX_TRANSACTIONS`], [`VerifyError::NoSuchLeaf`] and [`VerifyError::EqualSiblings`] for such a
/// position, and [`VerifyError::WrongRoot`] if the branch leads to another root.
pub fn verify_branch(
    root: &[u8; 32],
    txid: &[u8; 32],
    position: u64,
    branch: &InclusionProof<[u8; 32]>,
) -> Result<(), VerifyError> {
    let (bitcoin, nodes) = (Bitcoin::new(), branch.nodes());
    let (depth, capacity) = (nodes.len() as u32, MAX_TRANSACTIONS.into());
    if nodes.len() > levels_above(capacity) as usize {
        // The least number of transactions with so long a branch.
        let size = 1_u64.checked_shl(depth - 1).map_or(u64::MAX, |half| half + 1);
        return Err(VerifyError::TooManyLeaves { size, capacity });
    }
    if position >> depth != 0 {
        return Err(VerifyError::NoSuchLeaf { index: position, size: 1 << depth });
    }
    let mut node = *txid;
    for (level, sibling) in nodes.iter().enumerate() {
        node = if position >> level & 1 == 0 {
            bitcoin.hash_node(&node, sibling)
        } else if *sibling == node {
            return Err(VerifyError::EqualSiblings { position: level });
        } else {
            bitcoin.hash_node(sibling, &node)
        };
    }
    if node == *root { Ok(()) } else { Err(VerifyError::WrongRoot) }
}

crate::hasher::hash_node!([] Bitcoin, [u8; 32]);

impl NodeHasher for Bitcoin {
    type Node = [u8; 32];

    fn odd(&self) -> Odd {
        Odd::Duplicated
    }

    /// Zeros, as a placeholder: every block has a transaction.
    fn empty_root(&self) -> [u8; 32] {
        [0; 32]
    }

    /// Computes transaction ids: the double SHA-256 of each transaction.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; 32]]) {
        Sha256Lanes::on(self.backend).double_hash_many_into(data, leaves);
    }

    sha256::levels!(Double);
}
