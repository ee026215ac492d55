//! Tests SHA-1 with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod hmac;
mod known;
mod many_hasher;
mod stack;
mod vectors;

fn digest(digits: &str) -> [u8; 20] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// The initial value of digests that are yet to be written.
const UNWRITTEN: [u8; 20] = [0xee; 20];
