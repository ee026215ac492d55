//! Hashes a single message, which cannot use lanes.

use core::num::Wrapping;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::Pass;
use crate::lanes::{BLOCK_BYTES, Block, Lanes, Portable};
use crate::message::{Hashing, Message};
use crate::padding::Padding;

/// Hashes a message with the SHA instructions if they support this hash, else with portable code;
/// implements [`LaneHash::hash_one`].
#[must_use]
pub fn hash_one<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    message: Message<'_, WORDS>,
) -> Row {
    super::check_hashing::<H, WORDS>(hashing);
    let mut state = *message.state.unwrap_or(&H::IV);
    let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
    if !body.is_empty() {
        compress_one::<H, WORDS>(backend, &mut state, body);
    }
    if let Some(before) = message.ends_after {
        let mut padding = Padding::NONE;
        padding.set(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER);
        compress_one::<H, WORDS>(backend, &mut state, padding.blocks());
        if H::OFFERS_DOUBLE && hashing == Hashing::Double {
            let digest = H::row(&state);
            padding.set(&digest, digest.len() as u64, H::ORDER);
            state = H::IV;
            compress_one::<H, WORDS>(backend, &mut state, padding.blocks());
        }
    }
    H::row(&state)
}

fn compress_one<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    state: &mut [u32; WORDS],
    blocks: &[Block],
) {
    let kernel = H::plan(backend, Shape::OneBlock).first(1);
    if let Pass::Sha(sha, _) = backend.pass(kernel) {
        return H::compress_streams(sha, core::slice::from_mut(state), &[blocks]);
    }
    let mut words = state.map(Wrapping);
    for block in blocks {
        let block = Wrapping::load_blocks(Portable, H::ORDER, |_| block);
        H::compress(Portable, &mut words, block);
    }
    *state = words.map(|word| word.0);
}
