//! Describes a hash function, and the messages to hash, to the engine.

use core::convert::Infallible;

use crate::blocks::block_bytes;
use crate::cpu::{MAX_STREAMS, ShaExtensions, ShaInstructions};
use crate::ending::{Ending, body_blocks};
use crate::erase::Blank;
use crate::kernel::{KernelSet, LaneKernel};
use crate::lanes::{Lanes, Vectors, splat_all};
use crate::padding::Padding;
pub(crate) use crate::plan::GROUP;
use crate::plans::Plans;
use crate::word::{Array, BLOCK_WORDS, Block, ByteOrder, Bytes, ROW_WORDS, Row, Word};

/// Shapes of messages; each has its own costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Messages of eight words, such as digests: 32 bytes, or 64 for 64-bit words.
    Row,
    /// Messages that fit into one block with their padding.
    OneBlock,
    /// Messages of sixteen words, such as two digests. The costs of this shape and those below are
    /// per block.
    Block,
    /// Messages that fit into two blocks with their padding.
    TwoBlocks,
    /// Longer messages.
    Blocks,
    /// Messages of different lengths, in lanes that are refilled.
    Mixed,
    /// Rounds of PBKDF2, two blocks each.
    Pbkdf2,
}

impl Shape {
    /// The number of shapes.
    pub const COUNT: usize = 7;

    /// The shape of a message of `len` bytes, hashed in words of `W`.
    pub(crate) fn of<E: Ending, W: Word>(len: usize) -> Self {
        let block = BLOCK_WORDS * W::BYTES;
        match E::blocks::<W>(len) {
            1 => Self::OneBlock,
            _ if len == block => Self::Block,
            2 => Self::TwoBlocks,
            _ => Self::Blocks,
        }
    }

    /// The length of the messages that are hashed to measure the costs.
    pub(crate) const fn sample_len<W: Word>(self) -> usize {
        W::BYTES
            * match self {
                Self::Row => ROW_WORDS,
                Self::OneBlock => 12,
                Self::Block => BLOCK_WORDS,
                Self::TwoBlocks => 28,
                Self::Blocks | Self::Mixed | Self::Pbkdf2 => MAX_SAMPLE_WORDS,
            }
    }
}

/// The words of the longest sample.
pub(crate) const MAX_SAMPLE_WORDS: usize = 76;

/// A hash of blocks of sixteen words, such as SHA-256, SHA-512, SHA-1, RIPEMD-160 or BLAKE2.
///
/// This is what the author of a hash writes.
/// [`compile_kernels!`](crate::engine::compile_kernels) makes the kernels.
pub trait LaneHash: Clone + 'static {
    /// The word: `u32` or `u64`.
    type Word: Vectors;

    /// The state, `[V; 5]` or `[V; 8]`: at most eight words.
    type State<V: Copy>: Array<V>;

    /// The digest, an array of bytes: those of the state, or of its first words.
    type Digest: Bytes;

    /// How a message ends: [`Length`](crate::engine::Length) or
    /// [`CounterAndFlag`](crate::engine::CounterAndFlag).
    type Ending: Ending;

    /// The CPU's instructions for this hash; [`Infallible`]: none.
    type Sha: ShaKernels<Self>;

    /// What blocks are suspected of; [`Infallible`]: nothing.
    type Suspicions: Suspicions<Self>;

    /// The lane kernels that it is compiled for.
    const KERNELS: KernelSet = KernelSet::LANES;

    /// The byte order of words, and of the message length in the padding.
    const ORDER: ByteOrder;

    /// The state before the first block.
    const IV: Self::State<Self::Word>;

    /// The number of words in a state.
    const STATE_WORDS: usize = <Self::State<Self::Word> as Array<Self::Word>>::LEN;

    /// The number of bytes in a digest.
    const DIGEST_BYTES: usize = <Self::Digest as Array<u8>>::LEN;

    /// Hashes one block of each lane into `state`; mark it `#[inline(always)]`.
    fn compress<V: Lanes<Word = Self::Word>>(
        token: V::Token,
        state: &mut Self::State<V>,
        block: [V; BLOCK_WORDS],
        params: ParamsOf<Self, V>,
    );

    /// Hashes the padding of a message of one block, the same block in every lane, into `state`;
    /// mark it `#[inline(always)]`. Returns `false`, with the state unchanged, if the hash does
    /// that no faster than [`Self::compress`].
    #[inline(always)]
    fn compress_padding_of_block<V: Lanes<Word = Self::Word>>(
        token: V::Token,
        state: &mut Self::State<V>,
    ) -> bool {
        let _ = (token, state);
        false
    }

    /// [`Self::compress`] for a block with constant words, such as padding; mark it
    /// `#[inline(always)]`.
    #[inline(always)]
    fn compress_const_tail<V: Lanes<Word = Self::Word>>(
        token: V::Token,
        state: &mut Self::State<V>,
        block: [V; BLOCK_WORDS],
        params: ParamsOf<Self, V>,
    ) {
        Self::compress(token, state, block, params);
    }

    /// The state after a message of one row, given as words; mark it `#[inline(always)]`.
    #[inline(always)]
    fn compress_row<V: Lanes<Word = Self::Word>>(
        token: V::Token,
        message: [V; ROW_WORDS],
    ) -> Self::State<V> {
        let mut block = [V::splat(token, Self::Word::default()); BLOCK_WORDS];
        let len = <Row<Self::Word> as Array<u8>>::LEN as u64;
        let padding = Self::Ending::padding_words::<Self::Word>(Self::ORDER, len);
        for i in 0..BLOCK_WORDS {
            block[i] = if i < ROW_WORDS { message[i] } else { V::splat(token, padding[i]) };
        }
        let mut state = splat_all(token, Self::IV.elements());
        let params = Self::Ending::equal_params::<V>(token, Self::Ending::offset(len, true));
        Self::compress(token, &mut state, block, params);
        state
    }

    /// The cheapest kernels for messages of this shape.
    fn plans(shape: Shape) -> &'static Plans;

    /// The bytes of a state.
    #[inline]
    #[must_use]
    fn row(state: &Self::State<Self::Word>) -> Row<Self::Word> {
        let mut words = [Self::Word::default(); ROW_WORDS];
        words[..Self::STATE_WORDS].copy_from_slice(state.elements());
        Self::Word::row_of(words, Self::ORDER)
    }

    /// The state whose bytes are in `row`.
    #[inline]
    #[must_use]
    fn state(row: &Row<Self::Word>) -> Self::State<Self::Word> {
        let words = Self::Word::words_of(row, Self::ORDER);
        let mut state: Self::State<Self::Word> = Array::filled(words[0]);
        state.elements_mut().copy_from_slice(&words[..Self::STATE_WORDS]);
        state
    }

    /// The digest of a message that has ended, from its row.
    #[inline]
    #[must_use]
    fn digest(row: &Row<Self::Word>) -> Self::Digest {
        let mut digest = Self::Digest::filled(0);
        digest.elements_mut().copy_from_slice(&row.elements()[..Self::DIGEST_BYTES]);
        digest
    }
}

/// Hashes with the CPU's SHA instructions, which the value proves.
///
/// [`Infallible`] implements it for hashes without instructions.
pub trait ShaKernels<H: LaneHash>: ShaInstructions {
    /// Hashes the blocks of each message into its state.
    ///
    /// There are one to four messages, all with the same number of blocks.
    fn compress_streams(self, states: &mut [Row<H::Word>], messages: &[&[Block<H::Word>]]);

    /// Hashes messages of equal length, `streams` at a time, into rows of zeros or of earlier
    /// digests.
    ///
    /// They start from `state`, after `before` bytes. `messages.len()` is a multiple of `streams`
    /// and equal to `rows.len()`.
    #[inline]
    fn hash_equal(
        self,
        streams: usize,
        state: &Row<H::Word>,
        before: u64,
        messages: &[&[u8]],
        rows: &mut [Row<H::Word>],
    ) {
        hash_streams::<H>(self, streams, state, before, messages, rows);
    }
}

impl<H: LaneHash<Sha = Self>> ShaKernels<H> for Infallible {
    fn compress_streams(self, _: &mut [Row<H::Word>], _: &[&[Block<H::Word>]]) {
        match self {}
    }
}

/// What the blocks of a hash are suspected of, as those of SHA-1 with collision detection are.
///
/// Every block then goes through [`Self::compress`] or [`Self::compress_alone`]. [`Infallible`]
/// implements it for hashes that suspect nothing.
pub trait Suspicions<H: LaneHash>: Copy + 'static {
    /// The only value, or `None` if nothing is suspected.
    const RAISED: Option<Self>;

    /// [`LaneHash::compress`]; mark it `#[inline(always)]`. Each bit that is set in the word of a
    /// lane is a suspicion about its block, which [`Self::confirm`] looks into.
    fn compress<V: Lanes<Word = H::Word>>(
        self,
        token: V::Token,
        state: &mut H::State<V>,
        block: [V; BLOCK_WORDS],
        params: ParamsOf<H, V>,
    ) -> V;

    /// Looks into at least one and at most [`Lanes::COUNT`] suspicions; mark it
    /// `#[inline(always)]`. Returns those that are right, suspicion `i` as bit `i`.
    ///
    /// A message about which a suspicion is right is hashed again alone, by
    /// [`Self::compress_alone`].
    fn confirm<V: Lanes<Word = H::Word>>(
        self,
        token: V::Token,
        suspicions: &[Suspicion<H::Word>],
    ) -> u32;

    /// Hashes blocks of one message into its state, with all that follows from suspicions that are
    /// right. It may use these lanes and the SHA instructions.
    fn compress_alone(
        self,
        lanes: LaneKernel,
        sha: Option<ShaExtensions>,
        row: &mut Row<H::Word>,
        blocks: &[Block<H::Word>],
    );
}

impl<H: LaneHash> Suspicions<H> for Infallible {
    const RAISED: Option<Self> = None;

    #[inline(always)]
    fn compress<V: Lanes<Word = H::Word>>(
        self,
        _: V::Token,
        _: &mut H::State<V>,
        _: [V; BLOCK_WORDS],
        _: ParamsOf<H, V>,
    ) -> V {
        match self {}
    }

    #[inline(always)]
    fn confirm<V: Lanes<Word = H::Word>>(self, _: V::Token, _: &[Suspicion<H::Word>]) -> u32 {
        match self {}
    }

    fn compress_alone(
        self,
        _: LaneKernel,
        _: Option<ShaExtensions>,
        _: &mut Row<H::Word>,
        _: &[Block<H::Word>],
    ) {
        match self {}
    }
}

/// Whether blocks of a hash may be suspected.
pub(crate) const fn may_suspect<H: LaneHash>() -> bool {
    H::Suspicions::RAISED.is_some()
}

/// A suspicion about a block.
#[derive(Clone, Copy, Debug)]
pub struct Suspicion<W: Word> {
    /// The block.
    pub block: W::Block,
    /// The state before it.
    pub before: W::Row,
    /// The state after it.
    pub after: W::Row,
    /// Which suspicion: the number of its bit.
    pub bit: u32,
    /// The place of the message in its group.
    pub(crate) place: usize,
}

impl<W: Word> Blank for Suspicion<W> {
    const BLANK: Self =
        Self { block: Blank::BLANK, before: Blank::BLANK, after: Blank::BLANK, bit: 0, place: 0 };
}

impl<W: Word> Suspicion<W> {
    /// A suspicion about a block of the only message.
    #[must_use]
    pub fn new(block: W::Block, before: W::Row, after: W::Row, bit: u32) -> Self {
        Self { block, before, after, bit, place: 0 }
    }
}

/// What the compression function of a hash takes beside the state and the block.
pub type ParamsOf<H, V> = <<H as LaneHash>::Ending as Ending>::Params<V>;

/// Hashes messages of equal length with the CPU's SHA instructions; implements
/// [`ShaKernels::hash_equal`] where no kernel pads by itself.
// Inlined, its paddings would take up stack while other messages are hashed.
#[inline(never)]
pub fn hash_streams<H: LaneHash>(
    sha: impl ShaKernels<H>,
    streams: usize,
    state: &Row<H::Word>,
    before: u64,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
) {
    let Some(first) = messages.first() else { return };
    let body = body_blocks::<H::Ending, H::Word>(first.len(), true);
    let body_bytes = body * block_bytes::<H::Word>();
    let message_bytes = before.wrapping_add(first.len() as u64);
    let mut paddings = [Padding::<H::Word>::none(); MAX_STREAMS];
    // Without iterators, each call of which takes as long as a round in unoptimised builds.
    let mut done = 0;
    while done < messages.len() {
        let count = streams.min(messages.len() - done);
        let rows = &mut rows[done..][..count];
        let mut blocks: [&[Block<H::Word>]; MAX_STREAMS] = [&[]; MAX_STREAMS];
        let mut i = 0;
        while i < count {
            rows[i] = *state;
            if body > 0 {
                blocks[i] = &H::Word::blocks_of(messages[done + i]).0[..body];
            }
            i += 1;
        }
        if body > 0 {
            sha.compress_streams(rows, &blocks[..count]);
        }
        let mut i = 0;
        while i < count {
            let rest = &messages[done + i][body_bytes..];
            paddings[i].set::<H::Ending>(rest, message_bytes, H::ORDER);
            i += 1;
        }
        let mut i = 0;
        while i < count {
            blocks[i] = paddings[i].blocks();
            i += 1;
        }
        sha.compress_streams(rows, &blocks[..count]);
        done += count;
    }
}

/// How a message, or a part of one, begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct Start<'s, R = Row> {
    /// The state to resume from, where an earlier part ended. `None`: the initial state of the
    /// hash.
    pub state: Option<&'s R>,
    /// The number of bytes before.
    pub before: u64,
    /// `true`: the message ends with these bytes, and is padded. `false`: it continues; trailing
    /// bytes that do not fill a block are ignored.
    pub ends: bool,
}

impl<'s, R> Start<'s, R> {
    /// A complete message.
    pub const WHOLE: Self = Self::ending(None, 0);

    /// A message that ends, `before` bytes after its begin in this state.
    #[must_use]
    pub const fn ending(state: Option<&'s R>, before: u64) -> Self {
        Self { state, before, ends: true }
    }

    /// A message that continues, `before` bytes after its begin in this state.
    #[must_use]
    pub const fn continuing(state: Option<&'s R>, before: u64) -> Self {
        Self { state, before, ends: false }
    }
}

impl<R: Copy> Start<'_, R> {
    /// The state to begin with.
    #[inline]
    pub(crate) fn row<H: LaneHash<Word: Word<Row = R>>>(&self) -> R {
        self.state.copied().unwrap_or_else(|| H::row(&H::IV))
    }
}

/// The messages that the scheduler looks at together, at most [`GROUP`]. Only the last group of a
/// stream has fewer.
#[derive(Clone, Copy, Debug)]
pub struct Group<'g, R = Row> {
    /// The messages, or parts of some.
    pub bytes: &'g [&'g [u8]],
    /// How they begin and end.
    pub starts: Starts<'g, R>,
    /// Message `i` is number `first + i` of the stream, unless it is in a lane already.
    pub first: usize,
}

/// How the messages of a group begin and end.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'s, R = Row> {
    /// All alike.
    One(Start<'s, R>),
    /// Each in its own way.
    Each(&'s [Start<'s, R>]),
}

impl<'s, R> Starts<'s, R> {
    /// How message `i` begins and ends. Not a copy: the compiler would load two fields at once, and
    /// loads cannot be forwarded from two stores.
    #[inline]
    #[must_use]
    pub fn of(&self, i: usize) -> &Start<'s, R> {
        match self {
            Self::One(start) => start,
            Self::Each(starts) => &starts[i],
        }
    }
}

/// What becomes of the messages of a stream.
pub trait Sink<R = Row> {
    /// Hashes a group by a kernel for messages of its shape and returns `true`, or returns `false`.
    ///
    /// No message of the group is in a lane. A kernel for whole messages must only take those of a
    /// stream that starts with [`Start::WHOLE`].
    fn hash_fixed(&mut self, group: &Group<'_, R>) -> bool {
        let _ = group;
        false
    }

    /// Takes the final states of the messages from number `first` on. Each message is reported
    /// once, in no particular order.
    fn finished(&mut self, first: usize, rows: &[R]);
}
