//! Computes the Merkle root of a Bitcoin block, and proves that one transaction is in it.
//!
//! The block is number 100,000. On any node,
//! `bitcoin-cli getblock 000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506` prints
//! its transaction ids and its root, with the last byte first.

use hex::FromHex;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::{InclusionProof, LeafPosition, NodeHasher, Tree, VerifyError, root};

/// The root in the block's header.
const ROOT: &str = "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766";

/// The ids of the block's transactions.
const TXIDS: [&str; 4] = [
    "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
    "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
    "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
    "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bitcoin = Bitcoin::new();
    let txids = TXIDS.map(bytes);
    let block_root = root(&bitcoin, &txids);
    assert_eq!(block_root, bytes(ROOT));
    println!("root of {} transactions: {ROOT}", txids.len());

    // A full node has the whole block and proves one of its transactions.
    let index = 2;
    let sent = Tree::from_leaves(bitcoin, txids).prove(index)?.to_bytes();

    // A light client has only the headers and verifies the proof.
    let size = txids.len() as u64;
    let proof = InclusionProof::try_from(sent.as_slice())?;
    let position = LeafPosition { index, size };
    proof.verify(&bitcoin, &bytes(ROOT), position, &txids[2])?;
    println!("a proof of {} bytes shows that transaction {index} is in the block", sent.len());

    // Another transaction, another index, or a proof with one bit flipped is rejected.
    let rejected = [
        proof.verify(&bitcoin, &bytes(ROOT), position, &txids[1]),
        proof.verify(&bitcoin, &bytes(ROOT), LeafPosition { index: 3, size }, &txids[2]),
        tampered(&sent)?.verify(&bitcoin, &bytes(ROOT), position, &txids[2]),
    ];
    assert_eq!(rejected, [Err(VerifyError::WrongRoot); 3]);

    // An inner node is not a transaction: its path is shorter than that of a leaf.
    let inner = bitcoin.hash_node(&txids[2], &txids[3]);
    let shorter = InclusionProof::from(proof.nodes()[1..].to_vec());
    let position = LeafPosition { index: 1, size };
    let rejected = shorter.verify(&bitcoin, &bytes(ROOT), position, &inner);
    assert_eq!(rejected, Err(VerifyError::WrongLength { expected: 2, got: 1 }));
    println!(
        "four false proofs are rejected; the last error is: {}",
        rejected.expect_err("the proof is rejected")
    );
    Ok(())
}

/// The proof with its first bit flipped.
fn tampered(sent: &[u8]) -> Result<InclusionProof<[u8; 32]>, merkle_lanes::DecodeError> {
    let mut bytes = sent.to_vec();
    bytes[0] ^= 0x80;
    InclusionProof::try_from(bytes.as_slice())
}

/// Decodes hexadecimal digits, the last byte first.
fn bytes(digits: &str) -> [u8; 32] {
    let mut bytes = <[u8; 32]>::from_hex(digits).expect("64 hexadecimal digits");
    bytes.reverse();
    bytes
}
