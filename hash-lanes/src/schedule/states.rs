//! The states of the messages in the lanes, and the job that hashes blocks into them.

use core::marker::PhantomData;

use crate::hash::LaneHash;
use crate::kernel::{LaneJob, LaneKernel};
use crate::lanes::{BLOCK_BYTES, Block, Lanes, MAX_LANES};

/// One row per word of the state, one column per lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct States<const WORDS: usize>([[u32; MAX_LANES]; WORDS]);

impl<const WORDS: usize> States<WORDS> {
    /// The same state in every lane.
    #[inline]
    pub(super) fn splat(state: &[u32; WORDS]) -> Self {
        Self(state.map(|word| [word; MAX_LANES]))
    }

    #[inline]
    pub(super) fn set(&mut self, lane: usize, state: &[u32; WORDS]) {
        for (row, &word) in self.0.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for (word, row) in state.iter_mut().zip(&self.0) {
            *word = row[lane];
        }
        state
    }

    /// Hashes the blocks of each lane into its state; all lanes have the same number of blocks.
    pub(super) fn compress_blocks<H: LaneHash<WORDS>>(
        &mut self,
        kernel: LaneKernel,
        blocks: &[&[Block]],
    ) {
        kernel.run(CompressBlocks::<H, WORDS> { states: self, blocks, hash: PhantomData });
    }

    #[inline(always)]
    pub(super) fn load<V: Lanes>(&self, token: V::Token) -> [V; WORDS] {
        let mut state = [V::splat(token, 0); WORDS];
        for i in 0..WORDS {
            state[i] = V::from_words(token, &self.0[i]);
        }
        state
    }

    #[inline(always)]
    fn store<V: Lanes>(&mut self, state: [V; WORDS]) {
        for i in 0..WORDS {
            state[i].to_words(&mut self.0[i]);
        }
    }
}

struct CompressBlocks<'a, H, const WORDS: usize> {
    states: &'a mut States<WORDS>,
    blocks: &'a [&'a [Block]],
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for CompressBlocks<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut state = self.states.load(token);
        compress_blocks::<V, H, WORDS>(token, &mut state, self.blocks);
        self.states.store::<V>(state);
    }
}

/// Hashes the blocks of each lane into its state; all lanes have the same number of blocks.
#[inline(always)]
pub(super) fn compress_blocks<V: Lanes, H: LaneHash<WORDS>, const WORDS: usize>(
    token: V::Token,
    state: &mut [V; WORDS],
    blocks_of: &[&[Block]],
) {
    let blocks_of = &blocks_of[..V::COUNT];
    let count = blocks_of[0].len();
    let mut blocks: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
    for lane in 0..V::COUNT {
        blocks[lane] = &blocks_of[lane][..count];
    }
    for i in 0..count {
        let block = V::load_blocks(
            token,
            H::ORDER,
            // Every lane has this block. Falling back to a constant instead of panicking removes
            // the branch, and the compiler then schedules the loads better: SHA-1 in 16 lanes takes
            // 4 % less time on Zen 4.
            #[inline(always)]
            |lane| blocks[lane].get(i).unwrap_or(&[0; BLOCK_BYTES]),
        );
        H::compress(token, state, block);
    }
}
