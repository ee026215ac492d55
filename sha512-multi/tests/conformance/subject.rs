//! Describes SHA-512 to the tests for every hash.

use hash_lanes::Backend;
use hash_lanes_testing::{Subject, Way};
use sha2::Digest;
use sha512_multi::{Sha512Lanes, engine};

#[derive(Debug)]
pub(crate) enum Sha512 {}

impl Subject for Sha512 {
    type Digest = [u8; 64];
    type Hash = engine::Sha512;
    type Lanes = Sha512Lanes;

    fn reference(message: &[u8]) -> [u8; 64] {
        sha2::Sha512::digest(message).into()
    }

    fn on(backend: Backend) -> Sha512Lanes {
        Sha512Lanes::on(backend)
    }

    fn ways() -> Vec<Way<[u8; 64]>> {
        vec![Way {
            name: "SHA-512",
            reference: Self::reference,
            hash_many: |backend, messages| Sha512Lanes::on(backend).hash_many(messages),
            hash_many_into: |backend, messages, digests| {
                Sha512Lanes::on(backend).hash_many_into(messages, digests);
            },
            hash: Some(|backend, message| Sha512Lanes::on(backend).hash(message)),
        }]
    }
}
