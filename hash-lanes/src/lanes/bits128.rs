//! Four lanes of 32-bit words, or two of 64-bit words, in a 128-bit vector: SSE2, NEON and wasm
//! simd128.

use fearless_simd::{Bytes, Simd, SimdBase, SimdMask, u8x16, u32x4, u64x2};

use super::transpose::{Interleave, reorder, transpose_4x4};
use super::{ByteOrder, Lanes, ROW_WORDS, Row, Words, lanes_of_simd, words_of_simd};

impl<S: Simd> Interleave for u32x4<S> {
    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        self.zip_low(other)
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        self.zip_high(other)
    }

    #[inline(always)]
    fn low_pairs(self, other: Self) -> Self {
        let (a, b): (u64x2<S>, u64x2<S>) = (self.bitcast(), other.bitcast());
        a.zip_low(b).bitcast()
    }

    #[inline(always)]
    fn high_pairs(self, other: Self) -> Self {
        let (a, b): (u64x2<S>, u64x2<S>) = (self.bitcast(), other.bitcast());
        a.zip_high(b).bitcast()
    }
}

/// 16 bytes of a row, in memory order.
#[inline(always)]
pub(super) fn sixteen_bytes<S: Simd>(simd: S, row: &[u8], index: usize) -> u32x4<S> {
    let (parts, _) = row.as_chunks::<16>();
    u8x16::load_array_ref(simd, &parts[index]).bitcast()
}

impl<S: Simd> Words for u32x4<S> {
    words_of_simd!(S, u32, min_u32x4);

    const HAS_32_REGISTERS: bool = cfg!(target_arch = "aarch64");

    /// Not hidden: with 16 registers the compiler would otherwise abandon the order of the source,
    /// and RIPEMD-160 of 32 bytes would take 62 ns instead of 41 (SSE2 on Zen 4).
    #[inline(always)]
    fn splat_opaque(simd: S, word: u32) -> Self {
        SimdBase::splat(simd, word)
    }
}

impl<S: Simd> Lanes for u32x4<S> {
    lanes_of_simd!(S, u32, 4);

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
                rows[lane] = sixteen_bytes(simd, row(lane), half);
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
        for lane in 0..4 {
            let mut words_of_lane = [0; ROW_WORDS];
            let (halves, _) = words_of_lane.as_chunks_mut::<4>();
            halves[0] = left[lane].to_array();
            halves[1] = right[lane].to_array();
            row(lane, words_of_lane);
        }
    }
}

impl<S: Simd> Words for u64x2<S> {
    words_of_simd!(S, u64, min_u64x2);

    const HAS_32_REGISTERS: bool = cfg!(target_arch = "aarch64");

    /// Not hidden, as for 32-bit words.
    #[inline(always)]
    fn splat_opaque(simd: S, word: u64) -> Self {
        SimdBase::splat(simd, word)
    }
}

impl<S: Simd> Lanes for u64x2<S> {
    lanes_of_simd!(S, u64, 2);

    #[inline(always)]
    fn load_rows<'a>(
        simd: S,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<u64>,
    ) -> [Self; ROW_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); ROW_WORDS];
        for pair in 0..ROW_WORDS / 2 {
            let first: Self = sixteen_bytes(simd, row(0), pair).bitcast();
            let second: Self = sixteen_bytes(simd, row(1), pair).bitcast();
            words[2 * pair] = first.zip_low(second);
            words[2 * pair + 1] = first.zip_high(second);
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; ROW_WORDS], mut row: impl FnMut(usize, [u64; ROW_WORDS])) {
        let (mut first, mut second) = ([0; ROW_WORDS], [0; ROW_WORDS]);
        for pair in 0..ROW_WORDS / 2 {
            let (a, b) = (words[2 * pair], words[2 * pair + 1]);
            first.as_chunks_mut().0[pair] = a.zip_low(b).to_array();
            second.as_chunks_mut().0[pair] = a.zip_high(b).to_array();
        }
        row(0, first);
        row(1, second);
    }

    #[inline(always)]
    fn load_quads(simd: S, quad: impl Fn(usize) -> [u64; 4]) -> [Self; 4] {
        let (first, second) = (quad(0), quad(1));
        let mut words = [SimdBase::splat(simd, 0); 4];
        for pair in 0..2 {
            let a: Self = SimdBase::from_slice(simd, &first[2 * pair..][..2]);
            let b: Self = SimdBase::from_slice(simd, &second[2 * pair..][..2]);
            words[2 * pair] = a.zip_low(b);
            words[2 * pair + 1] = a.zip_high(b);
        }
        words
    }

    #[inline(always)]
    fn store_quads(words: [Self; 4], mut quad: impl FnMut(usize, [u64; 4])) {
        let (mut first, mut second) = ([0; 4], [0; 4]);
        for pair in 0..2 {
            let (a, b) = (words[2 * pair], words[2 * pair + 1]);
            first.as_chunks_mut().0[pair] = a.zip_low(b).to_array();
            second.as_chunks_mut().0[pair] = a.zip_high(b).to_array();
        }
        quad(0, first);
        quad(1, second);
    }
}
