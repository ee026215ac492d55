//! Describes a hash function to the engine.

use crate::backend::Backend;
use crate::cpu::{MAX_STREAMS, ShaExtensions};
use crate::kernel::KernelSet;
use crate::lanes::{BLOCK_WORDS, Block, ByteOrder, Lanes};
use crate::message::{Hashing, InitialState, Message, Messages};
use crate::padding::Padding;
use crate::plan::Plan;
use crate::scratch::Scratch;

/// The bytes of a state, words in the byte order of the hash, followed by zeros. For a message that
/// has ended they are its digest.
pub type Row = [u8; 32];

/// Shapes of messages; each has its own plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 32-byte messages, such as digests.
    Bytes32,
    /// Messages that fit into one block with their padding.
    OneBlock,
    /// Longer messages; the costs are per block.
    Blocks,
    /// Messages that are hashed twice.
    Double,
}

/// A Merkle–Damgård hash of 64-byte blocks and 32-bit words, such as SHA-256, SHA-1 or RIPEMD-160.
///
/// The state has `WORDS` words, at most 8, and is also the digest.
pub trait LaneHash<const WORDS: usize> {
    /// The byte order of words, and of the message length in the padding.
    const ORDER: ByteOrder;

    /// The digest: an array of `4 * WORDS` bytes.
    type Digest: AsMut<[u8]> + Copy + Default;

    /// Whether the hash supports [`Hashing::Double`]. If not, its kernels are not compiled.
    const OFFERS_DOUBLE: bool = false;

    /// The lane kernels for 32-byte messages.
    const KERNELS_OF_32_BYTES: KernelSet = KernelSet::SINGLE_GROUPS;

    /// The state before the first block.
    const IV: [u32; WORDS];

    /// Hashes one block of each lane into `state`; mark it `#[inline(always)]`.
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; WORDS], block: [V; BLOCK_WORDS]);

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
        block[..8].copy_from_slice(&message);
        let (one_bit, length_word) = match Self::ORDER {
            ByteOrder::Big => (0x8000_0000, 15),
            ByteOrder::Little => (0x80, 14),
        };
        block[8] = V::splat(token, one_bit);
        block[length_word] = V::splat(token, 256);
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
    /// [`Self::plan`] has a SHA instruction kernel.
    fn compress_streams(sha: ShaExtensions, states: &mut [[u32; WORDS]], messages: &[&[Block]]);

    /// Hashes 32-byte messages with the CPU's SHA instructions, `streams` at a time.
    ///
    /// `messages.len()` is a multiple of `streams` and equal to `rows.len()`.
    fn hash_32_bytes_sha(
        sha: ShaExtensions,
        streams: usize,
        messages: &[&[u8; 32]],
        rows: &mut [Row],
    ) {
        let mut paddings = [Padding::NONE; MAX_STREAMS];
        for (messages, rows) in messages.chunks_exact(streams).zip(rows.chunks_exact_mut(streams)) {
            let mut states = [Self::IV; MAX_STREAMS];
            for (padding, message) in paddings.iter_mut().zip(messages) {
                padding.set(&message[..], 32, Self::ORDER);
            }
            let blocks = paddings.each_ref().map(Padding::blocks);
            Self::compress_streams(sha, &mut states[..streams], &blocks[..streams]);
            for (row, state) in rows.iter_mut().zip(&states) {
                *row = Self::row(state);
            }
        }
    }

    /// The cheapest kernels of `backend` for messages of this shape.
    fn plan(backend: Backend, shape: Shape) -> &'static Plan;

    /// Hashes one message. [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    ///
    /// # Panics
    ///
    /// Panics if `hashing` is [`Hashing::Double`] and [`Self::OFFERS_DOUBLE`] is `false`.
    fn hash_one(backend: Backend, hashing: Hashing, message: Message<'_, WORDS>) -> Row;

    /// Hashes the complete message `messages[i]` into `rows[i]`. All start from `initial`.
    /// [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    ///
    /// There are at most 64 messages of equal length; if a length differs, the digests are wrong.
    ///
    /// # Panics
    ///
    /// Panics if `rows.len() != messages.len()`, or if `hashing` is [`Hashing::Double`] and
    /// [`Self::OFFERS_DOUBLE`] is `false`.
    fn hash_equal<'m>(
        backend: Backend,
        hashing: Hashing,
        initial: &'m InitialState<WORDS>,
        messages: &[&'m [u8]],
        rows: &mut [Row],
        scratch: &mut Scratch<'m, WORDS>,
    );

    /// Hashes messages of any length. `finished(i, rows)` receives the final states of the messages
    /// from number `i` on; each message is reported once, in no particular order.
    /// [`compile_kernels!`](crate::engine::compile_kernels) implements it.
    ///
    /// # Panics
    ///
    /// Panics if `hashing` is [`Hashing::Double`] and [`Self::OFFERS_DOUBLE`] is `false`.
    fn hash_messages<'m>(
        backend: Backend,
        hashing: Hashing,
        messages: &mut dyn Messages<'m, WORDS>,
        finished: &mut dyn FnMut(usize, &[Row]),
    );

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

impl<const WORDS: usize> InitialState<WORDS> {
    /// The IV of `H`.
    #[must_use]
    pub const fn of<H: LaneHash<WORDS>>() -> Self {
        Self::iv(H::IV)
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
        fn hash_one(
            backend: $crate::Backend,
            hashing: $crate::engine::Hashing,
            message: $crate::engine::Message<'_, $words>,
        ) -> $crate::engine::Row {
            $crate::engine::hash_one::<Self, $words>(backend, hashing, message)
        }

        fn hash_equal<'m>(
            backend: $crate::Backend,
            hashing: $crate::engine::Hashing,
            initial: &'m $crate::engine::InitialState<$words>,
            messages: &[&'m [u8]],
            rows: &mut [$crate::engine::Row],
            scratch: &mut $crate::engine::Scratch<'m, $words>,
        ) {
            $crate::engine::hash_equal::<Self, $words>(
                backend, hashing, initial, messages, rows, scratch,
            );
        }

        fn hash_messages<'m>(
            backend: $crate::Backend,
            hashing: $crate::engine::Hashing,
            messages: &mut dyn $crate::engine::Messages<'m, $words>,
            finished: &mut dyn FnMut(usize, &[$crate::engine::Row]),
        ) {
            $crate::engine::hash_messages::<Self, $words>(backend, hashing, messages, finished);
        }
    };
}
