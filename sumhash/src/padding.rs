//! Pads the end of a message.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::{BLOCK_BYTES, Block};

/// Length in bytes of the message length at the end of the last block.
pub(crate) const LENGTH_BYTES: usize = 16;

/// The length of a message in bits.
pub(crate) fn bits(bytes: u128) -> [u8; LENGTH_BYTES] {
    (8 * bytes).to_le_bytes()
}

/// The padded length of a final part of `len` bytes: a multiple of `block`, with room for the byte
/// with the one bit and for the message length. Only the batches of x86 need it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn padded_len(len: usize, block: usize) -> usize {
    (len + 1 + LENGTH_BYTES).next_multiple_of(block)
}

/// Pads the end of a message in `blocks`, which must be zeros. It takes one or two of them. `rest`
/// is what follows the whole blocks; the message has `len` bytes.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn pad_last_blocks(blocks: &mut [Block; 2], rest: &[u8], len: u128) {
    let bytes = blocks.as_flattened_mut();
    bytes[..rest.len()].copy_from_slice(rest);
    bytes[rest.len()] = 1;
    let end = padded_len(rest.len(), BLOCK_BYTES);
    bytes[end - LENGTH_BYTES..end].copy_from_slice(&bits(len));
}
