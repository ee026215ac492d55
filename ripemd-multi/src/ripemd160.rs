//! RIPEMD-160 as the engine sees it.

use hash_lanes::{
    BLOCK_WORDS, Backend, Block, ByteOrder, Crossovers, LaneHash, Lanes, Messages, ShaExtensions, Times,
    hash_messages,
};

use crate::constants::IV;
use crate::{backend, rounds};

/// RIPEMD-160 in lanes, for the generic parts of [`hash_lanes`].
///
/// It is also what names this crate as the supplier of the lanes in
/// [`DigestMany`](hash_lanes::DigestMany).
#[derive(Clone, Copy, Debug)]
pub enum Ripemd160Lanes {}

impl LaneHash<5> for Ripemd160Lanes {
    const ORDER: ByteOrder = ByteOrder::Little;
    type Digest = [u8; 20];
    const IV: [u32; 5] = IV;

    #[inline(always)]
    fn compress<V: Lanes>(token: V::Token, state: &mut [V; 5], block: [V; BLOCK_WORDS]) {
        rounds::compress(token, state, block);
    }

    fn compress_hardware(_: ShaExtensions, _: &mut [[u32; 5]], _: &[&[Block]]) {
        unreachable!("no CPU has instructions for RIPEMD-160");
    }

    fn hash_messages<'m>(
        backend: Backend,
        times: Times,
        messages: &mut dyn Messages<'m, 5>,
        finished: &mut dyn FnMut(usize, &[u32; 5]),
    ) {
        hash_messages::<Self, 5>(backend, times, messages, finished);
    }

    fn crossovers(backend: Backend, _: Times) -> Crossovers {
        backend::crossovers(backend)
    }
}
