//! The matrix of sumhash512, in columns of eight words: the unit of all additions.

use alloc::boxed::Box;
use alloc::vec;

use fearless_simd::{Simd, u64x8};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use crate::{BLOCK_BYTES, State};

/// The number of rows of the matrix.
pub(crate) const ROWS: usize = 8;

/// The number of bytes that the compression function takes: a state and a block.
const INPUT_BYTES: usize = 2 * BLOCK_BYTES;

/// One word for each row of the matrix: a column, or a sum of columns. It fills a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Column(pub(crate) [u64; ROWS]);

/// The columns of the matrix, grouped by input byte. Column `j` of a byte belongs to its bit `j`.
pub(crate) type Columns = Box<[[Column; 8]]>;

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

/// Generates the matrix, row by row, with Shake256 of the word size in bits, the numbers of rows
/// and columns, and the seed.
pub(crate) fn columns() -> Columns {
    let sizes = [64, ROWS as u16, 8 * INPUT_BYTES as u16].map(u16::to_le_bytes);
    let mut shake = Shake256::default();
    shake.update(sizes.as_flattened());
    shake.update(b"Algorand");
    let mut reader = shake.finalize_xof();
    let mut columns = vec![[Column::ZERO; 8]; INPUT_BYTES].into_boxed_slice();
    for row in 0..ROWS {
        for columns in &mut columns {
            let mut bytes = [0; 64];
            reader.read(&mut bytes);
            for (column, word) in columns.iter_mut().zip(bytes.as_chunks().0) {
                column.0[row] = u64::from_le_bytes(*word);
            }
        }
    }
    columns
}
