//! One lane of portable code; also hashes single messages on CPUs without SHA instructions.

use core::num::Wrapping;

use super::{ByteOrder, Lanes, ROW_WORDS, Row, Word, Words};

/// The token of the portable lane, which every CPU can run.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Implements [`Words`] and [`Lanes`] for one word.
macro_rules! portable {
    ($Word:ty) => {
        impl Words for Wrapping<$Word> {
            type Word = $Word;

            type Token = Portable;

            const HAS_32_REGISTERS: bool = cfg!(target_arch = "aarch64");

            #[inline(always)]
            fn token(self) -> Portable {
                Portable
            }

            #[inline(always)]
            fn outline_in_debug<R>(_: Portable, part: impl FnOnce() -> R) -> R {
                part()
            }

            #[inline(always)]
            fn splat(_: Portable, word: $Word) -> Self {
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

        impl Lanes for Wrapping<$Word> {
            const COUNT: usize = 1;

            #[inline(always)]
            fn from_words(_: Portable, words: &[$Word]) -> Self {
                Wrapping(words[0])
            }

            #[inline(always)]
            fn to_words(self, words: &mut [$Word]) {
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
                row: impl Fn(usize) -> &'a Row<$Word>,
            ) -> [Self; ROW_WORDS] {
                let words = <$Word>::words_of(row(0), order);
                let mut loaded = [Wrapping(0); ROW_WORDS];
                for i in 0..ROW_WORDS {
                    loaded[i] = Wrapping(words[i]);
                }
                loaded
            }

            #[inline(always)]
            fn store_rows(
                words: [Self; ROW_WORDS],
                mut row: impl FnMut(usize, [$Word; ROW_WORDS]),
            ) {
                let mut words_of_lane = [0; ROW_WORDS];
                for i in 0..ROW_WORDS {
                    words_of_lane[i] = words[i].0;
                }
                row(0, words_of_lane);
            }
        }
    };
}

portable!(u32);
portable!(u64);
