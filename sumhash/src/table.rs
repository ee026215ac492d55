//! Stores the matrix as a lookup table.
//!
//! | table | layout | what it stores |
//! |---|---|---|
//! | small | [`Nibbles`] | the sums of every four adjacent columns, to look up |
//! | large | [`Bytes`] | the sums of every eight adjacent columns, to look up |
//!
//! A *line* of a table is what it stores for one input byte.
//!
//! See docs/layouts.md for how the modules fit together.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::backend::ColumnJob;
use crate::backend::Instructions;
use crate::construction::{Compressor, check_lengths};
use crate::matrix::{Column, Columns, INPUT_BYTES, Sums, columns, to_bytes};
use crate::{BLOCK_BYTES, Block, State};

/// A table in one of the layouts.
pub(crate) trait Layout {
    /// Adds to `sums` the columns of the one bits in `bytes`, which start at input byte `first`.
    /// `zero` is the sum of no columns.
    ///
    /// Implementations and everything they call must be `#[inline(always)]`.
    fn add<A: Sums>(&self, zero: A, sums: A, first: usize, bytes: &[u8]) -> A;
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
        Self(AnyLayout::Nibbles(Nibbles::new(&columns())))
    }

    /// The large table: the sums of every eight adjacent columns, 2 MiB. It takes half the lookups,
    /// but eight times the work to build. It pays off after some 20,000 blocks (Zen 4).
    #[must_use]
    pub fn large() -> Self {
        Self::new().grown()
    }

    /// The large table, from the sums of the small one.
    pub(crate) fn grown(&self) -> Self {
        match &self.0 {
            AnyLayout::Nibbles(nibbles) => Self(AnyLayout::Bytes(Bytes::new(nibbles))),
            AnyLayout::Bytes(_) => self.clone(),
        }
    }
}

impl Compressor for Table {
    fn output_len(&self) -> usize {
        BLOCK_BYTES
    }

    fn input_len(&self) -> usize {
        INPUT_BYTES
    }

    #[track_caller]
    fn compress(&self, input: &[u8], output: &mut [u8]) {
        check_lengths(self, input, output);
        output.copy_from_slice(&self.0.sum(&Instructions::detect(), &[(0, input)]));
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
        };
        f.debug_tuple("Table").field(&name).finish()
    }
}

/// A table in any of the layouts.
#[derive(Clone, Debug)]
pub(crate) enum AnyLayout {
    Nibbles(Nibbles),
    Bytes(Bytes),
}

/// Some input bytes, and the index of the first one.
pub(crate) type Part<'a> = (usize, &'a [u8]);

/// Runs a job with the table in its layout.
macro_rules! with_table {
    ($any:expr, $table:ident => $run:expr) => {
        match $any {
            AnyLayout::Nibbles($table) => $run,
            AnyLayout::Bytes($table) => $run,
        }
    };
}

impl AnyLayout {
    /// Adds the columns of all one bits in these parts of the input. Its other bytes are zero.
    pub(crate) fn sum(&self, instructions: &Instructions, parts: &[Part<'_>]) -> State {
        with_table!(self, table => instructions.run(Sum { table, parts }))
    }

    /// Compresses the blocks into the state in order.
    ///
    /// At the start of a message the state is zero, so the first sum skips it.
    pub(crate) fn chain(
        &self,
        instructions: &Instructions,
        state: &mut State,
        blocks: &[Block],
        is_start: bool,
    ) {
        with_table!(self, table => instructions.run(Chain { table, state, blocks, is_start }));
    }
}

/// The computation of [`AnyLayout::sum`].
struct Sum<'a, L> {
    table: &'a L,
    parts: &'a [Part<'a>],
}

impl<L: Layout> ColumnJob for Sum<'_, L> {
    type Output = State;

    #[inline(always)]
    fn run(self, zero: impl Sums) -> State {
        let mut sums = zero;
        for &(first, bytes) in self.parts {
            sums = self.table.add(zero, sums, first, bytes);
        }
        to_bytes(sums)
    }
}

/// The computation of [`AnyLayout::chain`].
struct Chain<'a, L> {
    table: &'a L,
    state: &'a mut State,
    blocks: &'a [Block],
    is_start: bool,
}

impl<L: Layout> ColumnJob for Chain<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self, zero: impl Sums) {
        let mut skips_state = self.is_start;
        for block in self.blocks {
            // This half does not depend on the state, so the CPU overlaps it with the dependency
            // chain through the state. Summing this half of 16 blocks ahead of the chain is slower
            // (Zen 4, large table: 111 ns per block instead of 102): out-of-order execution already
            // overlaps the halves, and batching them makes each half come in bursts.
            let mut sums = self.table.add(zero, zero, BLOCK_BYTES, block);
            if !skips_state {
                sums = self.table.add(zero, sums, 0, self.state);
            }
            skips_state = false;
            *self.state = to_bytes(sums);
        }
    }
}

/// Columns in a line of [`Nibbles`]: 16 sums for the low four bits of the byte, 16 for the high
/// four, and one of padding.
///
/// Without the padding, the sums of equal bytes, such as the zeros at the end of a message, would
/// share a cache set.
const NIBBLES_LINE: usize = 2 * 16 + 1;

/// The small table, the sums of every four adjacent columns: for each input byte, the sums for its
/// two halves.
#[derive(Clone, Debug)]
pub(crate) struct Nibbles(Box<[Column]>);

impl Nibbles {
    /// Adds up the columns.
    pub(crate) fn new(columns: &Columns) -> Self {
        let mut sums = Vec::with_capacity(columns.len() * NIBBLES_LINE);
        for columns in columns {
            for columns in columns.as_chunks::<4>().0 {
                let start = sums.len();
                sums.push(Column::ZERO);
                for column in columns {
                    // Every sum so far, once more with this column added.
                    for i in start..sums.len() {
                        let sum: Column = sums[i];
                        sums.push(sum.wrapping_add(column));
                    }
                }
            }
            sums.push(Column::ZERO);
        }
        Self(sums.into_boxed_slice())
    }

    /// The sums, grouped by input byte.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[[Column; NIBBLES_LINE]] {
        self.0.as_chunks().0
    }
}

impl Layout for Nibbles {
    #[inline(always)]
    fn add<A: Sums>(&self, zero: A, sums: A, first: usize, bytes: &[u8]) -> A {
        let lines = &self.lines()[first..first + bytes.len()];
        let mut low = sums;
        let mut high = zero;
        let (words, rest) = bytes.as_chunks::<8>();
        let (word_lines, rest_lines) = lines.as_chunks::<8>();
        for (word, lines) in words.iter().zip(word_lines) {
            let mut word = u64::from_le_bytes(*word);
            for line in lines {
                low = low.plus(&line[word as usize & 15]);
                high = high.plus(&line[16 + (word as usize >> 4 & 15)]);
                word >>= 8;
            }
        }
        for (byte, line) in rest.iter().zip(rest_lines) {
            low = low.plus(&line[usize::from(*byte & 15)]);
            high = high.plus(&line[16 + usize::from(*byte >> 4)]);
        }
        low.plus_sums(high)
    }
}

/// Columns in a line of [`Bytes`]: 256 sums and one of padding.
///
/// The padding keeps the sums of equal bytes out of the same cache set.
const BYTES_LINE: usize = 256 + 1;

/// The large table, the sums of every eight adjacent columns: for each input byte, the sum for each
/// of its values.
#[derive(Clone, Debug)]
pub(crate) struct Bytes(Box<[Column]>);

impl Bytes {
    /// Combines the sums of the small table.
    pub(crate) fn new(nibbles: &Nibbles) -> Self {
        let mut sums = Vec::with_capacity(nibbles.lines().len() * BYTES_LINE);
        for line in nibbles.lines() {
            for high in &line[16..32] {
                for low in &line[..16] {
                    sums.push(low.wrapping_add(high));
                }
            }
            sums.push(Column::ZERO);
        }
        Self(sums.into_boxed_slice())
    }

    /// The sums, grouped by input byte.
    #[inline(always)]
    fn lines(&self) -> &[[Column; BYTES_LINE]] {
        self.0.as_chunks().0
    }
}

impl Layout for Bytes {
    #[inline(always)]
    fn add<A: Sums>(&self, zero: A, sums: A, first: usize, bytes: &[u8]) -> A {
        let lines = &self.lines()[first..first + bytes.len()];
        let mut even = sums;
        let mut odd = zero;
        let (words, rest) = bytes.as_chunks::<8>();
        let (word_lines, rest_lines) = lines.as_chunks::<8>();
        for (word, lines) in words.iter().zip(word_lines) {
            let mut word = u64::from_le_bytes(*word);
            for lines in lines.as_chunks::<2>().0 {
                even = even.plus(&lines[0][word as usize & 255]);
                odd = odd.plus(&lines[1][word as usize >> 8 & 255]);
                word >>= 16;
            }
        }
        for (byte, line) in rest.iter().zip(rest_lines) {
            even = even.plus(&line[usize::from(*byte)]);
        }
        even.plus_sums(odd)
    }
}
