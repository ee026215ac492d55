//! Compares the trees of a whole block with those of the crate `bitcoin`.
//!
//! Its ids are newtypes of arrays. Safe code cannot view a slice of them as one of arrays, so
//! [`arrays`] copies 32 bytes an id.

use bitcoin::hashes::Hash as _;
use bitcoin::merkle_tree::PartialMerkleTree as Theirs;
use bitcoin::{
    Amount, Block, BlockHash, CompactTarget, OutPoint, ScriptBuf, Sequence, Transaction, TxIn,
    TxMerkleNode, TxOut, Txid, Witness, absolute, block, consensus, transaction,
};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{NodeHasher as _, Tree};

/// A block of `count` transactions, each with a witness.
fn block(count: u32) -> Block {
    let transaction = |i: u32| Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: vec![TxIn {
            previous_output: if i == 0 {
                OutPoint::null()
            } else {
                OutPoint { txid: Txid::from_byte_array([i as u8; 32]), vout: i }
            },
            script_sig: ScriptBuf::new(),
            sequence: Sequence::MAX,
            witness: Witness::from_slice(&[i.to_le_bytes()]),
        }],
        output: vec![TxOut { value: Amount::from_sat(i.into()), script_pubkey: ScriptBuf::new() }],
    };
    Block {
        header: block::Header {
            version: block::Version::TWO,
            prev_blockhash: BlockHash::all_zeros(),
            merkle_root: TxMerkleNode::all_zeros(),
            time: 0,
            bits: CompactTarget::from_consensus(0),
            nonce: 0,
        },
        txdata: (0..count).map(transaction).collect(),
    }
}

fn arrays<T: bitcoin::hashes::Hash<Bytes = [u8; 32]>>(
    ids: impl Iterator<Item = T>,
) -> Vec<[u8; 32]> {
    ids.map(T::to_byte_array).collect()
}

#[test]
fn roots_of_a_block() {
    let bitcoin = Bitcoin::new();
    for count in [1, 2, 3, 4, 5, 100, 3001] {
        let block = block(count);
        let txids = arrays(block.txdata.iter().map(Transaction::compute_txid));
        let ours = bitcoin.block_root(&txids);
        let root = block.compute_merkle_root().unwrap();
        assert_eq!(TxMerkleNode::from_byte_array(ours.root), root, "{count} transactions");

        // Ids and roots, both in lanes.
        let mut stripped = block.txdata.clone();
        for transaction in &mut stripped {
            transaction.input[0].witness.clear();
        }
        let stripped: Vec<_> = stripped.iter().map(consensus::serialize).collect();
        let mut in_lanes = vec![[0; 32]; stripped.len()];
        bitcoin.hash_leaves(&stripped, &mut in_lanes);
        assert_eq!(in_lanes, txids);

        let wtxids = arrays(block.txdata.iter().map(Transaction::compute_wtxid));
        let ours = bitcoin.witness_root(&wtxids);
        let root = block.witness_root().unwrap();
        assert_eq!(ours.root, root.to_byte_array(), "{count} transactions");
        let commitment = Block::compute_witness_commitment(&root, &[0; 32]);
        assert_eq!(bitcoin.witness_commitment(&ours.root, &[0; 32]), commitment.to_byte_array());
    }
}

#[test]
fn partial_trees() {
    for count in [1, 2, 7, 300] {
        let txids: Vec<Txid> = block(count).txdata.iter().map(Transaction::compute_txid).collect();
        let block = Tree::from_leaves(Bitcoin::new(), arrays(txids.iter().copied()));
        for step in [1, 2, 5, 100] {
            let matches: Vec<bool> = (0..count).map(|i| i % step == 0).collect();
            let indices: Vec<u64> = (0..count.into()).step_by(step as usize).collect();
            let theirs = consensus::serialize(&Theirs::from_txids(&txids, &matches));
            let ours = PartialMerkleTree::new(&block, &indices).unwrap();
            assert_eq!(ours.to_bytes(), theirs, "{count} transactions, every {step}");
        }
    }
}
