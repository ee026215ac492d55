//! Columns of eight words, the unit of all additions.

use fearless_simd::{Simd, u64x8};

use crate::{BLOCK_BYTES, State};

/// The number of matrix rows in a piece.
pub(crate) const ROWS: usize = 8;

/// One word for each matrix row of a piece: a column, or a sum of columns. It fills a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Column(pub(crate) [u64; ROWS]);

impl Column {
    pub(crate) const ZERO: Self = Self([0; ROWS]);

    /// Adds word by word, modulo 2^64.
    #[inline(always)]
    pub(crate) fn wrapping_add(self, other: Self) -> Self {
        let mut sum = self.0;
        for i in 0..ROWS {
            sum[i] = sum[i].wrapping_add(other.0[i]);
        }
        Self(sum)
    }
}

/// The state that consists of these words: in little-endian byte order.
#[inline(always)]
pub(crate) fn to_bytes<S: Simd>(sums: u64x8<S>) -> State {
    let words: [u64; ROWS] = sums.into();
    let mut bytes = [0; BLOCK_BYTES];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}
