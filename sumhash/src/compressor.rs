//! The compression function, for matrices of any size.

use alloc::vec::Vec;

use crate::BLOCK_BYTES;
use crate::backend::Backend;
use crate::matrix::Matrix;
use crate::sizes::Sizes;
use crate::table::AnyLayout;

/// The compression function f of a sumhash.
///
/// It adds, modulo 2^64, the matrix columns at which the input has one bits. Bit 0 of each byte
/// comes first.
pub trait Compressor {
    /// The input length in bytes: `m / 8`, the state followed by a message block.
    fn input_bytes(&self) -> usize;

    /// The output length in bytes: `8 n`, a state.
    fn output_bytes(&self) -> usize;

    /// Compresses `input` into `output`.
    ///
    /// # Panics
    ///
    /// Panics if `input.len() != self.input_bytes()` or `output.len() != self.output_bytes()`.
    fn compress(&self, input: &[u8], output: &mut [u8]);
}

/// The compression function with small or large tables: the sums of four or eight columns.
///
/// The addresses it reads depend on the input, so use it only for public data.
#[derive(Clone, Debug)]
pub struct CompressLookup(Tables);

/// The compression function in constant time: it reads the whole matrix for every input.
///
/// No branch and no address depends on the input. It takes 8 bytes of memory for each word of the
/// matrix (64 KiB for sumhash512).
#[derive(Clone, Debug)]
pub struct CompressMatrix(Tables);

/// The tables of all pieces of a matrix.
#[derive(Clone, Debug)]
struct Tables {
    sizes: Sizes,
    tables: Vec<AnyLayout>,
    backend: Backend,
}

impl Tables {
    /// Builds the table of each piece with `table`.
    fn new(matrix: &Matrix, table: impl Fn(usize) -> AnyLayout) -> Self {
        Self {
            sizes: matrix.sizes(),
            tables: (0..matrix.pieces()).map(table).collect(),
            backend: Backend::detect(),
        }
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        let (expected, given) = (self.sizes.input_bytes(), input.len());
        assert!(
            given == expected,
            "`input` is {given} bytes long, but the compression function takes {expected}"
        );
        let (expected, given) = (self.sizes.output_bytes(), output.len());
        assert!(
            given == expected,
            "`output` is {given} bytes long, but the compression function writes {expected}"
        );
        for (table, output) in self.tables.iter().zip(output.chunks_mut(BLOCK_BYTES)) {
            output.copy_from_slice(&table.sum(&self.backend, &[(0, input)])[..output.len()]);
        }
    }
}

impl CompressLookup {
    /// Builds small tables: the sums of every four adjacent columns.
    ///
    /// They take 33 times 64 bytes for each input byte and every eight matrix rows.
    #[must_use]
    pub fn new(matrix: &Matrix) -> Self {
        Self(Tables::new(matrix, |piece| AnyLayout::small(matrix.columns(piece))))
    }

    /// Builds large tables, the sums of every eight adjacent columns. They take eight times the
    /// memory and half the lookups.
    #[must_use]
    pub fn large(matrix: &Matrix) -> Self {
        Self(Tables::new(matrix, |piece| AnyLayout::large(matrix.columns(piece))))
    }
}

impl CompressMatrix {
    /// Builds constant-time tables: copies the columns of `matrix`.
    #[must_use]
    pub fn new(matrix: &Matrix) -> Self {
        Self(Tables::new(matrix, |piece| AnyLayout::constant_time(matrix.columns(piece))))
    }
}

/// Implements what both compression functions have in common.
macro_rules! impl_compressor {
    ($name:ident) => {
        impl $name {
            /// Replaces the detected backend with `backend`.
            #[must_use]
            pub fn with_backend(mut self, backend: Backend) -> Self {
                self.0.backend = backend;
                self
            }
        }

        impl Compressor for $name {
            fn input_bytes(&self) -> usize {
                self.0.sizes.input_bytes()
            }

            fn output_bytes(&self) -> usize {
                self.0.sizes.output_bytes()
            }

            #[track_caller]
            fn compress(&self, input: &[u8], output: &mut [u8]) {
                self.0.compress(input, output);
            }
        }
    };
}
impl_compressor!(CompressLookup);
impl_compressor!(CompressMatrix);
