//! The constant-time table, the columns themselves: 64 KiB for sumhash512, all of which is read for
//! every block.

use alloc::boxed::Box;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

use super::Layout;
use crate::column::Column;

/// For each input byte, its eight columns.
#[derive(Clone, Debug)]
pub(crate) struct ConstantTime(Box<[[Column; 8]]>);

impl ConstantTime {
    pub(crate) fn new(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self(columns.collect())
    }

    /// The columns, grouped by input byte.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[[Column; 8]] {
        &self.0
    }
}

impl Layout for ConstantTime {
    #[inline(always)]
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S> {
        let lines = &self.lines()[first..first + bytes.len()];
        let mut even = sums;
        let mut odd = u64x8::splat(token, 0);
        for (byte, columns) in bytes.iter().zip(lines) {
            // All ones for a one bit. The compiler vectorizes this because it is a separate loop.
            let mut masks = [0; 8];
            for j in 0..8 {
                masks[j] = u64::from(byte >> j & 1).wrapping_neg();
            }
            for j in 0..4 {
                even +=
                    u64x8::from_slice(token, &columns[2 * j].0) & u64x8::splat(token, masks[2 * j]);
                odd += u64x8::from_slice(token, &columns[2 * j + 1].0)
                    & u64x8::splat(token, masks[2 * j + 1]);
            }
        }
        even + odd
    }
}
