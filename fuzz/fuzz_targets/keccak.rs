//! Hashes messages of any lengths, whole, in two parts and in any parts, with any backend, and
//! compares Keccak-256 and SHA3-512 of each with those of the crate `sha3`. The outputs of SHAKE128
//! are read in two ways.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha3::{Digest, Keccak256, Sha3_512};
use sha3_multi::{Backend, Keccak256Lanes, Sha3_512Lanes, XofLanes};

#[path = "../hashes.rs"]
mod hashes;

parts_of!(sha3_multi::sha3_512::ManyHasher);

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let messages = input.messages();
    let (keccak, sha3) = (Keccak256Lanes::on(backend), Sha3_512Lanes::on(backend));
    let digests: Vec<[u8; 32]> = messages.iter().map(|it| Keccak256::digest(it).into()).collect();
    assert_eq!(keccak.hash_many(&messages), digests);
    let halves = messages.iter().map(|message| message.split_at(message.len() / 3));
    assert_eq!(keccak.hash_concat_many(halves), digests);
    let digests: Vec<[u8; 64]> = messages.iter().map(|it| Sha3_512::digest(it).into()).collect();
    assert_eq!(sha3.hash_many(&messages), digests);

    let shake = XofLanes::shake128().with_backend(backend);
    let outputs = shake.xof_many::<400>(&messages);
    let mut readers = shake.readers(&messages);
    let mut parts: Vec<Vec<u8>> = messages.iter().map(|it| vec![0; it.len() % 400]).collect();
    readers.read_into(&mut parts);
    let rests = readers.read::<7>();
    for ((output, part), rest) in outputs.iter().zip(&parts).zip(&rests) {
        assert_eq!(output[..part.len()], part[..]);
        let both = output[part.len()..].iter().zip(rest);
        both.for_each(|(expected, byte)| assert_eq!(expected, byte));
    }

    input
        .check_parts(|count| sha3.many_hasher(count), |message| Sha3_512::digest(message).to_vec());
});
