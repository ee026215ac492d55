//! Wraps each rival crate in a small function that calls it as its users do.

use std::num::NonZeroU32;

use aws_lc_rs::digest as aws_lc;
use bitcoin_hashes::{hash160, ripemd160, sha256, sha256d, sha512 as bitcoin_sha512};
use commonware_cryptography::{Hasher as _, Sha256 as Commonware};
use commonware_parallel::Sequential;
use p3_keccak::Keccak256Hash;
use p3_symmetric::CryptographicHasher as _;
use sha2_0_10::Digest as _;

use crate::harness::Run;
use crate::lanes::{Batch, Messages, PBKDF2_ROUNDS, SALT, each, twice, whole};
use crate::machine::label;

/// A name and what it runs.
pub(crate) type Rival<'a> = (String, Run<'a>);

/// No other crate has lanes for the operation.
pub(crate) fn none<'a>(_: Messages, _: &'a Batch<'_>) -> Vec<Rival<'a>> {
    Vec::new()
}

pub(crate) fn hash_pairs<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let commonware = commonware_label();
    vec![
        (hashtree_label(), whole(|digests| hashtree_pairs(batch, digests))),
        (p3_label(), whole(|digests| p3(batch, digests))),
        (format!("{commonware}:hash_pair"), whole(|digests| commonware_pairs(batch, digests))),
        (commonware, whole(|digests| commonware_many(batch, digests))),
        (tape_label(), whole(|digests| tape(batch, digests))),
    ]
}

pub(crate) fn hash_many<'a>(messages: Messages, batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let mut all: Vec<Rival<'a>> = vec![
        (commonware_label(), whole(|digests| commonware_many(batch, digests))),
        (tape_label(), whole(|digests| tape(batch, digests))),
    ];
    if matches!(messages, Messages::Equal { .. }) {
        all.insert(0, (p3_label(), whole(|digests| p3(batch, digests))));
    }
    all
}

pub(crate) fn double_hash_pairs<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (
            bitcoin_label() + ":hash_64_many",
            whole(|digests| sha256d::Hash::hash_64_many(digests, batch.nodes())),
        ),
        p3_twice(batch),
    ]
}

pub(crate) fn sha1<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (label("sha1", "0.10"), each(batch, sha1_0_10)),
        (aws_lc_label(), each(batch, aws_lc_sha1)),
    ]
}

pub(crate) fn sha1_checked<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let sha1dc = |message: &[u8]| match sha1dc::digest(message) {
        Ok(digest) => digest.to_bytes(),
        Err(collision) => collision.digest().to_bytes(),
    };
    vec![(label("sha1dc", "0.1"), each(batch, sha1dc))]
}

pub(crate) fn sha256<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (bitcoin_label(), each(batch, |message| sha256::hash(message).to_byte_array())),
        (sha2_label(), each(batch, sha2_0_10)),
        (aws_lc_label(), each(batch, aws_lc_sha256)),
    ]
}

pub(crate) fn sha256_double<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        // bitcoin_hashes has a type for double hashes, which does not copy the inner digest.
        (bitcoin_label(), each(batch, |message| sha256d::hash(message).to_byte_array())),
        (sha2_label(), each(batch, twice(sha2_0_10))),
        (aws_lc_label(), each(batch, twice(aws_lc_sha256))),
    ]
}

pub(crate) fn ripemd160<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (bitcoin_label(), each(batch, |message| ripemd160::hash(message).to_byte_array())),
        (ripemd_label(), each(batch, ripemd_0_1)),
    ]
}

pub(crate) fn hash160<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (bitcoin_label(), each(batch, |message| hash160::hash(message).to_byte_array())),
        (
            format!("{}+{}", sha2_label(), ripemd_label()),
            each(batch, |message| ripemd_0_1(&sha2_0_10(message))),
        ),
    ]
}

pub(crate) fn pbkdf2_sha256<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let pbkdf2 = |word: &[u8]| aws_lc_pbkdf2::<32>(aws_lc_rs::pbkdf2::PBKDF2_HMAC_SHA256, word);
    vec![(aws_lc_label(), each(batch, pbkdf2))]
}

pub(crate) fn pbkdf2_sha1<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let pbkdf2 = |word: &[u8]| aws_lc_pbkdf2::<20>(aws_lc_rs::pbkdf2::PBKDF2_HMAC_SHA1, word);
    vec![(aws_lc_label(), each(batch, pbkdf2))]
}

pub(crate) fn pbkdf2_sha512<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let pbkdf2 = |word: &[u8]| aws_lc_pbkdf2::<64>(aws_lc_rs::pbkdf2::PBKDF2_HMAC_SHA512, word);
    vec![(aws_lc_label(), each(batch, pbkdf2))]
}

/// Messages of equal length, in lanes.
pub(crate) fn keccak256_many<'a>(messages: Messages, batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    let hash = |digests: &mut [[u8; 32]]| Keccak256Hash.hash_many(batch.bytes, digests);
    match messages {
        Messages::Equal { .. } => vec![(label("p3-keccak", "0.9"), whole(hash))],
        Messages::Ragged(_) => Vec::new(),
    }
}

pub(crate) fn keccak256<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![(label("keccak-asm", "0.1"), each(batch, keccak_asm))]
}

pub(crate) fn sha512<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
    vec![
        (bitcoin_label(), each(batch, |message| bitcoin_sha512::hash(message).to_byte_array())),
        (sha2_label(), each(batch, |message| sha2_0_10::Sha512::digest(message).into())),
        (aws_lc_label(), each(batch, aws_lc_sha512)),
    ]
}

/// Messages in lanes.
macro_rules! blake2_many {
    ($name:ident, $krate:ident) => {
        pub(crate) fn $name<'a>(_: Messages, batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
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

blake2_many!(blake2s_many, blake2s_simd);
blake2_many!(blake2b_many, blake2b_simd);

fn aws_lc_label() -> String {
    label("aws-lc-rs", "1")
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

fn ripemd_label() -> String {
    label("ripemd", "0.1")
}

fn sha2_label() -> String {
    label("sha2", "0.10")
}

fn tape_label() -> String {
    label("tape-sha256", "0.2")
}

fn keccak_asm(message: &[u8]) -> [u8; 32] {
    keccak_asm::Digest::finalize(keccak_asm::Digest::chain_update(
        keccak_asm::Keccak256::default(),
        message,
    ))
    .into()
}

fn sha1_0_10(message: &[u8]) -> [u8; 20] {
    sha1_0_10::Sha1::digest(message).into()
}

fn sha2_0_10(message: &[u8]) -> [u8; 32] {
    sha2_0_10::Sha256::digest(message).into()
}

fn ripemd_0_1(message: &[u8]) -> [u8; 20] {
    ripemd_0_1::Ripemd160::digest(message).into()
}

fn aws_lc_sha1(message: &[u8]) -> [u8; 20] {
    array(&aws_lc::digest(&aws_lc::SHA1_FOR_LEGACY_USE_ONLY, message))
}

fn aws_lc_sha256(message: &[u8]) -> [u8; 32] {
    array(&aws_lc::digest(&aws_lc::SHA256, message))
}

fn aws_lc_sha512(message: &[u8]) -> [u8; 64] {
    array(&aws_lc::digest(&aws_lc::SHA512, message))
}

const ROUNDS: NonZeroU32 = NonZeroU32::new(PBKDF2_ROUNDS).unwrap();

fn aws_lc_pbkdf2<const N: usize>(
    algorithm: aws_lc_rs::pbkdf2::Algorithm,
    password: &[u8],
) -> [u8; N] {
    let mut key = [0; N];
    aws_lc_rs::pbkdf2::derive(algorithm, ROUNDS, SALT, password, &mut key);
    key
}

fn array<const N: usize>(digest: &impl AsRef<[u8]>) -> [u8; N] {
    digest.as_ref().try_into().expect("the digest has the algorithm's length")
}

pub(crate) fn hashtree_label() -> String {
    label("hashtree-rs", "0.2")
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

/// Not one call of that crate, but the fastest double hash that a user can build from it.
pub(crate) fn p3_twice<'a>(batch: &'a Batch<'_>) -> Rival<'a> {
    let mut inner = Vec::new();
    let run = whole(move |digests: &mut [[u8; 32]]| {
        inner.resize(digests.len(), [0; 32]);
        p3(batch, &mut inner);
        p3_sha256::Sha256.hash_many(inner.as_flattened(), digests);
    });
    (p3_label() + ":twice", run)
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
