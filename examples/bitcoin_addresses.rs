//! Computes the addresses of Bitcoin public keys, all in one batch per hash: P2PKH, P2SH-P2WPKH and
//! P2WPKH.

use ripemd_multi::hash160_many;

/// The public keys of the secret keys 1, 2 and 3: the first multiples of secp256k1's generator.
const KEYS: [&str; 3] = [
    "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
    "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
];

/// The addresses of the first key. The last one is an example of BIP 173.
const FIRST: [&str; 3] = [
    "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
    "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
];

/// The version bytes of Base58Check addresses of the main network.
const P2PKH: u8 = 0;
const P2SH: u8 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys: Vec<Vec<u8>> = KEYS.iter().map(hex::decode).collect::<Result<_, _>>()?;
    let key_hashes = hash160_many(&keys);
    // BIP 141: the script pushes version 0 and the hash of the key. P2SH hashes the script.
    let scripts = key_hashes.iter().map(|hash| [&[0, 20], hash.as_slice()].concat());
    let script_hashes = hash160_many(scripts);

    for (nth, (key, script)) in key_hashes.iter().zip(&script_hashes).enumerate() {
        let addresses = [
            base58check(P2PKH, key),
            base58check(P2SH, script),
            bech32::segwit::encode_v0(bech32::hrp::BC, key)?,
        ];
        assert!(nth > 0 || addresses == FIRST, "{addresses:?}");
        println!("{}", addresses.join("  "));
    }
    Ok(())
}

fn base58check(version: u8, hash: &[u8; 20]) -> String {
    bs58::encode(hash).with_check_version(version).into_string()
}
