//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the SHA-256
//! of each with that of the crate `sha2`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use sha256_multi::{Backend, Sha256Lanes};

#[path = "../hashes.rs"]
mod hashes;

parts_of!(sha256_multi::ManyHasher);

fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

fuzz_target!(|input: hashes::Input| {
    let lanes = Sha256Lanes::on(input.backend(&Backend::available()));
    let messages = input.messages();
    let digests: Vec<_> = messages.iter().map(|message| sha256(message)).collect();
    assert_eq!(lanes.hash_many(&messages), digests);
    let twice: Vec<_> = digests.iter().map(|digest| sha256(digest)).collect();
    assert_eq!(lanes.double_hash_many(&messages), twice);

    let bytes = messages.concat();
    let (nodes, _): (&[[u8; 64]], _) = bytes.as_chunks();
    let mut hashed = vec![[0; 32]; nodes.len()];
    lanes.hash_pairs_into(nodes, &mut hashed);
    assert!(nodes.iter().zip(hashed).all(|(node, digest)| digest == sha256(node)));

    input.check_parts(|count| lanes.many_hasher(count), |message| sha256(message).to_vec());
});
