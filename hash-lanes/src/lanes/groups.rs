//! Vectors of one or two groups of lanes, for CPUs where one vector is bound by latency.

use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, ROW_WORDS, Row, Words};

/// Two vectors that go through the same computation, interleaved: one computes while the other
/// waits for its results.
///
/// This pays off where a single vector is bound by the latency of a dependency chain, and only
/// while both fit into the registers.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<V>(V, V);

/// A vector that is bound by latency, with no other to interleave.
#[derive(Clone, Copy, Debug)]
pub struct LatencyBound<V>(V);

groups!(Interleaved, is_latency_bound: false, 0 1);
groups!(LatencyBound, is_latency_bound: true, 0);

/// Implements [`Words`] and [`Lanes`] by the vectors in these fields.
macro_rules! groups {
    ($Groups:ident, is_latency_bound: $is_latency_bound:literal, $($i:tt)+) => {
        operator!($Groups: Add add, $($i)+);
        operator!($Groups: Sub sub, $($i)+);
        operator!($Groups: BitAnd bitand, $($i)+);
        operator!($Groups: BitOr bitor, $($i)+);
        operator!($Groups: BitXor bitxor, $($i)+);

        impl<V: Words> Not for $Groups<V> {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self { $($i: !self.$i),+ }
            }
        }

        impl<V: Words> Words for $Groups<V> {
            type Word = V::Word;

            type Token = V::Token;

            const IS_LATENCY_BOUND: bool = $is_latency_bound;

            const HAS_32_REGISTERS: bool = V::HAS_32_REGISTERS;

            #[inline(always)]
            fn token(self) -> V::Token {
                self.0.token()
            }

            #[inline(always)]
            fn outline_in_debug<R>(token: V::Token, part: impl FnOnce() -> R) -> R {
                V::outline_in_debug(token, part)
            }

            #[inline(always)]
            fn splat(token: V::Token, word: V::Word) -> Self {
                Self { $($i: V::splat(token, word)),+ }
            }

            #[inline(always)]
            fn splat_opaque(token: V::Token, word: V::Word) -> Self {
                let word = V::splat_opaque(token, word);
                Self { $($i: word),+ }
            }

            #[inline(always)]
            fn shift_right(self, bits: u32) -> Self {
                Self { $($i: self.$i.shift_right(bits)),+ }
            }

            #[inline(always)]
            fn shift_left(self, bits: u32) -> Self {
                Self { $($i: self.$i.shift_left(bits)),+ }
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self { $($i: self.$i.min(other.$i)),+ }
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Self { $($i: self.$i.swap_bytes()),+ }
            }

            #[inline(always)]
            fn choose(self, if_set: Self, if_clear: Self) -> Self {
                Self { $($i: self.$i.choose(if_set.$i, if_clear.$i)),+ }
            }

            #[inline(always)]
            fn majority(self, b: Self, c: Self) -> Self {
                Self { $($i: self.$i.majority(b.$i, c.$i)),+ }
            }
        }

        impl<V: Lanes> Lanes for $Groups<V> {
            const COUNT: usize = [$($i),+].len() * V::COUNT;

            #[inline(always)]
            fn from_words(token: V::Token, words: &[V::Word]) -> Self {
                Self { $($i: V::from_words(token, &words[$i * V::COUNT..])),+ }
            }

            #[inline(always)]
            fn to_words(self, words: &mut [V::Word]) {
                $(self.$i.to_words(&mut words[$i * V::COUNT..]);)+
            }

            #[inline(always)]
            fn zeros(self) -> u32 {
                $(self.$i.zeros() << ($i * V::COUNT))|+
            }

            #[inline(always)]
            fn load_rows<'a>(
                token: V::Token,
                order: ByteOrder,
                row: impl Fn(usize) -> &'a Row<V::Word>,
            ) -> [Self; ROW_WORDS] {
                let groups = ($(V::load_rows(
                    token,
                    order,
                    #[inline(always)]
                    |lane| row($i * V::COUNT + lane),
                ),)+);
                let mut words = [Self { $($i: groups.$i[0]),+ }; ROW_WORDS];
                for i in 0..ROW_WORDS {
                    words[i] = Self { $($i: groups.$i[i]),+ };
                }
                words
            }

            #[inline(always)]
            fn load_blocks<'a>(
                token: V::Token,
                order: ByteOrder,
                block: impl Fn(usize) -> &'a Block<V::Word>,
            ) -> [Self; BLOCK_WORDS] {
                let groups = ($(V::load_blocks(
                    token,
                    order,
                    #[inline(always)]
                    |lane| block($i * V::COUNT + lane),
                ),)+);
                let mut words = [Self { $($i: groups.$i[0]),+ }; BLOCK_WORDS];
                for i in 0..BLOCK_WORDS {
                    words[i] = Self { $($i: groups.$i[i]),+ };
                }
                words
            }

            #[inline(always)]
            fn store_rows(
                words: [Self; ROW_WORDS],
                mut row: impl FnMut(usize, [V::Word; ROW_WORDS]),
            ) {
                $(
                    let mut group = [words[0].$i; ROW_WORDS];
                    for i in 0..ROW_WORDS {
                        group[i] = words[i].$i;
                    }
                    V::store_rows(
                        group,
                        #[inline(always)]
                        |lane, words| row($i * V::COUNT + lane, words),
                    );
                )+
            }
        }
    };
}
use groups;

/// Implements an operator on each vector.
macro_rules! operator {
    ($Groups:ident: $Operator:ident $method:ident, $($i:tt)+) => {
        impl<V: Words> $Operator for $Groups<V> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { $($i: self.$i.$method(other.$i)),+ }
            }
        }
    };
}
use operator;
