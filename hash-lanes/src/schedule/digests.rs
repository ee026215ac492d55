//! Hashes 32-byte messages, such as digests and secrets.

use core::marker::PhantomData;

use arrayvec::ArrayVec;

use super::states::store_rows;
use crate::backend::Backend;
use crate::batch::{BatchHash, hash_batch};
use crate::cpu::ShaExtensions;
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::KernelSet;
use crate::lanes::Lanes;
use crate::message::GROUP;

/// Hashes the 32-byte message `messages[i]` into `rows[i]`; there are at most 64.
pub(super) fn hash_32_bytes<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    hash_batch::<Bytes32<'_, H, WORDS>>(H::plan(backend, Shape::Bytes32), backend, messages, rows);
}

/// Complete messages of 32 bytes, loaded in place.
struct Bytes32<'m, H, const WORDS: usize>(PhantomData<(&'m [u8], H)>);

impl<'m, H: LaneHash<WORDS>, const WORDS: usize> BatchHash for Bytes32<'m, H, WORDS> {
    type Input = &'m [u8];
    type Output = Row;

    const KERNELS: KernelSet = H::KERNELS_OF_32_BYTES;

    #[inline(always)]
    fn hash_lanes<V: Lanes>(token: V::Token, messages: &[&'m [u8]], rows: &mut [Row]) {
        let messages = &messages[..V::COUNT];
        let words = V::load_rows(
            token,
            H::ORDER,
            #[inline(always)]
            // Every message has them; see `load_block`.
            |lane| messages[lane].first_chunk().unwrap_or(&[0; 32]),
        );
        store_rows::<V, H, WORDS>(token, H::compress_32_bytes(token, words), rows);
    }

    fn hash_sha(sha: ShaExtensions, streams: usize, messages: &[&'m [u8]], rows: &mut [Row]) {
        let mut digests: ArrayVec<&[u8; 32], GROUP> = ArrayVec::new();
        digests.extend(messages.iter().map_while(|message| message.first_chunk()));
        H::hash_32_bytes_sha(sha, streams, &digests, rows);
    }
}
