//! Adds columns of the matrix, which is all that a sumhash does.
//!
//! Eight rows of the matrix have three memory layouts, and each is summed in its own way.
//!
//! See docs/layouts.md for how the modules fit together.

mod bytes;
mod constant_time;
mod layout;
mod nibbles;

use fearless_simd::{Simd, u64x8};

pub(crate) use bytes::Bytes;
pub(crate) use constant_time::ConstantTime;
pub(crate) use layout::{Layout, Part};
pub(crate) use nibbles::Nibbles;

/// The number of matrix rows summed at once.
pub(crate) const ROWS: usize = 8;

/// One word for each of eight matrix rows: a column, or a sum of columns. It fills a cache line.
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

/// Eight matrix rows in a layout that can be summed.
pub(crate) trait Columns {
    /// Adds to `sums` the columns of the one bits in `bytes`, which start at input byte `first`.
    ///
    /// Implementations and everything they call must be `#[inline(always)]`.
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S>;
}
