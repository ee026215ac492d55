//! RIPEMD-160 and HASH160 in lanes against RustCrypto's `ripemd` and `sha2`, by every backend of this
//! machine.

mod batch;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_many;
mod digests;
mod hash160;
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

use ripemd::{Digest, Ripemd160};
use sha2::Sha256;
use support::{assert_shared_between_threads, hex, painted};

// So the tests that are the same for every hash call what they test, and its oracle.
use self::ripemd160 as reference;
use ripemd_multi as subject;

fn ripemd160(message: impl AsRef<[u8]>) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fn hash160(message: impl AsRef<[u8]>) -> [u8; 20] {
    ripemd160(Sha256::digest(message))
}

/// The address of those who show the key with this hash, in Base58 with a checksum.
fn p2pkh(hash: &[u8; 20]) -> String {
    bs58::encode(hash).with_check_version(0).into_string()
}

fn digest(digits: &str) -> [u8; 20] {
    hex(digits).try_into().unwrap()
}

/// What a digest is before it is written.
const UNWRITTEN: [u8; 20] = [0xee; 20];
