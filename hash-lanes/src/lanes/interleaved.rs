//! Interleaves two groups of lanes, to hide latency.

use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, Words};

/// Two vectors that go through the same computation, interleaved: one computes while the other
/// waits for its results.
///
/// This pays off where a single vector is bound by the latency of a dependency chain, and only
/// while both fit into the registers.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<V>(pub V, pub V);

impl<V> Interleaved<V> {
    /// Pairs the vectors of two states.
    #[inline(always)]
    fn zip<const N: usize>(first: [V; N], second: [V; N]) -> [Self; N]
    where
        V: Copy,
    {
        let mut joined = [Self(first[0], second[0]); N];
        for i in 0..N {
            joined[i] = Self(first[i], second[i]);
        }
        joined
    }

    /// The inverse of [`Self::zip`].
    #[inline(always)]
    fn unzip<const N: usize>(joined: [Self; N]) -> ([V; N], [V; N])
    where
        V: Copy,
    {
        let mut first = [joined[0].0; N];
        let mut second = [joined[0].1; N];
        for i in 0..N {
            first[i] = joined[i].0;
            second[i] = joined[i].1;
        }
        (first, second)
    }
}

/// Implements operators on both vectors.
macro_rules! on_both {
    ($($operator:ident $method:ident),*) => {$(
        impl<V: Words> $operator for Interleaved<V> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )*};
}
on_both!(Add add, Sub sub, BitAnd bitand, BitOr bitor, BitXor bitxor);

impl<V: Words> Not for Interleaved<V> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl<V: Words> Words for Interleaved<V> {
    type Token = V::Token;

    #[inline(always)]
    fn token(self) -> V::Token {
        self.0.token()
    }

    #[inline(always)]
    fn outline_in_debug<R>(token: V::Token, part: impl FnOnce() -> R) -> R {
        V::outline_in_debug(token, part)
    }

    #[inline(always)]
    fn splat(token: V::Token, word: u32) -> Self {
        Self(V::splat(token, word), V::splat(token, word))
    }

    #[inline(always)]
    fn splat_opaque(token: V::Token, word: u32) -> Self {
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
    fn from_words(token: V::Token, words: &[u32]) -> Self {
        Self(V::from_words(token, words), V::from_words(token, &words[V::COUNT..]))
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u32]) {
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
        row: impl Fn(usize) -> &'a [u8; 32],
    ) -> [Self; 8] {
        let first = V::load_rows(token, order, &row);
        let second = V::load_rows(
            token,
            order,
            #[inline(always)]
            |lane| row(V::COUNT + lane),
        );
        Self::zip(first, second)
    }

    #[inline(always)]
    fn load_blocks<'a>(
        token: V::Token,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block,
    ) -> [Self; BLOCK_WORDS] {
        let first = V::load_blocks(token, order, &block);
        let second = V::load_blocks(
            token,
            order,
            #[inline(always)]
            |lane| block(V::COUNT + lane),
        );
        Self::zip(first, second)
    }

    #[inline(always)]
    fn store_rows(words: [Self; 8], mut row: impl FnMut(usize, [u32; 8])) {
        let (first, second) = Self::unzip(words);
        V::store_rows(first, &mut row);
        V::store_rows(
            second,
            #[inline(always)]
            |lane, words| row(V::COUNT + lane, words),
        );
    }
}
