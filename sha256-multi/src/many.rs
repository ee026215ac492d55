//! Hashes messages of any length.

use hash_lanes::engine::{self, Hashing, InitialState, LaneHash, Message};
use hash_lanes::{Backend, HashMany};

use crate::Sha256Lanes;

/// SHA-256 of one message.
///
/// ```
/// assert_eq!(sha256_multi::hash(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 32] {
    hash_with(Backend::detect(), message)
}

/// [`hash`] with a custom backend.
#[must_use]
pub fn hash_with(backend: Backend, message: &[u8]) -> [u8; 32] {
    Sha256Lanes::digest(&Sha256Lanes::hash_one(backend, Hashing::Single, Message::whole(message)))
}

/// Hashes the `i`-th message into `digests[i]`. The messages may have different lengths.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 32]; 3];
/// sha256_multi::hash_many(&messages, &mut digests);
///
/// // The blocks of one buffer, without a list of slices.
/// let file = vec![0; 10_000];
/// let blocks = file.chunks(1024);
/// let mut digests = vec![[0; 32]; blocks.len()];
/// sha256_multi::hash_many(blocks, &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 32]])
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
pub fn hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [[u8; 32]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    Sha256Lanes::hash_many_into_with(backend, messages, digests);
}

/// Hashes the `i`-th message twice, as Bitcoin does, into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn double_hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 32]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    double_hash_many_with(Backend::detect(), messages, digests);
}

/// [`double_hash_many`] with a custom backend.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn double_hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [[u8; 32]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let initial = InitialState::of::<Sha256Lanes>();
    engine::hash_many::<Sha256Lanes, 8, _, _, _>(
        backend,
        initial,
        Hashing::Double,
        messages,
        digests,
    );
}

hash_lanes::define_digest_many! {
    Sha256Lanes => [u8; 32], engine::hash_many_into_with::<Sha256Lanes, _, _, _, _>;
    "sha2" sha2::Sha256 => sha2::digest::Output<Self>,
        engine::hash_many_into_with::<Sha256Lanes, _, _, _, _>;
    "sha2-0_10" sha2_0_10::Sha256 => sha2_0_10::digest::Output<Self>,
        engine::hash_many_into_with::<Sha256Lanes, _, _, _, _>;
}
