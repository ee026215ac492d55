//! Dispatches to one of the layouts at run time.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

use super::{Bytes, Column, Columns, ConstantTime, Nibbles, ROWS};
use crate::kernel::{Level, RowJob};
use crate::{BLOCK_BYTES, Block, State};

/// Eight matrix rows in one of the layouts.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    Nibbles(Nibbles),
    Bytes(Bytes),
    ConstantTime(ConstantTime),
}

/// Some input bytes, and the index of the first one.
pub(crate) type Part<'a> = (usize, &'a [u8]);

/// Runs a job with the columns of a layout.
macro_rules! with_columns {
    ($layout:expr, $columns:ident => $run:expr) => {
        match $layout {
            Layout::Nibbles($columns) => $run,
            Layout::Bytes($columns) => $run,
            Layout::ConstantTime($columns) => $run,
        }
    };
}

impl Layout {
    /// Sums of four columns.
    pub(crate) fn nibbles(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::Nibbles(Nibbles::new(columns))
    }

    /// Sums of eight columns.
    pub(crate) fn bytes(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::Bytes(Bytes::new(&Nibbles::new(columns)))
    }

    /// The columns themselves, for constant time.
    pub(crate) fn masks(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::ConstantTime(ConstantTime::new(columns))
    }

    /// Adds the columns of all one bits in these parts of the input. Its other bytes are zero.
    pub(crate) fn sum(&self, level: Level, parts: &[Part<'_>]) -> State {
        with_columns!(self, columns => level.run(Sum { columns, parts }))
    }

    /// Compresses the blocks into the state in order.
    ///
    /// At the start of a message the state is zero, so the first sum skips it.
    pub(crate) fn chain(&self, level: Level, state: &mut State, blocks: &[Block], is_start: bool) {
        with_columns!(self, columns => level.run(Chain { columns, state, blocks, is_start }));
    }
}

/// The computation of [`Layout::sum`].
struct Sum<'a, C> {
    columns: &'a C,
    parts: &'a [Part<'a>],
}

impl<C: Columns> RowJob for Sum<'_, C> {
    type Output = State;

    #[inline(always)]
    fn run<S: Simd>(self, token: S) -> State {
        let mut sums = u64x8::splat(token, 0);
        for &(first, bytes) in self.parts {
            sums = self.columns.add(token, sums, first, bytes);
        }
        to_bytes(sums)
    }
}

/// The computation of [`Layout::chain`].
struct Chain<'a, C> {
    columns: &'a C,
    state: &'a mut State,
    blocks: &'a [Block],
    is_start: bool,
}

impl<C: Columns> RowJob for Chain<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, token: S) {
        let mut skips_state = self.is_start;
        for block in self.blocks {
            let zero = u64x8::splat(token, 0);
            // This half does not depend on the state, so the CPU overlaps it with the dependency
            // chain through the state. Summing this half of 16 blocks ahead of the chain is slower
            // (Zen 4, eight columns: 111 ns a block instead of 102): out-of-order execution already
            // overlaps the halves, and batching them makes each half come in bursts.
            let mut sums = self.columns.add(token, zero, BLOCK_BYTES, block);
            if !skips_state {
                sums = self.columns.add(token, sums, 0, self.state);
            }
            skips_state = false;
            *self.state = to_bytes(sums);
        }
    }
}

/// The words in little-endian byte order.
#[inline(always)]
fn to_bytes<S: Simd>(sums: u64x8<S>) -> State {
    let words: [u64; ROWS] = sums.into();
    let mut bytes = [0; BLOCK_BYTES];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}
