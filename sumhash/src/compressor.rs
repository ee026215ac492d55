//! The compression function, for all sizes of matrices.

use alloc::vec::Vec;

use crate::BLOCK_BYTES;
use crate::backend::Backend;
use crate::columns::Layout;
use crate::matrix::Matrix;
use crate::parameters::Parameters;

/// The compression function f of a sumhash: the sum of the columns of its matrix at which the input
/// has ones, bit 0 of each byte first, modulo 2^64.
pub trait Compressor {
    /// How many bytes it takes: `m / 8`, the state and behind it a block of the message.
    fn input_bytes(&self) -> usize;

    /// How many bytes it gives: `8 n`, a state.
    fn output_bytes(&self) -> usize;

    /// Compresses `input` to `output`.
    ///
    /// # Panics
    ///
    /// If `input` has not [`Self::input_bytes`] or `output` not [`Self::output_bytes`].
    fn compress(&self, input: &[u8], output: &mut [u8]);
}

/// The compression function by looking up sums of four or of eight columns.
///
/// The addresses that it reads depend on the input: it is for what need not be kept secret.
#[derive(Clone, Debug)]
pub struct CompressLookup(Pieces);

/// The compression function in constant time: it reads the whole matrix, whatever the input is.
///
/// No branch and no address depends on the input. It takes 8 bytes for each word of the matrix
/// (64 KiB for sumhash512).
#[derive(Clone, Debug)]
pub struct CompressMatrix(Pieces);

/// A matrix in pieces of eight rows.
#[derive(Clone, Debug)]
struct Pieces {
    parameters: Parameters,
    pieces: Vec<Layout>,
    backend: Backend,
}

impl Pieces {
    /// `form` prepares a piece.
    fn new(matrix: &Matrix, form: impl Fn(usize) -> Layout) -> Self {
        Self {
            parameters: matrix.parameters(),
            pieces: (0..matrix.pieces()).map(form).collect(),
            backend: Backend::detect(),
        }
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        let (expected, given) = (self.parameters.input_bytes(), input.len());
        assert!(given == expected, "an input of {given} bytes for a compression of {expected}");
        let (expected, given) = (self.parameters.output_bytes(), output.len());
        assert!(given == expected, "an output of {given} bytes for a compression to {expected}");
        for (form, output) in self.pieces.iter().zip(output.chunks_mut(BLOCK_BYTES)) {
            output.copy_from_slice(&form.sum(self.backend.level, &[(0, input)])[..output.len()]);
        }
    }
}

impl CompressLookup {
    /// With the sums of each four columns: 33 rows of 64 bytes for each byte of the input and each
    /// eight rows.
    #[must_use]
    pub fn new(matrix: &Matrix) -> Self {
        Self(Pieces::new(matrix, |piece| Layout::nibbles(matrix.columns(piece))))
    }

    /// With the sums of each eight columns: eight times the memory, half the lookups.
    #[must_use]
    pub fn large(matrix: &Matrix) -> Self {
        Self(Pieces::new(matrix, |piece| Layout::bytes(matrix.columns(piece))))
    }
}

impl CompressMatrix {
    /// With the columns of `matrix`.
    #[must_use]
    pub fn new(matrix: &Matrix) -> Self {
        Self(Pieces::new(matrix, |piece| Layout::masks(matrix.columns(piece))))
    }
}

/// What both flavours have in common.
macro_rules! flavour {
    ($name:ident) => {
        impl $name {
            /// The same with a backend of one's choice.
            #[must_use]
            pub fn with_backend(mut self, backend: Backend) -> Self {
                self.0.backend = backend;
                self
            }
        }

        impl Compressor for $name {
            fn input_bytes(&self) -> usize {
                self.0.parameters.input_bytes()
            }

            fn output_bytes(&self) -> usize {
                self.0.parameters.output_bytes()
            }

            #[track_caller]
            fn compress(&self, input: &[u8], output: &mut [u8]) {
                self.0.compress(input, output);
            }
        }
    };
}
flavour!(CompressLookup);
flavour!(CompressMatrix);
