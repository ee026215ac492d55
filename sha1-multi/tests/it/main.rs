//! Tests SHA-1 with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod hmac;
mod known;
mod many_hasher;
mod misuse;
mod published;
mod vectors;

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
