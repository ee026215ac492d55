//! Prints the Bitcoin addresses (P2PKH) of public keys: their HASH160, computed in one batch, in
//! Base58 with a checksum.
//!
//! ```text
//! cargo run --release -p ripemd-multi --example p2pkh_addresses -- KEY ...
//! ```
//!
//! A key is hexadecimal, of 33 bytes (compressed) or 65. Without arguments, the program uses two
//! built-in keys.
//!
//! If any key is invalid, no address is printed. Only the format of a key is checked, not whether
//! it is a point on the curve.

use std::env;
use std::process::ExitCode;

use ripemd_multi::hash160_many;

/// The coordinates of secp256k1's generator point (SEC 2 §2.4.1), whose secret key is 1.
const X: &str = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const Y: &str = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

/// Its addresses as a compressed and as an uncompressed key.
const ADDRESSES: [&str; 2] =
    ["1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH", "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm"];

/// The version byte, which makes P2PKH addresses of the main network start with 1.
const VERSION: u8 = 0;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("p2pkh_addresses: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    // Invalid UTF-8 is not hexadecimal either, so parsing reports it.
    let mut keys: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let is_check = keys.is_empty();
    if is_check {
        keys = vec![format!("02{X}"), format!("04{X}{Y}")];
    }
    let named = |(text, number): (&String, u32)| {
        key(text).map_err(|error| format!("argument {number}: {error}"))
    };
    let addresses = addresses(&keys.iter().zip(1..).map(named).collect::<Result<Vec<_>, _>>()?);
    assert!(!is_check || addresses == ADDRESSES);
    addresses.iter().for_each(|address| println!("{address}"));
    Ok(())
}

/// The address of each key.
fn addresses(keys: &[Vec<u8>]) -> Vec<String> {
    let hashes = hash160_many(keys);
    hashes.iter().map(|hash| bs58::encode(hash).with_check_version(VERSION).into_string()).collect()
}

/// Decodes a hexadecimal key.
fn key(text: &str) -> Result<Vec<u8>, String> {
    let key = hex::decode(text).map_err(|error| error.to_string())?;
    match (key.len(), key.first()) {
        (33, Some(2 | 3)) | (65, Some(4)) => Ok(key),
        (33, Some(first)) => Err(format!("a 33-byte key starts with 02 or 03, not {first:02x}")),
        (65, Some(first)) => Err(format!("a 65-byte key starts with 04, not {first:02x}")),
        (bytes, _) => Err(format!("a key has 33 or 65 bytes, not {bytes}")),
    }
}
