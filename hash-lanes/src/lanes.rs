//! The vector of words that a hash computes with, one lane per message.
//!
//! See docs/lanes.md for how lanes become machine code.

mod interleaved;
mod scalar;
mod transpose;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x16;
mod x4;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x8;

use core::hint::black_box;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use fearless_simd::Simd;

pub use interleaved::Interleaved;
pub use scalar::Portable;

/// The most lanes that any [`Lanes`] have. Arrays with one entry per lane have this length, and a
/// kernel of fewer lanes uses the first [`Lanes::COUNT`] entries.
pub const MAX_LANES: usize = 32;

/// Bytes in a block of SHA-256, SHA-1 and RIPEMD-160.
pub const BLOCK_BYTES: usize = 64;

/// 32-bit words in a block.
pub const BLOCK_WORDS: usize = BLOCK_BYTES / 4;

/// One block of one message.
pub type Block = [u8; BLOCK_BYTES];

/// In which order the four bytes of a word stand in a message and in a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first: SHA-1 and SHA-2 (FIPS 180-4 §3.1).
    Big,
    /// Least significant byte first: RIPEMD-160.
    Little,
}

/// 32-bit words that are computed with in parallel.
///
/// A compression function written once over `Words` runs at every width. `+` and `-` wrap. The
/// provided methods suit every instruction set whose compiler finds the best form by itself; they
/// are overridden where it does not.
///
/// Everything here is `#[inline(always)]`: a method left out of line inside a kernel costs a factor
/// of 100, because it is compiled without the kernel's instruction set.
pub trait Words:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
{
    /// Proof that this CPU has the instructions.
    type Token: Copy;

    /// The token that these words were made with.
    fn token(self) -> Self::Token;

    /// Runs a part of a kernel, of some hundred operations at most; mark the closure
    /// `#[inline(always)]`.
    ///
    /// In a program that is not optimised each operation has memory of its own on the stack, and a
    /// whole kernel has megabytes of it. With debug assertions, which such programs have, a
    /// part is therefore a function of its own that is compiled for the same instructions, and
    /// without them nothing but the closure.
    fn outline_in_debug<R>(token: Self::Token, part: impl FnOnce() -> R) -> R;

    /// The same word everywhere.
    fn splat(token: Self::Token, word: u32) -> Self;

    /// [`Self::splat`] of a word that the compiler is not to know, where that makes better code.
    ///
    /// What is known is added last in a sum, whatever the order in the source. Where another addend
    /// is what a step has to wait for, the known one then costs a cycle of waiting.
    #[inline(always)]
    fn splat_opaque(token: Self::Token, word: u32) -> Self {
        Self::splat(token, black_box(word))
    }

    /// Each word shifted right by `bits` in `1..32`, zeros entering from the left.
    fn shift_right(self, bits: u32) -> Self;

    /// Each word shifted left by `bits` in `1..32`, zeros entering from the right.
    fn shift_left(self, bits: u32) -> Self;

    /// Each word rotated right by `bits` in `1..32`.
    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        self.shift_right(bits) | self.shift_left(32 - bits)
    }

    /// Each word rotated left by `bits` in `1..32`.
    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Self {
        self.rotate_right(32 - bits)
    }

    /// The four bytes of each word reversed, in the form that compilers know as one byte shuffle.
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        let byte1 = Self::splat(self.token(), 0x0000_ff00);
        let outer = self.shift_left(24) | self.shift_right(24);
        let inner = (self & byte1).shift_left(8) | (self.shift_right(8) & byte1);
        outer | inner
    }

    /// The smaller of each two words, as unsigned numbers.
    fn min(self, other: Self) -> Self;

    /// `self ^ b ^ c`.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// Bit by bit, `if_set` where `self` has a one and `if_clear` where it has a zero:
    /// Ch of FIPS 180-4.
    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        if_clear ^ (self & (if_set ^ if_clear))
    }

    /// Bit by bit, what at least two of the three have: Maj of FIPS 180-4.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // Three operations instead of the five of the standard's formula, of which one round's
        // `self ^ b` is the next round's `b ^ c`.
        b ^ ((self ^ b) & (b ^ c))
    }
}

/// A vector of words, one lane per message: word `i` belongs to the message in lane `i`.
pub trait Lanes: Words {
    /// How many messages are hashed at once: 1, 4, 8, 16 or 32.
    const COUNT: usize;

    /// Lane `i` takes `words[i]`; the words after the first [`Self::COUNT`] are not read.
    ///
    /// # Panics
    ///
    /// Panics if `words.len() < Self::COUNT`.
    fn from_words(token: Self::Token, words: &[u32]) -> Self;

    /// Lane `i` goes to `words[i]`; the words after the first [`Self::COUNT`] stay.
    ///
    /// # Panics
    ///
    /// Panics if `words.len() < Self::COUNT`.
    fn to_words(self, words: &mut [u32]);

    /// Which lanes hold zero: bit `i` for lane `i`, and no bit beyond [`Self::COUNT`].
    fn zeros(self) -> u32;

    /// Reads eight words for every lane: the vector `i` of the result holds word `i` of each lane's
    /// row, whose bytes are in `order`.
    ///
    /// `row(lane)` is called for each lane in `0..COUNT`; mark the closure `#[inline(always)]`.
    fn load_rows<'a>(
        token: Self::Token,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a [u8; 32],
    ) -> [Self; 8];

    /// Reads one block for every lane, as two rows; see [`Self::load_rows`].
    #[inline(always)]
    fn load_blocks<'a>(
        token: Self::Token,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block,
    ) -> [Self; BLOCK_WORDS] {
        let mut words = [Self::splat(token, 0); BLOCK_WORDS];
        let (halves, _) = words.as_chunks_mut::<8>();
        for half in 0..2 {
            halves[half] = Self::load_rows(
                token,
                order,
                #[inline(always)]
                |lane| &block(lane).as_chunks().0[half],
            );
        }
        words
    }

    /// Turns eight vectors into a row of eight words per lane: `row(lane, words)` is called for
    /// each lane in `0..COUNT`; mark the closure `#[inline(always)]`.
    fn store_rows(words: [Self; 8], row: impl FnMut(usize, [u32; 8]));
}

/// [`Words::outline_in_debug`] for the vectors of `simd`.
#[inline(always)]
fn outline_in_debug<S: Simd, R>(simd: S, part: impl FnOnce() -> R) -> R {
    if cfg!(debug_assertions) { simd.vectorize(part) } else { part() }
}
