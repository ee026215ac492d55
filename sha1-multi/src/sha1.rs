//! Describes SHA-1 to the engine.

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, Chain, LaneHash, Lanes, Length, Pbkdf2Hash, Plans, Row,
    ShaExtensions, Shape, compile_kernels, hash_streams, run_rounds,
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

    fn compress_streams(sha: ShaExtensions, states: &mut [Row], messages: &[&[Block]]) {
        hw::compress_streams(sha, states, messages);
    }

    fn hash_equal(
        sha: ShaExtensions,
        streams: usize,
        state: &Row,
        before: u64,
        messages: &[&[u8]],
        rows: &mut [Row],
    ) {
        if hw::IS_ASSEMBLY {
            hash_streams::<Self>(sha, streams, state, before, messages, rows);
        } else {
            hw::hash_equal(sha, streams, state, before, messages, rows);
        }
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

compile_kernels!(Sha1);

impl Pbkdf2Hash for Sha1 {
    fn run_rounds(backend: Backend, chains: &[Chain], rows: &mut [Row]) {
        run_rounds::<Self>(backend, chains, rows);
    }
}
