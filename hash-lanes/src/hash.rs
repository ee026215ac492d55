//! What the engine has to know of a hash function.

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::kernel::KernelSet;
use crate::lanes::{BLOCK_WORDS, Block, ByteOrder, Lanes};
use crate::message::{Hashing, Message, Messages};
use crate::padding::Padding;
use crate::plan::Plan;
use crate::schedule::MAX_STREAMS;

/// A final state as the bytes of its words in the hash's order, followed by zeros: the digest of a
/// message that ended.
pub type Row = [u8; 32];

/// Shapes of messages with plans of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Messages of 32 bytes, such as digests.
    Bytes32,
    /// Messages that are padded to one block.
    OneBlock,
    /// Longer messages; what a block of them costs.
    Blocks,
    /// Messages that are hashed twice.
    Double,
}

/// A Merkle–Damgård hash of 64-byte blocks and 32-bit words, with a state of `WORDS` words that is
/// also its digest: SHA-256, SHA-1, RIPEMD-160. `WORDS` is at most 8.
pub trait LaneHash<const WORDS: usize> {
    /// The order of the bytes in a word, and of the message length in the padding.
    const ORDER: ByteOrder;

    /// The digest: an array of `4 * WORDS` bytes.
    type Digest: AsMut<[u8]> + Copy + Default;

    /// Whether [`Hashing::Double`] is offered. Where it is not, its kernels are not compiled.
    const OFFERS_DOUBLE: bool = false;

    /// The lane kernels that messages of 32 bytes have.
    const KERNELS_OF_32_BYTES: KernelSet = KernelSet::SINGLE_GROUPS;

    /// The state before the first block.
    const IV: [u32; WORDS];

    /// Hashes one block of each lane into `state`; mark it `#[inline(always)]`.
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; WORDS], block: [V; BLOCK_WORDS]);

    /// The state after a message of 32 bytes, given as words; mark it `#[inline(always)]`.
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

    /// Hashes the blocks of each message into its state with the CPU's SHA instructions. There are
    /// one to four messages, all with equally many blocks. Never called if no [`Self::plan`] has a
    /// kernel of SHA instructions.
    fn compress_sha(sha: ShaExtensions, states: &mut [[u32; WORDS]], messages: &[&[Block]]);

    /// Hashes messages of 32 bytes with the CPU's SHA instructions, `streams` at a time. There are
    /// a multiple of that, and a row for each.
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
            Self::compress_sha(sha, &mut states[..streams], &blocks[..streams]);
            for (row, state) in rows.iter_mut().zip(&states) {
                *row = Self::row(state);
            }
        }
    }

    /// The cheapest kernels of `backend` for messages of a shape, as measured.
    fn plan(backend: Backend, shape: Shape) -> &'static Plan;

    /// Hashes one message. Implement it as [`hash_one::<Self, WORDS>`](crate::engine::hash_one),
    /// for the reason given at [`Self::hash_messages`].
    ///
    /// # Panics
    ///
    /// Panics if `times` is [`Hashing::Double`] and the hash does not offer it.
    fn hash_one(backend: Backend, hashing: Hashing, message: Message<'_, WORDS>) -> Row;

    /// Hashes messages of 32 bytes into the rows at their own places. Implement it as
    /// [`hash_32_bytes::<Self, WORDS>`](crate::engine::hash_32_bytes), for the reason given at
    /// [`Self::hash_messages`].
    ///
    /// # Panics
    ///
    /// Panics if `rows.len() != messages.len()`.
    fn hash_32_bytes(backend: Backend, messages: &[&[u8; 32]], rows: &mut [Row]);

    /// Hashes messages of any lengths. Implement it as
    /// [`hash_messages::<Self, WORDS>`](crate::engine::hash_messages), so that the kernels are
    /// compiled once, in the crate of the hash, and not again wherever they are used.
    ///
    /// # Panics
    ///
    /// Panics if `times` is [`Hashing::Double`] and the hash does not offer it.
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

    /// The state whose bytes a row is.
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

    /// The digest that the row of a message that ended is.
    #[inline]
    #[must_use]
    fn digest(row: &Row) -> Self::Digest {
        let mut digest = Self::Digest::default();
        digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
        digest
    }
}
