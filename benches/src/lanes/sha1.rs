//! SHA-1, with and without collision detection.

use sha1_multi::checked::{Checked, CheckedLanes};
use sha1_multi::engine;

use super::{
    Backends, Family, Function, KIB, Messages, Operation, SHA, each, equal, none, rivals, up_to_64,
    whole,
};
use crate::harness::{LENGTHS, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[
        (
            Set::new("sha1-long", "sha1", "sha1-multi"),
            &[(
                &SHA1_MANY,
                &[
                    equal(64, KIB),
                    equal(16, 16 * KIB),
                    // Pieces of a torrent, larger than the caches.
                    equal(256, 256 * KIB),
                    Messages::Ragged(256),
                ],
            )],
        ),
        (
            Set::only_ratios("sha1-small", "sha1", "sha1-multi"),
            &[(&SHA1_MANY, &up_to_64(16 * KIB))],
        ),
        (
            Set::new("sha1-single", "sha1", "sha1-multi"),
            &[(&SHA1_ONE, &[equal(1, 64), equal(1, 16 * KIB)])],
        ),
        (
            Set::only_ratios("sha1-checked", "sha1", "sha1-multi"),
            &[
                (
                    &CHECKED_MANY,
                    &[equal(256, 256), equal(64, KIB), equal(256, 10 * KIB), Messages::Ragged(256)],
                ),
                (&CHECKED_ONE, &[equal(1, 256), equal(1, 16 * KIB)]),
            ],
        ),
    ],
    grids: &[(&SHA1_MANY, LENGTHS)],
};

static SHA1: Function = Function::of::<::sha1::Sha1, 20>(SHA, &[("sha1", "0.11")], rivals!(sha1));

static CHECKED: Function = Function {
    digest_bytes: 20,
    uses_sha: SHA,
    crates: &[("sha1-checked", "0.10")],
    hash_batch: |batch| {
        each(batch, |message| (*sha1_checked_0_10::Sha1::try_digest(message).hash()).into())
    },
    rivals: rivals!(checked),
};

static SHA1_MANY: Operation = Operation::many::<engine::Sha1, _>("sha1_many", &SHA1, none);

static SHA1_ONE: Operation = Operation::one::<engine::Sha1, _>("sha1", &SHA1);

static CHECKED_MANY: Operation = Operation {
    name: "sha1_checked_many",
    function: &CHECKED,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha1 = CheckedLanes::on(backend);
        let mut checked = vec![Checked::default(); batch.messages.len()];
        whole(move |digests: &mut [[u8; 20]]| {
            sha1.hash_many_into(&batch.messages, &mut checked);
            for (digest, checked) in digests.iter_mut().zip(&checked) {
                *digest = checked.any_digest();
            }
        })
    },
    rivals: none,
};

static CHECKED_ONE: Operation = Operation {
    name: "sha1_checked",
    function: &CHECKED,
    backends: Backends::Single,
    ours: |backend, batch| {
        let sha1 = CheckedLanes::on(backend);
        each(batch, move |message| sha1.hash(message).any_digest())
    },
    rivals: none,
};

#[cfg(feature = "rivals")]
mod rivals {
    use aws_lc_rs::digest as aws_lc;
    use sha1_0_10::Digest as _;

    use crate::lanes::{Batch, Rival, array, each};
    use crate::machine::label;

    pub(super) fn sha1<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let sha1 = |message: &[u8]| sha1_0_10::Sha1::digest(message).into();
        let aws_lc =
            |message: &[u8]| array(&aws_lc::digest(&aws_lc::SHA1_FOR_LEGACY_USE_ONLY, message));
        vec![
            (label("sha1", "0.10"), each(batch, sha1)),
            (label("aws-lc-rs", "1"), each::<20>(batch, aws_lc)),
        ]
    }

    pub(super) fn checked<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let sha1dc = |message: &[u8]| match sha1dc::digest(message) {
            Ok(digest) => digest.to_bytes(),
            Err(collision) => collision.digest().to_bytes(),
        };
        vec![(label("sha1dc", "0.1"), each(batch, sha1dc))]
    }
}
