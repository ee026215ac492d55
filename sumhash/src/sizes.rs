//! The sizes of a matrix.

use core::fmt;

/// The numbers of rows `n` and columns `m` of a matrix, validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    rows: u16,
    columns: u16,
}

/// Why a matrix cannot have the requested sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// `n` is zero or at least 2^16. The seed encodes it in two bytes.
    Rows {
        /// The requested `n`.
        n: usize,
    },
    /// `m` is not a multiple of 8, or is at least 2^16. The seed encodes it in two bytes.
    Columns {
        /// The requested `m`.
        m: usize,
    },
    /// A block of `m / 8 - 8 n` bytes is shorter than the message length's 16 bytes.
    Block {
        /// The requested `n`.
        n: usize,
        /// The requested `m`.
        m: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { n } => write!(f, "the number of rows must be from 1 to 65535, not {n}"),
            Self::Columns { m } => {
                write!(f, "the number of columns must be a multiple of 8 below 65536, not {m}")
            }
            Self::Block { n, m } => {
                write!(
                    f,
                    "{n} rows and {m} columns leave fewer than 16 bytes for a message block; use \
                     more columns or fewer rows"
                )
            }
        }
    }
}

impl core::error::Error for SizeError {}

impl Sizes {
    /// sumhash512.
    pub(crate) const SUMHASH512: Self = Self { rows: 8, columns: 1024 };

    pub(crate) fn new(n: usize, m: usize) -> Result<Self, SizeError> {
        let rows = match u16::try_from(n) {
            Ok(rows) if rows > 0 => rows,
            _ => return Err(SizeError::Rows { n }),
        };
        let columns = match u16::try_from(m) {
            Ok(columns) if m.is_multiple_of(8) => columns,
            _ => return Err(SizeError::Columns { m }),
        };
        if m / 8 < 8 * n + 16 {
            return Err(SizeError::Block { n, m });
        }
        Ok(Self { rows, columns })
    }

    /// `n`.
    pub(crate) fn rows(self) -> usize {
        self.rows.into()
    }

    /// `m`.
    pub(crate) fn columns(self) -> usize {
        self.columns.into()
    }

    /// Length in bytes of state and block together.
    pub(crate) fn input_bytes(self) -> usize {
        self.columns() / 8
    }

    /// Length in bytes of a state and of a digest.
    pub(crate) fn output_bytes(self) -> usize {
        8 * self.rows()
    }

    /// The bytes that Shake256 absorbs before the seed: the word size in bits, `n` and `m`.
    pub(crate) fn prefix(self) -> [u8; 6] {
        let ([n0, n1], [m0, m1]) = (self.rows.to_le_bytes(), self.columns.to_le_bytes());
        [64, 0, n0, n1, m0, m1]
    }
}
