//! Roots of a whole Bitcoin block, including the hashing of its transaction ids.

use bitcoin::hashes::Hash as _;
use bitcoin::{Block, consensus};
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::{Backend, NodeHasher as _};

use crate::blocks::{block, without_witnesses};
use crate::harness::{Candidate, Role, Then};
use crate::machine::label;

/// The root of a block of `count` transactions, with each backend and by the crate `bitcoin`: that
/// of the transactions, in the header, or with their witnesses (BIP 141), in the coinbase.
pub(super) fn candidates(operation: &str, count: usize, then: &mut Then<'_>) {
    let with_witnesses = operation == "bitcoin_witness_root";
    let block = block(u32::try_from(count).expect("blocks are smaller"));
    let ours = |backend: Backend| {
        let (role, block) = (Role::of(&backend, &Backend::detect()), &block);
        let bitcoin = Bitcoin::new().with_backend(backend);
        Candidate::returning(backend.name().to_owned(), role, move || {
            in_lanes(with_witnesses, bitcoin, block)
        })
    };
    let mut all: Vec<_> = Backend::available().into_iter().map(ours).collect();
    let theirs = || expected(with_witnesses, &block);
    all.push(Candidate::returning(label("bitcoin", "0.32"), Role::Rival, theirs));
    then(all, &theirs());
}

/// Hashes the transactions, and the ids, in lanes.
fn in_lanes(with_witnesses: bool, bitcoin: Bitcoin, block: &Block) -> [u8; 32] {
    let hashed: Vec<Vec<u8>> = if with_witnesses {
        block.txdata.iter().map(consensus::serialize).collect()
    } else {
        block.txdata.iter().map(without_witnesses).collect()
    };
    let mut ids = vec![[0; 32]; hashed.len()];
    bitcoin.hash_leaves(&hashed, &mut ids);
    if with_witnesses { bitcoin.witness_root(&ids).root } else { bitcoin.block_root(&ids).root }
}

/// The root by the crate `bitcoin`.
fn expected(with_witnesses: bool, block: &Block) -> [u8; 32] {
    let root = if with_witnesses {
        block.witness_root().map(|root| root.to_byte_array())
    } else {
        block.compute_merkle_root().map(|root| root.to_byte_array())
    };
    root.expect("a block has transactions")
}
