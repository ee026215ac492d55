//! Computes HASH160, the hash in Bitcoin addresses: RIPEMD-160 of the SHA-256 of a public key or
//! script.
//!
//! See docs/rounds.md for the kernel of both hashes.

mod keys;

use alloc::vec::Vec;
use core::num::Wrapping;

use hash_lanes::engine::{
    Again, InitialState, LaneHash, Portable, hash_borrowed, hash_many as stream, into_slice,
    into_vec,
};
use sha256_multi::Sha256Lanes;
use sha256_multi::engine::Sha256;

use crate::Ripemd160Lanes;
use crate::ripemd160::Ripemd160;
use crate::rounds::compress_32_bytes;

impl Ripemd160Lanes {
    /// [`hash160`] on this backend.
    #[must_use]
    pub fn hash160(self, message: &[u8]) -> [u8; 20] {
        let digest = Sha256Lanes::on(self.backend()).hash(message);
        let words = Sha256::state(&digest).map(|word| Wrapping(word.swap_bytes()));
        let state = compress_32_bytes(Portable, words).map(|word| word.0);
        Ripemd160::digest(&Ripemd160::row(&state))
    }

    /// [`hash160_many`] on this backend.
    #[must_use]
    pub fn hash160_many(self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 20]> {
        let (backend, initial) = (self.backend(), InitialState::of::<Sha256>());
        into_vec(messages, |messages, sink| {
            Again::<Ripemd160, 5>::hash(backend, keys::hash_keys, sink, |once| {
                stream::<Sha256, 8, _>(backend, &initial, messages, once);
            });
        })
    }

    /// [`hash160_many_into`] on this backend.
    ///
    /// # Panics
    ///
    /// Panics if `hashes.len()` is not the number of messages.
    #[track_caller]
    pub fn hash160_many_into<'m, M: AsRef<[u8]> + ?Sized + 'm>(
        self,
        messages: impl IntoIterator<Item = &'m M>,
        hashes: &mut [[u8; 20]],
    ) {
        let (backend, initial) = (self.backend(), InitialState::of::<Sha256>());
        into_slice(messages, hashes, |messages, sink| {
            Again::<Ripemd160, 5>::hash(backend, keys::hash_keys, sink, |once| {
                hash_borrowed::<Sha256, 8, _>(backend, &initial, messages, once);
            });
        });
    }
}

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
    Ripemd160Lanes::default().hash160(message)
}

/// Returns the HASH160 of each message.
///
/// Messages of 33 or 65 bytes, like public keys, have kernels of their own, as long as 16 of them
/// or all follow each other.
///
/// ```
/// let keys = [[2; 33], [3; 33]];
/// let hashes = ripemd_multi::hash160_many(&keys);
/// assert_eq!(hashes[1], ripemd_multi::hash160(&keys[1]));
/// ```
#[must_use]
pub fn hash160_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 20]> {
    Ripemd160Lanes::default().hash160_many(messages)
}

/// Writes the HASH160 of the `i`-th message to `hashes[i]`; see [`hash160_many`].
///
/// # Panics
///
/// Panics if `hashes.len()` is not the number of messages.
#[track_caller]
pub fn hash160_many_into<'m, M: AsRef<[u8]> + ?Sized + 'm>(
    messages: impl IntoIterator<Item = &'m M>,
    hashes: &mut [[u8; 20]],
) {
    Ripemd160Lanes::default().hash160_many_into(messages, hashes);
}
