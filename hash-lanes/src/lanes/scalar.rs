//! One lane of portable code; also hashes single messages on CPUs without SHA instructions.

use core::num::Wrapping;

use super::{ByteOrder, Lanes, Words};

/// The token of the portable lane, which every CPU can run.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Words for Wrapping<u32> {
    type Token = Portable;

    #[inline(always)]
    fn token(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn outline_in_debug<R>(_: Portable, part: impl FnOnce() -> R) -> R {
        part()
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
    fn min(self, other: Self) -> Self {
        Ord::min(self, other)
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Wrapping(self.0.swap_bytes())
    }
}

impl Lanes for Wrapping<u32> {
    const COUNT: usize = 1;

    #[inline(always)]
    fn from_words(_: Portable, words: &[u32]) -> Self {
        Wrapping(words[0])
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u32]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        u32::from(self.0 == 0)
    }

    #[inline(always)]
    fn load_rows<'a>(
        _: Portable,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a [u8; 32],
    ) -> [Self; 8] {
        let (words, _) = row(0).as_chunks::<4>();
        let mut loaded = [Wrapping(0); 8];
        for i in 0..8 {
            loaded[i] = Wrapping(match order {
                ByteOrder::Big => u32::from_be_bytes(words[i]),
                ByteOrder::Little => u32::from_le_bytes(words[i]),
            });
        }
        loaded
    }

    #[inline(always)]
    fn store_rows(words: [Self; 8], mut row: impl FnMut(usize, [u32; 8])) {
        let mut words_of_lane = [0; 8];
        for i in 0..8 {
            words_of_lane[i] = words[i].0;
        }
        row(0, words_of_lane);
    }
}
