//! SHA-1 in lanes against RustCrypto's `sha1`, by every backend of this machine.

mod batch;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_many;
mod hazmat;
mod known;
mod lengths;
mod many_hasher;
mod misuse;
mod ragged;
mod vectors;

use sha1::{Digest, Sha1};

/// Bytes with a period of 251, so that no two blocks are alike; another `seed` gives others.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

fn sha1(message: impl AsRef<[u8]>) -> [u8; 20] {
    Sha1::digest(message).into()
}

/// The bytes that hexadecimal digits stand for.
fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn digest(digits: &str) -> [u8; 20] {
    hex(digits).try_into().unwrap()
}

/// What a digest is before it is written.
const UNWRITTEN: [u8; 20] = [0xee; 20];

/// Compiles only for types that threads may share and hand over.
const fn assert_shared_between_threads<T: Send + Sync>() {}
