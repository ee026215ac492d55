//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the SHA-512,
//! SHA-384, SHA-512/256 and SHA-512/224 of each with those of the crate `sha2`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha512};
use sha512_multi::{Backend, Sha512Lanes};

#[path = "../hashes.rs"]
mod hashes;

parts_of!(sha512_multi::ManyHasher);

/// Defines `check`, which compares the digests of each hash that shares the kernels of SHA-512.
macro_rules! check {
    ($($name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal;)+) => {
        fn check(backend: Backend, messages: &[Vec<u8>]) {$(
            let digests = messages.iter().map(|message| sha2::$Hash::digest(message).into());
            let digests: Vec<[u8; $bytes]> = digests.collect();
            assert_eq!(sha512_multi::$Lanes::on(backend).hash_many(messages), digests);
        )+}
    };
}

sha512_multi::each_truncated!(check);

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let lanes = Sha512Lanes::on(backend);
    let messages = input.messages();
    let digests: Vec<[u8; 64]> = messages.iter().map(|it| Sha512::digest(it).into()).collect();
    assert_eq!(lanes.hash_many(&messages), digests);
    check(backend, &messages);

    input.check_parts(|count| lanes.many_hasher(count), |message| Sha512::digest(message).to_vec());
});
