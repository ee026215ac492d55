//! `ARMv8.2` SHA512 kernels: `sha512h`, `sha512h2`, `sha512su0` and `sha512su1`.

use core::arch::aarch64::*;

use hash_lanes::engine::{Block, Row};

use crate::constants::K;

/// A hash value or the working variables: words a and b, c and d, e and f, g and h.
type State = [uint64x2_t; 4];

/// The words of a block, two in each vector.
type Pairs = [uint64x2_t; 8];

/// The pairs of words in these bytes.
#[inline]
#[target_feature(enable = "neon")]
fn load<const N: usize>(bytes: &[u8]) -> [uint64x2_t; N] {
    let (words, _) = bytes.as_chunks::<8>();
    let mut pairs = [vdupq_n_u64(0); N];
    for i in 0..N {
        pairs[i] = pair([u64::from_be_bytes(words[2 * i]), u64::from_be_bytes(words[2 * i + 1])]);
    }
    pairs
}

/// Two words, the first in the lower element.
#[inline]
#[target_feature(enable = "neon")]
fn pair([first, second]: [u64; 2]) -> uint64x2_t {
    vcombine_u64(vcreate_u64(first), vcreate_u64(second))
}

/// Two rounds. Afterwards the first pair is that of e and f, the second of a and b, and so on:
/// the caller renames them.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn two_rounds([ab, cd, ef, gh]: State, k_plus_w: uint64x2_t) -> State {
    let sum = vaddq_u64(vextq_u64::<1>(k_plus_w, k_plus_w), gh);
    let t1 = vsha512hq_u64(sum, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
    [vsha512h2q_u64(t1, cd, ab), ab, vaddq_u64(cd, t1), ef]
}

/// W(t) and W(t + 1) from the preceding sixteen words.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn next_pair(w: &Pairs, i: usize) -> uint64x2_t {
    let at = |after: usize| w[(i + after) % 8];
    vsha512su1q_u64(vsha512su0q_u64(at(0), at(1)), at(7), vextq_u64::<1>(at(4), at(5)))
}

/// Hashes one block of each message; `w` holds their words.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn compress_block<const N: usize>(states: &mut [State; N], mut w: [Pairs; N]) {
    let before = *states;
    let (k, _) = K.as_chunks::<2>();
    for i in 0..8 {
        let k = pair(k[i]);
        for n in 0..N {
            states[n] = two_rounds(states[n], vaddq_u64(w[n][i], k));
        }
    }
    // Not unrolled: LLVM would serialise the messages.
    for k in core::hint::black_box(k[8..].as_chunks::<8>().0) {
        for i in 0..8 {
            let k = pair(k[i]);
            for n in 0..N {
                w[n][i] = next_pair(&w[n], i);
                states[n] = two_rounds(states[n], vaddq_u64(w[n][i], k));
            }
        }
    }
    for n in 0..N {
        for i in 0..4 {
            states[n][i] = vaddq_u64(states[n][i], before[n][i]);
        }
    }
}

/// See [`super::compress_streams`].
#[target_feature(enable = "neon,sha3")]
pub(super) fn compress_streams<const N: usize>(rows: &mut [Row<u64>], messages: &[&[Block<u64>]]) {
    let mut states = [[vdupq_n_u64(0); 4]; N];
    for n in 0..N {
        states[n] = load(&rows[n]);
    }
    for block in 0..messages[0].len() {
        let mut w = [[vdupq_n_u64(0); 8]; N];
        for n in 0..N {
            w[n] = load(&messages[n][block]);
        }
        compress_block(&mut states, w);
    }
    for n in 0..N {
        let (words, _) = rows[n].as_chunks_mut::<8>();
        for i in 0..4 {
            words[2 * i] = vgetq_lane_u64::<0>(states[n][i]).to_be_bytes();
            words[2 * i + 1] = vgetq_lane_u64::<1>(states[n][i]).to_be_bytes();
        }
    }
}
