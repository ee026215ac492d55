//! One message, in the portable lane.

use core::num::Wrapping;

use hash_lanes::{Block, ByteOrder, LaneHash, Lanes, Padding, Portable};

use crate::Ripemd160Lanes;
use crate::rounds::{State, compress, initial_state};

/// RIPEMD-160 of one message.
///
/// Many at once are several times quicker with any lanes: see [`hash_many`](crate::hash_many).
///
/// ```
/// assert_eq!(ripemd_multi::hash(b"abc")[..4], [0x8e, 0xb2, 0x08, 0xf7]);
/// ```
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 20] {
    let (body, rest) = message.as_chunks();
    let mut state = initial_state(Portable);
    compress_blocks(&mut state, body);
    let padding = Padding::new(rest, message.len() as u64, ByteOrder::Little);
    compress_blocks(&mut state, padding.blocks());
    digest(state)
}

fn compress_blocks(state: &mut State<Wrapping<u32>>, blocks: &[Block]) {
    for block in blocks {
        let words = Wrapping::load_blocks(Portable, ByteOrder::Little, |_| block);
        compress(Portable, state, words);
    }
}

/// The digest that a state of one lane is.
pub(crate) fn digest(state: State<Wrapping<u32>>) -> [u8; 20] {
    Ripemd160Lanes::digest(&state.map(|word| word.0))
}
