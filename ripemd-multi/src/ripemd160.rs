//! Describes RIPEMD-160 to the engine.

use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, LaneHash, Lanes, Plans, Row, ShaExtensions, Shape,
    compile_kernels,
};

use crate::constants::IV;
use crate::{costs, rounds};

/// RIPEMD-160, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Ripemd160 {}

impl LaneHash<5> for Ripemd160 {
    const ORDER: ByteOrder = ByteOrder::Little;
    type Digest = [u8; 20];
    const IV: [u32; 5] = IV;

    #[inline(always)]
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; 5], block: [V; BLOCK_WORDS]) {
        rounds::compress(token, state, block);
    }

    #[inline(always)]
    fn compress_32_bytes<V: Lanes>(token: V::Token, message: [V; 8]) -> [V; 5] {
        rounds::compress_32_bytes(token, message)
    }

    fn compress_streams(_: ShaExtensions, _: &mut [Row], _: &[&[Block]]) {
        unreachable!("no CPU has instructions for RIPEMD-160");
    }

    fn hash_equal(_: ShaExtensions, _: usize, _: &Row, _: &[&[u8]], _: u64, _: &mut [Row]) {
        unreachable!("no CPU has instructions for RIPEMD-160");
    }

    compile_kernels!(5);

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}
