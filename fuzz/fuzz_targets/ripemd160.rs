//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the
//! RIPEMD-160 of each with that of the crate `ripemd`, and HASH160 with that of `sha2`, too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ripemd::{Digest, Ripemd160};
use ripemd_multi::{Backend, Ripemd160Lanes};
use sha2::Sha256;

#[path = "../hashes.rs"]
mod hashes;

parts_of!(ripemd_multi::ManyHasher);

fn ripemd160(message: &[u8]) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fuzz_target!(|input: hashes::Input| {
    let lanes = Ripemd160Lanes::on(input.backend(&Backend::available()));
    let messages = input.messages();
    let digests: Vec<_> = messages.iter().map(|message| ripemd160(message)).collect();
    assert_eq!(lanes.hash_many(&messages), digests);
    let hashes: Vec<_> = messages.iter().map(|it| ripemd160(&Sha256::digest(it))).collect();
    assert_eq!(lanes.hash160_many(&messages), hashes);

    input.check_parts(|count| lanes.many_hasher(count), |message| ripemd160(message).to_vec());
});
