//! The states of the messages in the lanes, and what the kernels do with them.

use core::marker::PhantomData;

use crate::hash::LaneHash;
use crate::kernel::{LaneJob, LaneKernel};
use crate::lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES};

/// Words in the rows that lanes are stored to; behind a shorter state they are zero.
pub(super) const ROW_WORDS: usize = 8;

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

    /// Hashes the blocks of each lane, all equally many, into its state.
    pub(super) fn compress<H: LaneHash<WORDS>>(
        &mut self,
        kernel: LaneKernel,
        blocks: &[&[Block]; MAX_LANES],
    ) {
        kernel.run(CompressBlocks::<H, WORDS> { states: self, blocks, hash: PhantomData });
    }

    /// Replaces each state by the state of hashing it, as a digest, like a message.
    pub(super) fn hash_again<H: LaneHash<WORDS>>(&mut self, kernel: LaneKernel) {
        kernel.run(HashAgain::<H, WORDS> { states: self, hash: PhantomData });
    }

    /// The states, lane by lane, for the lanes of `kernel`.
    pub(super) fn rows(&self, kernel: LaneKernel) -> [[u32; ROW_WORDS]; MAX_LANES] {
        let mut rows = [[0; ROW_WORDS]; MAX_LANES];
        kernel.run(StoreRows { states: self, rows: &mut rows });
        rows
    }

    #[inline(always)]
    fn load<V: Lanes>(&self, token: V::Token) -> [V; WORDS] {
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
    blocks: &'a [&'a [Block]; MAX_LANES],
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for CompressBlocks<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut state = self.states.load(token);
        let count = self.blocks[0].len();
        let mut blocks: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
        for lane in 0..V::COUNT {
            blocks[lane] = &self.blocks[lane][..count];
        }
        for i in 0..count {
            let block = V::load_blocks(
                token,
                H::ORDER,
                // Every lane has the block. To take another if it had not, instead of leaving, keeps the loop
                // free of branches, and the compiler then spreads the loads better: SHA-1 in 16 lanes takes 4 %
                // less time on Zen 4.
                #[inline(always)]
                |lane| blocks[lane].get(i).unwrap_or(&[0; BLOCK_BYTES]),
            );
            H::compress(token, &mut state, block);
        }
        self.states.store::<V>(state);
    }
}

struct HashAgain<'a, H, const WORDS: usize> {
    states: &'a mut States<WORDS>,
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for HashAgain<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let digest: [V; WORDS] = self.states.load(token);
        let mut block = [V::splat(token, 0); BLOCK_WORDS];
        block[..WORDS].copy_from_slice(&digest);
        let (one_bit, length_word) = match H::ORDER {
            ByteOrder::Big => (0x8000_0000, 15),
            ByteOrder::Little => (0x80, 14),
        };
        block[WORDS] = V::splat(token, one_bit);
        block[length_word] = V::splat(token, WORDS as u32 * u32::BITS);
        let mut state: [V; WORDS] = States::splat(&H::IV).load(token);
        H::compress(token, &mut state, block);
        self.states.store(state);
    }
}

struct StoreRows<'a, const WORDS: usize> {
    states: &'a States<WORDS>,
    rows: &'a mut [[u32; ROW_WORDS]; MAX_LANES],
}

impl<const WORDS: usize> LaneJob for StoreRows<'_, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut words = [V::splat(token, 0); ROW_WORDS];
        words[..WORDS].copy_from_slice(&self.states.load::<V>(token));
        V::store_rows(
            words,
            #[inline(always)]
            |lane, row| self.rows[lane] = row,
        );
    }
}
