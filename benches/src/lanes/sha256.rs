//! SHA-256: nodes, messages, and both hashed twice.

use sha2::{Digest as _, Sha256};
use sha256_multi::{Sha256Lanes, engine};

use super::{
    Backends, Family, Function, KIB, MIB, Messages, Operation, SHA, each, equal, rivals, twice,
    up_to_64, whole,
};
use crate::harness::{LENGTHS, Set};

pub(super) static FAMILY: Family = Family {
    sets: &[
        (
            Set::new("pairs", "sha256", "sha256-multi"),
            &[(&HASH_PAIRS, &[equal(8, 64), equal(16, 64), equal(64, 64), equal(4096, 64)])],
        ),
        (Set::only_ratios("small", "sha256", "sha256-multi"), &[(&HASH_PAIRS, &up_to_64(64))]),
        (
            Set::new("double", "sha256", "sha256-multi"),
            &[
                (&DOUBLE_HASH_PAIRS, &[equal(1, 64), equal(8, 64), equal(64, 64), equal(1024, 64)]),
                (&DOUBLE_HASH_MANY, &[equal(1000, 80), equal(2048, 21)]),
            ],
        ),
        (
            Set::new("long", "sha256", "sha256-multi"),
            &[
                (
                    &HASH_MANY,
                    &[
                        equal(1000, 32),
                        equal(64, KIB),
                        equal(16, 16 * KIB),
                        equal(16, MIB),
                        equal(1, MIB),
                        Messages::Ragged(256),
                    ],
                ),
                (&DIGEST_MANY, &[equal(1000, 32)]),
            ],
        ),
    ],
    grids: &[
        (&HASH_PAIRS, &[64]),
        (&DOUBLE_HASH_PAIRS, &[64]),
        (&HASH_MANY, LENGTHS),
        (&DOUBLE_HASH_MANY, LENGTHS),
    ],
};

static ONCE: Function = Function::of::<Sha256, 32>(SHA, &[("sha2", "0.11")], rivals!(once));

/// SHA-256 of the SHA-256.
static TWICE: Function = Function {
    digest_bytes: 32,
    uses_sha: SHA,
    crates: &[("sha2", "0.11")],
    hash_batch: |batch| each(batch, twice(|message| Sha256::digest(message).into())),
    rivals: rivals!(hashed_twice),
};

static HASH_PAIRS: Operation = Operation {
    name: "hash_pairs",
    function: &ONCE,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.hash_pairs_into(batch.nodes(), digests))
    },
    rivals: rivals!(hash_pairs),
};

static HASH_MANY: Operation =
    Operation::many::<engine::Sha256, _>("hash_many", &ONCE, rivals!(hash_many));

static DIGEST_MANY: Operation =
    Operation::digest_many::<Sha256, _, _>("digest_many", &ONCE, rivals!(hash_many));

/// As in Bitcoin's transaction tree.
static DOUBLE_HASH_PAIRS: Operation = Operation {
    name: "double_hash_pairs",
    function: &TWICE,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.double_hash_pairs_into(batch.nodes(), digests))
    },
    rivals: rivals!(double_hash_pairs),
};

/// As for Bitcoin's block headers.
static DOUBLE_HASH_MANY: Operation = Operation {
    name: "double_hash_many",
    function: &TWICE,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.double_hash_many_into(&batch.messages, digests))
    },
    rivals: rivals!(double_hash_many),
};

#[cfg(feature = "rivals")]
mod rivals {
    use aws_lc_rs::digest as aws_lc;
    use bitcoin_hashes::{sha256 as bitcoin, sha256d as bitcoin_twice};
    use commonware_cryptography::{Hasher as _, Sha256 as Commonware};
    use commonware_parallel::Sequential;
    use p3_symmetric::CryptographicHasher as _;
    use sha2_0_10::Digest as _;

    use crate::lanes::{Batch, Rival, array, each, twice, whole};
    use crate::machine::label;

    pub(super) fn once<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        vec![
            (bitcoin_label(), each(batch, |message| bitcoin::hash(message).to_byte_array())),
            (label("sha2", "0.10"), each(batch, sha2_0_10)),
            (label("aws-lc-rs", "1"), each(batch, aws_lc)),
        ]
    }

    pub(super) fn hashed_twice<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        vec![
            // bitcoin_hashes has a type for double hashes, which does not copy the inner digest.
            (bitcoin_label(), each(batch, |message| bitcoin_twice::hash(message).to_byte_array())),
            (label("sha2", "0.10"), each(batch, twice(sha2_0_10))),
            (label("aws-lc-rs", "1"), each(batch, twice(aws_lc))),
        ]
    }

    pub(super) fn hash_pairs<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let commonware = commonware_label();
        vec![
            (label("hashtree-rs", "0.2"), whole(|digests| hashtree_pairs(batch, digests))),
            (p3_label(), whole(|digests| p3(batch, digests))),
            (format!("{commonware}:hash_pair"), whole(|digests| commonware_pairs(batch, digests))),
            (commonware, whole(|digests| commonware_many(batch, digests))),
            (tape_label(), whole(|digests| tape(batch, digests))),
        ]
    }

    pub(super) fn hash_many<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let mut all: Vec<Rival<'a>> = vec![
            (commonware_label(), whole(|digests| commonware_many(batch, digests))),
            (tape_label(), whole(|digests| tape(batch, digests))),
        ];
        if batch.is_equal() {
            all.insert(0, (p3_label(), whole(|digests| p3(batch, digests))));
        }
        all
    }

    pub(super) fn double_hash_pairs<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let hash_64_many: Rival<'a> = (
            bitcoin_label() + ":hash_64_many",
            whole(|digests| bitcoin_twice::Hash::hash_64_many(digests, batch.nodes())),
        );
        [vec![hash_64_many], double_hash_many(batch)].into_iter().flatten().collect()
    }

    /// Not one call of that crate, but the fastest double hash that a user can build from it.
    pub(super) fn double_hash_many<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let mut inner = Vec::new();
        let run = whole(move |digests: &mut [[u8; 32]]| {
            inner.resize(digests.len(), [0; 32]);
            p3(batch, &mut inner);
            p3_sha256::Sha256.hash_many(inner.as_flattened(), digests);
        });
        vec![(p3_label() + ":twice", run)]
    }

    fn bitcoin_label() -> String {
        label("bitcoin_hashes", "1.2")
    }

    fn commonware_label() -> String {
        label("commonware-cryptography", "2026.10")
    }

    fn p3_label() -> String {
        label("p3-sha256", "0.9")
    }

    fn tape_label() -> String {
        label("tape-sha256", "0.2")
    }

    fn sha2_0_10(message: &[u8]) -> [u8; 32] {
        sha2_0_10::Sha256::digest(message).into()
    }

    fn aws_lc(message: &[u8]) -> [u8; 32] {
        array(&aws_lc::digest(&aws_lc::SHA256, message))
    }

    fn hashtree_pairs(batch: &Batch<'_>, digests: &mut [[u8; 32]]) {
        let count = batch.nodes().len();
        // hashtree checks the length of neither slice.
        assert_eq!(digests.len(), count);
        hashtree_rs::hash(digests.as_flattened_mut(), batch.bytes, count);
    }

    fn p3(batch: &Batch<'_>, digests: &mut [[u8; 32]]) {
        p3_sha256::Sha256.hash_many(batch.bytes, digests);
    }

    fn commonware_many(batch: &Batch<'_>, digests: &mut [[u8; 32]]) {
        let hashed = Commonware::hash_many(&batch.messages, &Sequential);
        for (digest, hashed) in digests.iter_mut().zip(hashed) {
            *digest = hashed.0;
        }
    }

    fn commonware_pairs(batch: &Batch<'_>, digests: &mut [[u8; 32]]) {
        let (twos, rest) = batch.nodes().as_chunks::<2>();
        let (two_digests, rest_digests) = digests.as_chunks_mut::<2>();
        for ([left, right], digests) in twos.iter().zip(two_digests) {
            // The two-message kernel runs only if each node is given as two children of 32 bytes.
            let ((l0, l1), (r0, r1)) = (left.split_at(32), right.split_at(32));
            let (left, right) = Commonware::hash_pair(&[l0, l1], &[r0, r1], &Sequential);
            *digests = [left.0, right.0];
        }
        for (node, digest) in rest.iter().zip(rest_digests) {
            let (left, right) = node.split_at(32);
            *digest = Commonware::hash(&[left, right]).0;
        }
    }

    fn tape(batch: &Batch<'_>, digests: &mut [[u8; 32]]) {
        tape_sha256::hash_many(&batch.messages, digests);
    }
}
