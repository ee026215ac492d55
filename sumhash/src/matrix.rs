//! Generates the matrix whose columns a sumhash adds.

use alloc::boxed::Box;
use alloc::vec;

use shake::{ExtendableOutput, Shake256, Update, XofReader};

use crate::column::{Column, ROWS};
use crate::sizes::{SizeError, Sizes};

/// The matrix A of a sumhash: `n` rows and `m` columns of 64-bit words.
///
/// Shake256 generates it from the sizes and a seed.
///
/// ```
/// use sumhash512::Matrix;
///
/// let matrix = Matrix::sumhash512();
/// assert_eq!(matrix.row(0)[0], 0xc0df_2685_a9f8_a108);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    sizes: Sizes,
    /// In row-major order.
    words: Box<[u64]>,
}

impl Matrix {
    /// Generates a matrix of `n` rows and `m` columns from `seed`.
    ///
    /// Its hash takes blocks of `m / 8 - 8 n` bytes and returns digests of `8 n` bytes.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Rows`] if `n` is not from 1 to 65535,
    /// [`SizeError::Columns`] if `m` is not a multiple of 8 below 65536, and
    /// [`SizeError::Block`] if fewer than 16 bytes are left for a block.
    pub fn new(n: usize, m: usize, seed: &[u8]) -> Result<Self, SizeError> {
        Sizes::new(n, m).map(|sizes| Self::generate(sizes, seed))
    }

    /// The matrix of sumhash512: 8 rows, 1024 columns, seed `Algorand`.
    #[must_use]
    pub fn sumhash512() -> Self {
        Self::generate(Sizes::SUMHASH512, b"Algorand")
    }

    fn generate(sizes: Sizes, seed: &[u8]) -> Self {
        let mut shake = Shake256::default();
        shake.update(&sizes.prefix());
        shake.update(seed);
        let mut reader = shake.finalize_xof();
        let mut words = vec![0; sizes.rows() * sizes.columns()].into_boxed_slice();
        for row in words.chunks_exact_mut(sizes.columns()) {
            for words in row.as_chunks_mut::<8>().0 {
                let mut bytes = [0; 64];
                reader.read(&mut bytes);
                for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
        }
        Self { sizes, words }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Row `i`: `m` words.
    ///
    /// # Panics
    ///
    /// Panics if `i >= n`.
    #[must_use]
    pub fn row(&self, i: usize) -> &[u64] {
        let columns = self.sizes.columns();
        assert!(
            i < self.sizes.rows(),
            "row {i} is out of range: the matrix has {} rows",
            self.sizes.rows()
        );
        &self.words[i * columns..][..columns]
    }

    /// The number of pieces of eight rows. The last piece may have fewer.
    pub(crate) fn pieces(&self) -> usize {
        self.sizes.rows().div_ceil(ROWS)
    }

    /// The columns of a piece of eight rows, grouped by input byte. Missing rows are zero.
    pub(crate) fn columns(&self, piece: usize) -> impl ExactSizeIterator<Item = [Column; 8]> {
        let top = piece * ROWS;
        let rows = top..self.sizes.rows().min(top + ROWS);
        (0..self.sizes.input_bytes()).map(move |byte| {
            let mut columns = [Column::ZERO; 8];
            for i in rows.clone() {
                let words = &self.words[i * self.sizes.columns() + 8 * byte..][..8];
                for (column, word) in columns.iter_mut().zip(words) {
                    column.0[i - top] = *word;
                }
            }
            columns
        })
    }
}
