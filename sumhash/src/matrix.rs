//! The matrix of sumhash512, in columns of eight words: the unit of all additions.

use alloc::boxed::Box;
use alloc::vec;

#[cfg(target_feature = "sse2")]
use fearless_simd::prelude::*;
#[cfg(target_feature = "sse2")]
use fearless_simd::{Simd, u64x8};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use crate::{BLOCK_BYTES, State};

/// The number of rows of the matrix.
pub(crate) const ROWS: usize = 8;

/// The number of bytes that the compression function takes: a state and a block.
pub(crate) const INPUT_BYTES: usize = 2 * BLOCK_BYTES;

/// One word for each row of the matrix: a column, or a sum of columns. It fills a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Column(pub(crate) [u64; ROWS]);

/// The columns of the matrix, grouped by input byte. Column `j` of a byte belongs to its bit `j`.
pub(crate) type Columns = Box<[[Column; 8]]>;

impl Column {
    pub(crate) const ZERO: Self = Self([0; ROWS]);

    /// Adds word by word, modulo 2^64.
    ///
    /// SSE2 and AVX2 add in vectors. It is spelled out because a debug build pays for every call,
    /// of a vector type's methods or of a loop's iterator: 143 ns with vectors (Zen 4), some 11 ns
    /// like this.
    #[inline(always)]
    pub(crate) fn wrapping_add(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self([
            a[0].wrapping_add(b[0]),
            a[1].wrapping_add(b[1]),
            a[2].wrapping_add(b[2]),
            a[3].wrapping_add(b[3]),
            a[4].wrapping_add(b[4]),
            a[5].wrapping_add(b[5]),
            a[6].wrapping_add(b[6]),
            a[7].wrapping_add(b[7]),
        ])
    }
}

/// A sum of columns, kept as the instructions add it.
pub(crate) trait Sums: Copy {
    /// Adds a column.
    fn plus(self, column: &Column) -> Self;

    /// Adds other sums.
    fn plus_sums(self, other: Self) -> Self;

    /// The words.
    fn words(self) -> [u64; ROWS];
}

impl Sums for Column {
    #[inline(always)]
    fn plus(self, column: &Column) -> Self {
        self.wrapping_add(column)
    }

    #[inline(always)]
    fn plus_sums(self, other: Self) -> Self {
        self.wrapping_add(&other)
    }

    #[inline(always)]
    fn words(self) -> [u64; ROWS] {
        self.0
    }
}

/// A whole column in a register. From the sums of [`Column`], LLVM makes halves for AVX-512, too,
/// which takes 1.3 to 1.4 times as long on Zen 5.
#[cfg(target_feature = "sse2")]
#[derive(Clone, Copy)]
pub(crate) struct Whole<S: Simd> {
    token: S,
    sums: u64x8<S>,
}

#[cfg(target_feature = "sse2")]
impl<S: Simd> Whole<S> {
    #[inline(always)]
    pub(crate) fn zero(token: S) -> Self {
        Self { token, sums: u64x8::splat(token, 0) }
    }
}

#[cfg(target_feature = "sse2")]
impl<S: Simd> Sums for Whole<S> {
    #[inline(always)]
    fn plus(self, column: &Column) -> Self {
        Self { sums: self.sums + u64x8::from_slice(self.token, &column.0), ..self }
    }

    #[inline(always)]
    fn plus_sums(self, other: Self) -> Self {
        Self { sums: self.sums + other.sums, ..self }
    }

    #[inline(always)]
    fn words(self) -> [u64; ROWS] {
        self.sums.into()
    }
}

/// The state that consists of these words: in little-endian byte order.
#[inline(always)]
pub(crate) fn to_bytes(sums: impl Sums) -> State {
    let mut bytes = [0; BLOCK_BYTES];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(sums.words()) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// The number of bytes of a word.
pub(crate) const WORD_BYTES: usize = 8;

/// Calls `word` with the row, the column and the value of each word of a matrix, row by row. They
/// are Shake256 of the word size in bits, the numbers of rows and columns, and the seed.
pub(crate) fn each_word(
    rows: u16,
    columns: u16,
    seed: &[u8],
    mut word: impl FnMut(usize, usize, u64),
) {
    let sizes = [8 * WORD_BYTES as u16, rows, columns].map(u16::to_le_bytes);
    let mut shake = Shake256::default();
    shake.update(sizes.as_flattened());
    shake.update(seed);
    let mut reader = shake.finalize_xof();
    let mut bytes = [0; 8 * WORD_BYTES];
    for row in 0..usize::from(rows) {
        for first in (0..usize::from(columns)).step_by(8) {
            reader.read(&mut bytes);
            for (column, bytes) in (first..).zip(bytes.as_chunks().0) {
                word(row, column, u64::from_le_bytes(*bytes));
            }
        }
    }
}

/// Generates the matrix of sumhash512.
pub(crate) fn columns() -> Columns {
    let mut columns = vec![[Column::ZERO; 8]; INPUT_BYTES].into_boxed_slice();
    each_word(ROWS as u16, 8 * INPUT_BYTES as u16, b"Algorand", |row, column, word| {
        columns.as_flattened_mut()[column].0[row] = word;
    });
    columns
}
