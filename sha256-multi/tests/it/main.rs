//! Tests SHA-256 against RustCrypto's `sha2`, with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod chains;
mod hazmat;
mod known;
mod midstate;
mod pairs;

use sha2::{Digest, Sha256};

fn sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(message).into()
}

fn double_sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    sha256(sha256(message))
}

fn digest(digits: &str) -> [u8; 32] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// The value of a digest before it is written.
const UNWRITTEN: [u8; 32] = [0xee; 32];

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}
