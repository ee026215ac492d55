//! Sixteen lanes of 32-bit words, or eight of 64-bit words, in a 512-bit vector: AVX-512.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::Avx512;
use fearless_simd::{kernel, u8x32, u32x8, u32x16, u64x4, u64x8};

use super::transpose::{Interleave, interleave_by, reorder, transpose_4x4};
use super::{ByteOrder, Lanes, ROW_WORDS, Row, Words, lanes_of_simd, words_of_simd};

type Words16 = u32x16<Avx512>;

interleave_by!(Words16, Avx512:
    low_words = _mm512_unpacklo_epi32, high_words = _mm512_unpackhi_epi32,
    low_pairs = _mm512_unpacklo_epi64, high_pairs = _mm512_unpackhi_epi64);

kernel!(
    /// One `vpternlogd`; the compiler needs two for the operators.
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

kernel!(
    /// Blocks 0 of `a` and `b`, then blocks 1.
    #[inline(always)]
    fn near_rows(token: Avx512, a: Words16, b: Words16) -> Words16 {
        let blocks = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        _mm512_permutex2var_epi64(a.into(), blocks, b.into()).simd_into(token)
    }
);

kernel!(
    /// Blocks 2 of `a` and `b`, then blocks 3.
    #[inline(always)]
    fn far_rows(token: Avx512, a: Words16, b: Words16) -> Words16 {
        let blocks = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        _mm512_permutex2var_epi64(a.into(), blocks, b.into()).simd_into(token)
    }
);

/// 32 bytes, in memory order.
#[inline(always)]
fn words_of(simd: Avx512, bytes: &[u8; 32]) -> u32x8<Avx512> {
    u8x32::load_array_ref(simd, bytes).bitcast()
}

impl Words for Words16 {
    words_of_simd!(Avx512, u32, min_u32x16);

    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        majority(self.simd, self, b, c)
    }
}

impl Lanes for Words16 {
    lanes_of_simd!(Avx512, u32, 16);

    /// Inserting rows from memory needs no shuffle. That leaves 24 shuffles; transposing whole
    /// vectors takes 32, all on the one shuffle port.
    #[inline(always)]
    fn load_rows<'a>(
        simd: Avx512,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row,
    ) -> [Self; ROW_WORDS] {
        let mut near = [SimdBase::splat(simd, 0); 4];
        let mut far = near;
        for lane in 0..4 {
            near[lane] = words_of(simd, row(lane)).combine(words_of(simd, row(lane + 4)));
            far[lane] = words_of(simd, row(lane + 8)).combine(words_of(simd, row(lane + 12)));
        }
        let near = transpose_4x4(near);
        let far = transpose_4x4(far);
        let mut words = [SimdBase::splat(simd, 0); ROW_WORDS];
        for word in 0..4 {
            words[word] = even_blocks(simd, near[word], far[word]);
            words[word + 4] = odd_blocks(simd, near[word], far[word]);
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
            let (row0, row4) = near_rows(a.simd, left[i], right[i]).split();
            let (row8, row12) = far_rows(a.simd, left[i], right[i]).split();
            row(i, row0.to_array());
            row(i + 4, row4.to_array());
            row(i + 8, row8.to_array());
            row(i + 12, row12.to_array());
        }
    }
}

type LongWords8 = u64x8<Avx512>;

kernel!(
    /// One `vpternlogq`. Left to the operators, the compiler would merge every sum of three, also
    /// where two operations that keep their operands are faster on Zen 4: it copies the operand
    /// that this instruction overwrites.
    #[inline(always)]
    fn xor3(token: Avx512, a: LongWords8, b: LongWords8, c: LongWords8) -> LongWords8 {
        _mm512_ternarylogic_epi64::<0x96>(a.into(), b.into(), c.into()).simd_into(token)
    }
);

impl Words for LongWords8 {
    words_of_simd!(Avx512, u64, min_u64x8);

    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        xor3(self.simd, self, b, c)
    }

    /// Two of the operands are added by an operation that keeps them, which saves a copy: Keccak
    /// takes 104 ns for two blocks on Zen 4 instead of 107.
    #[inline(always)]
    fn xor5(self, b: Self, c: Self, d: Self, e: Self) -> Self {
        (self ^ b).xor3(c, d) ^ e
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        majority(self.simd, self.bitcast(), b.bitcast(), c.bitcast()).bitcast()
    }
}

/// Both halves of each 128-bit block of `a` and `b`: `[a0 b0]` and `[a1 b1]`.
#[inline(always)]
fn interleave(a: Words16, b: Words16) -> [Words16; 2] {
    [a.low_pairs(b), a.high_pairs(b)]
}

impl Lanes for LongWords8 {
    lanes_of_simd!(Avx512, u64, 8);

    /// Inserting halves of rows from memory needs no shuffle, which leaves 16 shuffles.
    #[inline(always)]
    fn load_rows<'a>(
        simd: Avx512,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<u64>,
    ) -> [Self; ROW_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); ROW_WORDS];
        for half in 0..2 {
            let mut rows = [SimdBase::splat(simd, 0); 4];
            for i in 0..4 {
                let lane = i + i / 2 * 2;
                let near = words_of(simd, &row(lane).as_chunks().0[half]);
                let far = words_of(simd, &row(lane + 2).as_chunks().0[half]);
                rows[i] = near.combine(far);
            }
            let near = interleave(rows[0], rows[1]);
            let far = interleave(rows[2], rows[3]);
            for odd in 0..2 {
                words[4 * half + odd] = even_blocks(simd, near[odd], far[odd]).bitcast();
                words[4 * half + 2 + odd] = odd_blocks(simd, near[odd], far[odd]).bitcast();
            }
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; ROW_WORDS], mut row: impl FnMut(usize, [u64; ROW_WORDS])) {
        let simd = words[0].simd;
        let mut pairs = [[SimdBase::splat(simd, 0); 2]; 4];
        for i in 0..4 {
            pairs[i] = interleave(words[2 * i].bitcast(), words[2 * i + 1].bitcast());
        }
        // Each block of `pairs[i][odd]` holds words 2 i and 2 i + 1 of one lane: of lanes 0, 2, 4
        // and 6, or 1, 3, 5 and 7.
        for odd in 0..2 {
            let near = [pairs[0][odd], pairs[1][odd]];
            let far = [pairs[2][odd], pairs[3][odd]];
            let even = [even_blocks(simd, near[0], near[1]), even_blocks(simd, far[0], far[1])];
            let others = [odd_blocks(simd, near[0], near[1]), odd_blocks(simd, far[0], far[1])];
            let [lane0, lane4]: [Self; 2] = [
                even_blocks(simd, even[0], even[1]).bitcast(),
                odd_blocks(simd, even[0], even[1]).bitcast(),
            ];
            let [lane2, lane6]: [Self; 2] = [
                even_blocks(simd, others[0], others[1]).bitcast(),
                odd_blocks(simd, others[0], others[1]).bitcast(),
            ];
            row(odd, lane0.to_array());
            row(odd + 2, lane2.to_array());
            row(odd + 4, lane4.to_array());
            row(odd + 6, lane6.to_array());
        }
    }

    #[inline(always)]
    fn load_quads(simd: Avx512, quad: impl Fn(usize) -> [u64; 4]) -> [Self; 4] {
        let mut rows = [SimdBase::splat(simd, 0); 4];
        for i in 0..4 {
            let lane = i + i / 2 * 2;
            let near: u64x4<Avx512> = SimdBase::from_slice(simd, &quad(lane));
            let far: u64x4<Avx512> = SimdBase::from_slice(simd, &quad(lane + 2));
            let pair: Self = near.combine(far);
            rows[i] = pair.bitcast();
        }
        let near = interleave(rows[0], rows[1]);
        let far = interleave(rows[2], rows[3]);
        [
            even_blocks(simd, near[0], far[0]).bitcast(),
            even_blocks(simd, near[1], far[1]).bitcast(),
            odd_blocks(simd, near[0], far[0]).bitcast(),
            odd_blocks(simd, near[1], far[1]).bitcast(),
        ]
    }

    #[inline(always)]
    fn store_quads(words: [Self; 4], mut quad: impl FnMut(usize, [u64; 4])) {
        let low = interleave(words[0].bitcast(), words[1].bitcast());
        let high = interleave(words[2].bitcast(), words[3].bitcast());
        for odd in 0..2 {
            let near: Self = near_rows(words[0].simd, low[odd], high[odd]).bitcast();
            let far: Self = far_rows(words[0].simd, low[odd], high[odd]).bitcast();
            let ((lane0, lane2), (lane4, lane6)) = (near.split(), far.split());
            quad(odd, lane0.to_array());
            quad(odd + 2, lane2.to_array());
            quad(odd + 4, lane4.to_array());
            quad(odd + 6, lane6.to_array());
        }
    }
}
