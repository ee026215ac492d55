//! Computes the Merkle root of a Bitcoin block, proves that one transaction is in it, and verifies
//! a proof from Bitcoin Core.
//!
//! The block is number 100,000. On any node,
//! `bitcoin-cli getblock 000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506` prints
//! its transaction ids and its root, with the last byte first.

use hex::FromHex;
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{InclusionProof, Tree, TreeHead, VerifyError, root};

/// The root in the block's header.
const ROOT: &str = "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766";

/// The ids of the block's transactions.
const TXIDS: [&str; 4] = [
    "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
    "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
    "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
    "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
];

/// What `bitcoin-cli gettxoutproof` prints for one of the seven transactions of another block: its
/// header of 80 bytes, and a partial Merkle tree (BIP 37).
const TXOUTPROOF: &str = concat!(
    "0100000082bb869cf3a793432a66e826e05a6fc37469f8efb7421dc88067010000000000",
    "7f16c5962e8bd963659c793ce370d95f093bc7e367117b3c30c1f8fdd0d97287",
    "76381b4d4c86041b554b8529",
    "0700000004",
    "3612262624047ee87660be1a707519a443b1c1ce3d248cbfc6c15870f6c5daa2",
    "019f5b01d4195ecbc9398fbf3c3b1fa9bb3183301d7a1fb3bd174fcfa40a2b65",
    "41ed70551dd7e841883ab8f0b16bf04176b7d1480e4f0af9f3d4c3595768d068",
    "20d2a7bc994987302e5b1ac80fc425fe25f8b63169ea78e68fbaaefa59379bbf",
    "011d",
);

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
    let proof = InclusionProof::try_from(sent.as_slice())?;
    let head = TreeHead { size: 4, root: bytes(ROOT) };
    proof.verify(&bitcoin, &head, index, &txids[2])?;
    println!("a proof of {} bytes shows that transaction {index} is in the block", sent.len());

    // Another transaction, another index, or a proof with one bit flipped is rejected.
    let rejected = [
        proof.verify(&bitcoin, &head, index, &txids[1]),
        proof.verify(&bitcoin, &head, 3, &txids[2]),
        tampered(&sent)?.verify(&bitcoin, &head, index, &txids[2]),
    ];
    assert_eq!(rejected, [Err(VerifyError::WrongRoot); 3]);

    // An inner node is not a transaction: its path is shorter than that of a leaf.
    let inner = bitcoin.hash_node(&txids[2], &txids[3]);
    let shorter = InclusionProof::from(proof.nodes()[1..].to_vec());
    let rejected = shorter.verify(&bitcoin, &head, 1, &inner);
    assert_eq!(rejected, Err(VerifyError::WrongLength { expected: 2, got: 1 }));
    println!(
        "four false proofs are rejected; the last error is: {}",
        rejected.expect_err("the proof is rejected")
    );

    // A wallet checks that the header is in its chain, and then the proof against the header.
    let txoutproof = hex::decode(TXOUTPROOF).expect("pairs of hexadecimal digits");
    let (header, partial) = txoutproof.split_at(80);
    let header_root: [u8; 32] = header[36..68].try_into()?;
    let proof = PartialMerkleTree::try_from(partial)?;
    for (position, mut txid) in proof.verify(&bitcoin, &header_root)? {
        txid.reverse();
        println!("transaction {position} of {}: {}", proof.transactions(), hex::encode(txid));
    }
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
