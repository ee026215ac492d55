//! Vectors of words, one lane per message, over which a compression function is written once.
//!
//! See docs/lanes.md for how lanes become machine code.

mod bits128;
#[cfg(target_feature = "sse2")]
mod bits256;
#[cfg(target_feature = "sse2")]
mod bits512;
#[cfg(target_feature = "sse2")]
mod bmi;
mod groups;
mod scalar;
mod transpose;
mod vectors;

use core::hint::black_box;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

pub use groups::Interleaved;
pub use scalar::{Portable, Scalar};
pub use vectors::Vectors;

pub use crate::word::MAX_LANES;
use crate::word::{Array, BLOCK_WORDS, Block, ByteOrder, ROW_WORDS, Row, Word};

/// A vector of words of 32 or 64 bits.
///
/// A compression function written once over `Words` runs at every width. `+` and `-` wrap. An
/// instruction set overrides the provided methods where the compiler does not find the best
/// instructions by itself.
///
/// Everything here is `#[inline(always)]`. A method left out of line inside a kernel is 100 times
/// slower, because it is compiled without the kernel's instruction set.
pub trait Words:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
{
    /// The word: `u32` or `u64`.
    type Word: Word;

    /// Proof that this CPU has the instructions.
    type Token: Copy;

    /// Whether there are 32 registers for these words, not 16: an order of operations that keeps
    /// more of them may then be faster.
    const HAS_32_REGISTERS: bool = false;

    /// Whether the jobs of a kernel share its rounds; see [`Self::outline`].
    const SHARES_ROUNDS: bool = false;

    /// The token that these words were made with.
    fn token(self) -> Self::Token;

    /// Calls `part` in a function that is compiled for these instructions; mark the closure
    /// `#[inline(always)]`.
    fn vectorize<R>(token: Self::Token, part: impl FnOnce() -> R) -> R;

    /// Runs a part of a kernel, of at most a few hundred operations; mark the closure
    /// `#[inline(always)]`.
    ///
    /// In an unoptimised build each operation has its own stack slot, and a whole kernel needs
    /// megabytes of stack. With debug assertions, which such builds enable, each part is therefore
    /// a separate function, compiled for the same instructions. Otherwise this only calls the
    /// closure.
    #[inline(always)]
    fn outline_in_debug<R>(token: Self::Token, part: impl FnOnce() -> R) -> R {
        if cfg!(debug_assertions) { Self::vectorize(token, part) } else { part() }
    }

    /// Runs the rounds of a whole block; mark the closure `#[inline(always)]`.
    ///
    /// With [`Self::SHARES_ROUNDS`] this calls a function that is compiled for these instructions.
    /// The compiler inlines nothing so large that several jobs call, so the jobs share its code.
    /// Otherwise this only calls the closure.
    #[inline(always)]
    fn outline<R>(token: Self::Token, rounds: impl FnOnce() -> R) -> R {
        if Self::SHARES_ROUNDS { Self::vectorize(token, rounds) } else { rounds() }
    }

    /// Sets every element to `word`.
    fn splat(token: Self::Token, word: Self::Word) -> Self;

    /// [`Self::splat`] of a word that is hidden from the compiler, where that makes better code.
    ///
    /// The compiler adds a known constant last in a sum, whatever the order in the source. If
    /// another addend is on the critical path, that adds a cycle to it.
    #[inline(always)]
    fn splat_opaque(token: Self::Token, word: Self::Word) -> Self {
        Self::splat(token, black_box(word))
    }

    /// Each word shifted right by `bits` in `1..Word::BITS`, shifting in zeros.
    fn shift_right(self, bits: u32) -> Self;

    /// Each word shifted left by `bits` in `1..Word::BITS`, shifting in zeros.
    fn shift_left(self, bits: u32) -> Self;

    /// Each word rotated right by `bits` in `1..Word::BITS`.
    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        self.shift_right(bits) | self.shift_left(Self::Word::BITS - bits)
    }

    /// Each word rotated left by `bits` in `1..Word::BITS`.
    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Self {
        self.rotate_right(Self::Word::BITS - bits)
    }

    /// The bytes of each word reversed, in a form that compilers turn into one byte shuffle.
    fn swap_bytes(self) -> Self;

    /// The smaller of each pair of words, as unsigned integers.
    fn min(self, other: Self) -> Self;

    /// `self ^ b ^ c`.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// `self ^ b ^ c ^ d ^ e`: the parity of a column of FIPS 202 §3.2.1.
    #[inline(always)]
    fn xor5(self, b: Self, c: Self, d: Self, e: Self) -> Self {
        self ^ b ^ c ^ d ^ e
    }

    /// `self ^ b.rotate_left(1)`: theta of FIPS 202 §3.2.1.
    #[inline(always)]
    fn xor_rotated_by_1(self, b: Self) -> Self {
        self ^ b.rotate_left(1)
    }

    /// `(self ^ b).rotate_right(BITS)`, for `BITS` in `0..Word::BITS`: theta and rho of FIPS 202
    /// §3.2.
    #[inline(always)]
    fn xor_rotate_right<const BITS: i32>(self, b: Self) -> Self {
        let word = self ^ b;
        if BITS == 0 { word } else { word.rotate_left(Self::Word::BITS - BITS as u32) }
    }

    /// `self ^ (!b & c)`: chi of FIPS 202 §3.2.4.
    #[inline(always)]
    fn xor_and_not(self, b: Self, c: Self) -> Self {
        self ^ (!b & c)
    }

    /// Bitwise: `if_set` where `self` has a one, `if_clear` where it has a zero. Ch of FIPS 180-4.
    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        if_clear ^ (self & (if_set ^ if_clear))
    }

    /// The bitwise majority of the three words: Maj of FIPS 180-4.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // Three operations, not the five of the standard's formula: `self ^ b` of one round is
        // `b ^ c` of the next.
        b ^ ((self ^ b) & (b ^ c))
    }
}

/// A vector of words, one lane per message: word `i` belongs to the message in lane `i`.
pub trait Lanes: Words {
    /// The number of lanes: 1, 2, 4, 8, 16 or 32.
    const COUNT: usize;

    /// Loads `words[i]` into lane `i`; the words after the first [`Self::COUNT`] are ignored.
    ///
    /// # Panics
    ///
    /// Panics if `words.len() < Self::COUNT`.
    fn from_words(token: Self::Token, words: &[Self::Word]) -> Self;

    /// Stores lane `i` to `words[i]`; the words after the first [`Self::COUNT`] are left unchanged.
    ///
    /// # Panics
    ///
    /// Panics if `words.len() < Self::COUNT`.
    fn to_words(self, words: &mut [Self::Word]);

    /// A bit mask of the lanes that hold zero: bit `i` for lane `i`, and no bit beyond
    /// [`Self::COUNT`].
    fn zeros(self) -> u32;

    /// Loads eight words per lane: vector `i` of the result holds word `i` of each lane's row,
    /// whose bytes are in `order`. A row has 32 bytes, or 64 for 64-bit words.
    ///
    /// `row(lane)` is called for each lane in `0..COUNT`; mark the closure `#[inline(always)]`.
    fn load_rows<'a>(
        token: Self::Token,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<Self::Word>,
    ) -> [Self; ROW_WORDS];

    /// Loads one block per lane, as two rows; see [`Self::load_rows`].
    #[inline(always)]
    fn load_blocks<'a>(
        token: Self::Token,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block<Self::Word>,
    ) -> [Self; BLOCK_WORDS] {
        let mut words = [Self::splat(token, Self::Word::default()); BLOCK_WORDS];
        let (halves, _) = words.as_chunks_mut::<ROW_WORDS>();
        for half in 0..2 {
            halves[half] = Self::load_rows(
                token,
                order,
                #[inline(always)]
                |lane| &Self::Word::rows_of(block(lane))[half],
            );
        }
        words
    }

    /// Loads four words per lane: vector `i` of the result holds word `i` of each lane's `quad`.
    ///
    /// `quad(lane)` is called for each lane in `0..COUNT`; mark the closure `#[inline(always)]`.
    #[inline(always)]
    fn load_quads(token: Self::Token, quad: impl Fn(usize) -> [Self::Word; 4]) -> [Self; 4] {
        let mut words = [[Self::Word::default(); MAX_LANES]; 4];
        for lane in 0..Self::COUNT {
            let quad = quad(lane);
            for i in 0..4 {
                words[i][lane] = quad[i];
            }
        }
        let mut loaded = [Self::splat(token, Self::Word::default()); 4];
        for i in 0..4 {
            loaded[i] = Self::from_words(token, &words[i]);
        }
        loaded
    }

    /// Transposes four vectors into four words per lane.
    ///
    /// `quad(lane, words)` is called for each lane in `0..COUNT`; mark the closure
    /// `#[inline(always)]`.
    #[inline(always)]
    fn store_quads(words: [Self; 4], mut quad: impl FnMut(usize, [Self::Word; 4])) {
        let mut stored = [[Self::Word::default(); MAX_LANES]; 4];
        for i in 0..4 {
            words[i].to_words(&mut stored[i]);
        }
        for lane in 0..Self::COUNT {
            quad(lane, [stored[0][lane], stored[1][lane], stored[2][lane], stored[3][lane]]);
        }
    }

    /// Transposes eight vectors into a row of eight words per lane.
    ///
    /// `row(lane, words)` is called for each lane in `0..COUNT`; mark the closure
    /// `#[inline(always)]`.
    fn store_rows(words: [Self; ROW_WORDS], row: impl FnMut(usize, [Self::Word; ROW_WORDS]));
}

/// The same state in every lane.
#[inline(always)]
pub(crate) fn splat_all<V: Words, A: Array<V>>(token: V::Token, words: &[V::Word]) -> A {
    let mut lanes = A::filled(V::splat(token, V::Word::default()));
    for i in 0..A::LEN {
        lanes.elements_mut()[i] = V::splat(token, words[i]);
    }
    lanes
}

/// The methods of [`Words`] for a vector type of `fearless_simd`, whose minimum is `$min`.
macro_rules! words_of_simd {
    ($Simd:ty, $Word:ident, $min:ident) => {
        type Word = $Word;

        type Token = $Simd;

        #[inline(always)]
        fn token(self) -> $Simd {
            self.simd
        }

        #[inline(always)]
        fn vectorize<R>(simd: $Simd, part: impl FnOnce() -> R) -> R {
            Simd::vectorize(simd, part)
        }

        #[inline(always)]
        fn splat(simd: $Simd, word: $Word) -> Self {
            SimdBase::splat(simd, word)
        }

        #[inline(always)]
        fn shift_right(self, bits: u32) -> Self {
            debug_assert!(bits < $Word::BITS);
            self >> bits
        }

        #[inline(always)]
        fn shift_left(self, bits: u32) -> Self {
            debug_assert!(bits < $Word::BITS);
            self << bits
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            self.simd.$min(self, other)
        }

        #[inline(always)]
        fn swap_bytes(self) -> Self {
            $crate::lanes::swap_bytes!($Word, self)
        }
    };
}
use words_of_simd;

/// Reverses the bytes of each word of a vector, in a form that compilers turn into one byte
/// shuffle.
macro_rules! swap_bytes {
    (u32, $words:expr) => {{
        let words = $words;
        let byte1 = <Self as Words>::splat(words.simd, 0x0000_ff00);
        let outer = words.shift_left(24) | words.shift_right(24);
        let inner = (words & byte1).shift_left(8) | (words.shift_right(8) & byte1);
        outer | inner
    }};
    (u64, $words:expr) => {{
        let simd = $words.simd;
        let even_bytes = <Self as Words>::splat(simd, 0x00ff_00ff_00ff_00ff);
        let words = ($words & even_bytes).shift_left(8) | ($words.shift_right(8) & even_bytes);
        let even_pairs = <Self as Words>::splat(simd, 0x0000_ffff_0000_ffff);
        let words = (words & even_pairs).shift_left(16) | (words.shift_right(16) & even_pairs);
        words.shift_left(32) | words.shift_right(32)
    }};
}
use swap_bytes;

/// The methods of [`Lanes`] that do not transpose, for a vector type of `fearless_simd`.
macro_rules! lanes_of_simd {
    ($Simd:ty, $Word:ty, $count:literal) => {
        const COUNT: usize = $count;

        #[inline(always)]
        fn from_words(simd: $Simd, words: &[$Word]) -> Self {
            SimdBase::from_slice(simd, &words[..$count])
        }

        #[inline(always)]
        fn to_words(self, words: &mut [$Word]) {
            self.store_slice(&mut words[..$count]);
        }

        #[inline(always)]
        fn zeros(self) -> u32 {
            self.simd_eq(0).to_bitmask() as u32
        }
    };
}
use lanes_of_simd;
