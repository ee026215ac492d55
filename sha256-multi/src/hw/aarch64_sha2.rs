//! `ARMv8` SHA2 kernels: `sha256h`, `sha256h2`, `sha256su0` and `sha256su1`.
//!
//! Two streams saturate the unit. `sha256h` has a latency of four cycles and a throughput of one
//! per cycle on Neoverse N1, N2 and V1 (Arm's software optimisation guides) and on Apple's
//! Firestorm (LLVM's scheduling model). A block has a dependency chain of 32 `sha256h` and
//! `sha256h2`: at least 64 cycles for one stream. On Neoverse the 24 instructions of the message
//! schedule use the same pipe, so the throughput bound is 56 cycles. Three and four streams gain
//! nothing. Not measured.

use core::arch::aarch64::*;

use hash_lanes::engine::{BLOCK_BYTES, Block, ByteOrder, Row, padded_blocks, padded_quad};

use crate::constants::{IV, K_BY_4, K_PLUS_PADDING_OF_64, PADDING_OF_32};

/// A hash value: words a to d and e to h.
#[derive(Clone, Copy)]
struct State {
    abcd: uint32x4_t,
    efgh: uint32x4_t,
}

/// The words of a block, four in each vector.
type Quads = [uint32x4_t; 4];

/// Four words, the first in the lowest element.
#[inline]
#[target_feature(enable = "neon")]
fn quad([a, b, c, d]: [u32; 4]) -> uint32x4_t {
    let low = u64::from(a) | u64::from(b) << 32;
    let high = u64::from(c) | u64::from(d) << 32;
    vcombine_u32(vcreate_u32(low), vcreate_u32(high))
}

#[inline]
#[target_feature(enable = "neon")]
fn words(quad: uint32x4_t) -> [u32; 4] {
    [
        vgetq_lane_u32::<0>(quad),
        vgetq_lane_u32::<1>(quad),
        vgetq_lane_u32::<2>(quad),
        vgetq_lane_u32::<3>(quad),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn load_block(block: &Block) -> Quads {
    let (quads, _) = block.as_chunks::<16>();
    [load_quad(&quads[0]), load_quad(&quads[1]), load_quad(&quads[2]), load_quad(&quads[3])]
}

#[inline]
#[target_feature(enable = "neon")]
fn load_quad(bytes: &[u8; 16]) -> uint32x4_t {
    let (words, _) = bytes.as_chunks::<4>();
    quad([
        u32::from_be_bytes(words[0]),
        u32::from_be_bytes(words[1]),
        u32::from_be_bytes(words[2]),
        u32::from_be_bytes(words[3]),
    ])
}

#[inline]
#[target_feature(enable = "neon")]
fn load_state(row: &Row) -> State {
    let (quads, _) = row.as_chunks();
    State { abcd: load_quad(&quads[0]), efgh: load_quad(&quads[1]) }
}

#[inline]
#[target_feature(enable = "neon")]
fn from_words([a, b, c, d, e, f, g, h]: [u32; 8]) -> State {
    State { abcd: quad([a, b, c, d]), efgh: quad([e, f, g, h]) }
}

#[inline]
#[target_feature(enable = "neon")]
fn feed_forward<const N: usize>(states: &mut [State; N], before: &[State; N]) {
    for i in 0..N {
        states[i].abcd = vaddq_u32(states[i].abcd, before[i].abcd);
        states[i].efgh = vaddq_u32(states[i].efgh, before[i].efgh);
    }
}

/// W(t) to W(t + 3) from the preceding sixteen words.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn next_quad(w0: uint32x4_t, w4: uint32x4_t, w8: uint32x4_t, w12: uint32x4_t) -> uint32x4_t {
    vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12)
}

/// Four rounds.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn four_rounds(state: &mut State, k_plus_w: uint32x4_t) {
    let State { abcd, efgh } = *state;
    state.abcd = vsha256hq_u32(abcd, efgh, k_plus_w);
    state.efgh = vsha256h2q_u32(efgh, abcd, k_plus_w);
}

/// Returns `slice`. When messages are interleaved, its length is hidden from the compiler, so that
/// the loop over it is not unrolled: LLVM would then serialise the messages.
#[inline(always)]
fn opaque_len<const N: usize, T>(slice: &[T]) -> &[T] {
    if N > 1 { core::hint::black_box(slice) } else { slice }
}

/// Hashes one block of each message; `w` holds their words.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn compress_block<const N: usize>(states: &mut [State; N], mut w: [Quads; N]) {
    let before = *states;
    for &k in opaque_len::<N, _>(&K_BY_4[..12]) {
        let k = quad(k);
        for i in 0..N {
            let [w0, w4, w8, w12] = w[i];
            four_rounds(&mut states[i], vaddq_u32(w0, k));
            w[i] = [w4, w8, w12, next_quad(w0, w4, w8, w12)];
        }
    }
    for j in 0..4 {
        let k = quad(K_BY_4[12 + j]);
        for i in 0..N {
            four_rounds(&mut states[i], vaddq_u32(w[i][j], k));
        }
    }
    feed_forward(states, &before);
}

/// Hashes a constant block.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn compress_constant<const N: usize>(states: &mut [State; N], k_plus_w: &[u32; 64]) {
    let before = *states;
    for &sums in opaque_len::<N, _>(k_plus_w.as_chunks::<4>().0) {
        let sums = quad(sums);
        for state in &mut *states {
            four_rounds(state, sums);
        }
    }
    feed_forward(states, &before);
}

/// Replaces each hash value by its hash, as Bitcoin does.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn hash_again<const N: usize>(states: &mut [State; N]) {
    let mut w = [[vdupq_n_u32(0); 4]; N];
    for i in 0..N {
        w[i] = block_of_digest(states[i].abcd, states[i].efgh);
        states[i] = from_words(IV);
    }
    compress_block(states, w);
}

/// The single block of a 32-byte message.
#[inline]
#[target_feature(enable = "neon")]
fn block_of_digest(abcd: uint32x4_t, efgh: uint32x4_t) -> Quads {
    let [p8, p9, p10, p11, p12, p13, p14, p15] = PADDING_OF_32;
    [abcd, efgh, quad([p8, p9, p10, p11]), quad([p12, p13, p14, p15])]
}

#[inline]
#[target_feature(enable = "neon")]
fn store_states<const N: usize>(states: &[State; N], rows: &mut [Row]) {
    for i in 0..N {
        let (chunks, _) = rows[i].as_chunks_mut::<4>();
        let (abcd, efgh) = (words(states[i].abcd), words(states[i].efgh));
        for j in 0..4 {
            chunks[j] = abcd[j].to_be_bytes();
            chunks[j + 4] = efgh[j].to_be_bytes();
        }
    }
}

/// See [`super::compress_streams`].
#[cfg(miri)]
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress_streams<const N: usize>(states: &mut [Row], messages: &[&[Block]]) {
    let mut values = [from_words(IV); N];
    for i in 0..N {
        values[i] = load_state(&states[i]);
    }
    for block in 0..messages[0].len() {
        let mut w = [[vdupq_n_u32(0); 4]; N];
        for i in 0..N {
            w[i] = load_block(&messages[i][block]);
        }
        compress_block(&mut values, w);
    }
    store_states(&values, states);
}

/// Hashes a multiple of `N` messages; see [`super::hash_pairs`].
#[target_feature(enable = "neon,sha2")]
pub(super) fn hash_pairs<const N: usize, const DOUBLE: bool>(
    nodes: &[Block],
    digests: &mut [[u8; 32]],
) {
    for (nodes, digests) in nodes.chunks_exact(N).zip(digests.chunks_exact_mut(N)) {
        let mut states = [from_words(IV); N];
        let mut w = [[vdupq_n_u32(0); 4]; N];
        for i in 0..N {
            w[i] = load_block(&nodes[i]);
        }
        compress_block(&mut states, w);
        compress_constant(&mut states, &K_PLUS_PADDING_OF_64);
        if DOUBLE {
            hash_again(&mut states);
        }
        store_states(&states, digests);
    }
}

/// Hashes a multiple of `N` messages; see [`super::hash_equal`].
#[target_feature(enable = "neon,sha2")]
pub(super) fn hash_equal<const N: usize>(
    state: &Row,
    messages: &[&[u8]],
    message_bytes: u64,
    rows: &mut [Row],
) {
    for (messages, rows) in messages.chunks_exact(N).zip(rows.chunks_exact_mut(N)) {
        let mut states = [load_state(state); N];
        let len = messages[0].len();
        let blocks = padded_blocks::<u32>(len);
        let ends_like_node = (len, message_bytes) == (64, 64);
        for block in 0..blocks - usize::from(ends_like_node) {
            let mut w = [[vdupq_n_u32(0); 4]; N];
            for i in 0..N {
                let message = messages[i];
                w[i] = match message.as_chunks().0.get(block) {
                    Some(block) => load_block(block),
                    None => {
                        let mut quads = [vdupq_n_u32(0); 4];
                        for j in 0..4 {
                            let (order, at) = (ByteOrder::Big, block * BLOCK_BYTES + 16 * j);
                            let quad = padded_quad(order, message, len, blocks, message_bytes, at);
                            quads[j] = load_quad(&quad.to_le_bytes());
                        }
                        quads
                    }
                };
            }
            compress_block(&mut states, w);
        }
        if ends_like_node {
            compress_constant(&mut states, &K_PLUS_PADDING_OF_64);
        }
        store_states(&states, rows);
    }
}

/// Hashes a multiple of `N` messages; see [`super::double_hash_blocks`].
#[target_feature(enable = "neon,sha2")]
pub(super) fn double_hash_blocks<const N: usize>(blocks: &[[u32; 16]], first_words: &mut [u32]) {
    for (blocks, first_words) in blocks.chunks_exact(N).zip(first_words.chunks_exact_mut(N)) {
        let mut states = [from_words(IV); N];
        let mut w = [[vdupq_n_u32(0); 4]; N];
        for i in 0..N {
            let (quads, _) = blocks[i].as_chunks::<4>();
            w[i] = [quad(quads[0]), quad(quads[1]), quad(quads[2]), quad(quads[3])];
        }
        compress_block(&mut states, w);
        hash_again(&mut states);
        for i in 0..N {
            first_words[i] = vgetq_lane_u32::<0>(states[i].abcd);
        }
    }
}
