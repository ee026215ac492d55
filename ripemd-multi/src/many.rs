//! The functions for messages of any length, and the value that carries a backend.

use alloc::vec::Vec;

use crate::ripemd160::Ripemd160;

hash_lanes::define_lanes! {
    /// RIPEMD-160 and HASH160 on one backend: the functions of this crate as methods, for a backend
    /// other than the default. It implements [`HashMany`](hash_lanes::HashMany).
    ///
    /// ```
    /// use ripemd_multi::Ripemd160Lanes;
    ///
    /// let portable = Ripemd160Lanes::on("portable".parse().unwrap());
    /// assert_eq!(portable.hash_many(["one", "two"]), ripemd_multi::hash_many(["one", "two"]));
    /// ```
    Ripemd160Lanes: Ripemd160, [u8; 20]
}

/// RIPEMD-160 of one message.
///
/// Hashing many messages at once is several times faster with any lanes; see [`hash_many`].
///
/// ```
/// assert_eq!(ripemd_multi::hash(b"abc")[..4], [0x8e, 0xb2, 0x08, 0xf7]);
/// ```
#[must_use]
pub fn hash(message: impl AsRef<[u8]>) -> [u8; 20] {
    Ripemd160Lanes::default().hash(message)
}

/// Returns the digest of each message. The messages may have different lengths, and may be owned or
/// borrowed.
///
/// ```
/// let digests = ripemd_multi::hash_many(["one", "two", "three"]);
/// assert_eq!(digests[2], ripemd_multi::hash(b"three"));
///
/// // The blocks of one buffer, without a list of slices.
/// let file = vec![0; 10_000];
/// let digests = ripemd_multi::hash_many(file.chunks(1024));
/// assert_eq!(digests.len(), 10);
/// ```
#[must_use]
pub fn hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 20]> {
    Ripemd160Lanes::default().hash_many(messages)
}

/// Returns the digest of each message of an iterator that may fail.
///
/// ```
/// use std::io::{BufRead, Cursor};
///
/// let lines = Cursor::new("one\ntwo\n").lines();
/// assert_eq!(ripemd_multi::try_hash_many(lines)?, ripemd_multi::hash_many(["one", "two"]));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns the first error. Nothing after it is hashed.
pub fn try_hash_many<T: AsRef<[u8]>, E>(
    messages: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<[u8; 20]>, E> {
    Ripemd160Lanes::default().try_hash_many(messages)
}

/// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
///
/// ```
/// let mut digests = [[0; 20]; 3];
/// ripemd_multi::hash_many_into(["one", "two", "three"], &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn hash_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, digests: &mut [[u8; 20]]) {
    Ripemd160Lanes::default().hash_many_into(messages, digests);
}

hash_lanes::impl_digest_many! {
    "ripemd" ripemd::Ripemd160 => ripemd::digest::Output<Self>, Ripemd160Lanes;
    "ripemd-0_1" ripemd_0_1::Ripemd160 => ripemd_0_1::digest::Output<Self>, Ripemd160Lanes;
}
