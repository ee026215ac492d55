//! One lane: the portable code, and what a single message runs on where no SHA instructions are.

use core::num::Wrapping;

use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES, Words};

/// The token of the portable lane: every CPU has what it needs.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Words for Wrapping<u32> {
    type Token = Portable;

    #[inline(always)]
    fn token(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn splat(_: Portable, word: u32) -> Self {
        Wrapping(word)
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Wrapping(self.0 >> bits)
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        Wrapping(self.0 << bits)
    }

    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        Wrapping(self.0.rotate_right(bits))
    }

    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Self {
        Wrapping(self.0.rotate_left(bits))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Wrapping(self.0.swap_bytes())
    }
}

impl Lanes for Wrapping<u32> {
    const COUNT: usize = 1;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn from_words(_: Portable, words: &[u32; MAX_LANES]) -> Self {
        Wrapping(words[0])
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u32; MAX_LANES]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn load_blocks<'a>(
        _: Portable,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block,
    ) -> [Self; BLOCK_WORDS] {
        let (words, _) = block(0).as_chunks::<4>();
        let mut loaded = [Wrapping(0); BLOCK_WORDS];
        for i in 0..BLOCK_WORDS {
            loaded[i] = Wrapping(match order {
                ByteOrder::Big => u32::from_be_bytes(words[i]),
                ByteOrder::Little => u32::from_le_bytes(words[i]),
            });
        }
        loaded
    }

    #[inline(always)]
    fn store_digests(words: [Self; 8], order: ByteOrder, mut digest: impl FnMut(usize, [u8; 32])) {
        let mut bytes = [0; 32];
        let (chunks, _) = bytes.as_chunks_mut::<4>();
        for i in 0..8 {
            chunks[i] = match order {
                ByteOrder::Big => words[i].0.to_be_bytes(),
                ByteOrder::Little => words[i].0.to_le_bytes(),
            };
        }
        digest(0, bytes);
    }
}
