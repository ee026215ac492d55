//! Columns of eight words, the unit of all additions.

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
