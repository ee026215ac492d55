//! Describes a hash function, and the messages to hash, to the engine.

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::kernel::KernelSet;
use crate::lanes::{BLOCK_WORDS, Block, ByteOrder, Lanes};
use crate::padding::padding_words;
use crate::plans::Plans;
use crate::stream::Stream;

/// The state of a message: its words in the byte order of the hash, followed by zeros. For a
/// message that has ended they are its digest.
pub type Row = [u8; 32];

/// Shapes of messages; each has its own costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 32-byte messages, such as digests.
    Bytes32,
    /// Messages that fit into one block with their padding.
    OneBlock,
    /// 64-byte messages, such as two digests. The costs of this shape and those below are per
    /// block.
    Bytes64,
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

    /// The shape of a message of `len` bytes.
    pub(crate) const fn of(len: usize) -> Self {
        match len {
            ..=55 => Self::OneBlock,
            64 => Self::Bytes64,
            56..=119 => Self::TwoBlocks,
            _ => Self::Blocks,
        }
    }

    /// The length of the messages that are hashed to measure the costs.
    pub(crate) const fn sample_len(self) -> usize {
        match self {
            Self::Bytes32 => 32,
            Self::OneBlock => 48,
            Self::Bytes64 => 64,
            Self::TwoBlocks => 112,
            Self::Blocks | Self::Mixed | Self::Pbkdf2 => 304,
        }
    }
}

/// A Merkle–Damgård hash of 64-byte blocks and 32-bit words, such as SHA-256, SHA-1 or RIPEMD-160.
///
/// The state has `WORDS` words, at most 8, and is also the digest.
pub trait LaneHash<const WORDS: usize>: Clone + 'static {
    /// The lane kernels that it is compiled for.
    const KERNELS: KernelSet = KernelSet::LANES;

    /// The byte order of words, and of the message length in the padding.
    const ORDER: ByteOrder;

    /// The digest: an array of `4 * WORDS` bytes.
    type Digest: AsMut<[u8]> + Copy + Default;

    /// The state before the first block.
    const IV: [u32; WORDS];

    /// Hashes one block of each lane into `state`; mark it `#[inline(always)]`.
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; WORDS], block: [V; BLOCK_WORDS]);

    /// Hashes the padding of a 64-byte message, the same block in every lane, into `state`; mark it
    /// `#[inline(always)]`. Returns `false`, with the state unchanged, if the hash does that no
    /// faster than [`Self::compress`].
    #[inline(always)]
    fn compress_padding_of_64<V: Lanes>(token: V::Token, state: &mut [V; WORDS]) -> bool {
        let _ = (token, state);
        false
    }

    /// [`Self::compress`] for a block with constant words, such as padding; mark it
    /// `#[inline(always)]`.
    #[inline(always)]
    fn compress_const_tail<V: Lanes>(
        token: V::Token,
        state: &mut [V; WORDS],
        block: [V; BLOCK_WORDS],
    ) {
        Self::compress(token, state, block);
    }

    /// The state after a 32-byte message, given as words; mark it `#[inline(always)]`.
    #[inline(always)]
    fn compress_32_bytes<V: Lanes>(token: V::Token, message: [V; 8]) -> [V; WORDS] {
        let mut block = [V::splat(token, 0); BLOCK_WORDS];
        let padding = padding_words(Self::ORDER, 8 * 32);
        for i in 0..BLOCK_WORDS {
            block[i] = if i < 8 { message[i] } else { V::splat(token, padding[i]) };
        }
        let mut state = [V::splat(token, 0); WORDS];
        for i in 0..WORDS {
            state[i] = V::splat(token, Self::IV[i]);
        }
        Self::compress(token, &mut state, block);
        state
    }

    /// Hashes the blocks of each message into its state with the CPU's SHA instructions.
    ///
    /// There are one to four messages, all with the same number of blocks. Never called if no
    /// [`Self::plans`] have a SHA instruction kernel.
    fn compress_streams(sha: ShaExtensions, states: &mut [Row], messages: &[&[Block]]);

    /// Hashes messages of equal length with the CPU's SHA instructions, `streams` at a time, into
    /// rows of zeros or of earlier digests.
    ///
    /// They start from `state`, and have `message_bits` with what precedes them. `messages.len()`
    /// is a multiple of `streams` and equal to `rows.len()`. Never called if no [`Self::plans`]
    /// have a SHA instruction kernel.
    fn hash_equal(
        sha: ShaExtensions,
        streams: usize,
        state: &Row,
        messages: &[&[u8]],
        message_bits: u64,
        rows: &mut [Row],
    );

    /// The cheapest kernels for messages of this shape.
    fn plans(shape: Shape) -> &'static Plans;

    /// What hashing `count` messages of `len` bytes costs, in the unit of the plans.
    /// [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    fn cost(backend: Backend, len: usize, count: usize) -> u64;

    /// Hashes one message. [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    fn hash_one(backend: Backend, start: Start<'_>, bytes: &[u8]) -> Row;

    /// Hashes the 32-byte message `messages[i]` into `rows[i]`; if one has another length, its
    /// digest is wrong. [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    ///
    /// # Panics
    ///
    /// Panics if `rows.len() != messages.len()`.
    fn hash_32_bytes(backend: Backend, messages: &[&[u8]], rows: &mut [Row]);

    /// Hashes the next messages of a stream, of any length. Returns those of a full group to begin
    /// the next one with, message `i` as bit `i`.
    /// [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    fn hash_group(stream: &mut Stream<Self, WORDS>, group: &Group<'_>, sink: &mut dyn Sink) -> u64;

    /// The bytes of a state.
    #[inline]
    #[must_use]
    fn row(state: &[u32; WORDS]) -> Row {
        let mut row = [0; 32];
        for (bytes, word) in row.as_chunks_mut::<4>().0.iter_mut().zip(state) {
            *bytes = match Self::ORDER {
                ByteOrder::Big => word.to_be_bytes(),
                ByteOrder::Little => word.to_le_bytes(),
            };
        }
        row
    }

    /// The state whose bytes are in `row`.
    #[inline]
    #[must_use]
    fn state(row: &Row) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for (word, bytes) in state.iter_mut().zip(row.as_chunks::<4>().0) {
            *word = match Self::ORDER {
                ByteOrder::Big => u32::from_be_bytes(*bytes),
                ByteOrder::Little => u32::from_le_bytes(*bytes),
            };
        }
        state
    }

    /// The digest of a message that has ended, from its row.
    #[inline]
    #[must_use]
    fn digest(row: &Row) -> Self::Digest {
        let mut digest = Self::Digest::default();
        digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
        digest
    }
}

/// Implements the methods of [`LaneHash`] that run kernels, for a state of `$words` words.
///
/// They are not provided methods: those would be compiled again in each crate that calls them,
/// kernels included.
#[doc(hidden)]
#[macro_export]
macro_rules! compile_kernels {
    ($words:expr) => {
        fn cost(backend: $crate::Backend, len: usize, count: usize) -> u64 {
            $crate::engine::cost::<Self, $words>(backend, len, count)
        }

        fn hash_one(
            backend: $crate::Backend,
            start: $crate::engine::Start<'_>,
            bytes: &[u8],
        ) -> $crate::engine::Row {
            $crate::engine::hash_one::<Self, $words>(backend, start, bytes)
        }

        fn hash_32_bytes(
            backend: $crate::Backend,
            messages: &[&[u8]],
            rows: &mut [$crate::engine::Row],
        ) {
            $crate::engine::hash_batch::<$crate::engine::Bytes32<'_, Self, $words>>(
                backend, messages, rows,
            );
        }

        fn hash_group(
            stream: &mut $crate::engine::Stream<Self, $words>,
            group: &$crate::engine::Group<'_>,
            sink: &mut dyn $crate::engine::Sink,
        ) -> u64 {
            $crate::engine::hash_group(stream, group, sink)
        }
    };
}

/// How a message, or a part of one, begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct Start<'s> {
    /// The state to resume from, where an earlier part ended. `None`: the initial state of the
    /// hash.
    pub state: Option<&'s Row>,
    /// `Some(n)`: the message ends with these bytes, after `n` earlier bytes, and is padded.
    /// `None`: the message continues; trailing bytes that do not fill a block are ignored.
    pub ends_after: Option<u64>,
}

impl Start<'_> {
    /// A complete message.
    pub const WHOLE: Self = Self { state: None, ends_after: Some(0) };
}

/// The number of messages that the scheduler looks at together: a multiple of every lane count.
pub const GROUP: usize = 64;

/// The messages that the scheduler looks at together, at most [`GROUP`]. Only the last group of a
/// stream has fewer.
#[derive(Clone, Copy, Debug)]
pub struct Group<'g> {
    /// The messages, or parts of some.
    pub bytes: &'g [&'g [u8]],
    /// How they begin and end.
    pub starts: Starts<'g>,
    /// Message `i` is number `first + i` of the stream, unless it is in a lane already.
    pub first: usize,
}

/// How the messages of a group begin and end.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'s> {
    /// All alike.
    One(Start<'s>),
    /// Each in its own way.
    Each(&'s [Start<'s>]),
}

impl<'s> Starts<'s> {
    /// How message `i` begins and ends. Not a copy: the compiler would load two fields at once, and
    /// loads cannot be forwarded from two stores.
    #[inline]
    #[must_use]
    pub fn of(&self, i: usize) -> &Start<'s> {
        match self {
            Self::One(start) => start,
            Self::Each(starts) => &starts[i],
        }
    }
}

/// What becomes of the messages of a stream.
pub trait Sink {
    /// Hashes a group by a kernel for messages of its shape and returns `true`, or returns `false`.
    ///
    /// No message of the group is in a lane. A kernel for whole messages must only take those of a
    /// stream that starts with [`Start::WHOLE`].
    fn hash_fixed(&mut self, group: &Group<'_>) -> bool {
        let _ = group;
        false
    }

    /// Takes the final states of the messages from number `first` on. Each message is reported
    /// once, in no particular order.
    fn finished(&mut self, first: usize, rows: &[Row]);
}
