//! Hashes messages of any lengths, whole, in two parts and in any parts, with any backend, by each
//! function of BLAKE2, and compares the digests with those of the crate `blake2`. Then with a key.
#![no_main]

use blake2::Digest;
use blake2::digest::{KeyInit, Mac};
use blake2_multi::Backend;
use libfuzzer_sys::fuzz_target;

#[path = "../hashes.rs"]
mod hashes;

/// Defines `check`, which compares the digests of each function.
macro_rules! check {
    ($($name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal;)+) => {
        $(parts_of!(blake2_multi::$module::ManyHasher);)+

        fn check(input: &hashes::Input, backend: Backend, messages: &[Vec<u8>]) {
            $(
                let lanes = blake2_multi::$Lanes::on(backend);
                let hash = |message: &[u8]| blake2::$Hash::digest(message);
                let digests: Vec<[u8; $bytes]> =
                    messages.iter().map(|message| hash(message).into()).collect();
                assert_eq!(lanes.hash_many(messages), digests);
                let halves = messages.iter().map(|message| message.split_at(message.len() / 3));
                assert_eq!(lanes.hash_concat_many(halves), digests);
                input.check_parts(|count| lanes.many_hasher(count), |it| hash(it).to_vec());
            )+
        }
    };
}

blake2_multi::each_function!(check);

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let messages = input.messages();
    check(&input, backend, &messages);

    let mac = |message: &[u8]| {
        let mac = blake2::Blake2sMac256::new_from_slice(b"key").unwrap();
        mac.chain_update(message).finalize().into_bytes()
    };
    let params = blake2_multi::blake2s256::Params::new().key(b"key").on(backend);
    let macs: Vec<[u8; 32]> = messages.iter().map(|message| mac(message).into()).collect();
    assert_eq!(params.hash_many(&messages), macs);
    input.check_parts(|count| params.many_hasher(count), |message| mac(message).to_vec());
});
