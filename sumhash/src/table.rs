//! Tables: how a matrix is stored, so that its columns can be added. A sumhash does nothing else.
//!
//! - The *matrix* has `n` rows and `m` columns of 64-bit words: its *sizes*. Column `j` belongs to
//!   input bit `j`.
//! - A *piece* is eight of its rows; sumhash512 has one. A *column* of a piece is one word for each
//!   of its rows: a column of the matrix, or a sum of columns.
//! - A *table* is what is stored of a piece, in one of three layouts:
//!
//! | table | layout | what it stores |
//! |---|---|---|
//! | small | [`Nibbles`] | the sums of every four adjacent columns, to look up |
//! | large | [`Bytes`] | the sums of every eight adjacent columns, to look up |
//! | constant-time | [`ConstantTime`] | the columns themselves, to read whole |
//!
//! A *line* of a table is what it stores for one input byte.
//!
//! See docs/layouts.md for how the modules fit together.

mod any;
mod bytes;
mod constant_time;
mod nibbles;

use core::fmt;

use fearless_simd::{Simd, u64x8};

pub(crate) use any::{AnyLayout, Part};
pub(crate) use bytes::Bytes;
pub(crate) use constant_time::ConstantTime;
pub(crate) use nibbles::Nibbles;

use crate::matrix::Matrix;

/// A table in one of the layouts.
pub(crate) trait Layout {
    /// Adds to `sums` the columns of the one bits in `bytes`, which start at input byte `first`.
    ///
    /// Implementations and everything they call must be `#[inline(always)]`.
    fn add<S: Simd>(&self, token: S, sums: u64x8<S>, first: usize, bytes: &[u8]) -> u64x8<S>;
}

/// A table of sumhash512, owned by the caller.
///
/// Hashers without one share the tables of the process; see the crate documentation.
///
/// ```
/// use sumhash512::{Sumhash512Core, Table};
///
/// let table = Table::new();
/// let mut core = Sumhash512Core::with_table(&table);
/// core.update_blocks(&[[7; 64]]);
/// let digest = core.finalize(b"the rest of the message");
/// ```
#[derive(Clone)]
pub struct Table(pub(crate) AnyLayout);

impl Table {
    /// The small table: the sums of every four adjacent columns, 264 KiB.
    #[must_use]
    pub fn new() -> Self {
        Self(AnyLayout::small(Matrix::sumhash512().columns(0)))
    }

    /// The large table: the sums of every eight adjacent columns, 2 MiB. It takes half the lookups,
    /// but eight times the work to build. It pays off after some 20,000 blocks (Zen 4).
    #[must_use]
    pub fn large() -> Self {
        Self(AnyLayout::large(Matrix::sumhash512().columns(0)))
    }

    /// The constant-time table: the columns of the matrix themselves, 64 KiB.
    ///
    /// Every block reads all of it, so no branch and no address depends on the message.
    #[must_use]
    pub fn constant_time() -> Self {
        Self(AnyLayout::constant_time(Matrix::sumhash512().columns(0)))
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            AnyLayout::Nibbles(_) => "small",
            AnyLayout::Bytes(_) => "large",
            AnyLayout::ConstantTime(_) => "constant-time",
        };
        f.debug_tuple("Table").field(&name).finish()
    }
}
