//! HASH160, the hash of Bitcoin's addresses: RIPEMD-160 of the SHA-256 of a public key or a script.
//!
//! See docs/rounds.md for the kernel of both hashes.

mod fused;
mod general;
mod keys;

use core::num::Wrapping;

use hash_lanes::engine::{LaneHash, check_counts};
use hash_lanes::{Backend, Portable};
use sha256_multi::Sha256Lanes;

use crate::Ripemd160Lanes;
use crate::rounds::compress_32_bytes;

/// How many messages are looked at together.
const GROUP: usize = 64;

/// Bytes of a compressed public key of secp256k1 (SEC 1 §2.3.3).
const COMPRESSED: usize = 33;

/// Bytes of an uncompressed one.
const UNCOMPRESSED: usize = 65;

/// HASH160 of one message: RIPEMD-160 of its SHA-256.
///
/// Many at once are several times faster with AVX2 or AVX-512: see [`hash160_many`].
///
/// ```
/// assert_eq!(ripemd_multi::hash160(b"")[..3], [0xb4, 0x72, 0xa2]);
/// ```
#[must_use]
pub fn hash160(message: &[u8]) -> [u8; 20] {
    hash160_with(Backend::detect(), message)
}

/// [`hash160`] with a custom backend.
#[must_use]
pub fn hash160_with(backend: Backend, message: &[u8]) -> [u8; 20] {
    let digest = sha256_multi::hash_with(backend, message);
    let words = Sha256Lanes::state(&digest).map(|word| Wrapping(word.swap_bytes()));
    let state = compress_32_bytes(Portable, words).map(|word| word.0);
    Ripemd160Lanes::digest(&Ripemd160Lanes::row(&state))
}

/// HASH160 of each message, into the hash at its own place.
///
/// Messages are taken by 64. Where all of these have 33 bytes, or all 65, as public keys have, they
/// are hashed by a kernel for that length.
///
/// ```
/// let keys = [[2; 33], [3; 33]];
/// let mut hashes = [[0; 20]; 2];
/// ripemd_multi::hash160_many(&keys, &mut hashes);
/// assert_eq!(hashes[1], ripemd_multi::hash160(&keys[1]));
/// ```
///
/// # Panics
///
/// If there are not as many hashes as messages.
#[track_caller]
pub fn hash160_many<'m, I, M>(messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash160_many_with(Backend::detect(), messages, hashes);
}

/// [`hash160_many`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many hashes as messages.
#[track_caller]
pub fn hash160_many_with<'m, I, M>(backend: Backend, messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let mut messages = messages.into_iter();
    check_counts(messages.len(), hashes.len());
    for hashes in hashes.chunks_mut(GROUP) {
        if let [hash] = hashes {
            *hash =
                hash160_with(backend, messages.next().expect("a message for each hash").as_ref());
            continue;
        }
        let mut group: [&[u8]; GROUP] = [&[]; GROUP];
        for (place, message) in group.iter_mut().zip(messages.by_ref().take(hashes.len())) {
            *place = message.as_ref();
        }
        hash_group(backend, &group[..hashes.len()], hashes);
    }
}

/// Hashes up to [`GROUP`] messages, more than one.
fn hash_group(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    let length = messages[0].len();
    let are_equal = messages.iter().all(|message| message.len() == length);
    match length {
        COMPRESSED if are_equal => keys::hash::<COMPRESSED>(backend, messages, hashes),
        UNCOMPRESSED if are_equal => keys::hash::<UNCOMPRESSED>(backend, messages, hashes),
        _ => general::hash(backend, messages, hashes),
    }
}
