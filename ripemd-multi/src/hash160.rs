//! Computes HASH160, the hash in Bitcoin addresses: RIPEMD-160 of the SHA-256 of a public key or
//! script.
//!
//! See docs/rounds.md for the kernel of both hashes.

mod keys;

use alloc::vec::Vec;
use core::iter::repeat_n;
use core::num::Wrapping;

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{
    Digests, GROUP, LaneHash, Portable, Row, Sink, Start, hash_again, hash_many as stream,
    into_slice, into_vec,
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
        into_vec(messages, [0; 20], |messages, hashes| self.hash160_all(messages, hashes))
    }

    /// [`hash160_many_into`] on this backend.
    ///
    /// # Panics
    ///
    /// Panics if `hashes.len()` is not the number of messages.
    #[track_caller]
    pub fn hash160_many_into(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        hashes: &mut [[u8; 20]],
    ) {
        into_slice(messages, hashes, |messages, hashes| self.hash160_all(messages, hashes));
    }

    fn hash160_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, hashes: &mut dyn Digests) {
        let (backend, rows, numbers) = (self.backend(), ArrayVec::new(), ArrayVec::new());
        let mut again = HashAgain { backend, hashes, rows, numbers };
        stream::<Sha256, 8, _>(backend, Start::WHOLE, messages, &mut again);
        again.flush();
    }
}

/// Hashes the SHA-256 of each message with RIPEMD-160.
struct HashAgain<'h> {
    backend: Backend,
    hashes: &'h mut dyn Digests,
    /// The digests of messages that ended alone, and their numbers.
    rows: ArrayVec<Row, GROUP>,
    numbers: ArrayVec<usize, GROUP>,
}

impl HashAgain<'_> {
    fn flush(&mut self) {
        hash_again::<Ripemd160, 5>(self.backend, &mut self.rows);
        for (&number, row) in self.numbers.iter().zip(&self.rows) {
            self.hashes.store(number, row);
        }
        self.rows.clear();
        self.numbers.clear();
    }
}

impl Sink for HashAgain<'_> {
    /// Public keys have a kernel for both hashes.
    fn hash_fixed(&mut self, backend: Backend, first: usize, messages: &[&[u8]]) -> bool {
        let mut rows: ArrayVec<Row, GROUP> = ArrayVec::new();
        rows.extend(repeat_n([0; 32], messages.len()));
        let is_hashed = keys::hash_keys(backend, messages, &mut rows);
        if is_hashed {
            self.hashes.finished(first, &rows);
        }
        is_hashed
    }

    fn finished(&mut self, first: usize, rows: &[Row]) {
        if let [row] = rows {
            self.rows.push(*row);
            self.numbers.push(first);
            if self.rows.is_full() {
                self.flush();
            }
            return;
        }
        for (group, rows) in rows.chunks(GROUP).enumerate() {
            let mut rows: ArrayVec<Row, GROUP> = rows.iter().copied().collect();
            hash_again::<Ripemd160, 5>(self.backend, &mut rows);
            self.hashes.finished(first + group * GROUP, &rows);
        }
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
pub fn hash160_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, hashes: &mut [[u8; 20]]) {
    Ripemd160Lanes::default().hash160_many_into(messages, hashes);
}
