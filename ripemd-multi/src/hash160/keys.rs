//! Hashes public keys: messages of 33 or 65 bytes.

use hash_lanes::engine::{LaneHash, Pass, ShaExtensions, Shape, hash_batch};
use hash_lanes::{Backend, Block};
use sha256_multi::Sha256Lanes;

use super::fused::Keys;
use super::{GROUP, hash_in_two_steps, hash160_with};
use crate::Ripemd160Lanes;
use crate::costs::plan_of_keys;
use crate::hash_many_with;

/// HASH160 of up to [`GROUP`] messages that all have `BYTES` bytes, 33 or 65. Uses kernels that
/// compute both hashes, or separate ones where that is cheaper.
pub(super) fn hash<const BYTES: usize>(
    backend: Backend,
    messages: &[&[u8]],
    hashes: &mut [[u8; 20]],
) {
    let mut keys: [&[u8; BYTES]; GROUP] = [&[0; BYTES]; GROUP];
    for (key, message) in keys.iter_mut().zip(messages) {
        *key = (*message).try_into().expect("all messages of a group have the length of a key");
    }
    let plan = plan_of_keys::<BYTES>(backend);
    for (_, range) in plan.passes(backend, messages.len()) {
        let count = range.len();
        let hashes = &mut hashes[range.clone()];
        if plan.cost(count) <= separate_cost::<BYTES>(backend, count) {
            hash_batch::<Keys<'_, BYTES>>(plan, backend, &keys[range], hashes);
        } else {
            hash_separately(backend, &keys[range.clone()], &messages[range], hashes);
        }
    }
}

/// The cost of SHA-256 and RIPEMD-160 as separate steps: an eighth more than their sum, because the
/// digests are stored and loaded again. (For four keys it is 29 % more on Granite Rapids.)
fn separate_cost<const BYTES: usize>(backend: Backend, count: usize) -> u64 {
    let sha256 = if BYTES < 64 {
        Sha256Lanes::plan(backend, Shape::OneBlock).cost(count)
    } else {
        // The first block, and the padded one.
        Sha256Lanes::plan(backend, Shape::Blocks).cost(count)
            + Sha256Lanes::plan(backend, Shape::OneBlock).cost(count)
    };
    let steps = sha256 + Ripemd160Lanes::plan(backend, Shape::Bytes32).cost(count);
    steps + steps / 8
}

/// SHA-256 and RIPEMD-160 as separate steps.
fn hash_separately<const BYTES: usize>(
    backend: Backend,
    keys: &[&[u8; BYTES]],
    messages: &[&[u8]],
    hashes: &mut [[u8; 20]],
) {
    let kernel = Sha256Lanes::plan(backend, Shape::OneBlock).first(keys.len());
    let (sha, streams) = match backend.pass(kernel) {
        Pass::Sha(sha, streams) => (sha, streams),
        Pass::Lanes(kernel) if kernel.lanes() > 1 => {
            return hash_in_two_steps(backend, messages, hashes);
        }
        Pass::Lanes(_) => {
            for (message, hash) in messages.iter().zip(hashes) {
                *hash = hash160_with(backend, message);
            }
            return;
        }
    };
    let mut digests = [[0; 32]; GROUP];
    let digests = &mut digests[..keys.len()];
    sha256_keys(sha, streams, keys, digests);
    hash_many_with(backend, &*digests, hashes);
}

/// SHA-256 of each key with the CPU's SHA instructions, `streams` at a time.
fn sha256_keys<const BYTES: usize>(
    sha: ShaExtensions,
    streams: usize,
    keys: &[&[u8; BYTES]],
    digests: &mut [[u8; 32]],
) {
    for (keys, digests) in keys.chunks(streams).zip(digests.chunks_mut(streams)) {
        let count = keys.len();
        let mut states = [Sha256Lanes::IV; 4];
        let mut lasts = [[[0; 64]; 1]; 4];
        let mut bodies: [&[Block]; 4] = [&[]; 4];
        for i in 0..count {
            bodies[i] = keys[i].as_chunks().0;
            lasts[i] = [padded(keys[i])];
        }
        let states = &mut states[..count];
        if BYTES > 64 {
            Sha256Lanes::compress_streams(sha, states, &bodies[..count]);
        }
        Sha256Lanes::compress_streams(
            sha,
            states,
            &lasts.each_ref().map(|last| &last[..])[..count],
        );
        for (digest, state) in digests.iter_mut().zip(&*states) {
            *digest = Sha256Lanes::row(state);
        }
    }
}

/// The last block of a key. It is written in 16-byte pieces, as wide as the loads that follow:
/// mixed-width accesses defeat store forwarding.
#[inline]
fn padded<const BYTES: usize>(key: &[u8; BYTES]) -> Block {
    let mut block = [0; 64];
    let (quarters, _) = block.as_chunks_mut::<16>();
    let mut filled = 0;
    if BYTES < 64 {
        quarters[..2].copy_from_slice(&key.as_chunks().0[..2]);
        filled = 2;
    }
    quarters[filled] = (0x8000 | u128::from(key[BYTES - 1])).to_le_bytes();
    quarters[3] = (8 * BYTES as u128).to_be_bytes();
    block
}
