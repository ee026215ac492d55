//! The functions for messages of any length, and the value that carries a backend.

use alloc::vec::Vec;

use hash_lanes::Lanes;

use crate::ripemd160::Ripemd160;

/// RIPEMD-160 on one backend: the functions of this crate as methods, for a backend other than the
/// default. It implements [`HashMany`](hash_lanes::HashMany). [`Hash160Lanes`](crate::Hash160Lanes)
/// is the same for HASH160.
///
/// ```
/// use ripemd_multi::Ripemd160Lanes;
///
/// let portable = Ripemd160Lanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), ripemd_multi::hash_many(["one", "two"]));
/// ```
pub type Ripemd160Lanes = Lanes<Ripemd160>;

hash_lanes::define_functions!("RIPEMD-160", "ripemd_multi", Ripemd160, Ripemd160Lanes, 20);

/// HASH160 of one message: RIPEMD-160 of its SHA-256.
///
/// Hashing many messages at once is several times faster with AVX2 or AVX-512; see
/// [`hash160_many`].
///
/// ```
/// assert_eq!(ripemd_multi::hash160(b"")[..3], [0xb4, 0x72, 0xa2]);
/// ```
#[must_use]
pub fn hash160(message: impl AsRef<[u8]>) -> [u8; 20] {
    crate::hash160::hash(message)
}

/// Returns the HASH160 of each message.
///
/// Messages of 33 or 65 bytes, like public keys, have kernels of their own, as long as 64 of them
/// or all follow each other.
///
/// ```
/// let keys = [[2; 33], [3; 33]];
/// let hashes = ripemd_multi::hash160_many(&keys);
/// assert_eq!(hashes[1], ripemd_multi::hash160(&keys[1]));
/// ```
#[must_use]
pub fn hash160_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 20]> {
    crate::hash160::hash_many(messages)
}

/// Writes the HASH160 of the `i`-th message to `hashes[i]`; see [`hash160_many`].
///
/// # Panics
///
/// Panics if `hashes.len()` is not the number of messages.
#[track_caller]
pub fn hash160_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, hashes: &mut [[u8; 20]]) {
    crate::hash160::hash_many_into(messages, hashes);
}

hash_lanes::impl_digest_many! {
    "ripemd" ripemd::Ripemd160 => ripemd::digest::Output<Self>, Ripemd160: Ripemd160Lanes;
    "ripemd-0_1" ripemd_0_1::Ripemd160 => ripemd_0_1::digest::Output<Self>,
        Ripemd160: Ripemd160Lanes;
}
