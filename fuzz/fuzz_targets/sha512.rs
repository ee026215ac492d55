//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the SHA-512,
//! SHA-384 and SHA-512/256 of each with those of the crate `sha2`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha384, Sha512, Sha512_256};
use sha512_multi::{Backend, Sha384Lanes, Sha512_256Lanes, Sha512Lanes};

#[path = "../hashes.rs"]
mod hashes;

parts_of!(sha512_multi::ManyHasher);

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let lanes = Sha512Lanes::on(backend);
    let messages = input.messages();
    let digests: Vec<[u8; 64]> = messages.iter().map(|it| Sha512::digest(it).into()).collect();
    assert_eq!(lanes.hash_many(&messages), digests);
    let digests: Vec<[u8; 48]> = messages.iter().map(|it| Sha384::digest(it).into()).collect();
    assert_eq!(Sha384Lanes::on(backend).hash_many(&messages), digests);
    let digests: Vec<[u8; 32]> = messages.iter().map(|it| Sha512_256::digest(it).into()).collect();
    assert_eq!(Sha512_256Lanes::on(backend).hash_many(&messages), digests);

    input.check_parts(|count| lanes.many_hasher(count), |message| Sha512::digest(message).to_vec());
});
