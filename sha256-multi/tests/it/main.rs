//! SHA-256 in lanes against RustCrypto's `sha2`, by every backend of this machine.

mod batch;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_many;
mod hazmat;
mod known;
mod lengths;
#[path = "../../../hash-lanes/tests/hashes/many_hasher.rs"]
mod many_hasher;
mod midstate;
mod misuse;
#[path = "../../../hash-lanes/tests/hashes/misuse.rs"]
mod misuse_of_any_hash;
mod pairs;
#[path = "../../../hash-lanes/tests/hashes/ragged.rs"]
mod ragged;
#[path = "../../../hash-lanes/tests/hashes/support.rs"]
mod support;
mod vectors;

use sha2::{Digest, Sha256};
use support::{assert_shared_between_threads, hex, painted};

// So the tests that are the same for every hash call what they test, and its oracle.
use self::sha256 as reference;
use sha256_multi as subject;

fn sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(message).into()
}

fn double_sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    sha256(sha256(message))
}

fn digest(digits: &str) -> [u8; 32] {
    hex(digits).try_into().unwrap()
}

/// What a digest is before it is written.
const UNWRITTEN: [u8; 32] = [0xee; 32];
