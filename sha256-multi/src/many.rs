//! The functions for messages of any length, and the values that carry a backend.

use alloc::vec::Vec;

use hash_lanes::Lanes;

use crate::sha256::{Sha224, Sha256};

/// SHA-256 on one backend: the functions of this crate as methods, for a backend other than the
/// default. It implements [`HashMany`](hash_lanes::HashMany).
///
/// ```
/// use sha256_multi::Sha256Lanes;
///
/// let portable = Sha256Lanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), sha256_multi::hash_many(["one", "two"]));
/// ```
pub type Sha256Lanes = Lanes<Sha256>;

hash_lanes::define_functions!("SHA-256", "sha256_multi", Sha256, Sha256Lanes, 32);
hash_lanes::define_hmac!("SHA-256", "sha256_multi", Sha256, Sha256Lanes, 32);
hash_lanes::define_pbkdf2!("SHA-256", "sha256_multi", Sha256Lanes, 32);

/// Returns the digest of the digest of each message, as in Bitcoin.
#[must_use]
pub fn double_hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 32]> {
    Sha256Lanes::default().double_hash_many(messages)
}

/// Hashes the `i`-th message twice, as Bitcoin does, into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn double_hash_many_into(
    messages: impl IntoIterator<Item: AsRef<[u8]>>,
    digests: &mut [[u8; 32]],
) {
    Sha256Lanes::default().double_hash_many_into(messages, digests);
}

/// SHA-224 on one backend: the functions of [`sha224`] as methods.
pub type Sha224Lanes = Lanes<Sha224>;

/// SHA-224: SHA-256 with another initial hash value, and digests of 28 bytes.
pub mod sha224 {
    use super::{Sha224, Sha224Lanes};

    hash_lanes::define_functions!("SHA-224", "sha256_multi::sha224", Sha224, Sha224Lanes, 28);
    hash_lanes::define_hmac!("SHA-224", "sha256_multi::sha224", Sha224, Sha224Lanes, 28);
}

hash_lanes::impl_digest_many! {
    "sha2" sha2::Sha256 => sha2::digest::Output<Self>, Sha256: Sha256Lanes;
    "sha2" sha2::Sha224 => sha2::digest::Output<Self>, Sha224: Sha224Lanes;
    "sha2-0_10" sha2_0_10::Sha256 => sha2_0_10::digest::Output<Self>, Sha256: Sha256Lanes;
    "sha2-0_10" sha2_0_10::Sha224 => sha2_0_10::digest::Output<Self>, Sha224: Sha224Lanes;
}
