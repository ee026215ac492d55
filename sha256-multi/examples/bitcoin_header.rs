//! Computes the hashes of Bitcoin's first three blocks: the double SHA-256 of their headers.
//!
//! On any node, `bitcoin-cli getblockheader HASH false` prints a header.

use hex::FromHex;
use sha256_multi::double_hash_many;

/// Length of a block header in bytes.
const HEADER_BYTES: usize = 80;

/// Each header in hexadecimal (version, previous block, Merkle root, time, target, nonce), and the
/// block hash as displayed.
const BLOCKS: [([&str; 6], &str); 3] = [
    (
        [
            "01000000",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a",
            "29ab5f49",
            "ffff001d",
            "1dac2b7c",
        ],
        "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    ),
    (
        [
            "01000000",
            "6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000",
            "982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e",
            "61bc6649",
            "ffff001d",
            "01e36299",
        ],
        "00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048",
    ),
    (
        [
            "01000000",
            "4860eb18bf1b1620e37e9490fc8a427514416fd75159ab86688e9a8300000000",
            "d5fdcc541e25de1c7a5addedf24858b8bb665c9f36ef744ee42c316022c90f9b",
            "b0bc6649",
            "ffff001d",
            "08d2bd61",
        ],
        "000000006a625f06636b8bb6ac7b960a8d03705d1ace08b1a19da3fdcc99ddbd",
    ),
];

fn main() {
    let headers = BLOCKS.map(|(fields, _)| {
        <[u8; HEADER_BYTES]>::from_hex(fields.concat()).expect("80 bytes in hexadecimal")
    });

    let hashes = double_hash_many(headers);

    for (height, (hash, (_, expected))) in hashes.iter().zip(BLOCKS).enumerate() {
        assert_eq!(displayed(*hash), expected);
        // Each header contains the hash of the previous one.
        if let Some(next) = headers.get(height + 1) {
            assert_eq!(next[4..36], *hash);
        }
        println!("block {height}: {expected}");
    }
}

/// A hash as Bitcoin displays it: as a number, so the last byte comes first.
fn displayed(mut hash: [u8; 32]) -> String {
    hash.reverse();
    hex::encode(hash)
}
