//! Describes RIPEMD-160 and HASH160 to the tests for every hash.

use hash_lanes::Backend;
use hash_lanes_testing::{Subject, Way};
use ripemd::Digest;
use ripemd_multi::{Hash160Lanes, Ripemd160Lanes, engine};

#[derive(Debug)]
pub(crate) enum Ripemd160 {}

fn reference_hash160(message: &[u8]) -> [u8; 20] {
    Ripemd160::reference(&sha2::Sha256::digest(message))
}

impl Subject for Ripemd160 {
    type Digest = [u8; 20];
    type Hash = engine::Ripemd160;
    type Lanes = Ripemd160Lanes;

    fn reference(message: &[u8]) -> [u8; 20] {
        ripemd::Ripemd160::digest(message).into()
    }

    fn on(backend: Backend) -> Ripemd160Lanes {
        Ripemd160Lanes::on(backend)
    }

    fn ways() -> Vec<Way<[u8; 20]>> {
        vec![
            Way {
                name: "RIPEMD-160",
                reference: Self::reference,
                hash_many: |backend, messages| Ripemd160Lanes::on(backend).hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    Ripemd160Lanes::on(backend).hash_many_into(messages, digests);
                },
                hash: Some(|backend, message| Ripemd160Lanes::on(backend).hash(message)),
            },
            Way {
                name: "HASH160",
                reference: reference_hash160,
                hash_many: |backend, messages| Hash160Lanes::on(backend).hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    Hash160Lanes::on(backend).hash_many_into(messages, digests);
                },
                hash: Some(|backend, message| Hash160Lanes::on(backend).hash(message)),
            },
        ]
    }
}
