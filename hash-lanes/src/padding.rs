//! Pads messages, in memory, in general registers and in lanes, as their hash's [`Ending`] says.
//! Only SHA-256's kernel of SHA-NI pads by itself, in vectors.

use crate::blocks::{block_bytes, row_bytes};
use crate::ending::{Ending, body_blocks};
use crate::erase::Blank;
use crate::lanes::Lanes;
use crate::word::{Array, BLOCK_WORDS, Block, ByteOrder, ROW_WORDS, Word};

/// The last one or two blocks of a message: its last bytes and the padding.
#[derive(Clone, Copy, Debug)]
pub struct Padding<W: Word> {
    /// The last `used` of these are the padding.
    blocks: [Block<W>; 2],
    used: usize,
    rest_len: usize,
    message_bytes: u64,
}

/// No blocks.
impl<W: Word> Blank for Padding<W> {
    const BLANK: Self = Self { blocks: [Blank::BLANK; 2], used: 0, rest_len: 0, message_bytes: 0 };
}

impl<W: Word> Padding<W> {
    /// [`Blank::BLANK`], made in place: a constant would be copied.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { blocks: [Array::filled(0); 2], used: 0, rest_len: 0, message_bytes: 0 }
    }

    /// Pads a message of `message_bytes` bytes; `rest` holds those of its last blocks.
    /// With 32-bit words, the padding of 2^61 bytes or more is undefined; their length is taken
    /// modulo 2^61.
    ///
    /// It works in place: a moved padding would be loaded with other widths than it was stored,
    /// which defeats store forwarding (15 ns of a single 64-byte SHA-1 message on Granite Rapids).
    /// If the previous message had the same length, this writes only the bytes of the message.
    ///
    /// # Panics
    ///
    /// Panics if `rest` is longer than a block, or as long in a hash whose padding needs room.
    #[inline]
    pub(crate) fn set<E: Ending>(&mut self, rest: &[u8], message_bytes: u64, order: ByteOrder) {
        let is_like_last = self.rest_len == rest.len() && self.message_bytes == message_bytes;
        if self.used == 0 || !is_like_last {
            (self.rest_len, self.message_bytes) = (rest.len(), message_bytes);
            self.used = E::last_blocks::<W>(rest.len());
            // Both, although one is enough: a number that is only known here would call `memset`.
            self.blocks = [Array::filled(0); 2];
            E::pad::<W>(&mut self.blocks[2 - self.used..], order, rest.len(), message_bytes);
        }
        copy_short::<W>(rest, self.blocks[2 - self.used].elements_mut());
    }

    /// Pads a message that ends after `before` earlier bytes.
    #[inline]
    pub(crate) fn end<E: Ending>(&mut self, order: ByteOrder, before: u64, message: &[u8]) {
        let body = body_blocks::<E, W>(message.len(), true) * block_bytes::<W>();
        self.set::<E>(&message[body..], before.wrapping_add(message.len() as u64), order);
    }

    /// Has no blocks, because the message continues.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// The number of bytes of the message.
    #[inline]
    pub(crate) fn message_bytes(&self) -> u64 {
        self.message_bytes
    }

    /// The one or two blocks, or none.
    #[inline]
    #[must_use]
    pub(crate) fn blocks(&self) -> &[Block<W>] {
        &self.blocks[2 - self.used..]
    }
}

/// Copies the rest of a message, at most a block, to the beginning of `place`, without
/// calling `memcpy`.
///
/// # Panics
///
/// Panics if `place` is shorter.
#[inline(always)]
pub(crate) fn copy_short<W: Word>(bytes: &[u8], place: &mut [u8]) {
    let place = &mut place[..bytes.len()];
    let is_copied = row_bytes::<W>() > 32 && copy_ends::<64>(bytes, place)
        || copy_ends::<32>(bytes, place)
        || copy_ends::<16>(bytes, place)
        || copy_ends::<8>(bytes, place)
        || copy_ends::<4>(bytes, place);
    if !is_copied {
        let mut i = 0;
        while i < bytes.len() {
            place[i] = bytes[i];
            i += 1;
        }
    }
}

/// Copies `SIZE` to `2 * SIZE` bytes as two chunks that may overlap. Returns `false` if there are
/// fewer than `SIZE` bytes.
#[inline(always)]
fn copy_ends<const SIZE: usize>(bytes: &[u8], place: &mut [u8]) -> bool {
    let Some(first) = bytes.first_chunk::<SIZE>() else { return false };
    if let Some(place) = place.first_chunk_mut() {
        *place = *first;
    }
    // Not `last_chunk`, which is three times as long in unoptimised builds.
    let last = bytes.len() - SIZE;
    if let (Some(last), Some(place)) =
        (bytes[last..].first_chunk::<SIZE>(), place[last..].first_chunk_mut())
    {
        *place = *last;
    }
    true
}

/// The 16 bytes at `at`, a multiple of 16, of a padded message of 32-bit words, the first in the
/// lowest bits.
///
/// The message has `len` bytes, and `message_bytes` with what precedes it. The padded message ends
/// after `blocks` blocks. Made in registers: padding that is stored in parts and then loaded as a
/// whole defeats store forwarding.
#[inline(always)]
#[must_use]
pub fn padded_quad(
    order: ByteOrder,
    message: &[u8],
    len: usize,
    blocks: usize,
    message_bytes: u64,
    at: usize,
) -> u128 {
    if at + 16 <= len {
        let quad = message.get(at..at + 16).and_then(|quad| quad.first_chunk());
        return u128::from_le_bytes(*quad.unwrap_or(&[0; 16]));
    }
    let mut quad = 0;
    if at <= len {
        let rest = len - at;
        if rest > 0 {
            quad = match message.last_chunk() {
                Some(last) => u128::from_le_bytes(*last) >> (128 - 8 * rest),
                None => short_quad(message),
            };
        }
        quad |= 0x80 << (8 * rest);
    }
    if at + 16 == blocks * block_bytes::<u32>() {
        let [first, second] = u32::length_words(order, message_bytes);
        let words = match order {
            ByteOrder::Big => [first.swap_bytes(), second.swap_bytes()],
            ByteOrder::Little => [first, second],
        };
        quad |= u128::from(words[0]) << 64 | u128::from(words[1]) << 96;
    }
    quad
}

/// Fewer than 16 bytes, the first in the lowest bits.
#[inline(always)]
#[must_use]
pub fn short_quad(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u128::from(u64::from_le_bytes(*last));
        u128::from(u64::from_le_bytes(*first)) | last << (8 * len - 64)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        u128::from(u64::from(u32::from_le_bytes(*first)) | last << (8 * len - 32))
    } else {
        bytes.iter().rev().fold(0, |quad, &byte| quad << 8 | u128::from(byte))
    }
}

/// Block `index` of messages of equal length, one in each lane, where a message ends: the bytes
/// that are left, which do not fill it, and the padding.
///
/// Each message has `len` bytes, and `message_bytes` with what precedes it. A message shorter than
/// a row is followed by zeros up to that length.
#[inline(always)]
pub(crate) fn pad_in_lanes<E: Ending, V: Lanes>(
    token: V::Token,
    order: ByteOrder,
    messages: &[&[u8]],
    len: usize,
    index: usize,
    message_bytes: u64,
) -> [V; BLOCK_WORDS] {
    let (block_bytes, row_bytes) = (block_bytes::<V::Word>(), row_bytes::<V::Word>());
    let zero = V::Word::default();
    // The zeros are hidden from the compiler: filling the vectors of two groups would be a call of
    // `memset`.
    let mut block = [V::splat_opaque(token, zero); BLOCK_WORDS];
    let begin = index * block_bytes;
    let left = len.saturating_sub(begin);
    let is_short = len < row_bytes;
    let whole_rows = if is_short { usize::from(index == 0) } else { left / row_bytes };
    if whole_rows > 0 {
        let words = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| {
                let row = messages[lane].get(begin..begin + row_bytes);
                row.and_then(|row| V::Word::first_row(row)).unwrap_or(V::Word::zero_row())
            },
        );
        block[..ROW_WORDS].copy_from_slice(&words);
    }
    let rest = if is_short { 0 } else { left % row_bytes };
    if rest > 0 {
        // The last row of each message ends with them.
        let last = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| V::Word::last_row(messages[lane]).unwrap_or(V::Word::zero_row()),
        );
        let skipped = row_bytes - rest;
        let skipped_words = skipped / V::Word::BYTES;
        let skipped_bits = (skipped % V::Word::BYTES * 8) as u32;
        let kept_bits = V::Word::BITS - skipped_bits;
        for i in skipped_words..ROW_WORDS {
            let mut word = last[i];
            if skipped_bits > 0 {
                let next = if i + 1 < ROW_WORDS { last[i + 1] } else { V::splat(token, zero) };
                word = match order {
                    ByteOrder::Big => word.shift_left(skipped_bits) | next.shift_right(kept_bits),
                    ByteOrder::Little => {
                        word.shift_right(skipped_bits) | next.shift_left(kept_bits)
                    }
                };
            }
            block[whole_rows * ROW_WORDS + i - skipped_words] = word;
        }
    }
    E::pad_in_lanes(token, order, &mut block, begin, len, message_bytes);
    block
}
