//! Tests SHA-1 with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod constants;
mod known;
mod misuse;
mod published;
mod vectors;

/// Decodes hexadecimal digits.
fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn digest(digits: &str) -> [u8; 20] {
    hex(digits).try_into().unwrap()
}

/// The initial value of digests that are yet to be written.
const UNWRITTEN: [u8; 20] = [0xee; 20];
