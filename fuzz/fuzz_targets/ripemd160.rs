//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the
//! RIPEMD-160 of each with that of the crate `ripemd`, and HASH160 with that of `sha2`, too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ripemd::{Digest, Ripemd160};
use ripemd_multi::{Backend, Hash160Lanes, Ripemd160Lanes};
use sha2::Sha256;

#[path = "../hashes.rs"]
mod hashes;

parts_of!(ripemd_multi::ManyHasher);
parts_of!(ripemd_multi::hash160::ManyHasher);

fn ripemd160(message: &[u8]) -> [u8; 20] {
    Ripemd160::digest(message).into()
}

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let lanes = Ripemd160Lanes::on(backend);
    let messages = input.messages();
    let digests: Vec<_> = messages.iter().map(|message| ripemd160(message)).collect();
    assert_eq!(lanes.hash_many(&messages), digests);
    let hash160 = |message: &[u8]| ripemd160(&Sha256::digest(message));
    let hashes: Vec<_> = messages.iter().map(|message| hash160(message)).collect();
    assert_eq!(Hash160Lanes::on(backend).hash_many(&messages), hashes);

    input.check_parts(|count| lanes.many_hasher(count), |message| ripemd160(message).to_vec());
    input.check_parts(
        |count| Hash160Lanes::on(backend).many_hasher(count),
        |message| hash160(message).to_vec(),
    );
});
