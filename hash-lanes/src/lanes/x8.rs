//! Eight lanes in a 256-bit vector: AVX2, and the same width with AVX-512VL.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{kernel, u32x8};

use super::transpose::{Interleave, interleave_by, reorder, transpose_4x4};
use super::x4::half_of;
use super::{ByteOrder, Lanes, Words, lanes_of_simd, words_of_simd};

/// The operations that differ between the two instruction sets at this width.
pub(super) trait EightLanes: Simd {
    fn majority(a: u32x8<Self>, b: u32x8<Self>, c: u32x8<Self>) -> u32x8<Self>;
}

impl EightLanes for Avx2 {
    #[inline(always)]
    fn majority(a: u32x8<Self>, b: u32x8<Self>, c: u32x8<Self>) -> u32x8<Self> {
        b ^ ((a ^ b) & (b ^ c))
    }
}

impl EightLanes for Avx512 {
    #[inline(always)]
    fn majority(a: u32x8<Self>, b: u32x8<Self>, c: u32x8<Self>) -> u32x8<Self> {
        kernel!(
            #[inline(always)]
            fn majority(
                token: Avx512,
                a: u32x8<Avx512>,
                b: u32x8<Avx512>,
                c: u32x8<Avx512>,
            ) -> u32x8<Avx512> {
                _mm256_ternarylogic_epi32::<0xE8>(a.into(), b.into(), c.into()).simd_into(token)
            }
        );
        majority(a.simd, a, b, c)
    }
}

interleave_by!(u32x8<Avx2>, Avx2:
    low_words = _mm256_unpacklo_epi32, high_words = _mm256_unpackhi_epi32,
    low_pairs = _mm256_unpacklo_epi64, high_pairs = _mm256_unpackhi_epi64);
interleave_by!(u32x8<Avx512>, Avx512:
    low_words = _mm256_unpacklo_epi32, high_words = _mm256_unpackhi_epi32,
    low_pairs = _mm256_unpacklo_epi64, high_pairs = _mm256_unpackhi_epi64);

impl<S: EightLanes> Words for u32x8<S> {
    words_of_simd!(S, min_u32x8);

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        S::majority(self, b, c)
    }
}

impl<S: EightLanes> Lanes for u32x8<S>
where
    Self: Interleave,
{
    lanes_of_simd!(S, 8);

    #[inline(always)]
    fn load_rows<'a>(simd: S, order: ByteOrder, row: impl Fn(usize) -> &'a [u8; 32]) -> [Self; 8] {
        let mut words = [SimdBase::splat(simd, 0); 8];
        let (by_half, _) = words.as_chunks_mut::<4>();
        for half in 0..2 {
            let mut rows = by_half[half];
            for lane in 0..4 {
                let near = half_of(simd, row(lane), half);
                let far = half_of(simd, row(lane + 4), half);
                rows[lane] = near.combine(far);
            }
            by_half[half] = transpose_4x4(rows);
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
            row(i, left_near.combine(right_near).to_array());
            row(i + 4, left_far.combine(right_far).to_array());
        }
    }
}
