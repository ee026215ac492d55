//! Vectors of two groups of lanes, for CPUs where one vector is bound by latency.

use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, ROW_WORDS, Row, Words};

/// Two vectors that go through the same computation, interleaved: one computes while the other
/// waits for its results.
///
/// This pays off where a single vector is bound by the latency of a dependency chain, and only
/// while both fit into the registers.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<V>(V, V);

/// Implements an operator on each vector.
macro_rules! operators {
    ($($Operator:ident $method:ident)+) => {$(
        impl<V: Words> $Operator for Interleaved<V> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )+};
}
operators!(Add add Sub sub BitAnd bitand BitOr bitor BitXor bitxor);

impl<V: Words> Not for Interleaved<V> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl<V: Words> Words for Interleaved<V> {
    type Word = V::Word;

    type Token = V::Token;

    const HAS_32_REGISTERS: bool = V::HAS_32_REGISTERS;

    /// The code of two groups is long: two copies do not fit into an instruction cache of 32 KiB.
    const SHARES_ROUNDS: bool = true;

    #[inline(always)]
    fn token(self) -> V::Token {
        self.0.token()
    }

    #[inline(always)]
    fn vectorize<R>(token: V::Token, part: impl FnOnce() -> R) -> R {
        V::vectorize(token, part)
    }

    #[inline(always)]
    fn splat(token: V::Token, word: V::Word) -> Self {
        Self(V::splat(token, word), V::splat(token, word))
    }

    #[inline(always)]
    fn splat_opaque(token: V::Token, word: V::Word) -> Self {
        let word = V::splat_opaque(token, word);
        Self(word, word)
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Self(self.0.shift_right(bits), self.1.shift_right(bits))
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        Self(self.0.shift_left(bits), self.1.shift_left(bits))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes(), self.1.swap_bytes())
    }

    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        Self(self.0.choose(if_set.0, if_clear.0), self.1.choose(if_set.1, if_clear.1))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        Self(self.0.majority(b.0, c.0), self.1.majority(b.1, c.1))
    }
}

impl<V: Lanes> Lanes for Interleaved<V> {
    const COUNT: usize = 2 * V::COUNT;

    #[inline(always)]
    fn from_words(token: V::Token, words: &[V::Word]) -> Self {
        Self(V::from_words(token, words), V::from_words(token, &words[V::COUNT..]))
    }

    #[inline(always)]
    fn to_words(self, words: &mut [V::Word]) {
        self.0.to_words(words);
        self.1.to_words(&mut words[V::COUNT..]);
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        self.0.zeros() | self.1.zeros() << V::COUNT
    }

    #[inline(always)]
    fn load_rows<'a>(
        token: V::Token,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<V::Word>,
    ) -> [Self; ROW_WORDS] {
        let first = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| row(lane),
        );
        let second = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| row(V::COUNT + lane),
        );
        let mut words = [Self(first[0], second[0]); ROW_WORDS];
        for i in 0..ROW_WORDS {
            words[i] = Self(first[i], second[i]);
        }
        words
    }

    #[inline(always)]
    fn load_blocks<'a>(
        token: V::Token,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block<V::Word>,
    ) -> [Self; BLOCK_WORDS] {
        let first = V::load_blocks(
            token,
            order,
            #[inline(always)]
            |lane| block(lane),
        );
        let second = V::load_blocks(
            token,
            order,
            #[inline(always)]
            |lane| block(V::COUNT + lane),
        );
        let mut words = [Self(first[0], second[0]); BLOCK_WORDS];
        for i in 0..BLOCK_WORDS {
            words[i] = Self(first[i], second[i]);
        }
        words
    }

    #[inline(always)]
    #[expect(clippy::redundant_closure, reason = "calls through a reference may stay out of line")]
    fn store_rows(words: [Self; ROW_WORDS], mut row: impl FnMut(usize, [V::Word; ROW_WORDS])) {
        let mut first = [words[0].0; ROW_WORDS];
        let mut second = [words[0].1; ROW_WORDS];
        for i in 0..ROW_WORDS {
            first[i] = words[i].0;
            second[i] = words[i].1;
        }
        V::store_rows(
            first,
            #[inline(always)]
            |lane, words| row(lane, words),
        );
        V::store_rows(
            second,
            #[inline(always)]
            |lane, words| row(V::COUNT + lane, words),
        );
    }
}
