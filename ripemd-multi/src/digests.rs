//! Hashes messages of exactly 32 bytes: SHA-256 digests and hash lock secrets.

use hash_lanes::Backend;

use crate::hash_many_with;

/// Hashes the 32-byte `messages[i]`, such as a SHA-256 digest, into `digests[i]`.
///
/// ```
/// let sha256 = [[1; 32], [2; 32], [3; 32]];
/// let mut digests = [[0; 20]; 3];
/// ripemd_multi::hash_digests(&sha256, &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`.
#[track_caller]
pub fn hash_digests(messages: &[[u8; 32]], digests: &mut [[u8; 20]]) {
    hash_digests_with(Backend::detect(), messages, digests);
}

/// [`hash_digests`] with a custom backend.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`.
#[track_caller]
pub fn hash_digests_with(backend: Backend, messages: &[[u8; 32]], digests: &mut [[u8; 20]]) {
    hash_many_with(backend, messages, digests);
}
