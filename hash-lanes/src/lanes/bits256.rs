//! Eight lanes of 32-bit words, or four of 64-bit words, in a 256-bit vector: AVX2, and the same
//! width with AVX-512VL.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{kernel, u32x8, u64x4};

use super::bits128::sixteen_bytes;
use super::transpose::{Interleave, interleave_by, reorder, transpose_4x4};
use super::{ByteOrder, Lanes, ROW_WORDS, Row, Words, lanes_of_simd, words_of_simd};

/// The operations that differ between the two instruction sets at this width.
pub(super) trait Bits256: Simd {
    const HAS_32_REGISTERS: bool;
    fn xor3(a: u64x4<Self>, b: u64x4<Self>, c: u64x4<Self>) -> u64x4<Self>;
    fn majority(a: u32x8<Self>, b: u32x8<Self>, c: u32x8<Self>) -> u32x8<Self>;
}

impl Bits256 for Avx2 {
    const HAS_32_REGISTERS: bool = false;

    #[inline(always)]
    fn xor3(a: u64x4<Self>, b: u64x4<Self>, c: u64x4<Self>) -> u64x4<Self> {
        a ^ b ^ c
    }

    #[inline(always)]
    fn majority(a: u32x8<Self>, b: u32x8<Self>, c: u32x8<Self>) -> u32x8<Self> {
        b ^ ((a ^ b) & (b ^ c))
    }
}

impl Bits256 for Avx512 {
    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn xor3(a: u64x4<Self>, b: u64x4<Self>, c: u64x4<Self>) -> u64x4<Self> {
        kernel!(
            /// One `vpternlogq`; see `bits512.rs`.
            #[inline(always)]
            fn xor3(
                token: Avx512,
                a: u64x4<Avx512>,
                b: u64x4<Avx512>,
                c: u64x4<Avx512>,
            ) -> u64x4<Avx512> {
                _mm256_ternarylogic_epi64::<0x96>(a.into(), b.into(), c.into()).simd_into(token)
            }
        );
        xor3(a.simd, a, b, c)
    }

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

impl<S: Bits256> Words for u32x8<S> {
    words_of_simd!(S, u32, min_u32x8);

    const HAS_32_REGISTERS: bool = S::HAS_32_REGISTERS;

    const SHARES_ROUNDS: bool = !S::HAS_32_REGISTERS;

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        S::majority(self, b, c)
    }
}

impl<S: Bits256> Lanes for u32x8<S>
where
    Self: Interleave,
{
    lanes_of_simd!(S, u32, 8);

    #[inline(always)]
    fn load_rows<'a>(
        simd: S,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row,
    ) -> [Self; ROW_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); ROW_WORDS];
        let (by_half, _) = words.as_chunks_mut::<4>();
        for half in 0..2 {
            let mut rows = by_half[half];
            for lane in 0..4 {
                let near = sixteen_bytes(simd, row(lane), half);
                let far = sixteen_bytes(simd, row(lane + 4), half);
                rows[lane] = near.combine(far);
            }
            by_half[half] = transpose_4x4(rows);
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; ROW_WORDS], mut row: impl FnMut(usize, [u32; ROW_WORDS])) {
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

impl<S: Bits256> Words for u64x4<S> {
    words_of_simd!(S, u64, min_u64x4);

    const HAS_32_REGISTERS: bool = S::HAS_32_REGISTERS;

    const SHARES_ROUNDS: bool = !S::HAS_32_REGISTERS;

    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        S::xor3(self, b, c)
    }

    /// As for 512 bits; see `bits512.rs`.
    #[inline(always)]
    fn xor5(self, b: Self, c: Self, d: Self, e: Self) -> Self {
        (self ^ b).xor3(c, d) ^ e
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        S::majority(self.bitcast(), b.bitcast(), c.bitcast()).bitcast()
    }
}

/// Both halves of each 128-bit block of `a` and `b`: `[a0 b0]` and `[a1 b1]`.
#[inline(always)]
fn interleave<S: Simd>(a: u64x4<S>, b: u64x4<S>) -> (u64x4<S>, u64x4<S>)
where
    u32x8<S>: Interleave,
{
    let (a, b): (u32x8<S>, u32x8<S>) = (a.bitcast(), b.bitcast());
    (a.low_pairs(b).bitcast(), a.high_pairs(b).bitcast())
}

impl<S: Bits256> Lanes for u64x4<S>
where
    u32x8<S>: Interleave,
{
    lanes_of_simd!(S, u64, 4);

    #[inline(always)]
    fn load_rows<'a>(
        simd: S,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<u64>,
    ) -> [Self; ROW_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); ROW_WORDS];
        for pair in 0..ROW_WORDS / 2 {
            let mut rows = [SimdBase::splat(simd, 0); 2];
            for lane in 0..2 {
                let near = sixteen_bytes(simd, row(lane), pair);
                let far = sixteen_bytes(simd, row(lane + 2), pair);
                rows[lane] = near.combine(far).bitcast();
            }
            (words[2 * pair], words[2 * pair + 1]) = interleave(rows[0], rows[1]);
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; ROW_WORDS], mut row: impl FnMut(usize, [u64; ROW_WORDS])) {
        let mut rows = [[0; ROW_WORDS]; 4];
        for pair in 0..ROW_WORDS / 2 {
            let (even, odd) = interleave(words[2 * pair], words[2 * pair + 1]);
            let ((lane0, lane2), (lane1, lane3)) = (even.split(), odd.split());
            rows[0].as_chunks_mut().0[pair] = lane0.to_array();
            rows[1].as_chunks_mut().0[pair] = lane1.to_array();
            rows[2].as_chunks_mut().0[pair] = lane2.to_array();
            rows[3].as_chunks_mut().0[pair] = lane3.to_array();
        }
        for lane in 0..4 {
            row(lane, rows[lane]);
        }
    }

    #[inline(always)]
    fn load_quads(simd: S, quad: impl Fn(usize) -> [u64; 4]) -> [Self; 4] {
        let mut rows = [SimdBase::splat(simd, 0); 4];
        for lane in 0..4 {
            rows[lane] = SimdBase::from_slice(simd, &quad(lane));
        }
        transpose_quads(rows)
    }

    #[inline(always)]
    fn store_quads(words: [Self; 4], mut quad: impl FnMut(usize, [u64; 4])) {
        let rows = transpose_quads(words);
        for lane in 0..4 {
            quad(lane, rows[lane].to_array());
        }
    }
}

/// Four words of each of four lanes, from one vector a lane to one a word or back.
#[inline(always)]
fn transpose_quads<S: Simd>(rows: [u64x4<S>; 4]) -> [u64x4<S>; 4]
where
    u32x8<S>: Interleave,
{
    let mut halves = rows;
    for i in 0..2 {
        let ((low, high), (other_low, other_high)) = (rows[i].split(), rows[i + 2].split());
        halves[i] = low.combine(other_low);
        halves[i + 2] = high.combine(other_high);
    }
    let (a, b) = interleave(halves[0], halves[1]);
    let (c, d) = interleave(halves[2], halves[3]);
    [a, b, c, d]
}
