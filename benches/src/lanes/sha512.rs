//! SHA-512.

use hash_lanes::engine::ShaExtensions;
use sha2::Sha512;
use sha512_multi::engine;

use super::{Family, Function, KIB, Messages, Operation, equal, none, rivals};
use crate::harness::{LENGTHS, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[(
        Set::new("sha512", "sha512", "sha512-multi"),
        &[
            (
                &SHA512_MANY,
                &[
                    equal(1, KIB),
                    equal(4, KIB),
                    equal(64, KIB),
                    equal(64, 64),
                    equal(1024, 32),
                    Messages::Ragged(256),
                ],
            ),
            (&SHA512_DIGEST_MANY, &[equal(1024, 32)]),
        ],
    )],
    grids: &[(&SHA512_MANY, LENGTHS)],
};

static SHA512: Function =
    Function::of::<Sha512, 64>(ShaExtensions::has_sha512, &[("sha2", "0.11")], rivals!(sha512));

static SHA512_MANY: Operation = Operation::many::<engine::Sha512, _>("sha512_many", &SHA512, none);

static SHA512_DIGEST_MANY: Operation =
    Operation::digest_many::<Sha512, _, _>("sha512_digest_many", &SHA512, none);

#[cfg(feature = "rivals")]
mod rivals {
    use aws_lc_rs::digest as aws_lc;
    use sha2_0_10::Digest as _;

    use crate::lanes::{Batch, Rival, array, each};
    use crate::machine::label;

    pub(super) fn sha512<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let bitcoin = |message: &[u8]| bitcoin_hashes::sha512::hash(message).to_byte_array();
        let sha2 = |message: &[u8]| sha2_0_10::Sha512::digest(message).into();
        let aws_lc = |message: &[u8]| array(&aws_lc::digest(&aws_lc::SHA512, message));
        vec![
            (label("bitcoin_hashes", "1.2"), each(batch, bitcoin)),
            (label("sha2", "0.10"), each(batch, sha2)),
            (label("aws-lc-rs", "1"), each::<64>(batch, aws_lc)),
        ]
    }
}
