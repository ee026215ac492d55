//! Reads a Bitcoin block, checks its hash and its Merkle root, and proves to a light client, which
//! has only headers, that a transaction is in it.
//!
//! The block is number 170, with the first payment between two people.

use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{Tree, root};
use sha256_multi::double_hash_many;

/// What `bitcoin-cli getblock HASH 0` prints: the header of 80 bytes, the number of transactions,
/// and the transactions.
const HEADER: &str = concat!(
    "0100000055bd840a78798ad0da853f68974f3d183e2bd1db6a842c1feecf222a00000000",
    "ff104ccb05421ab93e63f8c3ce5c2c2e9dbb37de2764b3a3175c8166562cac7d",
    "51b96a49ffff001d283e9e70",
);
const TRANSACTIONS: [&str; 2] = [
    concat!(
        "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff07",
        "04ffff001d0102ffffffff0100f2052a01000000434104d46c4968bde02899d2aa0963367c7a6ce34eec",
        "332b32e42e5f3407e052d64ac625da6f0718e7b302140434bd725706957c092db53805b821a85b23a7ac",
        "61725bac00000000",
    ),
    concat!(
        "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd37040000000048",
        "47304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522",
        "ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b000000",
        "00434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f5",
        "54a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1",
        "dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e16",
        "0bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000",
    ),
];

/// The block's hash and the payment's id, which are written with the last byte first.
const BLOCK: &str = "00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee";
const PAYMENT: &str = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let header = hex::decode(HEADER)?;
    let transactions: Vec<_> = TRANSACTIONS.iter().map(hex::decode).collect::<Result<_, _>>()?;

    let block = double_hash_many([&header])[0];
    assert_eq!(reversed(&block), BLOCK);
    println!("block {BLOCK}");

    // One call hashes all transactions of a block, however different their lengths are. Those
    // before Segregated Witness have no witnesses, which a transaction's id would leave out.
    let txids = double_hash_many(&transactions);
    let block_root = root(&Bitcoin::new(), &txids);
    assert_eq!(block_root, header[36..68]);
    println!("root of {} transactions: {}", txids.len(), reversed(&block_root));

    // A full node proves the payment, as `bitcoin-cli gettxoutproof` does.
    let tree = Tree::from_leaves(Bitcoin::new(), txids);
    let sent = PartialMerkleTree::new(&tree, &[1])?.to_bytes();

    // A light client has checked the header, and trusts nothing else.
    let header_root: [u8; 32] = header[36..68].try_into()?;
    let proof = PartialMerkleTree::try_from(sent.as_slice())?;
    for (position, txid) in proof.verify(&Bitcoin::new(), &header_root)? {
        assert_eq!((position, reversed(&txid).as_str()), (1, PAYMENT));
        println!("{} bytes prove transaction {position}: {PAYMENT}", sent.len());
    }

    // A proof with a flipped bit leads to another root.
    let mut forged = sent;
    forged[10] ^= 1;
    let forged = PartialMerkleTree::try_from(forged.as_slice())?;
    let error = forged.verify(&Bitcoin::new(), &header_root).expect_err("the proof is forged");
    println!("a forged proof is rejected: {error}");
    Ok(())
}

/// Hexadecimal digits, the last byte first.
fn reversed(hash: &[u8; 32]) -> String {
    let mut hash = *hash;
    hash.reverse();
    hex::encode(hash)
}
