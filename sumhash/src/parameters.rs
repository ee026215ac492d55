//! The sizes of a sumhash.

use core::fmt;

/// The number of rows `n` and of columns `m` of a matrix, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameters {
    rows: u16,
    columns: u16,
}

/// Why a matrix of these sizes makes no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// `n` is zero, or is not below 2^16: the seed holds it in two bytes.
    Rows {
        /// The `n` that was asked for.
        n: usize,
    },
    /// `m` is no multiple of 8, or is not below 2^16: the seed holds it in two bytes.
    Columns {
        /// The `m` that was asked for.
        m: usize,
    },
    /// A block of `m / 8 - 8 n` bytes is shorter than the 16 bytes in which the message's length
    /// stands.
    Block {
        /// The `n` that was asked for.
        n: usize,
        /// The `m` that was asked for.
        m: usize,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { n } => write!(f, "{n} rows are not from 1 to 65535"),
            Self::Columns { m } => write!(f, "{m} columns are no multiple of 8 below 65536"),
            Self::Block { n, m } => {
                write!(
                    f,
                    "{n} rows and {m} columns leave less than 16 bytes for a block of the message"
                )
            }
        }
    }
}

impl core::error::Error for ParameterError {}

impl Parameters {
    /// sumhash512.
    pub(crate) const SUMHASH512: Self = Self { rows: 8, columns: 1024 };

    pub(crate) fn new(n: usize, m: usize) -> Result<Self, ParameterError> {
        let rows = match u16::try_from(n) {
            Ok(rows) if rows > 0 => rows,
            _ => return Err(ParameterError::Rows { n }),
        };
        let columns = match u16::try_from(m) {
            Ok(columns) if m.is_multiple_of(8) => columns,
            _ => return Err(ParameterError::Columns { m }),
        };
        if m / 8 < 8 * n + 16 {
            return Err(ParameterError::Block { n, m });
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

    /// Bytes of state and block together.
    pub(crate) fn input_bytes(self) -> usize {
        self.columns() / 8
    }

    /// Bytes of a state and of a digest.
    pub(crate) fn output_bytes(self) -> usize {
        8 * self.rows()
    }

    /// What Shake256 takes before the seed: the bits of a word, `n` and `m`.
    pub(crate) fn prefix(self) -> [u8; 6] {
        let ([n0, n1], [m0, m1]) = (self.rows.to_le_bytes(), self.columns.to_le_bytes());
        [64, 0, n0, n1, m0, m1]
    }
}
