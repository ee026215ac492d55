//! Hashes messages of any lengths, whole and in parts, with any backend, and compares the
//! sumhash512 of each with that of the crate `sumhash`.
#![no_main]

use digest_0_10::Digest as _;
use digest_0_10::core_api::CoreWrapper;
use libfuzzer_sys::fuzz_target;
use sumhash::sumhash512core::AlgorandSumhash512Core;
use sumhash512::digest::Digest as _;
use sumhash512::{Backend, Sumhash512, Sumhash512Lanes};

#[path = "../hashes.rs"]
#[allow(unused_macros, reason = "the other hashes use it")]
mod hashes;

type Other = CoreWrapper<AlgorandSumhash512Core>;

impl hashes::Parts for Vec<Sumhash512> {
    fn update(&mut self, index: usize, part: &[u8]) {
        self[index].update(part);
    }

    fn update_all(&mut self, parts: &[Vec<u8>]) {
        for (hasher, part) in self.iter_mut().zip(parts) {
            hasher.update(part);
        }
    }

    fn finalize_one(&mut self, index: usize) -> Vec<u8> {
        self[index].finalize_reset().to_vec()
    }

    fn finalize(self) -> Vec<Vec<u8>> {
        self.into_iter().map(|hasher| hasher.finalize().to_vec()).collect()
    }
}

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let messages = input.messages();
    let lanes = Sumhash512Lanes::default().on(backend);
    for (message, digest) in messages.iter().zip(lanes.hash_many(&messages)) {
        assert_eq!(digest[..], Other::digest(message)[..]);
    }

    input.check_parts(
        |count| vec![Sumhash512::new().with_backend(backend); count],
        |message| Other::digest(message).to_vec(),
    );
});
