//! Hashes messages of any length.

use hash_lanes::engine::{self, Hashing, LaneHash, Message};
use hash_lanes::{Backend, HashMany};

use crate::Ripemd160Lanes;

/// RIPEMD-160 of one message.
///
/// Hashing many messages at once is several times faster with any lanes; see [`hash_many`].
///
/// ```
/// assert_eq!(ripemd_multi::hash(b"abc")[..4], [0x8e, 0xb2, 0x08, 0xf7]);
/// ```
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 20] {
    // A single message runs on the portable lane of every backend.
    Ripemd160Lanes::digest(&Ripemd160Lanes::hash_one(
        Backend::detect(),
        Hashing::Single,
        Message::whole(message),
    ))
}

/// Hashes the `i`-th message into `digests[i]`. The messages may have different lengths.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 20]; 3];
/// ripemd_multi::hash_many(&messages, &mut digests);
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
    Ripemd160Lanes::hash_many_into_with(backend, messages, digests);
}

hash_lanes::define_digest_many! {
    Ripemd160Lanes => [u8; 20], engine::hash_many_into_with::<Ripemd160Lanes, _, _, _, _>;
    "ripemd" ripemd::Ripemd160 => ripemd::digest::Output<Self>,
        engine::hash_many_into_with::<Ripemd160Lanes, _, _, _, _>;
    "ripemd-0_1" ripemd_0_1::Ripemd160 => ripemd_0_1::digest::Output<Self>,
        engine::hash_many_into_with::<Ripemd160Lanes, _, _, _, _>;
}
