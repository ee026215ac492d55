//! One lane of portable code; also hashes single messages on CPUs without SHA instructions.

use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{ByteOrder, Lanes, ROW_WORDS, Row, Word, Words};

/// The token of the portable lane, which every CPU can run.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// One word. Unlike those of `core::num::Wrapping`, its operators are not calls in unoptimised
/// builds, where RIPEMD-160 would take 40 % longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scalar<W>(pub W);

/// Implements an operator on words.
macro_rules! operator {
    ($Word:ty: $Operator:ident $method:ident, $left:ident $right:ident $result:expr) => {
        impl $Operator for Scalar<$Word> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($left, $right) = (self.0, other.0);
                Self($result)
            }
        }
    };
}

/// Implements [`Words`] and [`Lanes`] for one word.
macro_rules! portable {
    ($Word:ty) => {
        operator!($Word: Add add, a b a.wrapping_add(b));
        operator!($Word: Sub sub, a b a.wrapping_sub(b));
        operator!($Word: BitAnd bitand, a b a & b);
        operator!($Word: BitOr bitor, a b a | b);
        operator!($Word: BitXor bitxor, a b a ^ b);

        impl Not for Scalar<$Word> {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }

        impl Words for Scalar<$Word> {
            type Word = $Word;

            type Token = Portable;

            const HAS_32_REGISTERS: bool = cfg!(target_arch = "aarch64");

            #[inline(always)]
            fn token(self) -> Portable {
                Portable
            }

            #[inline(always)]
            fn vectorize<R>(_: Portable, part: impl FnOnce() -> R) -> R {
                part()
            }

            #[inline(always)]
            fn splat(_: Portable, word: $Word) -> Self {
                Scalar(word)
            }

            #[inline(always)]
            fn shift_right(self, bits: u32) -> Self {
                Scalar(self.0 >> bits)
            }

            #[inline(always)]
            fn shift_left(self, bits: u32) -> Self {
                Scalar(self.0 << bits)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Ord::min(self, other)
            }

            #[inline(always)]
            fn rotate_right(self, bits: u32) -> Self {
                debug_assert!(bits < <$Word>::BITS);
                Scalar(self.0.rotate_right(bits))
            }

            #[inline(always)]
            fn rotate_left(self, bits: u32) -> Self {
                debug_assert!(bits < <$Word>::BITS);
                Scalar(self.0.rotate_left(bits))
            }

            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                Scalar(self.0 ^ b.0 ^ c.0)
            }

            #[inline(always)]
            fn choose(self, if_set: Self, if_clear: Self) -> Self {
                Scalar(if_clear.0 ^ (self.0 & (if_set.0 ^ if_clear.0)))
            }

            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                Scalar(b.0 ^ ((self.0 ^ b.0) & (b.0 ^ c.0)))
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Scalar(self.0.swap_bytes())
            }
        }

        impl Lanes for Scalar<$Word> {
            const COUNT: usize = 1;

            #[inline(always)]
            fn from_words(_: Portable, words: &[$Word]) -> Self {
                Scalar(words[0])
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
                let mut loaded = [Scalar(0); ROW_WORDS];
                for i in 0..ROW_WORDS {
                    loaded[i] = Scalar(words[i]);
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
