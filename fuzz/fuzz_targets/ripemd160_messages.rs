//! Compares every backend with RustCrypto's `ripemd` and `sha2`: messages of any length at once and
//! in parts, 32-byte digests, and HASH160.
#![no_main]

use hash_lanes_testing::Batch;
use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use ripemd::{Digest, Ripemd160};
use ripemd_multi::{Backend, ManyHasher, hash_many_with, hash160_many_with, hash160_with};
use sha2::Sha256;

#[path = "../../ripemd-multi/tests/conformance/subject.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod subject;

const UNWRITTEN: [u8; 20] = [0xee; 20];

fn ripemd160(message: impl AsRef<[u8]>) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fn hash160(message: impl AsRef<[u8]>) -> [u8; 20] {
    ripemd160(Sha256::digest(message))
}

/// Asserts the HASH160 of public keys of one length, which have dedicated kernels.
fn assert_keys_hashed<const N: usize>(backend: Backend, keys: &[[u8; N]]) {
    let mut hashes = vec![UNWRITTEN; keys.len()];
    hash160_many_with(backend, keys, &mut hashes);
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
        input.assert_hashed_in_parts(ManyHasher::with_backend(backend, messages.len()), |part| {
            ripemd160(part)
        });

        let mut digests = vec![UNWRITTEN; inner.len()];
        hash_many_with(backend, inner, &mut digests);
        assert_eq!(digests, outer, "digests, {backend}");

        assert_keys_hashed::<33>(backend, input.blocks());
        assert_keys_hashed::<65>(backend, input.blocks());
        for message in &messages {
            assert_eq!(hash160_with(backend, message), hash160(message), "HASH160, {backend}");
        }
    }
    Batch::<subject::Ripemd160, _>::new(messages).assert_hashed();
});
