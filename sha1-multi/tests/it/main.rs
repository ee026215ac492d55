//! SHA-1 in lanes against RustCrypto's `sha1`, by every backend of this machine.

mod batch;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_many;
mod hazmat;
mod known;
mod lengths;
#[path = "../../../hash-lanes/tests/hashes/many_hasher.rs"]
mod many_hasher;
mod misuse;
#[path = "../../../hash-lanes/tests/hashes/misuse.rs"]
mod misuse_of_any_hash;
#[path = "../../../hash-lanes/tests/hashes/ragged.rs"]
mod ragged;
#[path = "../../../hash-lanes/tests/hashes/support.rs"]
mod support;
mod vectors;

use sha1::{Digest, Sha1};
use support::{assert_shared_between_threads, hex, painted};

// So the tests that are the same for every hash call what they test, and its oracle.
use self::sha1 as reference;
use sha1_multi as subject;

fn sha1(message: impl AsRef<[u8]>) -> [u8; 20] {
    Sha1::digest(message).into()
}

fn digest(digits: &str) -> [u8; 20] {
    hex(digits).try_into().unwrap()
}

/// What a digest is before it is written.
const UNWRITTEN: [u8; 20] = [0xee; 20];
