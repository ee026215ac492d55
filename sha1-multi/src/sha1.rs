//! Describes SHA-1 to the engine.

use core::convert::Infallible;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, Chain, LaneHash, Lanes, Length, Pbkdf2Hash, Plans, Row,
    ShaExtensions, ShaKernels, Shape, compile_kernels, hash_streams, run_rounds,
};

use crate::rounds::IV;
use crate::{costs, hw, rounds};

/// SHA-1, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Sha1 {}

impl LaneHash for Sha1 {
    type Word = u32;
    type State<V: Copy> = [V; 5];
    type Digest = [u8; 20];
    type Ending = Length;
    type Sha = ShaExtensions;
    type Suspicions = Infallible;
    const ORDER: ByteOrder = ByteOrder::Big;
    const IV: [u32; 5] = IV;

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(
        token: V::Token,
        state: &mut [V; 5],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        rounds::compress(token, state, block);
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

compile_kernels!(Sha1);

impl ShaKernels<Sha1> for ShaExtensions {
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
        if hw::IS_ASSEMBLY {
            hash_streams::<Sha1>(self, streams, state, before, messages, rows);
        } else {
            hw::hash_equal(self, streams, state, before, messages, rows);
        }
    }
}

impl Pbkdf2Hash for Sha1 {
    fn run_rounds(backend: Backend, chains: &[Chain], rows: &mut [Row]) {
        run_rounds::<Self>(backend, chains, rows);
    }
}
