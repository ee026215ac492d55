//! Compares the trees of a whole block with those of the crate `bitcoin`, and converts between its
//! types and ours as the module `merkle_lanes::bitcoin` says.

use bitcoin::hashes::Hash as _;
use bitcoin::merkle_tree::PartialMerkleTree as Theirs;
use bitcoin::{
    Amount, Block, BlockHash, CompactTarget, MerkleBlock, OutPoint, ScriptBuf, Sequence,
    Transaction, TxIn, TxMerkleNode, TxOut, Txid, Witness, Wtxid, absolute, block, consensus,
    transaction,
};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{RootBuilder, Tree};

/// A block of `count` transactions, each with one input, one output and a witness.
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
    let mut block = Block {
        header: block::Header {
            version: block::Version::TWO,
            prev_blockhash: BlockHash::all_zeros(),
            merkle_root: TxMerkleNode::all_zeros(),
            time: 0,
            bits: CompactTarget::from_consensus(0),
            nonce: 0,
        },
        txdata: (0..count).map(transaction).collect(),
    };
    block.header.merkle_root = block.compute_merkle_root().unwrap_or(block.header.merkle_root);
    block
}

/// Converts ids in place.
fn arrays<T: bitcoin::hashes::Hash<Bytes = [u8; 32]>>(ids: Vec<T>) -> Vec<[u8; 32]> {
    let place = ids.as_ptr().addr();
    let arrays: Vec<[u8; 32]> = ids.into_iter().map(T::to_byte_array).collect();
    assert_eq!(arrays.as_ptr().addr(), place, "the ids were copied");
    arrays
}

#[test]
fn roots_of_a_block() {
    let bitcoin = Bitcoin::new();
    for count in [1, 2, 3, 4, 5, 100, 3001] {
        let block = block(count);
        let ids: Vec<Txid> = block.txdata.iter().map(Transaction::compute_txid).collect();
        let mut builder = RootBuilder::new(bitcoin);
        for id in &ids {
            builder.push(id.to_byte_array());
        }
        let txids = arrays(ids);
        let ours = bitcoin.block_root(&txids);
        let root = block.compute_merkle_root().unwrap();
        assert_eq!(TxMerkleNode::from_byte_array(ours.root), root, "{count} transactions");
        assert_eq!(TxMerkleNode::from_byte_array(builder.root()), root, "{count} transactions");

        let ids: Vec<Wtxid> = block.txdata.iter().map(Transaction::compute_wtxid).collect();
        let wtxids = arrays(ids);
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
        let block = Tree::from_leaves(Bitcoin::new(), arrays(txids.clone()));
        for step in [1, 2, 5, 100] {
            let matches: Vec<bool> = (0..count).map(|i| i % step == 0).collect();
            let indices: Vec<u64> = (0..count.into()).step_by(step as usize).collect();
            let theirs = consensus::serialize(&Theirs::from_txids(&txids, &matches));
            let ours = PartialMerkleTree::new(&block, &indices).unwrap();
            assert_eq!(ours.to_bytes(), theirs, "{count} transactions, every {step}");
        }
    }
}

#[test]
fn merkle_blocks() {
    for count in [1, 2, 7, 300] {
        let block = block(count);
        let root = block.header.merkle_root.to_byte_array();
        let ids = block.txdata.iter().map(Transaction::compute_txid);
        let wanted: Vec<(u32, Txid)> = (0..).zip(ids).step_by(3).collect();
        let is_wanted = |id: &Txid| wanted.iter().any(|(_, wanted)| wanted == id);
        let theirs = MerkleBlock::from_block_with_predicate(&block, is_wanted);

        let ours = consensus::serialize(&theirs.txn);
        let ours = PartialMerkleTree::try_from(ours.as_slice()).unwrap();
        let proven = ours.verify(&Bitcoin::new(), &root).unwrap();
        let proven: Vec<(u32, Txid)> =
            proven.into_iter().map(|(index, id)| (index, Txid::from_byte_array(id))).collect();
        assert_eq!(proven, wanted, "{count} transactions");

        let txn = consensus::deserialize(&ours.to_bytes()).unwrap();
        let (mut ids, mut indices) = (Vec::new(), Vec::new());
        MerkleBlock { header: block.header, txn }.extract_matches(&mut ids, &mut indices).unwrap();
        assert!(indices.into_iter().zip(ids).eq(wanted), "{count} transactions");
    }
}
