//! A table whose layout is chosen at run time.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

use super::{Bytes, ConstantTime, Layout, Nibbles};
use crate::backend::ColumnJob;
use crate::column::{Column, to_bytes};
use crate::{BLOCK_BYTES, Backend, Block, State};

/// A table in any of the layouts.
#[derive(Clone, Debug)]
pub(crate) enum AnyLayout {
    Nibbles(Nibbles),
    Bytes(Bytes),
    ConstantTime(ConstantTime),
}

/// Some input bytes, and the index of the first one.
pub(crate) type Part<'a> = (usize, &'a [u8]);

/// Runs a job with the table in its layout.
macro_rules! with_table {
    ($any:expr, $table:ident => $run:expr) => {
        match $any {
            AnyLayout::Nibbles($table) => $run,
            AnyLayout::Bytes($table) => $run,
            AnyLayout::ConstantTime($table) => $run,
        }
    };
}

impl AnyLayout {
    /// The small table.
    pub(crate) fn small(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::Nibbles(Nibbles::new(columns))
    }

    /// The large table.
    pub(crate) fn large(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::Bytes(Bytes::new(&Nibbles::new(columns)))
    }

    /// The constant-time table.
    pub(crate) fn constant_time(columns: impl ExactSizeIterator<Item = [Column; 8]>) -> Self {
        Self::ConstantTime(ConstantTime::new(columns))
    }

    /// Adds the columns of all one bits in these parts of the input. Its other bytes are zero.
    pub(crate) fn sum(&self, backend: &Backend, parts: &[Part<'_>]) -> State {
        with_table!(self, table => backend.run(Sum { table, parts }))
    }

    /// Compresses the blocks into the state in order.
    ///
    /// At the start of a message the state is zero, so the first sum skips it.
    pub(crate) fn chain(
        &self,
        backend: &Backend,
        state: &mut State,
        blocks: &[Block],
        is_start: bool,
    ) {
        with_table!(self, table => backend.run(Chain { table, state, blocks, is_start }));
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
    fn run<S: Simd>(self, token: S) -> State {
        let mut sums = u64x8::splat(token, 0);
        for &(first, bytes) in self.parts {
            sums = self.table.add(token, sums, first, bytes);
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
    fn run<S: Simd>(self, token: S) {
        let mut skips_state = self.is_start;
        for block in self.blocks {
            let zero = u64x8::splat(token, 0);
            // This half does not depend on the state, so the CPU overlaps it with the dependency
            // chain through the state. Summing this half of 16 blocks ahead of the chain is slower
            // (Zen 4, large table: 111 ns per block instead of 102): out-of-order execution already
            // overlaps the halves, and batching them makes each half come in bursts.
            let mut sums = self.table.add(token, zero, BLOCK_BYTES, block);
            if !skips_state {
                sums = self.table.add(token, sums, 0, self.state);
            }
            skips_state = false;
            *self.state = to_bytes(sums);
        }
    }
}
