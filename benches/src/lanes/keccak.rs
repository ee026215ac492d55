//! Keccak-256.

use sha3::Keccak256;
use sha3_multi::engine;

use super::{Family, Function, KIB, LANES_ONLY, Messages, Operation, equal, rivals};
use crate::harness::{LENGTHS, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[(
        Set::new("keccak", "keccak", "sha3-multi"),
        &[
            (
                &KECCAK256_MANY,
                &[
                    equal(1, 32),
                    equal(4, 32),
                    equal(8, 32),
                    equal(1024, 32),
                    equal(4, 64),
                    equal(1024, 64),
                    equal(1024, 136),
                    equal(64, KIB),
                    Messages::Ragged(256),
                ],
            ),
            (&KECCAK256_DIGEST_MANY, &[equal(1024, 32)]),
        ],
    )],
    grids: &[(&KECCAK256_MANY, LENGTHS)],
};

static KECCAK256: Function =
    Function::of::<Keccak256, 32>(LANES_ONLY, &[("sha3", "0.12")], rivals!(keccak256));

static KECCAK256_MANY: Operation =
    Operation::many::<engine::Keccak256, _>("keccak256_many", &KECCAK256, rivals!(keccak256_many));

static KECCAK256_DIGEST_MANY: Operation = Operation::digest_many::<Keccak256, _, _>(
    "keccak256_digest_many",
    &KECCAK256,
    rivals!(keccak256_many),
);

#[cfg(feature = "rivals")]
mod rivals {
    use p3_keccak::Keccak256Hash;
    use p3_symmetric::CryptographicHasher as _;

    use crate::lanes::{Batch, Rival, each, whole};
    use crate::machine::label;

    /// Messages of equal length, in lanes.
    pub(super) fn keccak256_many<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let hash = |digests: &mut [[u8; 32]]| Keccak256Hash.hash_many(batch.bytes, digests);
        if batch.is_equal() { vec![(label("p3-keccak", "0.9"), whole(hash))] } else { Vec::new() }
    }

    pub(super) fn keccak256<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let hash = |message: &[u8]| keccak_asm::Keccak256::digest(message).into();
        vec![(label("keccak-asm", "0.1"), each(batch, hash))]
    }
}
