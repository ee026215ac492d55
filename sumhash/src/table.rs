//! The precomputed sums that sumhash512 looks up.

use core::fmt;

use crate::columns::Layout;
use crate::matrix::Matrix;

/// A lookup table for sumhash512, if you want to own it.
///
/// Otherwise all hashers in a process share a table; see the crate documentation.
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
pub struct Table(pub(crate) Layout);

impl Table {
    /// A table of 264 KiB with the sums of every four adjacent columns.
    #[must_use]
    pub fn new() -> Self {
        Self(Layout::nibbles(Matrix::sumhash512().columns(0)))
    }

    /// A table of 2 MiB with the sums of every eight adjacent columns: half the lookups, but eight
    /// times the work to build. It pays off after some 20,000 blocks (Zen 4).
    #[must_use]
    pub fn large() -> Self {
        Self(Layout::bytes(Matrix::sumhash512().columns(0)))
    }

    /// The matrix itself, 64 KiB, without precomputed sums.
    ///
    /// Every block reads all of it, so no branch and no address depends on the message.
    #[must_use]
    pub fn constant_time() -> Self {
        Self(Layout::masks(Matrix::sumhash512().columns(0)))
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = match self.0 {
            Layout::Nibbles(_) => "four columns",
            Layout::Bytes(_) => "eight columns",
            Layout::ConstantTime(_) => "constant time",
        };
        f.debug_tuple("Table").field(&layout).finish()
    }
}
