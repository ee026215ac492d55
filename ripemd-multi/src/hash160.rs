//! Computes HASH160, the hash in Bitcoin addresses: RIPEMD-160 of the SHA-256 of a public key or
//! script.
//!
//! See docs/rounds.md for the kernel of both hashes.

mod fused;
mod keys;

use core::num::Wrapping;

use hash_lanes::engine::{LaneHash, check_counts, check_end, check_yielded};
use hash_lanes::{Backend, Portable};
use sha256_multi::Sha256Lanes;

use crate::rounds::compress_32_bytes;
use crate::{Ripemd160Lanes, hash_many_with};

/// The number of messages in a group.
const GROUP: usize = 64;

/// The length of a compressed secp256k1 public key (SEC 1 §2.3.3).
const COMPRESSED: usize = 33;

/// The length of an uncompressed secp256k1 public key.
const UNCOMPRESSED: usize = 65;

/// HASH160 of one message: RIPEMD-160 of its SHA-256.
///
/// Hashing many messages at once is several times faster with AVX2 or AVX-512; see
/// [`hash160_many`].
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

/// Writes the HASH160 of the `i`-th message to `hashes[i]`.
///
/// Messages are hashed in groups of 64. If all messages of a group have 33 bytes, or all have 65,
/// like public keys, a kernel for that length hashes them.
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
/// Panics if `hashes.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash160_many<'m, I, M>(messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash160_many_with(Backend::detect(), messages, hashes);
}

/// [`hash160_many`] with a custom backend.
///
/// # Panics
///
/// Panics if `hashes.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash160_many_with<'m, I, M>(backend: Backend, messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let mut messages = messages.into_iter();
    let count = hashes.len();
    check_counts(messages.len(), count);
    let mut yielded = 0;
    for hashes in hashes.chunks_mut(GROUP) {
        let mut group: [&[u8]; GROUP] = [&[]; GROUP];
        let group = &mut group[..hashes.len()];
        for (place, message) in group.iter_mut().zip(&mut messages) {
            *place = message.as_ref();
            yielded += 1;
        }
        match (&*group, &mut *hashes) {
            ([message], [hash]) => *hash = hash160_with(backend, message),
            _ => hash_group(backend, group, hashes),
        }
    }
    check_yielded(yielded, count);
    check_end(&mut messages, count);
}

/// Hashes two to [`GROUP`] messages.
fn hash_group(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    let length = messages[0].len();
    let are_equal = messages.iter().all(|message| message.len() == length);
    match length {
        COMPRESSED if are_equal => keys::hash::<COMPRESSED>(backend, messages, hashes),
        UNCOMPRESSED if are_equal => keys::hash::<UNCOMPRESSED>(backend, messages, hashes),
        _ => hash_in_two_steps(backend, messages, hashes),
    }
}

/// HASH160 of up to [`GROUP`] messages of any length, with separate kernels for the two hashes.
fn hash_in_two_steps(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    let mut digests = [[0; 32]; GROUP];
    let digests = &mut digests[..messages.len()];
    sha256_multi::hash_many_with(backend, messages.iter().copied(), digests);
    hash_many_with(backend, &*digests, hashes);
}
