//! Sixteen lanes in a 512-bit vector: AVX-512.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::Avx512;
use fearless_simd::{kernel, u8x32, u32x8, u32x16};

use super::transpose::{Interleave, interleave_by, reorder, transpose_4x4};
use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES, Words};

type Words16 = u32x16<Avx512>;

interleave_by!(Words16, Avx512:
    low_words = _mm512_unpacklo_epi32, high_words = _mm512_unpackhi_epi32,
    low_pairs = _mm512_unpacklo_epi64, high_pairs = _mm512_unpackhi_epi64);

kernel!(
    /// One `vpternlogd`; from the operators the compiler makes two.
    #[inline(always)]
    fn majority(token: Avx512, a: Words16, b: Words16, c: Words16) -> Words16 {
        _mm512_ternarylogic_epi32::<0xE8>(a.into(), b.into(), c.into()).simd_into(token)
    }
);

kernel!(
    /// Blocks 0 and 2 of `a`, then of `b`.
    #[inline(always)]
    fn even_blocks(token: Avx512, a: Words16, b: Words16) -> Words16 {
        _mm512_shuffle_i32x4::<0b10_00_10_00>(a.into(), b.into()).simd_into(token)
    }
);

kernel!(
    /// Blocks 1 and 3 of `a`, then of `b`.
    #[inline(always)]
    fn odd_blocks(token: Avx512, a: Words16, b: Words16) -> Words16 {
        _mm512_shuffle_i32x4::<0b11_01_11_01>(a.into(), b.into()).simd_into(token)
    }
);

/// Half `half` of a block: eight words, as they stand in memory.
#[inline(always)]
fn half_of(simd: Avx512, block: &Block, half: usize) -> u32x8<Avx512> {
    let (halves, _) = block.as_chunks::<32>();
    u8x32::load_array_ref(simd, &halves[half]).bitcast()
}

impl Words for Words16 {
    type Token = Avx512;

    #[inline(always)]
    fn token(self) -> Avx512 {
        self.simd
    }

    #[inline(always)]
    fn splat(simd: Avx512, word: u32) -> Self {
        SimdBase::splat(simd, word)
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        self >> bits
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        self << bits
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        majority(self.simd, self, b, c)
    }
}

impl Lanes for Words16 {
    const COUNT: usize = 16;
    const REGISTERS: usize = 32;

    #[inline(always)]
    fn from_words(simd: Avx512, words: &[u32; MAX_LANES]) -> Self {
        SimdBase::load_array_ref(simd, words)
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u32; MAX_LANES]) {
        self.store_array(words);
    }

    /// Half rows are inserted from memory, which needs no shuffle: 48 shuffles in all, where
    /// transposing whole rows takes 64 of the one shuffle port.
    #[inline(always)]
    fn load_blocks<'a>(
        simd: Avx512,
        order: ByteOrder,
        block: impl Fn(usize) -> &'a Block,
    ) -> [Self; BLOCK_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); BLOCK_WORDS];
        let (by_half, _) = words.as_chunks_mut::<8>();
        for half in 0..2 {
            let mut near = [SimdBase::splat(simd, 0); 4];
            let mut far = near;
            for row in 0..4 {
                near[row] = half_of(simd, block(row), half).combine(half_of(simd, block(row + 4), half));
                far[row] = half_of(simd, block(row + 8), half).combine(half_of(simd, block(row + 12), half));
            }
            let near = transpose_4x4(near);
            let far = transpose_4x4(far);
            for word in 0..4 {
                by_half[half][word] = even_blocks(simd, near[word], far[word]);
                by_half[half][word + 4] = odd_blocks(simd, near[word], far[word]);
            }
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; 8], mut row: impl FnMut(usize, [u32; 8])) {
        let [a, b, c, d, e, f, g, h] = words;
        let left = transpose_4x4([a, b, c, d]);
        let right = transpose_4x4([e, f, g, h]);
        for i in 0..4 {
            let (left_near, left_far) = left[i].split();
            let (right_near, right_far) = right[i].split();
            let (left0, left4) = left_near.split();
            let (right0, right4) = right_near.split();
            let (left8, left12) = left_far.split();
            let (right8, right12) = right_far.split();
            row(i, left0.combine(right0).to_array());
            row(i + 4, left4.combine(right4).to_array());
            row(i + 8, left8.combine(right8).to_array());
            row(i + 12, left12.combine(right12).to_array());
        }
    }
}
