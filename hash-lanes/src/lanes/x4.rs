//! Four lanes in a 128-bit vector: SSE2, SSE4.2, NEON and wasm simd128.

use fearless_simd::{Bytes, Simd, SimdBase, u8x16, u32x4, u64x2};

use super::transpose::{Interleave, reorder, transpose_4x4};
use super::{BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES, Words};

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

/// Quarter `quarter` of a block: four words, as they stand in memory.
#[inline(always)]
pub(super) fn quarter_of<S: Simd>(simd: S, block: &Block, quarter: usize) -> u32x4<S> {
    let (quarters, _) = block.as_chunks::<16>();
    u8x16::load_array_ref(simd, &quarters[quarter]).bitcast()
}

impl<S: Simd> Words for u32x4<S> {
    type Token = S;

    #[inline(always)]
    fn token(self) -> S {
        self.simd
    }

    #[inline(always)]
    fn splat(simd: S, word: u32) -> Self {
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
}

impl<S: Simd> Lanes for u32x4<S> {
    const COUNT: usize = 4;
    const REGISTERS: usize = if cfg!(target_arch = "aarch64") { 32 } else { 16 };

    #[inline(always)]
    fn from_words(simd: S, words: &[u32; MAX_LANES]) -> Self {
        SimdBase::from_slice(simd, &words[..4])
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u32; MAX_LANES]) {
        self.store_slice(&mut words[..4]);
    }

    #[inline(always)]
    fn load_blocks<'a>(simd: S, order: ByteOrder, block: impl Fn(usize) -> &'a Block) -> [Self; BLOCK_WORDS] {
        let mut words = [SimdBase::splat(simd, 0); BLOCK_WORDS];
        let (by_quarter, _) = words.as_chunks_mut::<4>();
        for quarter in 0..4 {
            let mut rows = by_quarter[quarter];
            for row in 0..4 {
                rows[row] = quarter_of(simd, block(row), quarter);
            }
            by_quarter[quarter] = transpose_4x4(rows);
        }
        reorder!(words, order);
        words
    }

    #[inline(always)]
    fn store_rows(words: [Self; 8], mut row: impl FnMut(usize, [u32; 8])) {
        let [a, b, c, d, e, f, g, h] = words;
        let left = transpose_4x4([a, b, c, d]);
        let right = transpose_4x4([e, f, g, h]);
        for lane in 0..4 {
            let mut words_of_lane = [0; 8];
            let (halves, _) = words_of_lane.as_chunks_mut::<4>();
            halves[0] = left[lane].to_array();
            halves[1] = right[lane].to_array();
            row(lane, words_of_lane);
        }
    }
}
