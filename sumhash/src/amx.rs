//! Hashes sixteen messages at once in AMX tiles, in constant time.
//!
//! A compression is a product of bits with the matrix, which the CPU computes on bytes. No branch
//! and no address depends on a message: the whole matrix, 64 KiB, is multiplied.
//!
//! The memory layouts follow from TDPBUUD. It multiplies 16 rows of 64 bytes by 16 columns of 64
//! bytes and accumulates into 16 x 16 words of 32 bits:
//!
//! - A row of the left factor is a word of a message, with each bit widened to a byte.
//! - The right factor is the matrix's bytes. Columns `2 i` and `2 i + 1` of tile `t` are the bytes
//!   `t` and `t + 4` of matrix row `i`. Two adjacent sums read as one 64-bit word are therefore the
//!   sum of bytes `t` plus 2^32 times the sum of bytes `t + 4`. A row of four such tiles becomes a
//!   state with three shifts. No sum reaches 2^18.
//!
//! The message halves of all groups are multiplied before the state halves. The working set is then
//! half the matrix and the inputs and sums of one group, and stays in the L1 cache.

mod permission;
mod product;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use fearless_simd::prelude::*;
use fearless_simd::u64x8;
use fearless_simd::x86::Avx512;
use lazy_static::lazy_static;

use crate::batch::Batch;
use crate::matrix::{Column, columns, to_bytes};
use crate::{BLOCK_BYTES, Block, State};

/// Messages per group: the rows of a tile.
const GROUP: usize = 16;

/// Words of a block, or of a state.
const WORDS: usize = BLOCK_BYTES / 8;

/// The number of tiles that hold the 64 columns of bytes.
const SUM_TILES: usize = 4;

/// The contents of a tile register: 16 rows of 64 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Tile([Column; GROUP]);

impl Tile {
    const ZERO: Self = Self([Column::ZERO; GROUP]);
}

/// Half of the matrix: for each input word, the tiles with the bytes of its 64 columns.
type Half = [[Tile; SUM_TILES]; WORDS];

lazy_static! {
    /// The columns of the state, and those of the message.
    static ref MATRIX: Vec<Half> = halves();
}

/// Proof that the CPU multiplies bytes in tiles, and that this process may use them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amx {
    avx512: Avx512,
}

impl Amx {
    /// Requests the tiles from the kernel, once per process. The grant lasts until the process
    /// ends.
    pub(crate) fn request(avx512: Avx512) -> Option<Self> {
        static IS_GRANTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        IS_GRANTED.get_or_init(|| permission::request(avx512)).then_some(Self { avx512 })
    }
}

/// Scratch memory for the left factors and the sums, written for each block of a batch.
pub(crate) struct Tiles {
    amx: Amx,
    /// For each input word, its bits of a group's messages.
    bits: Box<[Tile; WORDS]>,
    /// For each group, the sums.
    sums: Vec<[Tile; SUM_TILES]>,
}

impl Tiles {
    pub(crate) fn new(amx: Amx) -> Self {
        Self { amx, bits: Box::new([Tile::ZERO; WORDS]), sums: Vec::new() }
    }

    /// Adds the product of a half of the matrix and these inputs to the sums of their group.
    fn add<'b>(&mut self, group: usize, inputs: impl Iterator<Item = &'b Block>, half: &Half) {
        for (row, input) in inputs.enumerate() {
            spread(self.amx.avx512, input, &mut self.bits, row);
        }
        product::add(self.amx, &self.bits, half, &mut self.sums[group]);
    }
}

impl Batch for Tiles {
    /// On Granite Rapids, a group takes as long as three messages with the constant-time table, one
    /// after another. Lookups would be faster up to some twenty messages.
    const MIN_MESSAGES: usize = 8;

    fn compress_batch<'b>(
        &mut self,
        states: &mut [State],
        block: impl Fn(usize) -> &'b Block,
        is_start: bool,
    ) {
        let [state_half, message_half] = MATRIX.as_slice() else {
            unreachable!("the matrix has two halves")
        };
        self.sums.clear();
        self.sums.resize(states.len().div_ceil(GROUP), [Tile::ZERO; SUM_TILES]);
        for group in 0..self.sums.len() {
            let messages = group * GROUP..states.len().min((group + 1) * GROUP);
            self.add(group, messages.map(&block), message_half);
        }
        if !is_start {
            for (group, states) in states.chunks(GROUP).enumerate() {
                self.add(group, states.iter(), state_half);
            }
        }
        for (i, state) in states.iter_mut().enumerate() {
            gather(self.amx.avx512, &self.sums[i / GROUP], i % GROUP, state);
        }
    }
}

/// The columns of the state, and those of the message, as tiles of bytes.
fn halves() -> Vec<Half> {
    let mut halves = vec![[[Tile::ZERO; SUM_TILES]; WORDS]; 2];
    for (j, column) in columns().as_flattened().iter().enumerate() {
        for (i, word) in column.0.iter().enumerate() {
            let tiles = &mut halves[j / (64 * WORDS)][j / 64 % WORDS];
            for (byte, value) in word.to_le_bytes().into_iter().enumerate() {
                // Row j / 4 of the tile holds, in each column, the bytes for four input bits.
                let column = 2 * i + byte / 4;
                let row = &mut tiles[byte % 4].0[j % 64 / 4].0;
                row[column / 2] |= u64::from(value) << (8 * (4 * (column % 2) + j % 4));
            }
        }
    }
    halves
}

fearless_simd::kernel!(
    /// Widens each bit of a block to a byte, in row `row` of its word's tile.
    #[inline]
    fn spread(token: Avx512, block: &Block, tiles: &mut [Tile; WORDS], row: usize) {
        use core::arch::x86_64::{_mm512_maskz_mov_epi8, _mm512_set1_epi8};

        for (word, tile) in block.as_chunks().0.iter().zip(tiles) {
            let ones = _mm512_maskz_mov_epi8(u64::from_le_bytes(*word), _mm512_set1_epi8(1));
            let ones: u64x8<Avx512> = ones.simd_into(token);
            tile.0[row] = Column(ones.into());
        }
    }
);

fearless_simd::kernel!(
    /// Combines the byte sums of a message, in row `row` of its group's tiles, into its state.
    #[inline]
    fn gather(token: Avx512, sums: &[Tile; SUM_TILES], row: usize, state: &mut State) {
        let mut words = u64x8::splat(token, 0);
        for (t, tile) in sums.iter().enumerate() {
            words += u64x8::from_slice(token, &tile.0[row].0) << (8 * t as u32);
        }
        *state = to_bytes(words);
    }
);
