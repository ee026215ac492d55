//! Sums of columns: what every sumhash consists of.
//!
//! Here are the three forms in which eight rows of the matrix lie in memory, and how each is
//! summed.
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

/// How many rows of the matrix are summed at once.
pub(crate) const ROWS: usize = 8;

/// A word for each of eight rows of the matrix: a column, or the sum of some columns. It fills a
/// line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Column(pub(crate) [u64; ROWS]);

impl Column {
    pub(crate) const ZERO: Self = Self([0; ROWS]);

    /// The sum, word by word.
    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        let mut sum = self.0;
        for i in 0..ROWS {
            sum[i] = sum[i].wrapping_add(other.0[i]);
        }
        Self(sum)
    }
}

/// Eight rows of a matrix, prepared for being summed.
pub(crate) trait Columns {
    /// Adds to `sums` the columns of the ones in `bytes`, which stand in the input from byte
    /// `first` on.
    ///
    /// Implementations are `#[inline(always)]`, and so is all that they call.
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S>;
}
