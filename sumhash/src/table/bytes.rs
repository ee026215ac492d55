//! The large table, the sums of every eight adjacent columns: 2 MiB for sumhash512.

use alloc::boxed::Box;
use alloc::vec::Vec;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

use super::{Layout, Nibbles};
use crate::column::Column;

/// Columns in a line: 256 sums and one of padding.
///
/// The padding keeps the sums of equal bytes out of the same cache set.
const LINE: usize = 256 + 1;

/// For each input byte, the sum for each of its values.
#[derive(Clone, Debug)]
pub(crate) struct Bytes(Box<[Column]>);

impl Bytes {
    /// Combines the sums of the small table.
    pub(crate) fn new(nibbles: &Nibbles) -> Self {
        let mut sums = Vec::with_capacity(nibbles.lines().len() * LINE);
        for line in nibbles.lines() {
            for high in &line[16..32] {
                for low in &line[..16] {
                    sums.push(low.wrapping_add(*high));
                }
            }
            sums.push(Column::ZERO);
        }
        Self(sums.into_boxed_slice())
    }

    /// The sums, grouped by input byte.
    #[inline(always)]
    fn lines(&self) -> &[[Column; LINE]] {
        self.0.as_chunks().0
    }
}

impl Layout for Bytes {
    #[inline(always)]
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S> {
        let lines = &self.lines()[first..first + bytes.len()];
        let mut even = sums;
        let mut odd = u64x8::splat(token, 0);
        let (words, rest) = bytes.as_chunks::<8>();
        let (word_lines, rest_lines) = lines.as_chunks::<8>();
        for (word, lines) in words.iter().zip(word_lines) {
            let mut word = u64::from_le_bytes(*word);
            for lines in lines.as_chunks::<2>().0 {
                even += u64x8::from_slice(token, &lines[0][word as usize & 255].0);
                odd += u64x8::from_slice(token, &lines[1][word as usize >> 8 & 255].0);
                word >>= 16;
            }
        }
        for (byte, line) in rest.iter().zip(rest_lines) {
            even += u64x8::from_slice(token, &line[usize::from(*byte)].0);
        }
        even + odd
    }
}
