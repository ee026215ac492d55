//! Describes SHA-1 to the engine.

use hash_lanes::engine::{
    HmacHash, LaneHash, Plan, ShaExtensions, Shape, compile_hmac, compile_kernels,
};
use hash_lanes::{BLOCK_WORDS, Backend, Block, ByteOrder, Lanes};

use crate::rounds::IV;
use crate::{costs, hw, rounds};

/// SHA-1 for code that is generic over hashes: [`HashMany`](hash_lanes::HashMany),
/// [`ManyHasher`](hash_lanes::ManyHasher) and the engine.
#[derive(Clone, Copy, Debug)]
pub enum Sha1Lanes {}

impl LaneHash<5> for Sha1Lanes {
    const ORDER: ByteOrder = ByteOrder::Big;
    type Digest = [u8; 20];
    const IV: [u32; 5] = IV;

    #[inline(always)]
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; 5], block: [V; BLOCK_WORDS]) {
        rounds::compress(token, state, block);
    }

    fn compress_streams(sha: ShaExtensions, states: &mut [[u32; 5]], messages: &[&[Block]]) {
        hw::compress_streams(sha, states, messages);
    }

    compile_kernels!(5);

    fn plan(backend: Backend, shape: Shape) -> &'static Plan {
        costs::plan(backend, shape)
    }
}

impl HmacHash<5> for Sha1Lanes {
    compile_hmac!(5);
}
