//! Hashes messages of any length, with SHA-256 and RIPEMD-160 as separate steps.

use hash_lanes::Backend;

use super::GROUP;
use crate::hash_many_with;

/// HASH160 of up to [`GROUP`] messages.
pub(super) fn hash(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    let mut digests = [[0; 32]; GROUP];
    let digests = &mut digests[..messages.len()];
    sha256_multi::hash_many_with(backend, messages.iter().copied(), digests);
    hash_many_with(backend, &*digests, hashes);
}
