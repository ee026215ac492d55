//! x86 SHA512 kernels: `vsha512rnds2`, `vsha512msg1` and `vsha512msg2`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use hash_lanes::engine::{Block, ByteOrder, Row, Word};

use crate::constants::K;

/// A hash value in the layout of `vsha512rnds2`.
#[derive(Clone, Copy)]
struct State {
    /// Words a, b, e, f, the first in the highest element.
    abef: __m256i,
    /// Words c, d, g, h.
    cdgh: __m256i,
}

/// The words of a block, four in each vector.
type Quads = [__m256i; 4];

/// Four words, the first in the lowest element.
#[inline]
#[target_feature(enable = "avx2")]
fn quad([a, b, c, d]: [u64; 4]) -> __m256i {
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn words(quad: __m256i) -> [u64; 4] {
    let (low, high) = (_mm256_castsi256_si128(quad), _mm256_extracti128_si256::<1>(quad));
    let ([a, b], [c, d]) = (pair(low), pair(high));
    [a, b, c, d]
}

/// Both words of a half. Not `_mm_extract_epi64`, which 32-bit processors lack.
#[inline]
#[target_feature(enable = "avx2")]
fn pair(half: __m128i) -> [u64; 2] {
    let words = [
        _mm_extract_epi32::<0>(half),
        _mm_extract_epi32::<1>(half),
        _mm_extract_epi32::<2>(half),
        _mm_extract_epi32::<3>(half),
    ]
    .map(|word| u64::from(word as u32));
    [words[0] | words[1] << 32, words[2] | words[3] << 32]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_block(block: &Block<u64>) -> Quads {
    let (words, _) = block.as_chunks::<8>();
    let mut quads = [_mm256_setzero_si256(); 4];
    for i in 0..4 {
        let word = |j: usize| u64::from_be_bytes(words[4 * i + j]);
        quads[i] = quad([word(0), word(1), word(2), word(3)]);
    }
    quads
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_state(row: &Row<u64>) -> State {
    let [a, b, c, d, e, f, g, h] = u64::words_of(row, ByteOrder::Big);
    State { abef: quad([f, e, b, a]), cdgh: quad([h, g, d, c]) }
}

/// W(t) to W(t + 3) from the preceding sixteen words.
#[inline]
#[target_feature(enable = "sha512,avx2")]
fn next_quad([w0, w4, w8, w12]: Quads) -> __m256i {
    // W(t - 7) to W(t - 4).
    let w9 = _mm256_permute4x64_epi64::<0b00_11_10_01>(_mm256_blend_epi32::<0b11>(w8, w12));
    let sums = _mm256_sha512msg1_epi64(w0, _mm256_castsi256_si128(w4));
    _mm256_sha512msg2_epi64(_mm256_add_epi64(sums, w9), w12)
}

/// Four rounds.
#[inline]
#[target_feature(enable = "sha512,avx2")]
fn four_rounds(state: &mut State, k_plus_w: __m256i) {
    for pair in [_mm256_castsi256_si128(k_plus_w), _mm256_extracti128_si256::<1>(k_plus_w)] {
        let abef = _mm256_sha512rnds2_epi64(state.cdgh, state.abef, pair);
        *state = State { abef, cdgh: state.abef };
    }
}

/// Hashes one block of each message; `w` holds their words.
#[inline]
#[target_feature(enable = "sha512,avx2")]
fn compress_block<const N: usize>(states: &mut [State; N], mut w: [Quads; N]) {
    let before = *states;
    let (k, _) = K.as_chunks::<4>();
    for i in 0..4 {
        let k = quad(k[i]);
        for n in 0..N {
            four_rounds(&mut states[n], _mm256_add_epi64(w[n][i], k));
        }
    }
    for k in &k[4..] {
        let k = quad(*k);
        for n in 0..N {
            let [_, w4, w8, w12] = w[n];
            let next = next_quad(w[n]);
            w[n] = [w4, w8, w12, next];
            four_rounds(&mut states[n], _mm256_add_epi64(next, k));
        }
    }
    for n in 0..N {
        states[n].abef = _mm256_add_epi64(states[n].abef, before[n].abef);
        states[n].cdgh = _mm256_add_epi64(states[n].cdgh, before[n].cdgh);
    }
}

/// See [`super::compress_streams`].
#[target_feature(enable = "sha512,avx2")]
pub(super) fn compress_streams<const N: usize>(rows: &mut [Row<u64>], messages: &[&[Block<u64>]]) {
    let zero = _mm256_setzero_si256();
    let mut states = [State { abef: zero, cdgh: zero }; N];
    for n in 0..N {
        states[n] = load_state(&rows[n]);
    }
    for block in 0..messages[0].len() {
        let mut w = [[zero; 4]; N];
        for n in 0..N {
            w[n] = load_block(&messages[n][block]);
        }
        compress_block(&mut states, w);
    }
    for n in 0..N {
        let ([f, e, b, a], [h, g, d, c]) = (words(states[n].abef), words(states[n].cdgh));
        rows[n] = u64::row_of([a, b, c, d, e, f, g, h], ByteOrder::Big);
    }
}
