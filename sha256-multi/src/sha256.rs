//! Describes SHA-256 to the engine.

use core::convert::Infallible;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, Chain, ChainHash, HashFunction, LaneHash, Lanes, Length,
    Pbkdf2Hash, Plans, Row, Sha2, ShaExtensions, ShaKernels, Shape, Starts, compile_kernels,
    hash_streams, row_of_words, run_rounds, try_hash_chains,
};
use hash_lanes::{ChainError, ChainLayout};

use crate::constants::{IV, IV_224, K_BY_16};
use crate::{costs, hw, rounds};

/// SHA-256, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Sha2 for Sha256 {
    type Word = u32;
    const BIG_SIGMA: [[u32; 3]; 2] = [[2, 13, 22], [6, 11, 25]];
    const SMALL_SIGMA: [[u32; 3]; 2] = [[7, 18, 3], [17, 19, 10]];
    const K: &'static [[u32; 16]] = &K_BY_16;
    const IV: [u32; 8] = IV;
}

impl LaneHash for Sha256 {
    type Word = u32;
    type State<V: Copy> = [V; 8];
    type Digest = [u8; 32];
    type Ending = Length;
    type Sha = ShaExtensions;
    type Suspicions = Infallible;
    const ORDER: ByteOrder = ByteOrder::Big;
    const IV: [u32; 8] = IV;

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(
        token: V::Token,
        state: &mut [V; 8],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        rounds::compress(token, state, block);
    }

    #[inline(always)]
    fn compress_padding_of_block<V: Lanes<Word = u32>>(
        token: V::Token,
        state: &mut [V; 8],
    ) -> bool {
        rounds::compress_padding_of_64(token, state);
        true
    }

    #[inline(always)]
    fn compress_row<V: Lanes<Word = u32>>(token: V::Token, message: [V; 8]) -> [V; 8] {
        rounds::compress_32_bytes(token, message)
    }

    #[inline(always)]
    fn compress_const_tail<V: Lanes<Word = u32>>(
        token: V::Token,
        state: &mut [V; 8],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        rounds::compress_const_tail(token, state, block);
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

compile_kernels!(Sha256);

impl ShaKernels<Sha256> for ShaExtensions {
    fn compress_streams(self, states: &mut [Row], messages: &[&[Block]]) {
        hw::compress_streams(self, states, messages);
    }

    fn hash_equal(
        self,
        streams: usize,
        state: &Row,
        before: u64,
        messages: &[&[u8]],
        rows: &mut [Row],
    ) {
        if hw::prefers_streams(streams, messages.first().map_or(0, |message| message.len())) {
            hash_streams::<Sha256>(self, streams, state, before, messages, rows);
        } else {
            hw::hash_equal(self, streams, state, before, messages, rows);
        }
    }
}

impl Pbkdf2Hash for Sha256 {
    fn run_rounds(backend: Backend, chains: &[Chain], rows: &mut [Row]) {
        run_rounds::<Self>(backend, chains, rows);
    }
}

impl ChainHash for Sha256 {
    fn hash_chains(
        backend: Backend,
        starts: Starts<'_>,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) -> Result<(), ChainError> {
        try_hash_chains::<Self>(backend, starts, layout, messages, steps)
    }
}

/// SHA-224 (FIPS 180-4 §6.3).
#[derive(Clone, Copy, Debug)]
pub enum Sha224 {}

impl HashFunction for Sha224 {
    type Kernels = Sha256;
    type Digest = [u8; 28];

    fn initial() -> Option<&'static Row> {
        static INITIAL: Row = row_of_words(ByteOrder::Big, IV_224);
        Some(&INITIAL)
    }
}
