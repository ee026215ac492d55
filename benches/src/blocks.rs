//! Bitcoin blocks as values of the crate `bitcoin`.

use bitcoin::consensus::Encodable;
use bitcoin::hashes::Hash as _;
use bitcoin::{
    Amount, Block, BlockHash, CompactTarget, OutPoint, ScriptBuf, Sequence, Transaction, TxIn,
    TxMerkleNode, TxOut, Txid, Witness, absolute, block, transaction,
};

/// A block of `count` transactions, each with one input, one output and a witness.
#[must_use]
pub fn block(count: u32) -> Block {
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

/// The bytes whose double SHA-256 is the id of a transaction: all but its witnesses (BIP 141).
#[must_use]
pub fn without_witnesses(transaction: &Transaction) -> Vec<u8> {
    let Transaction { version, input, output, lock_time } = transaction;
    let mut bytes = Vec::with_capacity(transaction.base_size());
    let parts = [
        version.consensus_encode(&mut bytes),
        input.consensus_encode(&mut bytes),
        output.consensus_encode(&mut bytes),
        lock_time.consensus_encode(&mut bytes),
    ];
    for written in parts {
        written.expect("vectors accept every byte");
    }
    bytes
}
