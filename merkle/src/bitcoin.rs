//! Bitcoin's Merkle trees.
//!
//! Transaction ids and nodes are in the byte order in which they are hashed and sent; block
//! explorers and JSON show them reversed.
//!
//! That one transaction is in a block, which Electrum calls its Merkle branch, is an
//! [`InclusionProof`](crate::InclusionProof):
//!
//! ```
//! use merkle_lanes::{Tree, bitcoin::Bitcoin};
//!
//! let txids = [[1; 32], [2; 32], [3; 32]];
//! let tree = Tree::from_leaves(Bitcoin::new(), txids);
//! let branch = tree.prove(2)?;
//! branch.verify(tree.hasher(), &tree.root(), 3, 2, &txids[2])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Transactions of 64 bytes (CVE-2017-12842)
//!
//! A leaf is hashed just as a node is, so that a transaction of 64 bytes can be taken for a node,
//! or a node for such a transaction. Who mines one can prove a transaction that is not in the
//! block, by a branch that goes on below the 64 bytes. A verifier who knows how many transactions
//! the block has is safe: branches are refused unless they are as long as the tree is deep. The
//! header does not say the number, though, and neither does Electrum's protocol. Where the number
//! comes from the same peer as the branch, it has to be learned otherwise (a branch of the first
//! transaction of the block, whose whole bytes prove that it is a coinbase, shows how deep the tree
//! is), or transactions of 64 bytes have to be refused. The same holds for a [`PartialMerkleTree`],
//! which [says itself](PartialMerkleTree::transactions) how many transactions there are.

//!
//! # Repeated transactions (CVE-2012-2459)
//!
//! The number of transactions has to be right for another reason: the root of three transactions is
//! also that of four, the last of which is the third once more. [`Bitcoin::block_root`] reports
//! such a list, and a [`PartialMerkleTree`] with two equal siblings is refused; a branch is taken
//! for what it shows in a tree of the number that is given.

mod partial;
mod partial_bytes;

use alloc::vec::Vec;

use hash_lanes::Backend;

pub use partial::{ExtractError, Matches, PartialMerkleTree};
pub use partial_bytes::PartialDecodeError;

use crate::hasher::{NodeHasher, Odd};
use crate::sha256::{self, Double};

/// The most transactions that fit into a block: of its weight, 4,000,000, each takes 240 at least
/// (`MAX_BLOCK_WEIGHT` and `MIN_TRANSACTION_WEIGHT` of Bitcoin Core).
pub const MAX_TRANSACTIONS: u32 = 4_000_000 / 240;

/// The trees of a block's transactions: SHA-256 twice of two nodes. A node without a sibling is
/// hashed with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitcoin {
    backend: Backend,
}

/// The root of a block's transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockRoot {
    /// The root: zeros if there was no transaction.
    pub root: [u8; 32],
    /// Whether two siblings are equal (CVE-2012-2459).
    ///
    /// As a node without a sibling is hashed with itself, a list of transactions, the last of
    /// which have been repeated, has the same root as the one without the repetition. A block
    /// with such a list is invalid, but it must not be remembered as such by its hash, which
    /// is also that of the valid block.
    pub mutated: bool,
}

impl Bitcoin {
    /// The same for all trees.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a backend of one's choice.
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> Self {
        Self { backend }
    }

    /// The root of a block's transactions, and whether their list may have been made from another
    /// one with the same root: as Bitcoin Core's `ComputeMerkleRoot` says.
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
    /// Every level has to be looked at: where mutation is ruled out already, [`root`](crate::root)
    /// hashes several at a time.
    #[must_use]
    pub fn block_root(&self, txids: &[[u8; 32]]) -> BlockRoot {
        let mut mutated = false;
        // What comes of one level, and room for what comes of the next.
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

    /// The root of a block's transactions with their witnesses (BIP 141): as
    /// [`block_root`](Self::block_root), of the witness ids, of which the first, the
    /// coinbase's, is taken to be zeros, whatever it is.
    #[must_use]
    pub fn witness_root(&self, wtxids: &[[u8; 32]]) -> BlockRoot {
        let mut wtxids = wtxids.to_vec();
        if let Some(coinbase) = wtxids.first_mut() {
            *coinbase = [0; 32];
        }
        self.block_root(&wtxids)
    }

    /// What an output of the coinbase commits to (BIP 141): of the witness root, and of the 32
    /// bytes in the coinbase's own witness that are reserved, zeros so far.
    #[must_use]
    pub fn witness_commitment(&self, witness_root: &[u8; 32], reserved: &[u8; 32]) -> [u8; 32] {
        self.hash_node(witness_root, reserved)
    }
}

impl NodeHasher for Bitcoin {
    type Node = [u8; 32];

    fn odd(&self) -> Odd {
        Odd::Duplicated
    }

    /// Zeros, which no block has.
    fn empty_root(&self) -> [u8; 32] {
        [0; 32]
    }

    /// The ids of transactions: SHA-256 twice.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; 32]]) {
        sha256_multi::double_hash_many_with(self.backend, data, leaves);
    }

    sha256::levels!(Double);
}
