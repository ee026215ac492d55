//! One lane in the general registers, compiled for a CPU with AVX2: it also has the and-not and the
//! three-operand rotations of BMI1 and BMI2.

use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use fearless_simd::Simd;
use fearless_simd::x86::Avx2;

use super::{ByteOrder, Lanes, Portable, ROW_WORDS, Row, Scalar, Words};

/// The word of one message, with the proof that the CPU has the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Bmi<W>(Scalar<W>, Avx2);

/// Implements [`Words`] and [`Lanes`] for one word.
macro_rules! bmi {
    ($Word:ty: $($Operator:ident $method:ident),+) => {
        $(
            impl $Operator for Bmi<$Word> {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(self.0.$method(other.0), self.1)
                }
            }
        )+

        impl Not for Bmi<$Word> {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0, self.1)
            }
        }

        impl Words for Bmi<$Word> {
            type Word = $Word;

            type Token = Avx2;

            #[inline(always)]
            fn token(self) -> Avx2 {
                self.1
            }

            #[inline(always)]
            fn vectorize<R>(token: Avx2, part: impl FnOnce() -> R) -> R {
                Simd::vectorize(token, part)
            }

            #[inline(always)]
            fn splat(token: Avx2, word: $Word) -> Self {
                Self(Scalar(word), token)
            }

            #[inline(always)]
            fn shift_right(self, bits: u32) -> Self {
                Self(Words::shift_right(self.0, bits), self.1)
            }

            #[inline(always)]
            fn shift_left(self, bits: u32) -> Self {
                Self(Words::shift_left(self.0, bits), self.1)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(Words::min(self.0, other.0), self.1)
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Self(Words::swap_bytes(self.0), self.1)
            }
        }

        impl Lanes for Bmi<$Word> {
            const COUNT: usize = 1;

            #[inline(always)]
            fn from_words(token: Avx2, words: &[$Word]) -> Self {
                Self(Scalar(words[0]), token)
            }

            #[inline(always)]
            fn to_words(self, words: &mut [$Word]) {
                words[0] = self.0.0;
            }

            #[inline(always)]
            fn zeros(self) -> u32 {
                self.0.zeros()
            }

            #[inline(always)]
            fn load_rows<'a>(
                token: Avx2,
                order: ByteOrder,
                row: impl Fn(usize) -> &'a Row<$Word>,
            ) -> [Self; ROW_WORDS] {
                let words = Scalar::<$Word>::load_rows(Portable, order, row);
                let mut loaded = [Self(words[0], token); ROW_WORDS];
                for i in 0..ROW_WORDS {
                    loaded[i].0 = words[i];
                }
                loaded
            }

            #[inline(always)]
            fn store_rows(words: [Self; ROW_WORDS], row: impl FnMut(usize, [$Word; ROW_WORDS])) {
                let mut stored = [words[0].0; ROW_WORDS];
                for i in 0..ROW_WORDS {
                    stored[i] = words[i].0;
                }
                Scalar::store_rows(stored, row);
            }
        }
    };
}

bmi!(u32: Add add, Sub sub, BitAnd bitand, BitOr bitor, BitXor bitxor);
bmi!(u64: Add add, Sub sub, BitAnd bitand, BitOr bitor, BitXor bitxor);
