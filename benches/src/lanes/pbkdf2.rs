//! PBKDF2 with HMAC; the messages are passwords.

use std::iter::repeat_n;

use hash_lanes::engine::{Pbkdf2Hash, ShaExtensions};
use hash_lanes::{Backend, Lanes};
use pbkdf2::hmac::EagerHash;
use pbkdf2::pbkdf2_hmac_array;

use super::{
    Backends, Batch, Family, Function, Messages, Operation, Rivals, SHA, each, equal, none, rivals,
    whole,
};
use crate::harness::{Run, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[(
        Set::only_ratios("pbkdf2", "pbkdf2", "sha256-multi"),
        &[(&SHA256_MANY, PASSWORDS), (&SHA1_MANY, PASSWORDS), (&SHA512_MANY, PASSWORDS)],
    )],
    grids: &[],
};

const PASSWORDS: &[Messages] = &[equal(1, 12), equal(8, 12), equal(64, 12)];

/// Rounds for each password.
const ROUNDS: u32 = 1000;

/// The salt of every password.
const SALT: &[u8] = &[7; 16];

static SHA256: Function = function::<::sha2::Sha256, 32>(SHA, rivals!(sha256));

static SHA1: Function = function::<::sha1::Sha1, 20>(SHA, rivals!(sha1));

static SHA512: Function =
    function::<::sha2::Sha512, 64>(ShaExtensions::has_sha512, rivals!(sha512));

static SHA256_MANY: Operation =
    operation::<sha256_multi::engine::Sha256, 32>("pbkdf2_sha256_many", &SHA256);

static SHA1_MANY: Operation = operation::<sha1_multi::engine::Sha1, 20>("pbkdf2_sha1_many", &SHA1);

static SHA512_MANY: Operation =
    operation::<sha512_multi::engine::Sha512, 64>("pbkdf2_sha512_many", &SHA512);

const fn function<D: EagerHash, const N: usize>(
    uses_sha: fn(ShaExtensions) -> bool,
    rivals: Rivals,
) -> Function {
    let crates = &[("pbkdf2", "0.13")];
    Function { digest_bytes: N, uses_sha, crates, hash_batch: one_by_one::<D, N>, rivals }
}

fn one_by_one<'a, D: EagerHash, const N: usize>(batch: &'a Batch<'_>) -> Run<'a> {
    each(batch, |password| pbkdf2_hmac_array::<D, N>(password, SALT, ROUNDS))
}

const fn operation<F: Pbkdf2Hash, const N: usize>(
    name: &'static str,
    function: &'static Function,
) -> Operation {
    Operation { name, function, backends: Backends::Many, ours: many::<F, N>, rivals: none }
}

fn many<'a, F: Pbkdf2Hash, const N: usize>(backend: Backend, batch: &'a Batch<'_>) -> Run<'a> {
    let lanes = Lanes::<F>::on(backend);
    whole(move |keys: &mut [[u8; N]]| {
        let salts = repeat_n(SALT, keys.len());
        lanes.pbkdf2_many_into(&batch.messages, salts, ROUNDS, keys);
    })
}

#[cfg(feature = "rivals")]
mod rivals {
    use std::num::NonZeroU32;

    use aws_lc_rs::pbkdf2 as aws_lc;

    use super::{ROUNDS, SALT};
    use crate::lanes::{Batch, Rival, each};
    use crate::machine::label;

    const NON_ZERO_ROUNDS: NonZeroU32 = NonZeroU32::new(ROUNDS).unwrap();

    fn one_by_one<'a, const N: usize>(
        batch: &'a Batch<'_>,
        algorithm: aws_lc::Algorithm,
    ) -> Vec<Rival<'a>> {
        let derive = move |password: &[u8]| {
            let mut key = [0; N];
            aws_lc::derive(algorithm, NON_ZERO_ROUNDS, SALT, password, &mut key);
            key
        };
        vec![(label("aws-lc-rs", "1"), each(batch, derive))]
    }

    pub(super) fn sha256<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        one_by_one::<32>(batch, aws_lc::PBKDF2_HMAC_SHA256)
    }

    pub(super) fn sha1<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        one_by_one::<20>(batch, aws_lc::PBKDF2_HMAC_SHA1)
    }

    pub(super) fn sha512<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        one_by_one::<64>(batch, aws_lc::PBKDF2_HMAC_SHA512)
    }
}
