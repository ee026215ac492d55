//! What the engine has to know of a hash function.

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::lanes::{BLOCK_WORDS, Block, ByteOrder, Lanes};
use crate::message::{Messages, Times};
use crate::passes::Crossovers;

/// A Merkle–Damgård hash of 64-byte blocks and 32-bit words, with a state of `WORDS` words that is
/// also its digest: SHA-256, SHA-1, RIPEMD-160. `WORDS` is at most 8.
pub trait LaneHash<const WORDS: usize> {
    /// The order of the bytes in a word, and of the message length in the padding.
    const ORDER: ByteOrder;

    /// The digest: an array of `4 * WORDS` bytes.
    type Digest: AsMut<[u8]> + Copy + Default;

    /// Whether [`Times::Twice`] is offered. Where it is not, its kernels are not compiled.
    const HASHES_TWICE: bool = false;

    /// The state before the first block.
    const IV: [u32; WORDS];

    /// Hashes one block of each lane into `state`; mark it `#[inline(always)]`.
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; WORDS], block: [V; BLOCK_WORDS]);

    /// The hash of a digest, given as the words of its state. Used where [`Self::HASHES_TWICE`]; mark it
    /// `#[inline(always)]`.
    #[inline(always)]
    fn hash_digest<V: Lanes>(token: V::Token, digest: [V; WORDS]) -> [V; WORDS] {
        let mut block = [V::splat(token, 0); BLOCK_WORDS];
        block[..WORDS].copy_from_slice(&digest);
        let (one_bit, length_word) = match Self::ORDER {
            ByteOrder::Big => (0x8000_0000, 15),
            ByteOrder::Little => (0x80, 14),
        };
        block[WORDS] = V::splat(token, one_bit);
        block[length_word] = V::splat(token, WORDS as u32 * u32::BITS);
        let mut state = [V::splat(token, 0); WORDS];
        for i in 0..WORDS {
            state[i] = V::splat(token, Self::IV[i]);
        }
        Self::compress(token, &mut state, block);
        state
    }

    /// Hashes the blocks of each message into its state with the CPU's SHA instructions. There are
    /// one or two messages, both with equally many blocks. Never called where
    /// [`Crossovers::has_hardware`] is false.
    fn compress_hardware(sha: ShaExtensions, states: &mut [[u32; WORDS]], messages: &[&[Block]]);

    /// Which kernels of `backend` are the cheapest for how many messages, as measured.
    fn crossovers(backend: Backend, times: Times) -> Crossovers;

    /// Hashes messages of any lengths. Implement it as
    /// [`hash_messages::<Self, WORDS>`](crate::hash_messages), so that the kernels are compiled once,
    /// in the crate of the hash, and not again wherever they are used.
    ///
    /// # Panics
    ///
    /// If `times` is [`Times::Twice`] and the hash does not offer it.
    fn hash_messages<'m>(
        backend: Backend,
        times: Times,
        messages: &mut dyn Messages<'m, WORDS>,
        finished: &mut dyn FnMut(usize, &[u32; WORDS]),
    );

    /// The digest that the final state is.
    #[inline]
    #[must_use]
    fn digest(state: &[u32; WORDS]) -> Self::Digest {
        let mut digest = Self::Digest::default();
        let (words, _) = digest.as_mut().as_chunks_mut::<4>();
        for (bytes, word) in words.iter_mut().zip(state) {
            *bytes = match Self::ORDER {
                ByteOrder::Big => word.to_be_bytes(),
                ByteOrder::Little => word.to_le_bytes(),
            };
        }
        digest
    }
}
