//! Tests RIPEMD-160 and HASH160 against RustCrypto's `ripemd` and `sha2`, with every backend of
//! this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod digests;
mod hash160;
mod known;
mod stack;
mod vectors;

use ripemd::{Digest, Ripemd160};
use sha2::Sha256;

fn ripemd160(message: impl AsRef<[u8]>) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fn hash160(message: impl AsRef<[u8]>) -> [u8; 20] {
    ripemd160(Sha256::digest(message))
}

/// The P2PKH address of a key with this hash, in Base58Check.
fn p2pkh(hash: &[u8; 20]) -> String {
    bs58::encode(hash).with_check_version(0).into_string()
}

fn digest(digits: &str) -> [u8; 20] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// The initial value of digests that are yet to be written.
const UNWRITTEN: [u8; 20] = [0xee; 20];

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}
