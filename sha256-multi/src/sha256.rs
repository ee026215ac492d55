//! SHA-256 as the engine sees it.

use hash_lanes::{
    BLOCK_WORDS, Backend, Block, ByteOrder, Crossovers, LaneHash, Lanes, Messages, ShaExtensions, Times,
    hash_messages,
};

use crate::constants::IV;
use crate::{backend, hw, rounds};

/// SHA-256 in lanes, for the generic parts of [`hash_lanes`].
///
/// It is also what names this crate as the supplier of the lanes in
/// [`DigestMany`](hash_lanes::DigestMany).
#[derive(Clone, Copy, Debug)]
pub enum Sha256Lanes {}

impl LaneHash<8> for Sha256Lanes {
    const ORDER: ByteOrder = ByteOrder::Big;
    type Digest = [u8; 32];
    const HASHES_TWICE: bool = true;
    const IV: [u32; 8] = IV;

    #[inline(always)]
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; 8], block: [V; BLOCK_WORDS]) {
        rounds::compress(token, state, block);
    }

    #[inline(always)]
    fn hash_digest<V: Lanes>(token: V::Token, digest: [V; 8]) -> [V; 8] {
        rounds::hash_digest(token, digest)
    }

    fn compress_hardware(sha: ShaExtensions, states: &mut [[u32; 8]], messages: &[&[Block]]) {
        hw::compress(sha, states, messages);
    }

    fn hash_messages<'m>(
        backend: Backend,
        times: Times,
        messages: &mut dyn Messages<'m, 8>,
        finished: &mut dyn FnMut(usize, &[u32; 8]),
    ) {
        hash_messages::<Self, 8>(backend, times, messages, finished);
    }

    fn crossovers(backend: Backend, times: Times) -> Crossovers {
        backend::crossovers(backend, times)
    }
}
