//! Describes RIPEMD-160 to the engine.

use core::convert::Infallible;

use hash_lanes::engine::{
    BLOCK_WORDS, ByteOrder, LaneHash, Lanes, Length, Plans, Shape, compile_kernels,
};

use crate::constants::IV;
use crate::{costs, rounds};

/// RIPEMD-160, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Ripemd160 {}

impl LaneHash for Ripemd160 {
    type Word = u32;
    type State<V: Copy> = [V; 5];
    type Digest = [u8; 20];
    type Ending = Length;
    type Sha = Infallible;
    type Suspicions = Infallible;
    const ORDER: ByteOrder = ByteOrder::Little;
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

    #[inline(always)]
    fn compress_row<V: Lanes<Word = u32>>(token: V::Token, message: [V; 8]) -> [V; 5] {
        rounds::compress_32_bytes(token, message)
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

compile_kernels!(Ripemd160);
