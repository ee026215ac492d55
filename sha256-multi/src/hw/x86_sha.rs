//! SHA-NI: `sha256rnds2`, `sha256msg1` and `sha256msg2`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use hash_lanes::Block;

use super::kept_a_loop;
use crate::constants::{IV, K, K_PLUS_PADDING_OF_64, PADDING_OF_32};

/// A hash value as `sha256rnds2` wants it.
#[derive(Clone, Copy)]
struct State {
    /// Words a, b, e, f, the first in the highest place.
    abef: __m128i,
    /// Words c, d, g, h.
    cdgh: __m128i,
}

/// Four words of a block each.
type Quads = [__m128i; 4];

/// Zeroes the upper halves of the vector registers.
///
/// With something left in them a node takes 78 ns instead of 35 on Zen 4. The crate's own kernels leave
/// them clean; a caller's code may not.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn clean_upper_state() {
    _mm256_zeroupper();
}

/// Four words, the first in the lowest place.
#[inline]
#[target_feature(enable = "sse2")]
fn quad([a, b, c, d]: [u32; 4]) -> __m128i {
    _mm_set_epi32(d.cast_signed(), c.cast_signed(), b.cast_signed(), a.cast_signed())
}

/// Reverses the bytes of each word.
#[inline]
#[target_feature(enable = "sse2,ssse3")]
fn swap_bytes(words: __m128i) -> __m128i {
    let reversed = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    _mm_shuffle_epi8(words, reversed)
}

#[inline]
#[target_feature(enable = "sse2,ssse3")]
fn load_block(block: &Block) -> Quads {
    let (quads, _) = block.as_chunks::<16>();
    let mut w = [_mm_setzero_si128(); 4];
    for i in 0..4 {
        let bits = u128::from_le_bytes(quads[i]);
        w[i] = swap_bytes(_mm_set_epi64x((bits >> 64) as i64, bits as i64));
    }
    w
}

/// Words 0 to 7 in two quads, to the order of the instruction.
#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn from_words(abcd: __m128i, efgh: __m128i) -> State {
    let badc = _mm_shuffle_epi32::<0xB1>(abcd);
    let hgfe = _mm_shuffle_epi32::<0x1B>(efgh);
    State { abef: _mm_alignr_epi8::<8>(badc, hgfe), cdgh: _mm_blend_epi16::<0xF0>(hgfe, badc) }
}

/// The reverse of [`from_words`].
#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn to_words(state: State) -> (__m128i, __m128i) {
    let abef = _mm_shuffle_epi32::<0x1B>(state.abef);
    let cdgh = _mm_shuffle_epi32::<0xB1>(state.cdgh);
    (_mm_blend_epi16::<0xF0>(abef, cdgh), _mm_alignr_epi8::<8>(cdgh, abef))
}

/// The same quad. Where the whole program is compiled for a CPU with AVX it is hidden from the compiler,
/// which would join the two halves of a hash value in a 256-bit register to store them together, and so
/// dirty the upper state between SHA instructions.
#[inline(always)]
fn kept_apart(quad: __m128i) -> __m128i {
    if cfg!(target_feature = "avx") { core::hint::black_box(quad) } else { quad }
}

#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn initial_state() -> State {
    let [a, b, c, d, e, f, g, h] = IV;
    from_words(quad([a, b, c, d]), quad([e, f, g, h]))
}

#[inline]
#[target_feature(enable = "sse2")]
fn feed_forward<const N: usize>(states: &mut [State; N], before: &[State; N]) {
    for i in 0..N {
        states[i].abef = _mm_add_epi32(states[i].abef, before[i].abef);
        states[i].cdgh = _mm_add_epi32(states[i].cdgh, before[i].cdgh);
    }
}

/// W(t) to W(t + 3) from the sixteen words before.
#[inline]
#[target_feature(enable = "sha,sse2,ssse3")]
fn next_quad(w0: __m128i, w4: __m128i, w8: __m128i, w12: __m128i) -> __m128i {
    let w9 = _mm_alignr_epi8::<4>(w12, w8);
    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), w9), w12)
}

/// Four rounds.
#[inline]
#[target_feature(enable = "sha,sse2")]
fn four_rounds(state: &mut State, k_plus_w: __m128i) {
    state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, k_plus_w);
    let high = _mm_shuffle_epi32::<0x0E>(k_plus_w);
    state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, high);
}

/// Hashes a block of each message, of which `w` are the words.
#[inline]
#[target_feature(enable = "sha,sse2,ssse3")]
fn compress_block<const N: usize>(states: &mut [State; N], mut w: [Quads; N]) {
    let before = *states;
    let (k, _) = K.as_chunks::<4>();
    let (first_k, last_k) = k.split_at(12);
    for &k in kept_a_loop::<N, _>(first_k) {
        let k = quad(k);
        for i in 0..N {
            let [w0, w4, w8, w12] = w[i];
            four_rounds(&mut states[i], _mm_add_epi32(w0, k));
            w[i] = [w4, w8, w12, next_quad(w0, w4, w8, w12)];
        }
    }
    for j in 0..4 {
        let k = quad(last_k[j]);
        for i in 0..N {
            four_rounds(&mut states[i], _mm_add_epi32(w[i][j], k));
        }
    }
    feed_forward(states, &before);
}

/// Hashes a block that is known beforehand.
#[inline]
#[target_feature(enable = "sha,sse2")]
fn compress_constant<const N: usize>(states: &mut [State; N], k_plus_w: &[u32; 64]) {
    let before = *states;
    for &sums in kept_a_loop::<N, _>(k_plus_w.as_chunks::<4>().0) {
        let sums = quad(sums);
        for state in &mut *states {
            four_rounds(state, sums);
        }
    }
    feed_forward(states, &before);
}

#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn store_digests<const N: usize>(states: &[State; N], digests: &mut [[u8; 32]]) {
    for i in 0..N {
        let (abcd, efgh) = to_words(states[i]);
        let (quads, _) = digests[i].as_chunks_mut::<16>();
        quads[0] = bytes(swap_bytes(abcd));
        quads[1] = bytes(kept_apart(swap_bytes(efgh)));
    }
}

/// The bytes of a quad, the lowest first.
#[inline]
#[target_feature(enable = "sse2,sse4.1")]
fn bytes(quad: __m128i) -> [u8; 16] {
    let mut bytes = [0; 16];
    let (chunks, _) = bytes.as_chunks_mut::<4>();
    let words = words(quad);
    for i in 0..4 {
        chunks[i] = words[i].to_le_bytes();
    }
    bytes
}

/// The four words of a quad, the lowest first.
#[inline]
#[target_feature(enable = "sse2,sse4.1")]
fn words(quad: __m128i) -> [u32; 4] {
    [
        _mm_extract_epi32::<0>(quad).cast_unsigned(),
        _mm_extract_epi32::<1>(quad).cast_unsigned(),
        _mm_extract_epi32::<2>(quad).cast_unsigned(),
        _mm_extract_epi32::<3>(quad).cast_unsigned(),
    ]
}

/// See [`super::compress`].
#[inline(never)]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) fn compress<const N: usize>(states: &mut [[u32; 8]], messages: &[&[Block]]) {
    let mut values = [initial_state(); N];
    for i in 0..N {
        let [a, b, c, d, e, f, g, h] = states[i];
        values[i] = from_words(quad([a, b, c, d]), quad([e, f, g, h]));
    }
    for block in 0..messages[0].len() {
        let mut w = [[_mm_setzero_si128(); 4]; N];
        for i in 0..N {
            w[i] = load_block(&messages[i][block]);
        }
        compress_block(&mut values, w);
    }
    for i in 0..N {
        let (abcd, efgh) = to_words(values[i]);
        let (quads, _) = states[i].as_chunks_mut::<4>();
        quads[0] = words(abcd);
        quads[1] = words(kept_apart(efgh));
    }
}

/// Hashes a multiple of `N` messages; see [`super::hash_pairs`].
#[inline(never)]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) fn hash_pairs<const N: usize, const DOUBLE: bool>(nodes: &[Block], digests: &mut [[u8; 32]]) {
    for (nodes, digests) in nodes.chunks_exact(N).zip(digests.chunks_exact_mut(N)) {
        let mut states = [initial_state(); N];
        let mut w = [[_mm_setzero_si128(); 4]; N];
        for i in 0..N {
            w[i] = load_block(&nodes[i]);
        }
        compress_block(&mut states, w);
        compress_constant(&mut states, &K_PLUS_PADDING_OF_64);
        if DOUBLE {
            let [p8, p9, p10, p11, p12, p13, p14, p15] = PADDING_OF_32;
            for i in 0..N {
                let (abcd, efgh) = to_words(states[i]);
                w[i] = [abcd, efgh, quad([p8, p9, p10, p11]), quad([p12, p13, p14, p15])];
                states[i] = initial_state();
            }
            compress_block(&mut states, w);
        }
        store_digests(&states, digests);
    }
}

/// Hashes a multiple of `N` messages; see [`super::double_hash_blocks`].
#[inline(never)]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) fn double_hash_blocks<const N: usize>(blocks: &[[u32; 16]], first_words: &mut [u32]) {
    let [p8, p9, p10, p11, p12, p13, p14, p15] = PADDING_OF_32;
    for (blocks, first_words) in blocks.chunks_exact(N).zip(first_words.chunks_exact_mut(N)) {
        let mut states = [initial_state(); N];
        let mut w = [[_mm_setzero_si128(); 4]; N];
        for i in 0..N {
            let (quads, _) = blocks[i].as_chunks::<4>();
            w[i] = [quad(quads[0]), quad(quads[1]), quad(quads[2]), quad(quads[3])];
        }
        compress_block(&mut states, w);
        for i in 0..N {
            let (abcd, efgh) = to_words(states[i]);
            w[i] = [abcd, efgh, quad([p8, p9, p10, p11]), quad([p12, p13, p14, p15])];
            states[i] = initial_state();
        }
        compress_block(&mut states, w);
        for i in 0..N {
            // Word a stands in the highest place.
            first_words[i] = _mm_extract_epi32::<3>(states[i].abef).cast_unsigned();
        }
    }
}
