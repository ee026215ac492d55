//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the SHA-1 of
//! each with that of the crate `sha1`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha1::{Digest, Sha1};
use sha1_multi::{Backend, Sha1Lanes};

#[path = "../hashes.rs"]
mod hashes;

parts_of!(sha1_multi::ManyHasher);

fuzz_target!(|input: hashes::Input| {
    let lanes = Sha1Lanes::on(input.backend(&Backend::available()));
    let messages = input.messages();
    let digests: Vec<[u8; 20]> = messages.iter().map(|it| Sha1::digest(it).into()).collect();
    assert_eq!(lanes.hash_many(&messages), digests);

    input.check_parts(|count| lanes.many_hasher(count), |message| Sha1::digest(message).to_vec());
});
