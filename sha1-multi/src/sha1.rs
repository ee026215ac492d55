//! Describes SHA-1 to the engine.

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, Chain, LaneHash, Lanes, Pbkdf2Hash, Plans, Row, ShaExtensions,
    Shape, compile_kernels, run_rounds,
};

use crate::rounds::IV;
use crate::{costs, hw, rounds};

/// SHA-1, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Sha1 {}

impl LaneHash<5> for Sha1 {
    const ORDER: ByteOrder = ByteOrder::Big;
    type Digest = [u8; 20];
    const IV: [u32; 5] = IV;

    #[inline(always)]
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; 5], block: [V; BLOCK_WORDS]) {
        rounds::compress(token, state, block);
    }

    fn compress_streams(sha: ShaExtensions, states: &mut [Row], messages: &[&[Block]]) {
        hw::compress_streams(sha, states, messages);
    }

    fn hash_equal(
        sha: ShaExtensions,
        streams: usize,
        state: &Row,
        messages: &[&[u8]],
        message_bits: u64,
        rows: &mut [Row],
    ) {
        hw::hash_equal(sha, streams, state, messages, message_bits, rows);
    }

    compile_kernels!(5);

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

impl Pbkdf2Hash<5> for Sha1 {
    fn run_rounds(backend: Backend, chains: &[Chain], rows: &mut [Row]) {
        run_rounds::<Self, 5>(backend, chains, rows);
    }
}
