//! The end of a message.

/// Bytes of the message's length at the end of the last block.
pub(crate) const LENGTH_BYTES: usize = 16;

/// The length of a message in bits.
pub(crate) fn bits(bytes: u128) -> [u8; LENGTH_BYTES] {
    (8 * bytes).to_le_bytes()
}

/// How long a last part of `len` bytes is with its padding: a whole number of blocks of `block`
/// bytes, with room for the one bit, in a byte of its own, and for the length.
pub(crate) fn padded_len(len: usize, block: usize) -> usize {
    (len + 1 + LENGTH_BYTES).next_multiple_of(block)
}

/// Pads what stands in the first `len` bytes of `blocks`, behind which are zeros.
pub(crate) fn pad(blocks: &mut [u8], len: usize, bits: [u8; LENGTH_BYTES]) {
    blocks[len] = 1;
    let end = blocks.len() - LENGTH_BYTES;
    blocks[end..].copy_from_slice(&bits);
}
