//! One message: by the CPU's SHA instructions if it has them, else in the portable lane.

use core::num::Wrapping;

use hash_lanes::{Backend, Block, LaneHash, Lanes, Padding, Portable};

use crate::Sha1Lanes;
use crate::rounds::compress;

/// SHA-1 of one message.
///
/// Many at once are several times quicker with AVX2 or AVX-512: see [`hash_many`](crate::hash_many).
///
/// ```
/// assert_eq!(sha1_multi::hash(b"abc")[..4], [0xa9, 0x99, 0x3e, 0x36]);
/// ```
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 20] {
    hash_with(Backend::detect(), message)
}

/// [`hash`] with a backend of one's choice, of which one message takes the SHA instructions or the
/// portable lane.
#[must_use]
pub fn hash_with(backend: Backend, message: &[u8]) -> [u8; 20] {
    let (body, rest) = message.as_chunks();
    let mut state = Sha1Lanes::IV;
    compress_blocks(backend, &mut state, body);
    let padding = Padding::new(rest, message.len() as u64, Sha1Lanes::ORDER);
    compress_blocks(backend, &mut state, padding.blocks());
    Sha1Lanes::digest(&state)
}

fn compress_blocks(backend: Backend, state: &mut [u32; 5], blocks: &[Block]) {
    if let Some(sha) = backend.sha() {
        Sha1Lanes::compress_hardware(sha, core::slice::from_mut(state), &[blocks]);
        return;
    }
    let mut words = state.map(Wrapping);
    for block in blocks {
        let block = Wrapping::load_blocks(Portable, Sha1Lanes::ORDER, |_| block);
        compress(Portable, &mut words, block);
    }
    *state = words.map(|word| word.0);
}
