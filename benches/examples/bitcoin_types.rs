//! The trees of a whole block with the types of the crate `bitcoin`: `Txid`, `Wtxid`,
//! `TxMerkleNode` and `MerkleBlock`.
//!
//! ```text
//! cargo run --release -p hashlanes-benches --features adapters --example bitcoin_types
//! ```
//!
//! The types are newtypes of `[u8; 32]`, so converting a vector of them reuses its memory. Each
//! root is compared with that of the crate `bitcoin`.

use bitcoin::hashes::Hash as _;
use bitcoin::{Block, MerkleBlock, Transaction, TxMerkleNode, Txid, WitnessMerkleNode, consensus};
use hashlanes_benches::blocks::{block, without_witnesses};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{NodeHasher as _, Tree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (bitcoin, block) = (Bitcoin::new(), block(3001));

    // From ids, which are converted in place.
    let txids: Vec<Txid> = block.txdata.iter().map(Transaction::compute_txid).collect();
    let txids: Vec<[u8; 32]> = txids.into_iter().map(Txid::to_byte_array).collect();
    let root = bitcoin.block_root(&txids);
    assert!(!root.mutated);
    let root = TxMerkleNode::from_byte_array(root.root);
    assert_eq!(Some(root), block.compute_merkle_root());
    println!("block of {} transactions: merkle root {root}", block.txdata.len());

    // From transactions: their ids are computed in lanes, too.
    let stripped: Vec<Vec<u8>> = block.txdata.iter().map(without_witnesses).collect();
    let mut in_lanes = vec![[0; 32]; stripped.len()];
    bitcoin.hash_leaves(&stripped, &mut in_lanes);
    assert_eq!(in_lanes, txids);

    // The witness root and the commitment to it in the coinbase (BIP 141).
    let wtxids: Vec<[u8; 32]> =
        block.txdata.iter().map(|tx| tx.compute_wtxid().to_byte_array()).collect();
    let root = WitnessMerkleNode::from_byte_array(bitcoin.witness_root(&wtxids).root);
    assert_eq!(Some(root), block.witness_root());
    let commitment = bitcoin.witness_commitment(root.as_ref(), &[0; 32]);
    let expected = Block::compute_witness_commitment(&root, &[0; 32]);
    assert_eq!(commitment, expected.to_byte_array());
    println!("witness root {root}, commitment {expected}");

    // A proof of some transactions, as nodes send it to light clients (BIP 37), and back.
    let tree = Tree::from_leaves(bitcoin, txids);
    let txn = consensus::deserialize(&PartialMerkleTree::new(&tree, &[1, 2000])?.to_bytes())?;
    let message = MerkleBlock { header: block.header, txn };
    let (mut ids, mut indices) = (Vec::new(), Vec::new());
    message.extract_matches(&mut ids, &mut indices)?;
    assert_eq!(indices, [1, 2000]);

    let received = consensus::serialize(&message.txn);
    let received = PartialMerkleTree::try_from(received.as_slice())?;
    let proven = received.verify(&bitcoin, &message.header.merkle_root.to_byte_array())?;
    for ((index, txid), expected) in proven.into_iter().zip(ids) {
        assert_eq!(Txid::from_byte_array(txid), expected);
        println!("transaction {index} is {expected}");
    }
    Ok(())
}
