//! Compares every backend with RustCrypto's `ripemd` and `sha2`: messages of any length at once and
//! in parts, 32-byte digests, and HASH160.
#![no_main]

use hash_lanes_testing::Batch;
use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use ripemd::{Digest, Ripemd160};
use ripemd_multi::{Backend, Ripemd160Lanes};
use sha2::Sha256;

#[path = "../../ripemd-multi/tests/conformance/subject.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod subject;

fn ripemd160(message: impl AsRef<[u8]>) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fn hash160(message: impl AsRef<[u8]>) -> [u8; 20] {
    ripemd160(Sha256::digest(message))
}

/// Asserts the HASH160 of public keys of one length, which have dedicated kernels.
fn assert_keys_hashed<const N: usize>(backend: Backend, keys: &[[u8; N]]) {
    let hashes = Ripemd160Lanes::on(backend).hash160_many(keys);
    assert!(
        hashes.iter().zip(keys).all(|(hash, key)| *hash == hash160(key)),
        "keys of {N} bytes, {backend}"
    );
}

fuzz_target!(|input: Messages<'_>| {
    let messages = input.whole();
    let inner: &[[u8; 32]] = input.blocks();
    let outer: Vec<_> = inner.iter().map(ripemd160).collect();
    for backend in Backend::available() {
        input.assert_hashed_in_parts(
            Ripemd160Lanes::on(backend).many_hasher(messages.len()),
            |part| ripemd160(part),
        );

        let lanes = Ripemd160Lanes::on(backend);
        assert_eq!(lanes.hash_many(inner), outer, "digests, {backend}");

        assert_keys_hashed::<33>(backend, input.blocks());
        assert_keys_hashed::<65>(backend, input.blocks());
        for message in &messages {
            assert_eq!(lanes.hash160(message), hash160(message), "HASH160, {backend}");
        }
    }
    Batch::<subject::Ripemd160, _>::new(messages).assert_hashed();
});
