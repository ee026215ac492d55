//! The functions for messages of any length, and the value that carries a backend.

use alloc::vec::Vec;

use hash_lanes::Rounds;
use hash_lanes::engine::hash_again;

use crate::sha256::Sha256;

hash_lanes::define_lanes! {
    /// SHA-256 on one backend: the functions of this crate as methods, for a backend other than the
    /// default. It implements [`HashMany`](hash_lanes::HashMany).
    ///
    /// ```
    /// use sha256_multi::Sha256Lanes;
    ///
    /// let portable = Sha256Lanes::on("portable".parse().unwrap());
    /// assert_eq!(portable.hash_many(["one", "two"]), sha256_multi::hash_many(["one", "two"]));
    /// ```
    Sha256Lanes: Sha256, [u8; 32]
}

hash_lanes::define_hmac!(Sha256Lanes: Sha256, [u8; 32]);

impl Sha256Lanes {
    /// Returns the digest of the digest of each message, as in Bitcoin.
    #[must_use]
    pub fn double_hash_many(self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 32]> {
        let mut digests = self.hash_many(messages);
        hash_again::<Sha256>(self.backend, &mut digests);
        digests
    }

    /// Hashes the `i`-th message twice, as Bitcoin does, into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn double_hash_many_into(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [[u8; 32]],
    ) {
        self.hash_many_into(messages, digests);
        hash_again::<Sha256>(self.backend, digests);
    }
}

/// SHA-256 of one message.
///
/// ```
/// assert_eq!(sha256_multi::hash(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
#[must_use]
pub fn hash(message: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256Lanes::default().hash(message)
}

/// Returns the digest of each message. The messages may have different lengths, and may be owned or
/// borrowed.
///
/// ```
/// let digests = sha256_multi::hash_many(["one", "two", "three"]);
/// assert_eq!(digests[2], sha256_multi::hash(b"three"));
///
/// // The blocks of one buffer, without a list of slices.
/// let file = vec![0; 10_000];
/// let digests = sha256_multi::hash_many(file.chunks(1024));
/// assert_eq!(digests.len(), 10);
/// ```
#[must_use]
pub fn hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 32]> {
    Sha256Lanes::default().hash_many(messages)
}

/// Returns the digest of each message of an iterator that may fail.
///
/// ```
/// use std::io::{BufRead, Cursor};
///
/// let lines = Cursor::new("one\ntwo\n").lines();
/// assert_eq!(sha256_multi::try_hash_many(lines)?, sha256_multi::hash_many(["one", "two"]));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns the first error. Nothing after it is hashed.
pub fn try_hash_many<T: AsRef<[u8]>, E>(
    messages: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<[u8; 32]>, E> {
    Sha256Lanes::default().try_hash_many(messages)
}

/// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
///
/// ```
/// let mut digests = [[0; 32]; 3];
/// sha256_multi::hash_many_into(["one", "two", "three"], &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn hash_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, digests: &mut [[u8; 32]]) {
    Sha256Lanes::default().hash_many_into(messages, digests);
}

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

/// Returns HMAC-SHA-256 (RFC 2104, FIPS 198-1) of the `i`-th message with the `i`-th key.
///
/// Keys and messages may have any length. If consecutive keys are the same slice, its two blocks
/// are hashed once. [`HmacKey`](crate::HmacKey) keeps one key for later calls. Compare MACs with
/// [`verify_hmac_many`], which takes constant time.
///
/// ```
/// use std::iter::repeat_n;
///
/// let messages = ["one", "two", "three"];
/// let macs = sha256_multi::hmac_many(["key 1", "key 2", "key 3"], messages);
///
/// // One key for all messages.
/// let macs = sha256_multi::hmac_many(repeat_n("key", 3), messages);
/// ```
///
/// # Panics
///
/// Panics if the numbers of keys and messages differ.
#[track_caller]
#[must_use]
pub fn hmac_many(
    keys: impl IntoIterator<Item: AsRef<[u8]>>,
    messages: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Vec<[u8; 32]> {
    Sha256Lanes::default().hmac_many(keys, messages)
}

/// Writes the HMAC of the `i`-th message with the `i`-th key to `macs[i]`; see [`hmac_many`].
///
/// # Panics
///
/// Panics if the numbers of keys, messages and MACs differ.
#[track_caller]
pub fn hmac_many_into(
    keys: impl IntoIterator<Item: AsRef<[u8]>>,
    messages: impl IntoIterator<Item: AsRef<[u8]>>,
    macs: &mut [[u8; 32]],
) {
    Sha256Lanes::default().hmac_many_into(keys, messages, macs);
}

/// Compares the HMAC of the `i`-th message with the `i`-th of `macs`, in constant time; see
/// [`hmac_many`].
///
/// # Errors
///
/// Returns which MACs are wrong. A truncated MAC is wrong.
///
/// # Panics
///
/// Panics if the numbers of keys, messages and MACs differ.
#[track_caller]
pub fn verify_hmac_many(
    keys: impl IntoIterator<Item: AsRef<[u8]>>,
    messages: impl IntoIterator<Item: AsRef<[u8]>>,
    macs: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Result<(), hash_lanes::WrongMacs> {
    Sha256Lanes::default().verify_hmac_many(keys, messages, macs)
}

/// Derives a key of `N` bytes from the `i`-th password and the `i`-th salt with PBKDF2-HMAC-SHA-256
/// (RFC 8018 §5.2). `rounds` is one number for all, or a list with one for each.
///
/// ```
/// let keys: Vec<[u8; 32]> =
///     sha256_multi::pbkdf2_many(["tiger", "letmein"], [[1; 16], [2; 16]], 1000);
///
/// // Old accounts have fewer rounds.
/// let each = sha256_multi::pbkdf2_many(["tiger", "letmein"], [[1; 16], [2; 16]], [1000, 3000]);
/// assert_eq!(keys[0], each[0]);
/// ```
///
/// # Panics
///
/// Panics if the numbers of passwords, salts and listed rounds differ, or if there are zero rounds.
#[track_caller]
#[must_use]
pub fn pbkdf2_many<const N: usize>(
    passwords: impl IntoIterator<Item: AsRef<[u8]>>,
    salts: impl IntoIterator<Item: AsRef<[u8]>>,
    rounds: impl Rounds,
) -> Vec<[u8; N]> {
    Sha256Lanes::default().pbkdf2_many(passwords, salts, rounds)
}

/// Derives `outputs[i]` from the `i`-th password and the `i`-th salt; see [`pbkdf2_many`].
///
/// Outputs may have different lengths. One of more than 32 bytes takes as many lanes as it has
/// digests, for all rounds.
///
/// # Panics
///
/// Panics if the numbers of passwords, salts, outputs and listed rounds differ, if there are zero
/// rounds, or if an output is longer than 32 (2^32 - 1) bytes.
#[track_caller]
pub fn pbkdf2_many_into<D: AsMut<[u8]>>(
    passwords: impl IntoIterator<Item: AsRef<[u8]>>,
    salts: impl IntoIterator<Item: AsRef<[u8]>>,
    rounds: impl Rounds,
    outputs: &mut [D],
) {
    Sha256Lanes::default().pbkdf2_many_into(passwords, salts, rounds, outputs);
}

hash_lanes::impl_digest_many! {
    "sha2" sha2::Sha256 => sha2::digest::Output<Self>, Sha256Lanes;
    "sha2-0_10" sha2_0_10::Sha256 => sha2_0_10::digest::Output<Self>, Sha256Lanes;
}
