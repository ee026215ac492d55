//! Pads messages, in memory, in general registers and in lanes: FIPS 180-4 §5.1.1, and the same in
//! the other byte order for RIPEMD-160. Only SHA-256's kernel of SHA-NI pads by itself, in vectors.

use crate::lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Lanes};

/// The size of the length field at the end of the last block.
const LENGTH_BYTES: usize = 8;

/// The words and bytes that lanes load together, half a block.
const ROW_WORDS: usize = BLOCK_WORDS / 2;
pub(crate) const ROW_BYTES: usize = BLOCK_BYTES / 2;

/// The last one or two blocks of a message: the bytes that do not fill a block, a one bit, zeros,
/// and the length of the message in bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding {
    /// The last `used` of these are the padding.
    blocks: [Block; 2],
    used: usize,
    rest_len: usize,
    message_bits: u64,
}

impl Padding {
    /// No blocks, for a message that continues.
    pub(crate) const NONE: Self =
        Self { blocks: [[0; BLOCK_BYTES]; 2], used: 0, rest_len: 0, message_bits: 0 };

    /// The number of padding blocks of a message: one if the length field still fits after the rest
    /// and its one bit, otherwise two.
    #[inline]
    pub(crate) const fn blocks_after(message_bytes: usize) -> usize {
        if message_bytes % BLOCK_BYTES + 1 + LENGTH_BYTES <= BLOCK_BYTES { 1 } else { 2 }
    }

    /// Pads a message of `message_bytes` bytes; `rest` holds the bytes after its last whole block.
    /// The padding of 2^61 bytes or more is undefined; their length is taken modulo 2^61.
    ///
    /// It works in place: a moved padding would be loaded with other widths than it was stored,
    /// which defeats store forwarding (15 ns of a single 64-byte SHA-1 message on Granite Rapids).
    /// If the previous message had the same length, this writes only the bytes of the message.
    ///
    /// # Panics
    ///
    /// Panics if `rest.len() >= BLOCK_BYTES`.
    #[inline]
    pub(crate) fn set(&mut self, rest: &[u8], message_bytes: u64, order: ByteOrder) {
        assert!(
            rest.len() < BLOCK_BYTES,
            "{} bytes left over: whole blocks belong to the message, not to its padding",
            rest.len()
        );
        let bits = message_bytes.wrapping_mul(8);
        if self.used == 0 || (self.rest_len, self.message_bits) != (rest.len(), bits) {
            (self.rest_len, self.message_bits) = (rest.len(), bits);
            self.used = Self::blocks_after(rest.len());
            // Both, although one is enough: a number that is only known here would call `memset`.
            self.blocks = [[0; BLOCK_BYTES]; 2];
            self.blocks[2 - self.used][rest.len()] = 0x80;
            self.blocks[1][BLOCK_BYTES - LENGTH_BYTES..].copy_from_slice(&match order {
                ByteOrder::Big => bits.to_be_bytes(),
                ByteOrder::Little => bits.to_le_bytes(),
            });
        }
        copy_short(rest, &mut self.blocks[2 - self.used]);
    }

    /// Resets it to [`Self::NONE`].
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// The one or two blocks, or none.
    #[inline]
    #[must_use]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks[2 - self.used..]
    }
}

/// Copies fewer than 64 bytes to the beginning of `place`, without calling `memcpy`.
///
/// # Panics
///
/// Panics if `place` is shorter.
#[inline(always)]
pub(crate) fn copy_short(bytes: &[u8], place: &mut [u8]) {
    let place = &mut place[..bytes.len()];
    let is_copied = copy_ends::<32>(bytes, place)
        || copy_ends::<16>(bytes, place)
        || copy_ends::<8>(bytes, place)
        || copy_ends::<4>(bytes, place);
    if !is_copied {
        for (place, byte) in place.iter_mut().zip(bytes) {
            *place = *byte;
        }
    }
}

/// Copies `SIZE` to `2 * SIZE` bytes as two chunks that may overlap. Returns `false` if there are
/// fewer than `SIZE` bytes.
#[inline(always)]
fn copy_ends<const SIZE: usize>(bytes: &[u8], place: &mut [u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk::<SIZE>(), bytes.last_chunk::<SIZE>())
    else {
        return false;
    };
    if let Some(place) = place.first_chunk_mut() {
        *place = *first;
    }
    if let Some(place) = place.last_chunk_mut() {
        *place = *last;
    }
    true
}

/// The number of blocks of a message of `len` bytes with its padding.
#[inline(always)]
#[must_use]
pub const fn padded_blocks(len: usize) -> usize {
    len / BLOCK_BYTES + Padding::blocks_after(len)
}

/// The 16 bytes at `at`, a multiple of 16, of a padded message, the first in the lowest bits.
///
/// The message has `len` bytes, and `message_bits` with what precedes it. The padded message ends
/// after `blocks` blocks. Made in registers: padding that is stored in parts and then loaded as a
/// whole defeats store forwarding.
#[inline(always)]
#[must_use]
pub fn padded_quad(
    order: ByteOrder,
    message: &[u8],
    len: usize,
    blocks: usize,
    message_bits: u64,
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
    if at + 16 == blocks * BLOCK_BYTES {
        let [first, second] = length_words(order, message_bits);
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

/// The words of the last block of a message of `message_bits / 8` bytes: zeros in place of the
/// message, the one bit if it is in this block, and the length.
#[must_use]
pub const fn padding_words(order: ByteOrder, message_bits: u64) -> [u32; BLOCK_WORDS] {
    let mut words = [0; BLOCK_WORDS];
    let rest = (message_bits / 8) as usize % BLOCK_BYTES;
    if rest + 1 + LENGTH_BYTES <= BLOCK_BYTES {
        words[rest / 4] = one_bit(order, rest);
    }
    let [first, second] = length_words(order, message_bits);
    words[BLOCK_WORDS - 2] = first;
    words[BLOCK_WORDS - 1] = second;
    words
}

/// The word that holds the one bit after `rest` bytes.
const fn one_bit(order: ByteOrder, rest: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes[rest % 4] = 0x80;
    match order {
        ByteOrder::Big => u32::from_be_bytes(bytes),
        ByteOrder::Little => u32::from_le_bytes(bytes),
    }
}

/// The two words of the length field.
const fn length_words(order: ByteOrder, message_bits: u64) -> [u32; 2] {
    let (high, low) = ((message_bits >> 32) as u32, message_bits as u32);
    match order {
        ByteOrder::Big => [high, low],
        ByteOrder::Little => [low, high],
    }
}

/// Block `index` of messages of equal length, one in each lane, where a message ends: the bytes
/// that are left and the padding.
///
/// Each message has `len` bytes, and `message_bits` with what precedes it. A message shorter than
/// [`ROW_BYTES`] is followed by zeros up to that length.
#[inline(always)]
pub(crate) fn pad_in_lanes<V: Lanes>(
    token: V::Token,
    order: ByteOrder,
    messages: &[&[u8]],
    len: usize,
    index: usize,
    message_bits: u64,
) -> [V; BLOCK_WORDS] {
    // The zeros are hidden from the compiler: filling the vectors of two groups would be a call of
    // `memset`.
    let mut block = [V::splat_opaque(token, 0); BLOCK_WORDS];
    let begin = index * BLOCK_BYTES;
    let left = len.saturating_sub(begin);
    let is_short = len < ROW_BYTES;
    let whole_rows = if is_short { usize::from(index == 0) } else { left / ROW_BYTES };
    if whole_rows > 0 {
        let words = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| {
                let row = messages[lane].get(begin..begin + ROW_BYTES);
                row.and_then(|row| row.first_chunk()).unwrap_or(&[0; ROW_BYTES])
            },
        );
        block[..ROW_WORDS].copy_from_slice(&words);
    }
    let rest = if is_short { 0 } else { left % ROW_BYTES };
    if rest > 0 {
        // The last row of each message ends with them.
        let last = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| messages[lane].last_chunk().unwrap_or(&[0; ROW_BYTES]),
        );
        let skipped = ROW_BYTES - rest;
        let (skipped_words, skipped_bits) = (skipped / 4, (skipped % 4 * 8) as u32);
        for i in skipped_words..ROW_WORDS {
            let mut word = last[i];
            if skipped_bits > 0 {
                let next = if i + 1 < ROW_WORDS { last[i + 1] } else { V::splat(token, 0) };
                word = match order {
                    ByteOrder::Big => {
                        word.shift_left(skipped_bits) | next.shift_right(32 - skipped_bits)
                    }
                    ByteOrder::Little => {
                        word.shift_right(skipped_bits) | next.shift_left(32 - skipped_bits)
                    }
                };
            }
            block[whole_rows * ROW_WORDS + i - skipped_words] = word;
        }
    }
    if begin <= len {
        block[left / 4] = block[left / 4] | V::splat(token, one_bit(order, left));
    }
    if left + 1 + LENGTH_BYTES <= BLOCK_BYTES {
        let [first, second] = length_words(order, message_bits);
        block[BLOCK_WORDS - 2] = V::splat(token, first);
        block[BLOCK_WORDS - 1] = V::splat(token, second);
    }
    block
}
