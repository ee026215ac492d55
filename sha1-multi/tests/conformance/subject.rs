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

/// SHA-1 with collision detection.
#[cfg(feature = "collision-detection")]
#[derive(Debug)]
pub(crate) enum Checked {}

#[cfg(feature = "collision-detection")]
impl Subject for Checked {
    type Digest = sha1_multi::checked::Checked;
    type Hash = engine::CheckedSha1;
    type Lanes = sha1_multi::checked::CheckedLanes;

    fn reference(message: &[u8]) -> Self::Digest {
        checked_reference(message)
    }

    fn on(backend: Backend) -> Self::Lanes {
        Self::Lanes::on(backend)
    }

    fn ways() -> Vec<Way<Self::Digest>> {
        use sha1_multi::checked::SafeLanes;

        vec![
            Way {
                name: "SHA-1 with collision detection",
                reference: Self::reference,
                hash_many: |backend, messages| Self::on(backend).hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    Self::on(backend).hash_many_into(messages, digests);
                },
                hash: Some(|backend, message| Self::on(backend).hash(message)),
            },
            Way {
                name: "SHA-1 with safe digests",
                reference: |message| {
                    let mut digest = checked_reference(message);
                    // The mark of a message that asks for a safe digest.
                    digest.as_mut()[23] = 2;
                    digest
                },
                hash_many: |backend, messages| SafeLanes::on(backend).hash_many(messages),
                hash_many_into: |backend, messages, digests| {
                    SafeLanes::on(backend).hash_many_into(messages, digests);
                },
                hash: Some(|backend, message| SafeLanes::on(backend).hash(message)),
            },
        ]
    }
}

/// What collision detection returns for a message without a collision.
#[cfg(feature = "collision-detection")]
pub(crate) fn checked_reference(message: &[u8]) -> sha1_multi::checked::Checked {
    let mut digest = sha1_multi::checked::Checked::default();
    digest.as_mut()[..20].copy_from_slice(&sha1::Sha1::digest(message));
    digest
}
