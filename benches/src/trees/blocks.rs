//! The roots of a whole block of Bitcoin, ids of its transactions included.

use std::rc::Rc;

use bitcoin::hashes::Hash as _;
use bitcoin::{Block, consensus};
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::{Backend, NodeHasher as _};

use super::Candidate;
use crate::blocks::{block, without_witnesses};
use crate::candidate::Role;
use crate::versions::label;

/// A root that a block commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// That of the transactions, in the header.
    Transactions,
    /// That of the transactions with their witnesses (BIP 141), in the coinbase.
    Witnesses,
}

impl Root {
    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Transactions => "bitcoin_block_root",
            Self::Witnesses => "bitcoin_witness_root",
        }
    }

    /// Hashes the transactions, and the ids, in lanes.
    fn in_lanes(self, bitcoin: Bitcoin, block: &Block) -> Vec<u8> {
        let hashed: Vec<Vec<u8>> = match self {
            Self::Transactions => block.txdata.iter().map(without_witnesses).collect(),
            Self::Witnesses => block.txdata.iter().map(consensus::serialize).collect(),
        };
        let mut ids = vec![[0; 32]; hashed.len()];
        bitcoin.hash_leaves(&hashed, &mut ids);
        let root = match self {
            Self::Transactions => bitcoin.block_root(&ids),
            Self::Witnesses => bitcoin.witness_root(&ids),
        };
        root.root.to_vec()
    }

    /// The root by the crate `bitcoin`.
    fn expected(self, block: &Block) -> Vec<u8> {
        match self {
            Self::Transactions => block.compute_merkle_root().map(|root| root.to_byte_array()),
            Self::Witnesses => block.witness_root().map(|root| root.to_byte_array()),
        }
        .expect("a block has transactions")
        .to_vec()
    }
}

/// The root of a block of `count` transactions, with each backend and by the crate `bitcoin`.
pub(super) fn candidates(root: Root, count: usize) -> (Vec<Candidate>, Vec<u8>) {
    let block = Rc::new(block(u32::try_from(count).expect("blocks are smaller")));
    let mut all = Vec::new();
    for backend in Backend::available() {
        let role = if backend == Backend::detect() { Role::Auto } else { Role::Backend };
        let (bitcoin, block) = (Bitcoin::new().with_backend(backend), Rc::clone(&block));
        let run = move || root.in_lanes(bitcoin, &block);
        all.push(Candidate::new(backend.name().to_owned(), role, run));
    }
    let expected = root.expected(&block);
    let run = move || root.expected(&block);
    all.push(Candidate::new(label("bitcoin", "0.32"), Role::Rival, run));
    (all, expected)
}
