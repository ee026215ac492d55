//! The small table, the sums of every four adjacent columns: 264 KiB for sumhash512.

use alloc::boxed::Box;
use alloc::vec::Vec;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

use super::Layout;
use crate::column::Column;

/// Columns in a line: 16 sums for the low four bits of the byte, 16 for the high four, and one of
/// padding.
///
/// Without the padding, the sums of equal bytes, such as the zeros at the end of a message, would
/// share a cache set.
const LINE: usize = 2 * 16 + 1;

/// For each input byte, the sums for its two halves.
#[derive(Clone, Debug)]
pub(crate) struct Nibbles(Box<[Column]>);

impl Nibbles {
    /// Adds up the columns of a piece.
    pub(crate) fn new(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        let mut sums = Vec::with_capacity(columns.len() * LINE);
        for columns in columns {
            for columns in columns.as_chunks::<4>().0 {
                let start = sums.len();
                sums.push(Column::ZERO);
                for column in columns {
                    // Every sum so far, once more with this column added.
                    for i in start..sums.len() {
                        let sum: Column = sums[i];
                        sums.push(sum.wrapping_add(*column));
                    }
                }
            }
            sums.push(Column::ZERO);
        }
        Self(sums.into_boxed_slice())
    }

    /// The sums, grouped by input byte.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[[Column; LINE]] {
        self.0.as_chunks().0
    }
}

impl Layout for Nibbles {
    #[inline(always)]
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S> {
        let lines = &self.lines()[first..first + bytes.len()];
        let mut low = sums;
        let mut high = u64x8::splat(token, 0);
        let (words, rest) = bytes.as_chunks::<8>();
        let (word_lines, rest_lines) = lines.as_chunks::<8>();
        for (word, lines) in words.iter().zip(word_lines) {
            let mut word = u64::from_le_bytes(*word);
            for line in lines {
                low += u64x8::from_slice(token, &line[word as usize & 15].0);
                high += u64x8::from_slice(token, &line[16 + (word as usize >> 4 & 15)].0);
                word >>= 8;
            }
        }
        for (byte, line) in rest.iter().zip(rest_lines) {
            low += u64x8::from_slice(token, &line[usize::from(*byte & 15)].0);
            high += u64x8::from_slice(token, &line[16 + usize::from(*byte >> 4)].0);
        }
        low + high
    }
}
