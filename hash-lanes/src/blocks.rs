//! The sizes of blocks, and of what pads them.

use crate::word::{BLOCK_WORDS, ROW_WORDS, Word};

/// The bytes of a block.
pub(crate) const fn block_bytes<W: Word>() -> usize {
    BLOCK_WORDS * W::BYTES
}

/// The bytes that lanes load together, half a block.
pub(crate) const fn row_bytes<W: Word>() -> usize {
    ROW_WORDS * W::BYTES
}

/// The size of the length field at the end of the last block.
pub(crate) const fn length_bytes<W: Word>() -> usize {
    2 * W::BYTES
}

/// The number of padding blocks of a Merkle–Damgård message: one if the length field still fits
/// after the rest and its one bit, otherwise two.
#[inline]
pub(crate) const fn blocks_after<W: Word>(message_bytes: usize) -> usize {
    if message_bytes % block_bytes::<W>() + 1 + length_bytes::<W>() <= block_bytes::<W>() {
        1
    } else {
        2
    }
}

/// The number of blocks of a Merkle–Damgård message of `len` bytes with its padding.
#[inline(always)]
#[must_use]
pub const fn padded_blocks<W: Word>(len: usize) -> usize {
    len / block_bytes::<W>() + blocks_after::<W>(len)
}
