//! One message: SHA-256 by the CPU's SHA instructions if it has them, RIPEMD-160 in the portable lane.

use core::num::Wrapping;

use hash_lanes::{Backend, Block, ByteOrder, LaneHash, Lanes, Padding, Portable};
use sha256_multi::{Sha256Lanes, hazmat};

use crate::rounds::hash_digest;
use crate::single::digest;

/// HASH160 of one message: RIPEMD-160 of its SHA-256.
///
/// Many at once are several times quicker with AVX2 or AVX-512: see [`hash160_many`](crate::hash160_many).
///
/// ```
/// assert_eq!(ripemd_multi::hash160(b"")[..3], [0xb4, 0x72, 0xa2]);
/// ```
#[must_use]
pub fn hash160(message: &[u8]) -> [u8; 20] {
    hash160_with(Backend::detect(), message)
}

/// [`hash160`] with a backend of one's choice.
#[must_use]
pub fn hash160_with(backend: Backend, message: &[u8]) -> [u8; 20] {
    let (body, rest) = message.as_chunks();
    let mut state = Sha256Lanes::IV;
    compress_blocks(backend, &mut state, body);
    let padding = Padding::new(rest, message.len() as u64, ByteOrder::Big);
    compress_blocks(backend, &mut state, padding.blocks());
    digest(hash_digest(Portable, state.map(|word| Wrapping(word.swap_bytes()))))
}

/// HASH160 of each message, one after another: where nothing is gained by many.
pub(super) fn one_by_one(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    for (message, hash) in messages.iter().zip(hashes) {
        *hash = hash160_with(backend, message);
    }
}

/// Hashes blocks into a state of SHA-256.
fn compress_blocks(backend: Backend, state: &mut [u32; 8], blocks: &[Block]) {
    if let Some(sha) = backend.sha() {
        Sha256Lanes::compress_hardware(sha, core::slice::from_mut(state), &[blocks]);
        return;
    }
    let mut words = state.map(Wrapping);
    for block in blocks {
        let block = Wrapping::load_blocks(Portable, ByteOrder::Big, |_| block);
        hazmat::compress(Portable, &mut words, block);
    }
    *state = words.map(|word| word.0);
}
