//! Public keys: messages of 33 or 65 bytes.

use hash_lanes::{Backend, Block, LaneHash, MAX_LANES, Pass, ShaExtensions};
use sha256_multi::Sha256Lanes;

use super::fused::{Hash160Keys, LEAST_LANES};
use super::single::one_by_one;
use super::{GROUP, general};
use crate::backend;
use crate::digests::hash_digests_with;

/// HASH160 of up to [`GROUP`] messages that all have `BYTES` bytes, 33 or 65.
pub(super) fn hash<const BYTES: usize>(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    let mut keys: [&[u8; BYTES]; GROUP] = [&[0; BYTES]; GROUP];
    for (key, message) in keys.iter_mut().zip(messages) {
        *key = (*message).try_into().expect("all messages of a group have the length of a key");
    }
    let (crossovers, two_groups) = backend::hash160_crossovers(backend);
    for (pass, range) in crossovers.passes(two_groups, backend, messages.len()) {
        let keys = &keys[range.clone()];
        let hashes = &mut hashes[range.clone()];
        match pass {
            Pass::Lanes(kernel) if kernel.lanes() >= LEAST_LANES => kernel.run(Hash160Keys { keys, hashes }),
            Pass::Lanes(kernel) if kernel.lanes() > 1 => general::hash(backend, &messages[range], hashes),
            Pass::Lanes(_) => one_by_one(backend, &messages[range], hashes),
            Pass::Hardware(sha, _) => {
                for (keys, hashes) in keys.chunks(MAX_LANES).zip(hashes.chunks_mut(MAX_LANES)) {
                    let mut digests = [[0; 32]; MAX_LANES];
                    let digests = &mut digests[..keys.len()];
                    sha256_keys(sha, keys, digests);
                    hash_digests_with(backend, digests, hashes);
                }
            }
        }
    }
}

/// SHA-256 of each key, by the CPU's SHA instructions, two at a time.
fn sha256_keys<const BYTES: usize>(sha: ShaExtensions, keys: &[&[u8; BYTES]], digests: &mut [[u8; 32]]) {
    for (keys, digests) in keys.chunks(2).zip(digests.chunks_mut(2)) {
        let count = keys.len();
        let mut states = [Sha256Lanes::IV; 2];
        let mut lasts = [[0; 64]; 2];
        let mut bodies: [&[Block]; 2] = [&[]; 2];
        for i in 0..count {
            bodies[i] = keys[i].as_chunks().0;
            lasts[i] = padded(keys[i]);
        }
        let states = &mut states[..count];
        if BYTES > 64 {
            Sha256Lanes::compress_hardware(sha, states, &bodies[..count]);
        }
        let lasts = [&lasts[..1], &lasts[1..]];
        Sha256Lanes::compress_hardware(sha, states, &lasts[..count]);
        for i in 0..count {
            digests[i] = Sha256Lanes::digest(&states[i]);
        }
    }
}

/// The last block of a key, written in pieces as wide as they are read: narrower ones are waited for.
#[inline]
fn padded<const BYTES: usize>(key: &[u8; BYTES]) -> Block {
    let mut block = [0; 64];
    let (quarters, _) = block.as_chunks_mut::<16>();
    let mut begun = 0;
    if BYTES < 64 {
        quarters[..2].copy_from_slice(&key.as_chunks().0[..2]);
        begun = 2;
    }
    quarters[begun] = (0x8000 | u128::from(key[BYTES - 1])).to_le_bytes();
    quarters[3] = (8 * BYTES as u128).to_be_bytes();
    block
}
