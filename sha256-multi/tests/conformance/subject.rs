//! Describes SHA-256 to the tests for every hash: once, twice and after a prefix.

use std::sync::LazyLock;

use hash_lanes::Backend;
use hash_lanes_testing::{Subject, Way, painted};
use sha2::Digest;
use sha256_multi::{Midstate, Sha256Lanes, engine};

#[derive(Debug)]
pub(crate) enum Sha256 {}

/// The common prefix of the messages that are hashed from a midstate.
static PREFIX: LazyLock<Vec<u8>> = LazyLock::new(|| painted(1000, 192));
static MIDSTATE: LazyLock<Midstate> = LazyLock::new(|| Midstate::new(&PREFIX));

pub(crate) fn double_sha256(message: &[u8]) -> [u8; 32] {
    Sha256::reference(&Sha256::reference(message))
}

impl Subject for Sha256 {
    type Digest = [u8; 32];
    type Hash = engine::Sha256;
    type Lanes = Sha256Lanes;

    fn reference(message: &[u8]) -> [u8; 32] {
        sha2::Sha256::digest(message).into()
    }

    fn on(backend: Backend) -> Sha256Lanes {
        Sha256Lanes::on(backend)
    }

    fn ways() -> Vec<Way<[u8; 32]>> {
        vec![
            Way {
                name: "SHA-256",
                reference: Self::reference,
                hash_many: |backend, messages| Sha256Lanes::on(backend).hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    Sha256Lanes::on(backend).hash_many_into(messages, digests);
                },
                hash: Some(|backend, message| Sha256Lanes::on(backend).hash(message)),
            },
            Way {
                name: "SHA-256 twice",
                reference: double_sha256,
                hash_many: |backend, messages| Sha256Lanes::on(backend).double_hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    Sha256Lanes::on(backend).double_hash_many_into(messages, digests);
                },
                hash: None,
            },
            Way {
                name: "SHA-256 after a prefix",
                reference: |message| Self::reference(&[&PREFIX[..], message].concat()),
                hash_many: |backend, messages| MIDSTATE.hash_many_with(backend, messages),
                hash_many_into: |backend, messages, digests| {
                    MIDSTATE.hash_many_into_with(backend, messages, digests);
                },
                hash: None,
            },
        ]
    }
}
