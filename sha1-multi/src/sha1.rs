//! Describes SHA-1 to the engine.

use hash_lanes::engine::{
    Hashing, LaneHash, Message, Messages, Plan, Row, ShaExtensions, Shape, hash_32_bytes,
    hash_messages, hash_one,
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

    fn hash_one(backend: Backend, hashing: Hashing, message: Message<'_, 5>) -> Row {
        hash_one::<Self, 5>(backend, hashing, message)
    }

    fn hash_32_bytes(backend: Backend, messages: &[&[u8; 32]], rows: &mut [Row]) {
        hash_32_bytes::<Self, 5>(backend, messages, rows);
    }

    fn hash_messages<'m>(
        backend: Backend,
        hashing: Hashing,
        messages: &mut dyn Messages<'m, 5>,
        finished: &mut dyn FnMut(usize, &[Row]),
    ) {
        hash_messages::<Self, 5>(backend, hashing, messages, finished);
    }

    fn plan(backend: Backend, shape: Shape) -> &'static Plan {
        costs::plan(backend, shape)
    }
}
