//! `ARMv8` SHA1 kernels: `sha1c`, `sha1p`, `sha1m`, `sha1h`, `sha1su0` and `sha1su1`.
//!
//! Rust's target feature `sha2` covers two extensions, `FEAT_SHA1` and `FEAT_SHA256`, and is
//! detected only if the CPU has both.

use core::arch::aarch64::*;

use hash_lanes::engine::{BLOCK_BYTES, Block, ByteOrder, Row, padded_blocks, padded_quad};

use crate::rounds::K;

/// A hash value, or the working variables.
#[derive(Clone, Copy)]
struct State {
    abcd: uint32x4_t,
    e: u32,
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
    let ((quads, _), (words, _)) = (row.as_chunks(), row.as_chunks());
    State { abcd: load_quad(&quads[0]), e: u32::from_be_bytes(words[4]) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_state(State { abcd, e }: State, row: &mut Row) {
    let words = [
        vgetq_lane_u32::<0>(abcd),
        vgetq_lane_u32::<1>(abcd),
        vgetq_lane_u32::<2>(abcd),
        vgetq_lane_u32::<3>(abcd),
        e,
    ];
    for (bytes, word) in row.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
}

/// W(t) to W(t + 3) from the preceding sixteen words.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn next_quad([w0, w4, w8, w12]: Quads) -> uint32x4_t {
    vsha1su1q_u32(vsha1su0q_u32(w0, w4, w8), w12)
}

/// Four rounds with the function of rounds `20 * F` to `20 * F + 19`.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn four_rounds<const F: usize>(state: &mut State, k_plus_w: uint32x4_t) {
    let State { abcd, e } = *state;
    state.e = vsha1h_u32(vgetq_lane_u32::<0>(abcd));
    state.abcd = match F {
        0 => vsha1cq_u32(abcd, e, k_plus_w),
        2 => vsha1mq_u32(abcd, e, k_plus_w),
        _ => vsha1pq_u32(abcd, e, k_plus_w),
    };
}

/// Hashes one block of each message; `w` holds their words.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn compress_block<const N: usize>(states: &mut [State; N], mut w: [Quads; N]) {
    let before = *states;
    macro_rules! four_rounds {
        ($f:literal $k:ident) => {
            for i in 0..N {
                let [w0, w4, w8, w12] = w[i];
                four_rounds::<$f>(&mut states[i], vaddq_u32(w0, $k));
                w[i] = [w4, w8, w12, next_quad(w[i])];
            }
        };
    }
    macro_rules! twenty_rounds {
        ($f:literal) => {
            let k = vdupq_n_u32(K[$f]);
            four_rounds!($f k);
            four_rounds!($f k);
            four_rounds!($f k);
            four_rounds!($f k);
            four_rounds!($f k);
        };
    }
    twenty_rounds!(0);
    twenty_rounds!(1);
    twenty_rounds!(2);
    // The compiler removes the words after W(79), which nothing reads.
    twenty_rounds!(3);
    for i in 0..N {
        states[i].abcd = vaddq_u32(states[i].abcd, before[i].abcd);
        states[i].e = states[i].e.wrapping_add(before[i].e);
    }
}

/// See [`super::compress_streams`].
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress_streams<const N: usize>(states: &mut [Row], messages: &[&[Block]]) {
    let mut values = [State { abcd: vdupq_n_u32(0), e: 0 }; N];
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
    for i in 0..N {
        store_state(values[i], &mut states[i]);
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
        for block in 0..blocks {
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
        for i in 0..N {
            store_state(states[i], &mut rows[i]);
        }
    }
}
