//! Describes SHA-1 to the tests for every hash.

use hash_lanes::Backend;
use hash_lanes_testing::{Subject, Way};
use sha1::Digest;
use sha1_multi::{Sha1Lanes, engine};

#[derive(Debug)]
pub(crate) enum Sha1 {}

impl Subject for Sha1 {
    type Digest = [u8; 20];
    type Hash = engine::Sha1;
    type Lanes = Sha1Lanes;

    fn reference(message: &[u8]) -> [u8; 20] {
        sha1::Sha1::digest(message).into()
    }

    fn on(backend: Backend) -> Sha1Lanes {
        Sha1Lanes::on(backend)
    }

    fn ways() -> Vec<Way<[u8; 20]>> {
        vec![Way {
            name: "SHA-1",
            reference: Self::reference,
            hash_many: |backend, messages| Sha1Lanes::on(backend).hash_many(messages),
            hash_many_into: |backend, messages, digests| {
                Sha1Lanes::on(backend).hash_many_into(messages, digests);
            },
            hash: Some(|backend, message| Sha1Lanes::on(backend).hash(message)),
        }]
    }
}
