//! The construction at any size: matrices of any number of rows and columns and any seed, two
//! compressors, and a core that is generic over the compressor.
//!
//! sumhash512 is one instance of it, with 8 rows, 1024 columns and the seed "Algorand". For that
//! one, use [`Sumhash512`](crate::Sumhash512) or [`Sumhash512Core`](crate::Sumhash512Core), which
//! are many times as fast. Only tests use other sizes on Algorand's networks, and nobody has
//! analysed their security.
//!
//! ```
//! use sumhash512::Sumhash512Core;
//! use sumhash512::construction::{CompressLookup, CompressMatrix, SumhashCore};
//!
//! let matrix = CompressMatrix::new(8, 1024, b"Algorand")?;
//! let lookup = CompressLookup::new(&matrix);
//! let expected = Sumhash512Core::new().finalize(b"MB");
//! assert_eq!(SumhashCore::new(&matrix)?.finalize(b"MB"), expected);
//! assert_eq!(SumhashCore::new(&lookup)?.finalize(b"MB"), expected);
//!
//! // 4 rows and 512 columns: digests of 32 bytes, and blocks of 32 bytes.
//! let mut core = SumhashCore::new(CompressMatrix::new(4, 512, b"a seed")?)?;
//! assert_eq!((core.output_len(), core.block_len()), (32, 32));
//! let (blocks, rest) = b"a message of more than 32 bytes, which is one block".split_at(32);
//! core.update_blocks(blocks);
//! let digest = core.finalize(rest);
//! # Ok::<(), sumhash512::construction::SizeError>(())
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::matrix::{WORD_BYTES, each_word};

/// The maximum number of words in a matrix: 8 MiB. Their [`CompressLookup`] takes 256 MiB.
pub const MAX_WORDS: usize = 1 << 20;

/// The number of bytes at the end of a message that hold its length.
const LENGTH_BYTES: usize = 16;

/// A compression function: multiplies a matrix by the bits of the input.
///
/// The input has a bit for each column, the least significant bit of each byte first. The output
/// has a 64-bit word for each row, in little-endian byte order: the sum of the columns of all one
/// bits, modulo 2^64.
pub trait Compressor {
    /// The number of bytes of an output.
    fn output_len(&self) -> usize;

    /// The number of bytes of an input.
    fn input_len(&self) -> usize;

    /// Compresses an input.
    ///
    /// # Panics
    ///
    /// Panics if `input.len() != self.input_len()` or `output.len() != self.output_len()`.
    fn compress(&self, input: &[u8], output: &mut [u8]);
}

impl<C: Compressor + ?Sized> Compressor for &C {
    fn output_len(&self) -> usize {
        (**self).output_len()
    }

    fn input_len(&self) -> usize {
        (**self).input_len()
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        (**self).compress(input, output);
    }
}

/// Panics unless input and output have the lengths of the compressor.
#[track_caller]
pub(crate) fn check_lengths<C: Compressor>(compressor: &C, input: &[u8], output: &[u8]) {
    let (from, into) = (compressor.input_len(), compressor.output_len());
    assert!(
        input.len() == from && output.len() == into,
        "{} bytes cannot be compressed into {}: the matrix takes {from} and gives {into}",
        input.len(),
        output.len()
    );
}

/// A matrix whose columns are selected by the bits of the input: compact and slow.
///
/// It adds a column or not according to each bit, so its branches depend on the input.
#[derive(Clone)]
pub struct CompressMatrix {
    rows: usize,
    /// The columns, one after the other.
    columns: Vec<u64>,
}

impl CompressMatrix {
    /// Generates a matrix of 64-bit words with Shake256 of the sizes and a seed of any length.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Columns`] unless the number of columns is a multiple of 8, and
    /// [`SizeError::Matrix`] unless both numbers are from 1 to 65535 and their product is at most
    /// [`MAX_WORDS`].
    pub fn new(rows: usize, columns: usize, seed: &[u8]) -> Result<Self, SizeError> {
        let (n, m) = sizes(rows, columns)?;
        let mut words = vec![0; rows * columns];
        each_word(n, m, seed, |row, column, word| words[column * rows + row] = word);
        Ok(Self { rows, columns: words })
    }

    /// A matrix of the given words, row by row: `words[row * columns + column]`.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Words`] unless `words.len() == rows * columns`, and the errors of
    /// [`new`](Self::new).
    pub fn from_words(rows: usize, columns: usize, words: &[u64]) -> Result<Self, SizeError> {
        sizes(rows, columns)?;
        let expected = rows * columns;
        if words.len() != expected {
            return Err(SizeError::Words { words: words.len(), expected });
        }
        let by_column =
            (0..columns).flat_map(|column| words[column..].iter().step_by(columns)).copied();
        Ok(Self { rows, columns: by_column.collect() })
    }
}

/// The numbers of rows and columns, if a matrix may have them.
fn sizes(rows: usize, columns: usize) -> Result<(u16, u16), SizeError> {
    let (Ok(n @ 1..), Ok(m @ 1..)) = (u16::try_from(rows), u16::try_from(columns)) else {
        return Err(SizeError::Matrix { rows, columns });
    };
    if rows * columns > MAX_WORDS {
        return Err(SizeError::Matrix { rows, columns });
    }
    if !columns.is_multiple_of(8) {
        return Err(SizeError::Columns { columns });
    }
    Ok((n, m))
}

impl Compressor for CompressMatrix {
    fn output_len(&self) -> usize {
        WORD_BYTES * self.rows
    }

    fn input_len(&self) -> usize {
        self.columns.len() / self.rows / 8
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        check_lengths(self, input, output);
        output.fill(0);
        for (byte, columns) in input.iter().zip(self.columns.chunks_exact(8 * self.rows)) {
            for (bit, column) in columns.chunks_exact(self.rows).enumerate() {
                if byte >> bit & 1 == 1 {
                    add(output, column);
                }
            }
        }
    }
}

impl fmt::Debug for CompressMatrix {
    /// Omits the words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, "CompressMatrix", f)
    }
}

/// A table of the sum for each value of each input byte: 32 times the memory of its matrix, and an
/// eighth of the additions.
///
/// Its addresses depend on the input.
#[derive(Clone)]
pub struct CompressLookup {
    rows: usize,
    /// For each input byte, the 256 sums of its eight columns, one after the other.
    sums: Vec<u64>,
}

impl CompressLookup {
    /// Adds up the columns of a matrix.
    #[must_use]
    pub fn new(matrix: &CompressMatrix) -> Self {
        let rows = matrix.rows;
        let mut sums = Vec::with_capacity(256 / 8 * matrix.columns.len());
        for columns in matrix.columns.chunks_exact(8 * rows) {
            let start = sums.len();
            sums.resize(start + rows, 0);
            for column in columns.chunks_exact(rows) {
                // Every sum so far, once more with this column added.
                for at in start..sums.len() {
                    let sum: u64 = sums[at];
                    sums.push(sum.wrapping_add(column[(at - start) % rows]));
                }
            }
        }
        Self { rows, sums }
    }
}

impl Compressor for CompressLookup {
    fn output_len(&self) -> usize {
        WORD_BYTES * self.rows
    }

    fn input_len(&self) -> usize {
        self.sums.len() / self.rows / 256
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        check_lengths(self, input, output);
        output.fill(0);
        for (byte, sums) in input.iter().zip(self.sums.chunks_exact(256 * self.rows)) {
            add(output, &sums[usize::from(*byte) * self.rows..][..self.rows]);
        }
    }
}

impl fmt::Debug for CompressLookup {
    /// Omits the sums.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, "CompressLookup", f)
    }
}

/// Adds a column to an output, word by word.
fn add(output: &mut [u8], column: &[u64]) {
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(column) {
        *bytes = u64::from_le_bytes(*bytes).wrapping_add(*word).to_le_bytes();
    }
}

fn show<C: Compressor>(compressor: &C, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.debug_struct(name)
        .field("output_len", &compressor.output_len())
        .field("input_len", &compressor.input_len())
        .finish_non_exhaustive()
}

/// The hash over any compressor, of a message given as whole blocks and a remainder. It buffers
/// nothing.
///
/// A digest is as long as an output of the compressor. A block is the rest of its input.
///
/// With the sizes as types, [`SizedCore`](crate::SizedCore) has it for the traits of `digest`.
#[derive(Clone)]
pub struct SumhashCore<C> {
    compressor: C,
    state: Vec<u8>,
    /// The number of blocks so far, including the one that a salt puts before the message.
    blocks: u64,
    /// Combined with each block by XOR; empty in the unsalted mode.
    salt: Vec<u8>,
}

impl<C: Compressor> SumhashCore<C> {
    /// Starts a message.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Block`] if a block has fewer than 16 bytes: too few for the length at
    /// the end of a message.
    pub fn new(compressor: C) -> Result<Self, SizeError> {
        let (input, output) = (compressor.input_len(), compressor.output_len());
        if output.checked_add(LENGTH_BYTES).is_none_or(|least| input < least) {
            return Err(SizeError::Block { input, output });
        }
        let state = vec![0; output];
        Ok(Self { compressor, state, blocks: 0, salt: Vec::new() })
    }

    /// Starts a message in the salted mode: a block of zeros precedes the message and counts in its
    /// length, and every block, that one and the padding included, is combined with the salt by
    /// XOR.
    ///
    /// A salt of zeros is not the unsalted mode.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Block`] as [`new`](Self::new) does, and [`SizeError::Salt`] unless the
    /// salt is as long as a block.
    pub fn with_salt(compressor: C, salt: &[u8]) -> Result<Self, SizeError> {
        let mut core = Self::new(compressor)?;
        let block = core.block_len();
        if salt.len() != block {
            return Err(SizeError::Salt { salt: salt.len(), block });
        }
        core.salt = salt.to_vec();
        core.reset();
        Ok(core)
    }

    /// The number of bytes of a digest.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.compressor.output_len()
    }

    /// The number of bytes of a block.
    #[must_use]
    pub fn block_len(&self) -> usize {
        self.compressor.input_len() - self.output_len()
    }

    /// Hashes the next blocks of the message.
    ///
    /// # Panics
    ///
    /// Panics if `blocks.len()` is not a multiple of [`block_len`](Self::block_len).
    #[track_caller]
    pub fn update_blocks(&mut self, blocks: &[u8]) {
        let block_len = self.block_len();
        assert!(
            blocks.len().is_multiple_of(block_len),
            "{} bytes are not a multiple of the block length of {block_len} bytes; pass the rest \
             of the message to `finalize`",
            blocks.len()
        );
        let mut input = vec![0; self.compressor.input_len()];
        for block in blocks.chunks_exact(block_len) {
            let (before, padded) = input.split_at_mut(self.state.len());
            before.copy_from_slice(&self.state);
            padded.copy_from_slice(block);
            for (byte, salt) in padded.iter_mut().zip(&self.salt) {
                *byte ^= salt;
            }
            self.compressor.compress(&input, &mut self.state);
            self.blocks += 1;
        }
    }

    /// Returns the digest. `rest` is the end of the message, after the last whole block; a message
    /// of less than a block is all rest.
    ///
    /// # Panics
    ///
    /// Panics if `rest.len() >= self.block_len()`.
    #[track_caller]
    #[must_use]
    pub fn finalize(&self, rest: &[u8]) -> Vec<u8> {
        let block_len = self.block_len();
        assert!(
            rest.len() < block_len,
            "`rest` is {} bytes long, but must be shorter than a block ({block_len} bytes); pass \
             whole blocks to `update_blocks`",
            rest.len()
        );
        let bits = 8 * (u128::from(self.blocks) * block_len as u128 + rest.len() as u128);
        let mut padded = [rest, &[1]].concat();
        let blocks = (padded.len() + LENGTH_BYTES).div_ceil(block_len);
        padded.resize(blocks * block_len - LENGTH_BYTES, 0);
        padded.extend(bits.to_le_bytes());

        let mut last = SumhashCore {
            compressor: &self.compressor,
            state: self.state.clone(),
            blocks: self.blocks,
            salt: self.salt.clone(),
        };
        last.update_blocks(&padded);
        last.state
    }

    /// Starts a new message, with the same salt.
    pub fn reset(&mut self) {
        self.state.fill(0);
        self.blocks = 0;
        if !self.salt.is_empty() {
            self.update_blocks(&vec![0; self.salt.len()]);
        }
    }

    /// The state after the blocks so far.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        &self.state
    }
}

impl<C> fmt::Debug for SumhashCore<C> {
    /// Omits the state and the salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SumhashCore { ... }")
    }
}

/// The error for sizes that make no matrix or no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// The matrix has no row or column, or too many.
    Matrix {
        /// The given number of rows.
        rows: usize,
        /// The given number of columns.
        columns: usize,
    },
    /// The number of columns, a bit of input each, is not a multiple of 8.
    Columns {
        /// The given number of columns.
        columns: usize,
    },
    /// The number of words is not that of the matrix.
    Words {
        /// The number of given words.
        words: usize,
        /// The number of rows times the number of columns.
        expected: usize,
    },
    /// The input of the compressor leaves too few bytes for a block.
    Block {
        /// The number of bytes of an input.
        input: usize,
        /// The number of bytes of an output.
        output: usize,
    },
    /// The salt is not as long as a block.
    Salt {
        /// The number of bytes of the salt.
        salt: usize,
        /// The number of bytes of a block.
        block: usize,
    },
    /// The sizes as types are not those of the compressor.
    Types {
        /// The lengths of an output and a block as types, in bytes.
        types: (usize, usize),
        /// The lengths of the core.
        core: (usize, usize),
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Matrix { rows, columns } => write!(
                f,
                "a matrix of {rows} rows and {columns} columns: both must be from 1 to 65535, and \
                 their product at most {MAX_WORDS}"
            ),
            Self::Columns { columns } => {
                write!(f, "{columns} columns do not fill bytes: they must be a multiple of 8")
            }
            Self::Words { words, expected } => {
                write!(f, "{words} words, but the matrix has {expected}")
            }
            Self::Block { input, output } => write!(
                f,
                "an input of {input} bytes and an output of {output} leave less than a block of \
                 {LENGTH_BYTES} bytes"
            ),
            Self::Salt { salt, block } => {
                write!(f, "a salt of {salt} bytes, but a block has {block} bytes")
            }
            Self::Types { types, core } => write!(
                f,
                "types for digests of {} bytes and blocks of {}, but the core has {} and {}",
                types.0, types.1, core.0, core.1
            ),
        }
    }
}

impl core::error::Error for SizeError {}
