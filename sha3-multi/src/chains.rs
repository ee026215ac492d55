//! Chains of hashes, as in the hash-based signatures of SHAKE.

use hash_lanes::engine::{ByteOrder, ChainWords, Chains, KernelSet, LaneJob, Lanes};
use hash_lanes::{ChainError, ChainLayout};

use crate::costs::{Shape, plan};
use crate::jobs::{
    Block, EMPTY, KERNELS, MAX_MESSAGES, MAX_RATE, Sponge, State, load_quads, load_word, run,
    splat_state,
};
use crate::rounds::permute;
use crate::stream::pad;
use crate::xof_lanes::XofLanes;

/// The words of a block, of which shorter rates leave the end unused.
const WORDS: usize = MAX_RATE / 8;

const _: () = assert!(WORDS % 4 == 1, "one word is left after those of quads");

impl XofLanes {
    /// Hashes the `i`-th message `steps[i]` times, each time with the beginning of the output in
    /// the place of its value, and its counter advanced. `messages` are end to end, and are
    /// replaced by those after the last step.
    ///
    /// A chain that ends gives its lane to the next. The steps are public: which chain is in which
    /// lane depends on them.
    ///
    /// ```
    /// use sha3_multi::{ChainLayout, XofLanes};
    ///
    /// // Two values, hashed twice and once.
    /// let mut values = [[1; 32], [2; 32]];
    /// let shake256 = XofLanes::shake256();
    /// shake256.hash_chains(&ChainLayout::new(32, 0..32), values.as_flattened_mut(), &[2, 1]);
    /// assert_eq!(values[0], shake256.xof(&shake256.xof::<32>(&[1; 32])));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `messages.len() != steps.len() * layout.message_len()`, if a message does not fit
    /// into a block with its padding, 135 bytes for SHAKE256, or if its value is longer than a
    /// block.
    #[track_caller]
    pub fn hash_chains(&self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        if let Err(error) = self.try_hash_chains(layout, messages, steps) {
            panic!("{error}");
        }
    }

    /// [`Self::hash_chains`], for chains from outside.
    ///
    /// # Errors
    ///
    /// Returns a [`ChainError`] where [`Self::hash_chains`] panics.
    pub fn try_hash_chains(
        &self,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) -> Result<(), ChainError> {
        let sponge = self.function.sponge;
        let mut chains = Chains::new(layout, messages, steps, sponge.rate - 1, sponge.rate)?;
        let mut padded = [0; MAX_RATE];
        pad(&mut padded, sponge, &[0; MAX_RATE][..layout.message_len()]);
        let (backend, count) = (self.function.backend, chains.count());
        let initial = self.initial.as_ref().unwrap_or(&EMPTY);
        let words = &ChainWords::new(ByteOrder::Little, layout);
        for (pass, range) in chains.passes(backend, plan(Shape::OneBlock, backend, count)) {
            chains.run(range, pass.messages::<u64>(), padded, |blocks, _, count| {
                run(pass, Steps { sponge, initial, words, blocks, count });
            });
        }
        Ok(())
    }
}

/// Some steps of the chain in each lane.
struct Steps<'c> {
    sponge: Sponge,
    /// The state before each message.
    initial: &'c State,
    words: &'c ChainWords<u64>,
    /// The messages, padded.
    blocks: &'c mut [Block],
    count: u32,
}

impl LaneJob for Steps<'_> {
    const KERNELS: KernelSet = KERNELS;

    type Word = u64;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = u64>>(self, token: V::Token) {
        let Self { sponge, initial, words, blocks, count } = self;
        let blocks = &mut blocks[..V::COUNT];
        let mut block = load_blocks::<V>(token, blocks);
        let mut counters: V = words.counters(token, blocks);
        for _ in 0..count {
            let mut state = splat_state(token, initial);
            for i in 0..WORDS {
                state[i] = state[i] ^ block[i];
            }
            permute(token, &mut state, sponge.rounds);
            counters = counters + V::splat(token, 1);
            words.advance(token, &mut block, &state, counters);
        }
        store_blocks(&block, blocks);
    }
}

/// The words of the block of each lane.
#[inline(always)]
fn load_blocks<V: Lanes<Word = u64>>(token: V::Token, blocks: &[Block]) -> [V; WORDS] {
    let mut lanes = [&blocks[0][..]; MAX_MESSAGES];
    for lane in 0..V::COUNT {
        lanes[lane] = &blocks[lane];
    }
    let mut words = [V::splat(token, 0); WORDS];
    for quad in 0..WORDS / 4 {
        words[4 * quad..][..4].copy_from_slice(&load_quads::<V>(token, &lanes, 32 * quad));
    }
    for i in WORDS - WORDS % 4..WORDS {
        words[i] = load_word::<V>(token, &lanes, 8 * i);
    }
    words
}

/// Stores the words of the block of each lane.
#[inline(always)]
fn store_blocks<V: Lanes<Word = u64>>(words: &[V; WORDS], blocks: &mut [Block]) {
    for quad in 0..WORDS / 4 {
        let mut four = [words[0]; 4];
        four.copy_from_slice(&words[4 * quad..][..4]);
        V::store_quads(
            four,
            #[inline(always)]
            |lane, words| {
                let (bytes, _) = blocks[lane][32 * quad..].as_chunks_mut::<8>();
                for k in 0..4 {
                    bytes[k] = words[k].to_le_bytes();
                }
            },
        );
    }
    let mut last = [0; MAX_MESSAGES];
    words[WORDS - 1].to_words(&mut last);
    for lane in 0..V::COUNT {
        blocks[lane].as_chunks_mut::<8>().0[WORDS - 1] = last[lane].to_le_bytes();
    }
}
