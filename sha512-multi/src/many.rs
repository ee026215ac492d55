//! The functions for messages of any length, and the value that carries a backend.

use alloc::vec::Vec;

use hash_lanes::Rounds;

use crate::sha512::{Sha384, Sha512, Sha512_256};

hash_lanes::define_lanes! {
    /// SHA-512 on one backend: the functions of this crate as methods, for a backend other than the
    /// default. It implements [`HashMany`](hash_lanes::HashMany).
    ///
    /// ```
    /// use sha512_multi::Sha512Lanes;
    ///
    /// let portable = Sha512Lanes::on("portable".parse().unwrap());
    /// assert_eq!(portable.hash_many(["one", "two"]), sha512_multi::hash_many(["one", "two"]));
    /// ```
    Sha512Lanes: Sha512, [u8; 64]
}

hash_lanes::define_hmac!(Sha512Lanes: Sha512, [u8; 64]);

hash_lanes::define_lanes! {
    /// SHA-384 on one backend: SHA-512 with another initial hash value, and digests of 48 bytes.
    ///
    /// ```
    /// use sha512_multi::Sha384Lanes;
    ///
    /// let digests = Sha384Lanes::default().hash_many(["abc", "abcd"]);
    /// assert_eq!(digests[0][..4], [0xcb, 0x00, 0x75, 0x3f]);
    /// ```
    Sha384Lanes: Sha384, [u8; 48]
}

hash_lanes::define_hmac!(Sha384Lanes: Sha384, [u8; 48], without PBKDF2);

hash_lanes::define_lanes! {
    /// SHA-512/256 on one backend: SHA-512 with another initial hash value, and digests of 32
    /// bytes.
    ///
    /// ```
    /// use sha512_multi::Sha512_256Lanes;
    ///
    /// let digests = Sha512_256Lanes::default().hash_many(["abc", "abcd"]);
    /// assert_eq!(digests[0][..4], [0x53, 0x04, 0x8e, 0x26]);
    /// ```
    Sha512_256Lanes: Sha512_256, [u8; 32]
}

hash_lanes::define_hmac!(Sha512_256Lanes: Sha512_256, [u8; 32], without PBKDF2);

/// SHA-512 of one message.
///
/// Hashing many messages at once is several times faster with AVX2 or AVX-512; see [`hash_many`].
///
/// ```
/// assert_eq!(sha512_multi::hash(b"abc")[..4], [0xdd, 0xaf, 0x35, 0xa1]);
/// ```
#[must_use]
pub fn hash(message: impl AsRef<[u8]>) -> [u8; 64] {
    Sha512Lanes::default().hash(message)
}

/// Returns the digest of each message. The messages may have different lengths, and may be owned or
/// borrowed.
///
/// ```
/// let digests = sha512_multi::hash_many(["one", "two", "three"]);
/// assert_eq!(digests[2], sha512_multi::hash(b"three"));
///
/// // The blocks of one buffer, without a list of slices.
/// let file = vec![0; 10_000];
/// let digests = sha512_multi::hash_many(file.chunks(1024));
/// assert_eq!(digests.len(), 10);
/// ```
#[must_use]
pub fn hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 64]> {
    Sha512Lanes::default().hash_many(messages)
}

/// Returns the digest of each message of an iterator that may fail.
///
/// ```
/// use std::io::{BufRead, Cursor};
///
/// let lines = Cursor::new("one\ntwo\n").lines();
/// assert_eq!(sha512_multi::try_hash_many(lines)?, sha512_multi::hash_many(["one", "two"]));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns the first error. Nothing after it is hashed.
pub fn try_hash_many<T: AsRef<[u8]>, E>(
    messages: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<[u8; 64]>, E> {
    Sha512Lanes::default().try_hash_many(messages)
}

/// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
///
/// ```
/// let mut digests = [[0; 64]; 3];
/// sha512_multi::hash_many_into(["one", "two", "three"], &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn hash_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, digests: &mut [[u8; 64]]) {
    Sha512Lanes::default().hash_many_into(messages, digests);
}

/// Returns HMAC-SHA-512 (RFC 2104, FIPS 198-1) of the `i`-th message with the `i`-th key.
///
/// Keys and messages may have any length. If consecutive keys are the same slice, its two blocks
/// are hashed once. [`HmacKey`](crate::HmacKey) keeps one key for later calls. Compare MACs with
/// [`verify_hmac_many`], which takes constant time.
///
/// ```
/// use std::iter::repeat_n;
///
/// let messages = ["one", "two", "three"];
/// let macs = sha512_multi::hmac_many(["key 1", "key 2", "key 3"], messages);
///
/// // One key for all messages.
/// let macs = sha512_multi::hmac_many(repeat_n("key", 3), messages);
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
) -> Vec<[u8; 64]> {
    Sha512Lanes::default().hmac_many(keys, messages)
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
    macs: &mut [[u8; 64]],
) {
    Sha512Lanes::default().hmac_many_into(keys, messages, macs);
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
    Sha512Lanes::default().verify_hmac_many(keys, messages, macs)
}

/// Derives a key of `N` bytes from the `i`-th password and the `i`-th salt with PBKDF2-HMAC-SHA-512
/// (RFC 8018 §5.2). `rounds` is one number for all, or a list with one for each.
///
/// ```
/// let keys: Vec<[u8; 32]> =
///     sha512_multi::pbkdf2_many(["tiger", "letmein"], [[1; 16], [2; 16]], 1000);
///
/// // The seed of a BIP 39 mnemonic: 2048 rounds, and a salt of "mnemonic" and the passphrase.
/// let mnemonic = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
///                 abandon about";
/// let seeds = sha512_multi::pbkdf2_many::<64>([mnemonic], ["mnemonicTREZOR"], 2048);
/// assert_eq!(seeds[0][..4], [0xc5, 0x52, 0x57, 0xc3]);
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
    Sha512Lanes::default().pbkdf2_many(passwords, salts, rounds)
}

/// Derives `outputs[i]` from the `i`-th password and the `i`-th salt; see [`pbkdf2_many`].
///
/// Outputs may have different lengths. One of more than 64 bytes takes as many lanes as it has
/// digests, for all rounds.
///
/// # Panics
///
/// Panics if the numbers of passwords, salts, outputs and listed rounds differ, if there are zero
/// rounds, or if an output is longer than 64 (2^32 - 1) bytes.
#[track_caller]
pub fn pbkdf2_many_into<D: AsMut<[u8]>>(
    passwords: impl IntoIterator<Item: AsRef<[u8]>>,
    salts: impl IntoIterator<Item: AsRef<[u8]>>,
    rounds: impl Rounds,
    outputs: &mut [D],
) {
    Sha512Lanes::default().pbkdf2_many_into(passwords, salts, rounds, outputs);
}

hash_lanes::impl_digest_many! {
    "sha2" sha2::Sha512 => sha2::digest::Output<Self>, Sha512Lanes;
    "sha2" sha2::Sha384 => sha2::digest::Output<Self>, Sha384Lanes;
    "sha2" sha2::Sha512_256 => sha2::digest::Output<Self>, Sha512_256Lanes;
    "sha2-0_10" sha2_0_10::Sha512 => sha2_0_10::digest::Output<Self>, Sha512Lanes;
    "sha2-0_10" sha2_0_10::Sha384 => sha2_0_10::digest::Output<Self>, Sha384Lanes;
    "sha2-0_10" sha2_0_10::Sha512_256 => sha2_0_10::digest::Output<Self>, Sha512_256Lanes;
}
