//! How messages end: what their last blocks hold, and what a compression function takes beside a
//! state and a block.

use core::hint::black_box;

use crate::blocks::{block_bytes, blocks_after, length_bytes, padded_blocks};
use crate::lanes::{Lanes, MAX_LANES};
use crate::word::{Array, BLOCK_WORDS, Block, ByteOrder, Word};

/// How the messages of a hash end. All else is the same for every hash, so one scheduler serves
/// all.
pub trait Ending: 'static {
    /// What the parameters of a block depend on.
    type Offset: Copy;

    /// What the compression function takes beside the state and the block: of each lane, or
    /// nothing.
    type Params<V: Lanes>: Copy;

    /// Whether the parameters are not nothing.
    const HAS_PARAMS: bool;

    /// Whether a message may end directly after blocks that were hashed as those of a message that
    /// continues.
    const ENDS_AFTER_BLOCKS: bool;

    /// The number of blocks of a message of `len` bytes, with its padding.
    fn blocks<W: Word>(len: usize) -> usize;

    /// The number of its last blocks that are hashed unlike those of a message that continues.
    fn last_blocks<W: Word>(len: usize) -> usize;

    /// Pads the last blocks of a message of `message_bytes` bytes; their first `rest` bytes are
    /// those of the message, and the others zeros.
    fn pad<W: Word>(blocks: &mut [Block<W>], order: ByteOrder, rest: usize, message_bytes: u64);

    /// The words of the only block of a message of `len` bytes, with zeros in place of the message.
    fn padding_words<W: Word>(order: ByteOrder, len: u64) -> [W; BLOCK_WORDS];

    /// Pads a block of each lane. It begins at byte `begin` of messages that have `len` bytes, and
    /// `message_bytes` with what precedes them. Mark it `#[inline(always)]`.
    fn pad_in_lanes<V: Lanes>(
        token: V::Token,
        order: ByteOrder,
        block: &mut [V; BLOCK_WORDS],
        begin: usize,
        len: usize,
        message_bytes: u64,
    );

    /// The offset of a block at whose end `bytes` bytes of a message are hashed. In the last block,
    /// these are the bytes of the message.
    fn offset(bytes: u64, is_last: bool) -> Self::Offset;

    /// The parameters of a block of each lane; mark it and the closure `#[inline(always)]`.
    fn params<V: Lanes>(token: V::Token, offset: impl Fn(usize) -> Self::Offset)
    -> Self::Params<V>;

    /// The parameters of a block with the same offset in every lane; mark it `#[inline(always)]`.
    fn equal_params<V: Lanes>(token: V::Token, offset: Self::Offset) -> Self::Params<V>;

    /// The parameters of the blocks after those with these parameters; mark it `#[inline(always)]`.
    fn next_params<V: Lanes>(token: V::Token, params: Self::Params<V>) -> Self::Params<V>;
}

/// The number of blocks of a part of `len` bytes that are hashed as those of a message that
/// continues.
#[inline]
pub(crate) fn body_blocks<E: Ending, W: Word>(len: usize, ends: bool) -> usize {
    if ends { E::blocks::<W>(len) - E::last_blocks::<W>(len) } else { len / block_bytes::<W>() }
}

/// The number of bytes that can be hashed of a message of which `len` bytes are known: whole
/// blocks, and not the last one if the message may end after it.
#[inline]
pub(crate) fn known_bytes<E: Ending, W: Word>(len: usize) -> usize {
    body_blocks::<E, W>(len, true) * block_bytes::<W>()
}

/// With a one bit, zeros and the length in bits: the Merkle–Damgård hashes of FIPS 180-4 §5.1.
#[derive(Clone, Copy, Debug)]
pub enum Length {}

impl Ending for Length {
    type Offset = ();
    type Params<V: Lanes> = ();

    const HAS_PARAMS: bool = false;
    const ENDS_AFTER_BLOCKS: bool = true;

    #[inline]
    fn blocks<W: Word>(len: usize) -> usize {
        padded_blocks::<W>(len)
    }

    #[inline]
    fn last_blocks<W: Word>(len: usize) -> usize {
        blocks_after::<W>(len)
    }

    #[inline]
    fn pad<W: Word>(blocks: &mut [Block<W>], order: ByteOrder, rest: usize, message_bytes: u64) {
        if let Some(first) = blocks.first_mut() {
            first.elements_mut()[rest] = 0x80;
        }
        if let Some(last) = blocks.last_mut() {
            W::write_length(last, order, message_bytes);
        }
    }

    #[inline(always)]
    fn padding_words<W: Word>(order: ByteOrder, len: u64) -> [W; BLOCK_WORDS] {
        W::padding_words(order, 8 * len)
    }

    #[inline(always)]
    fn pad_in_lanes<V: Lanes>(
        token: V::Token,
        order: ByteOrder,
        block: &mut [V; BLOCK_WORDS],
        begin: usize,
        len: usize,
        message_bytes: u64,
    ) {
        let left = len.saturating_sub(begin);
        if begin <= len {
            let at = left / V::Word::BYTES;
            block[at] = block[at] | V::splat(token, V::Word::one_bit(order, left));
        }
        if left + 1 + length_bytes::<V::Word>() <= block_bytes::<V::Word>() {
            let [first, second] = V::Word::length_words(order, message_bytes);
            block[BLOCK_WORDS - 2] = V::splat(token, first);
            block[BLOCK_WORDS - 1] = V::splat(token, second);
        }
    }

    #[inline(always)]
    fn offset(_: u64, _: bool) {}

    #[inline(always)]
    fn params<V: Lanes>(_: V::Token, _: impl Fn(usize)) {}

    #[inline(always)]
    fn equal_params<V: Lanes>(_: V::Token, (): ()) {}

    #[inline(always)]
    fn next_params<V: Lanes>(_: V::Token, (): ()) {}
}

/// With zeros, the number of bytes and a flag of the last block: BLAKE2 (RFC 7693 §3.2, §3.3).
#[derive(Clone, Copy, Debug)]
pub enum CounterAndFlag {}

/// The parameters of a block of BLAKE2.
#[derive(Clone, Copy, Debug)]
pub struct Counter<V> {
    /// The number of bytes up to the end of the block, without padding; the low word first.
    pub t: [V; 2],
    /// Ones in the last block, zeros in others.
    pub f: V,
}

impl Ending for CounterAndFlag {
    type Offset = (u64, bool);
    type Params<V: Lanes> = Counter<V>;

    const HAS_PARAMS: bool = true;
    const ENDS_AFTER_BLOCKS: bool = false;

    #[inline]
    fn blocks<W: Word>(len: usize) -> usize {
        len.div_ceil(block_bytes::<W>()).max(1)
    }

    #[inline]
    fn last_blocks<W: Word>(_: usize) -> usize {
        1
    }

    #[inline]
    fn pad<W: Word>(_: &mut [Block<W>], _: ByteOrder, _: usize, _: u64) {}

    #[inline(always)]
    fn padding_words<W: Word>(_: ByteOrder, _: u64) -> [W; BLOCK_WORDS] {
        [W::default(); BLOCK_WORDS]
    }

    #[inline(always)]
    fn pad_in_lanes<V: Lanes>(
        _: V::Token,
        _: ByteOrder,
        _: &mut [V; BLOCK_WORDS],
        _: usize,
        _: usize,
        _: u64,
    ) {
    }

    #[inline(always)]
    fn offset(bytes: u64, is_last: bool) -> (u64, bool) {
        (bytes, is_last)
    }

    #[inline(always)]
    fn params<V: Lanes>(token: V::Token, offset: impl Fn(usize) -> (u64, bool)) -> Counter<V> {
        let mut words = [[V::Word::default(); MAX_LANES]; 3];
        for lane in 0..V::COUNT {
            // Hidden, because LLVM would gather the offsets, and `cargo xtask constant-time` cannot
            // follow which memory a gather reads.
            let (bytes, is_last) = black_box(offset(lane));
            [words[0][lane], words[1][lane]] = V::Word::counter_words(bytes);
            words[2][lane] = if is_last { V::Word::ONES } else { V::Word::default() };
        }
        Counter {
            t: [V::from_words(token, &words[0]), V::from_words(token, &words[1])],
            f: V::from_words(token, &words[2]),
        }
    }

    #[inline(always)]
    fn equal_params<V: Lanes>(token: V::Token, (bytes, is_last): (u64, bool)) -> Counter<V> {
        let [low, high] = V::Word::counter_words(bytes);
        let flag = if is_last { V::Word::ONES } else { V::Word::default() };
        Counter { t: [V::splat(token, low), V::splat(token, high)], f: V::splat(token, flag) }
    }

    #[inline(always)]
    fn next_params<V: Lanes>(
        token: V::Token,
        Counter { t: [low, high], f }: Counter<V>,
    ) -> Counter<V> {
        let [block, _] = V::Word::counter_words(block_bytes::<V::Word>() as u64);
        let next = low + V::splat(token, block);
        // It has wrapped if its highest bit was set and is not any more.
        let carry = (low & !next).shift_right(V::Word::BITS - 1);
        Counter { t: [next, high + carry], f }
    }
}
