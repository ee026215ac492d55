//! Pads the end of a message.

use crate::{BLOCK_BYTES, Block};

/// Length in bytes of the message length at the end of the last block.
pub(crate) const LENGTH_BYTES: usize = 16;

/// The length of a message in bits.
pub(crate) fn bits(bytes: u128) -> [u8; LENGTH_BYTES] {
    (8 * bytes).to_le_bytes()
}

/// The padded length of a final part of `len` bytes: a multiple of `block`, with room for the byte
/// with the one bit and for the message length.
pub(crate) fn padded_len(len: usize, block: usize) -> usize {
    (len + 1 + LENGTH_BYTES).next_multiple_of(block)
}

/// Panics if `rest` contains a whole block of sumhash512.
#[track_caller]
pub(crate) fn assert_partial(rest: &[u8]) {
    assert!(
        rest.len() < BLOCK_BYTES,
        "`rest` is {} bytes long, but must be shorter than a block ({BLOCK_BYTES} bytes); pass \
         whole blocks to `update_blocks`",
        rest.len()
    );
}

/// Pads the message end in the first `len` bytes of `blocks`. The rest must be zeros.
pub(crate) fn pad(blocks: &mut [u8], len: usize, bits: [u8; LENGTH_BYTES]) {
    blocks[len] = 1;
    let end = blocks.len() - LENGTH_BYTES;
    blocks[end..].copy_from_slice(&bits);
}

/// Pads the end of a message of sumhash512 in `blocks`, which must be zeros, and returns the one or
/// two blocks that it takes. `rest` is what follows the whole blocks; the message has `len` bytes.
pub(crate) fn last_blocks<'b>(
    blocks: &'b mut [Block; 2],
    rest: &[u8],
    len: u128,
) -> &'b mut [Block] {
    let blocks = &mut blocks[..padded_len(rest.len(), BLOCK_BYTES) / BLOCK_BYTES];
    let bytes = blocks.as_flattened_mut();
    bytes[..rest.len()].copy_from_slice(rest);
    pad(bytes, rest.len(), bits(len));
    blocks
}
