//! Hashes messages of any length.

use hash_lanes::engine::{self, Hashing, LaneHash, Message};
use hash_lanes::{Backend, HashMany};

use crate::Sha1Lanes;

/// SHA-1 of one message.
///
/// Hashing many messages at once is several times faster with AVX2 or AVX-512; see [`hash_many`].
///
/// ```
/// assert_eq!(sha1_multi::hash(b"abc")[..4], [0xa9, 0x99, 0x3e, 0x36]);
/// ```
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 20] {
    hash_with(Backend::detect(), message)
}

/// [`hash`] with a custom backend.
#[must_use]
pub fn hash_with(backend: Backend, message: &[u8]) -> [u8; 20] {
    Sha1Lanes::digest(&Sha1Lanes::hash_one(backend, Hashing::Single, Message::whole(message)))
}

/// Hashes the `i`-th message into `digests[i]`. The messages may have different lengths.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 20]; 3];
/// sha1_multi::hash_many(&messages, &mut digests);
///
/// // The pieces of one buffer, without a list of slices.
/// let file = vec![0; 100_000];
/// let pieces = file.chunks(16 * 1024);
/// let mut digests = vec![[0; 20]; pieces.len()];
/// sha1_multi::hash_many(pieces, &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_many_with(Backend::detect(), messages, digests);
}

/// [`hash_many`] with a custom backend.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    Sha1Lanes::hash_many_into_with(backend, messages, digests);
}

hash_lanes::define_digest_many! {
    Sha1Lanes => [u8; 20], engine::hash_many_into_with::<Sha1Lanes, _, _, _, _>;
    "sha1" sha1::Sha1 => sha1::digest::Output<Self>,
        engine::hash_many_into_with::<Sha1Lanes, _, _, _, _>;
    "sha1-0_10" sha1_0_10::Sha1 => sha1_0_10::digest::Output<Self>,
        engine::hash_many_into_with::<Sha1Lanes, _, _, _, _>;
}
