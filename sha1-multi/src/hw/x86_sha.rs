//! SHA-NI kernels: `sha1rnds4`, `sha1nexte`, `sha1msg1` and `sha1msg2`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::array;

use hash_lanes::engine::{BLOCK_BYTES, Block, ByteOrder, Row, padded_blocks, padded_quad};

/// A hash value, or the working variables, in the layout of `sha1rnds4`.
#[derive(Clone, Copy)]
struct State {
    /// Words a, b, c, d, the first in the highest element.
    abcd: __m128i,
    /// Between blocks, word e in the highest element. Between rounds, `abcd` from four rounds
    /// earlier; `sha1nexte` rotates its a to get e.
    e: __m128i,
}

/// The words of a block, four in each vector, the first in the highest element.
type Quads = [__m128i; 4];

/// Hashes one block of each message; `$w` holds their words.
///
/// This is a macro, because a function of this size would stay out of line, compiled without VEX
/// and with its states in memory. LLVM interleaves the messages by itself; a loop is slower (16 KiB
/// each: 3.3 GB/s instead of 3.4 on Zen 4).
macro_rules! compress_block {
    ($states:ident, $w:ident) => {{
        let before = $states;
        // The first e is word e itself and must not be rotated.
        schedule_and_round!($states, $w[0 1 2 3], 0 _mm_add_epi32);
        schedule_and_round!($states, $w[1 2 3 0], 0 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[2 3 0 1], 0 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[3 0 1 2], 0 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[0 1 2 3], 0 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[1 2 3 0], 1 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[2 3 0 1], 1 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[3 0 1 2], 1 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[0 1 2 3], 1 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[1 2 3 0], 1 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[2 3 0 1], 2 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[3 0 1 2], 2 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[0 1 2 3], 2 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[1 2 3 0], 2 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[2 3 0 1], 2 _mm_sha1nexte_epu32);
        schedule_and_round!($states, $w[3 0 1 2], 3 _mm_sha1nexte_epu32);
        // The last sixteen words are there.
        round!($states, $w[0], 3 _mm_sha1nexte_epu32);
        round!($states, $w[1], 3 _mm_sha1nexte_epu32);
        round!($states, $w[2], 3 _mm_sha1nexte_epu32);
        round!($states, $w[3], 3 _mm_sha1nexte_epu32);
        for i in 0..N {
            $states[i].abcd = _mm_add_epi32($states[i].abcd, before[i].abcd);
            $states[i].e = _mm_sha1nexte_epu32($states[i].e, before[i].e);
        }
    }};
}

/// Four rounds of each message with quad `$j` of its words. Then the next words, which are computed
/// from the quads in this order, take its place.
macro_rules! schedule_and_round {
    (
        $states:ident, $w:ident[$j:literal $j4:literal $j8:literal $j12:literal],
        $f:literal $add:ident
    ) => {
        // Not a range: in unoptimised builds its iterator takes as long as three instructions.
        let mut i = 0;
        while i < N {
            let w = &mut $w[i];
            four_rounds!($states[i], w[$j], $f $add);
            let before = _mm_xor_si128(_mm_sha1msg1_epu32(w[$j], w[$j4]), w[$j8]);
            w[$j] = _mm_sha1msg2_epu32(before, w[$j12]);
            i += 1;
        }
    };
}

/// Four rounds of each message with quad `$j` of its words.
macro_rules! round {
    ($states:ident, $w:ident[$j:literal], $f:literal $add:ident) => {
        let mut i = 0;
        while i < N {
            four_rounds!($states[i], $w[i][$j], $f $add);
            i += 1;
        }
    };
}

/// Four rounds with the function and the constant of rounds `20 * $f` to `20 * $f + 19`.
///
/// A macro, because a function with target features is a call in unoptimised builds.
macro_rules! four_rounds {
    ($state:expr, $w:expr, $f:literal $add_to_e:ident) => {
        let state = &mut $state;
        let e_plus_w = $add_to_e(state.e, $w);
        state.e = state.abcd;
        state.abcd = _mm_sha1rnds4_epu32::<$f>(state.e, e_plus_w);
    };
}

/// Returns `word`, hidden from the compiler if there are several hash values. With AVX, LLVM would
/// otherwise merge two of them in a 256-bit register to store them together.
#[inline(always)]
fn block_slp_merge<const N: usize>(word: u32) -> u32 {
    if N > 1 { core::hint::black_box(word) } else { word }
}

/// The kernel, for `N` messages at a time.
macro_rules! kernels {
    ($features:literal $(, $clean:ident)?) => {
        use super::*;

        #[inline]
        #[target_feature(enable = $features)]
        fn load_block(block: &Block) -> Quads {
            let (quads, _) = block.as_chunks::<16>();
            let reversed = reversed();
            let mut w = [reversed; 4];
            let mut i = 0;
            while i < 4 {
                w[i] = _mm_shuffle_epi8(vector(u128::from_le_bytes(quads[i])), reversed);
                i += 1;
            }
            w
        }

        /// The big-endian words of 16 bytes, the first of which is in the lowest bits.
        #[inline]
        #[target_feature(enable = $features)]
        fn quad_of(bytes: u128) -> __m128i {
            reverse_bytes(vector(bytes))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn vector(bytes: u128) -> __m128i {
            _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn reverse_bytes(quad: __m128i) -> __m128i {
            _mm_shuffle_epi8(quad, reversed())
        }

        /// The order of bytes for [`reverse_bytes`].
        #[inline]
        #[target_feature(enable = $features)]
        fn reversed() -> __m128i {
            _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_state(row: &Row) -> State {
            let (quads, _) = row.as_chunks();
            let (words, _) = row.as_chunks();
            let e = u32::from_be_bytes(words[4]);
            State {
                abcd: quad_of(u128::from_le_bytes(quads[0])),
                e: _mm_set_epi32(e.cast_signed(), 0, 0, 0),
            }
        }

        /// Stores one of `N` hash values.
        #[inline]
        #[target_feature(enable = $features)]
        fn store_state<const N: usize>(State { abcd, e }: State, row: &mut Row) {
            let abcd = reverse_bytes(abcd);
            let (words, _) = row.as_chunks_mut::<4>();
            words[0] = _mm_extract_epi32::<0>(abcd).to_le_bytes();
            words[1] = _mm_extract_epi32::<1>(abcd).to_le_bytes();
            words[2] = _mm_extract_epi32::<2>(abcd).to_le_bytes();
            words[3] = _mm_extract_epi32::<3>(abcd).to_le_bytes();
            let e = block_slp_merge::<N>(_mm_extract_epi32::<3>(e).cast_unsigned());
            words[4] = e.to_be_bytes();
        }

        /// See [`super::super::compress_streams`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) fn compress_streams<const N: usize>(
            states: &mut [Row],
            messages: &[&[Block]],
        ) {
            $($clean();)?
            let mut values = [load_state(&states[0]); N];
            for i in 1..N {
                values[i] = load_state(&states[i]);
            }
            for block in 0..messages[0].len() {
                let mut w = [[_mm_setzero_si128(); 4]; N];
                for i in 0..N {
                    w[i] = load_block(&messages[i][block]);
                }
                compress_block!(values, w);
            }
            for i in 0..N {
                store_state::<N>(values[i], &mut states[i]);
            }
        }

        /// See [`super::super::hash_equal`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) fn hash_equal<const N: usize>(
            state: &Row,
            messages: &[&[u8]],
            message_bytes: u64,
            rows: &mut [Row],
        ) {
            $($clean();)?
            let (messages, _) = messages.as_chunks::<N>();
            let (rows, _) = rows.as_chunks_mut::<N>();
            for (messages, rows) in messages.iter().zip(rows) {
                let mut states = [load_state(state); N];
                let len = messages[0].len();
                let blocks = padded_blocks::<u32>(len);
                // Two loops: with one for both kinds of blocks, LLVM interleaves two messages worse
                // (16 KiB each: 2.5 GB/s instead of 3.4 on Zen 4).
                let whole = len / BLOCK_BYTES;
                for block in 0..whole {
                    let mut w = [[_mm_setzero_si128(); 4]; N];
                    for i in 0..N {
                        let (blocks, _) = messages[i].as_chunks();
                        w[i] = load_block(blocks.get(block).unwrap_or(&[0; BLOCK_BYTES]));
                    }
                    compress_block!(states, w);
                }
                for block in whole..blocks {
                    // Not loops over zeros, which LLVM would copy in 256-bit registers.
                    let mut w: [Quads; N] = array::from_fn(|i| {
                        array::from_fn(|j| {
                            let (order, at) = (ByteOrder::Big, block * BLOCK_BYTES + 16 * j);
                            let message = messages[i];
                            quad_of(padded_quad(order, message, len, blocks, message_bytes, at))
                        })
                    });
                    compress_block!(states, w);
                }
                for i in 0..N {
                    store_state::<N>(states[i], &mut rows[i]);
                }
            }
        }
    };
}

hash_lanes::sha_kernels!(kernels);
