//! BLAKE2s and BLAKE2b.

use blake2::{Blake2b512, Blake2s256};
use blake2_multi::engine;

use super::{Family, Function, KIB, LANES_ONLY, Messages, Operation, equal, none, rivals};
use crate::harness::{LENGTHS, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[(
        Set::new("blake2", "blake2", "blake2-multi"),
        &[
            (
                &BLAKE2S_MANY,
                &[
                    equal(1, 48),
                    equal(8, 48),
                    equal(16, 48),
                    equal(1024, 48),
                    equal(1024, 64),
                    equal(64, KIB),
                    Messages::Ragged(256),
                ],
            ),
            (&BLAKE2B_MANY, &[equal(1024, 64), equal(64, KIB), Messages::Ragged(256)]),
        ],
    )],
    grids: &[(&BLAKE2S_MANY, LENGTHS), (&BLAKE2B_MANY, LENGTHS)],
};

static BLAKE2S: Function = Function::of::<Blake2s256, 32>(LANES_ONLY, &[("blake2", "0.11")], none);

static BLAKE2B: Function = Function::of::<Blake2b512, 64>(LANES_ONLY, &[("blake2", "0.11")], none);

static BLAKE2S_MANY: Operation =
    Operation::many::<engine::Blake2s256, _>("blake2s_many", &BLAKE2S, rivals!(blake2s_many));

static BLAKE2B_MANY: Operation =
    Operation::many::<engine::Blake2b512, _>("blake2b_many", &BLAKE2B, rivals!(blake2b_many));

#[cfg(feature = "rivals")]
mod rivals {
    use crate::lanes::{Batch, Rival, whole};
    use crate::machine::label;

    /// Messages in lanes.
    macro_rules! many {
        ($name:ident, $krate:ident) => {
            pub(super) fn $name<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
                use $krate::Params;
                use $krate::many::{HashManyJob, hash_many};

                let params = Params::new();
                let run = whole(move |digests| {
                    let job = |message: &&'a [u8]| HashManyJob::new(&params, message);
                    let mut jobs: Vec<_> = batch.messages.iter().map(job).collect();
                    hash_many(&mut jobs);
                    for (digest, job) in digests.iter_mut().zip(&jobs) {
                        *digest = *job.to_hash().as_array();
                    }
                });
                vec![(label(stringify!($krate), "1.0"), run)]
            }
        };
    }

    many!(blake2s_many, blake2s_simd);
    many!(blake2b_many, blake2b_simd);
}
