//! SHA-NI kernels: `sha256rnds2`, `sha256msg1` and `sha256msg2`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::hint::black_box;

use hash_lanes::engine::{BLOCK_BYTES, Block, ByteOrder, Row, Word, padded_blocks, short_quad};

use crate::constants::{IV, K_BY_4, K_PLUS_PADDING_OF_64_BY_4, PADDING_OF_32};

/// A hash value in the layout of `sha256rnds2`.
#[derive(Clone, Copy)]
struct State {
    /// Words a, b, e, f, the first in the highest element.
    abef: __m128i,
    /// Words c, d, g, h.
    cdgh: __m128i,
}

/// The words of a block, four in each vector.
type Quads = [__m128i; 4];

/// Returns `quad` unchanged and in a register, opaque to the compiler.
///
/// Digests need it: with AVX, LLVM would merge their halves in a 256-bit register to store them
/// together, and leave the upper halves dirty for the next SHA instructions.
#[inline(always)]
fn opaque(mut quad: __m128i) -> __m128i {
    // SAFETY: the assembly is a comment.
    unsafe {
        core::arch::asm!("/* {} */", inout(xmm_reg) quad, options(nomem, nostack, preserves_flags));
    }
    quad
}

/// Keeps several messages interleaved: the compiler moves neither rounds nor accesses to `words`
/// across this.
#[inline(always)]
fn keep_order<const N: usize, W>(states: &mut [State; N], words: &mut W) {
    if N > 1 {
        for State { abef, cdgh } in states {
            (*abef, *cdgh) = (opaque(*abef), opaque(*cdgh));
        }
        black_box(words);
    }
}

/// Hashes one block of each message; `$w` holds their words. Beside each message it hashes the
/// padding block of one in `$padded`.
///
/// This is a macro, because a function of this size would stay out of line, compiled without VEX
/// and with its states in memory.
///
/// In straight-line code LLVM's scheduler serialises the messages, and one block of one message
/// fills the out-of-order window. [`keep_order`] after every four rounds prevents it. It also keeps
/// the words in memory: those of four messages would not fit into the registers. Only the newest
/// words, which the next four rounds need first, stay in registers as well, because a load takes 9
/// cycles on Zen 4 if it forwards from a store.
macro_rules! compress_block {
    ($states:ident, $w:ident $(, beside $padded:ident)?) => {{
        let before = $states;
        $(let before_padding = $padded;)?
        let mut newest = [$w[0][3]; N];
        let mut i = 1;
        while i < N {
            newest[i] = $w[i][3];
            i += 1;
        }
        macro_rules! scheduled_rounds {
            ($j:literal) => {
                let k = quad(K_BY_4[$j]);
                // Not a range: in unoptimised builds its iterator takes as long as three
                // instructions.
                let mut i = 0;
                while i < N {
                    let w = &mut $w[i];
                    let [w0, w4, w8] = [w[$j % 4], w[($j + 1) % 4], w[($j + 2) % 4]];
                    four_rounds(&mut $states[i], _mm_add_epi32(w0, k));
                    newest[i] = next_quad(w0, w4, w8, newest[i]);
                    w[$j % 4] = newest[i];
                    $(four_rounds(&mut $padded[i], quad(K_PLUS_PADDING_OF_64_BY_4[$j]));)?
                    i += 1;
                }
                keep_order(&mut $states, &mut $w);
                $(keep_order(&mut $padded, &mut $w);)?
            };
        }
        scheduled_rounds!(0); scheduled_rounds!(1); scheduled_rounds!(2); scheduled_rounds!(3);
        scheduled_rounds!(4); scheduled_rounds!(5); scheduled_rounds!(6); scheduled_rounds!(7);
        scheduled_rounds!(8); scheduled_rounds!(9); scheduled_rounds!(10); scheduled_rounds!(11);
        for j in 0..4 {
            let k = quad(K_BY_4[12 + j]);
            let mut i = 0;
            while i < N {
                four_rounds(&mut $states[i], _mm_add_epi32($w[i][j], k));
                $(four_rounds(&mut $padded[i], quad(K_PLUS_PADDING_OF_64_BY_4[12 + j]));)?
                i += 1;
            }
            keep_order(&mut $states, &mut $w);
            $(keep_order(&mut $padded, &mut $w);)?
        }
        feed_forward(&mut $states, &before);
        $(feed_forward(&mut $padded, &before_padding);)?
    }};
}

/// Hashes the padding block of 64-byte messages. A macro for the same reason as [`compress_block`].
macro_rules! compress_padding {
    ($states:ident) => {{
        let before = $states;
        for &k_plus_w in &K_PLUS_PADDING_OF_64_BY_4 {
            for state in &mut $states {
                four_rounds(state, quad(k_plus_w));
            }
            keep_order(&mut $states, &mut ());
        }
        feed_forward(&mut $states, &before);
    }};
}

/// Replaces each hash value by its hash, as Bitcoin does. A macro for the same reason as
/// [`compress_block`].
macro_rules! hash_again {
    ($states:ident) => {
        let mut w = [[_mm_setzero_si128(); 4]; N];
        for i in 0..N {
            let (abcd, efgh) = to_words($states[i]);
            w[i] = block_of_digest(abcd, efgh);
        }
        $states = [initial_state(); N];
        compress_block!($states, w);
    };
}

/// The kernels, for `N` messages at a time.
macro_rules! kernels {
    ($features:literal $(, $clean:ident)?) => {
        use super::*;

        /// Four words, the first in the lowest element.
        #[inline]
        #[target_feature(enable = $features)]
        fn quad([a, b, c, d]: [u32; 4]) -> __m128i {
            _mm_set_epi32(d.cast_signed(), c.cast_signed(), b.cast_signed(), a.cast_signed())
        }

        /// Each word in the byte order of the CPU.
        #[inline]
        #[target_feature(enable = $features)]
        fn byte_order() -> __m128i {
            _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn swap_bytes(words: __m128i) -> __m128i {
            _mm_shuffle_epi8(words, byte_order())
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_block(block: &Block) -> Quads {
            let (quads, _) = block.as_chunks::<16>();
            [load_quad(&quads[0]), load_quad(&quads[1]), load_quad(&quads[2]), load_quad(&quads[3])]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_quad(bytes: &[u8; 16]) -> __m128i {
            quad_of(u128::from_le_bytes(*bytes))
        }

        /// The words of 16 bytes, the first of which is in the lowest bits.
        #[inline]
        #[target_feature(enable = $features)]
        fn quad_of(bytes: u128) -> __m128i {
            swap_bytes(vector(bytes))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn vector(bytes: u128) -> __m128i {
            _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
        }

        /// Reorders words 0 to 7, given in two quads, for `sha256rnds2`.
        #[inline]
        #[target_feature(enable = $features)]
        fn from_words(abcd: __m128i, efgh: __m128i) -> State {
            let badc = _mm_shuffle_epi32::<0xB1>(abcd);
            let fehg = _mm_shuffle_epi32::<0xB1>(efgh);
            State { abef: _mm_unpacklo_epi64(fehg, badc), cdgh: _mm_unpackhi_epi64(fehg, badc) }
        }

        /// The inverse of [`from_words`].
        #[inline]
        #[target_feature(enable = $features)]
        fn to_words(State { abef, cdgh }: State) -> (__m128i, __m128i) {
            let badc = _mm_unpackhi_epi64(abef, cdgh);
            let fehg = _mm_unpacklo_epi64(abef, cdgh);
            (_mm_shuffle_epi32::<0xB1>(badc), _mm_shuffle_epi32::<0xB1>(fehg))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn initial_state() -> State {
            let [a, b, c, d, e, f, g, h] = IV;
            from_words(quad([a, b, c, d]), quad([e, f, g, h]))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn feed_forward<const N: usize>(states: &mut [State; N], before: &[State; N]) {
            for i in 0..N {
                states[i].abef = _mm_add_epi32(states[i].abef, before[i].abef);
                states[i].cdgh = _mm_add_epi32(states[i].cdgh, before[i].cdgh);
            }
        }

        /// W(t) to W(t + 3) from the preceding sixteen words.
        #[inline]
        #[target_feature(enable = $features)]
        fn next_quad(w0: __m128i, w4: __m128i, w8: __m128i, w12: __m128i) -> __m128i {
            let w9 = _mm_alignr_epi8::<4>(w12, w8);
            _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), w9), w12)
        }

        /// Four rounds.
        #[inline]
        #[target_feature(enable = $features)]
        fn four_rounds(state: &mut State, k_plus_w: __m128i) {
            state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, k_plus_w);
            let high = _mm_shuffle_epi32::<0x0E>(k_plus_w);
            state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, high);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_state(row: &Row) -> State {
            let (quads, _) = row.as_chunks();
            from_words(load_quad(&quads[0]), load_quad(&quads[1]))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_state(state: State, row: &mut Row) {
            let (abcd, efgh) = to_words(state);
            let (quads, _) = row.as_chunks_mut::<16>();
            quads[0] = bytes(swap_bytes(abcd));
            quads[1] = bytes(opaque(swap_bytes(efgh)));
        }

        /// The bytes of a quad, lowest first.
        #[inline]
        #[target_feature(enable = $features)]
        fn bytes(quad: __m128i) -> [u8; 16] {
            let mut bytes = [0; 16];
            let (chunks, _) = bytes.as_chunks_mut::<4>();
            let words = words(quad);
            for i in 0..4 {
                chunks[i] = words[i].to_le_bytes();
            }
            bytes
        }

        /// The four words of a quad, lowest first.
        #[inline]
        #[target_feature(enable = $features)]
        fn words(quad: __m128i) -> [u32; 4] {
            [
                _mm_extract_epi32::<0>(quad).cast_unsigned(),
                _mm_extract_epi32::<1>(quad).cast_unsigned(),
                _mm_extract_epi32::<2>(quad).cast_unsigned(),
                _mm_extract_epi32::<3>(quad).cast_unsigned(),
            ]
        }

        /// The single block of a 32-byte message, given as words.
        #[inline]
        #[target_feature(enable = $features)]
        fn block_of_digest(abcd: __m128i, efgh: __m128i) -> Quads {
            let [p8, p9, p10, p11, p12, p13, p14, p15] = PADDING_OF_32;
            [abcd, efgh, quad([p8, p9, p10, p11]), quad([p12, p13, p14, p15])]
        }

        /// See [`super::super::compress_streams`].
        #[cfg(any(target_arch = "x86", miri))]
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) fn compress_streams<const N: usize>(
            states: &mut [Row],
            messages: &[&[Block]],
        ) {
            $($clean();)?
            let mut values = [initial_state(); N];
            for i in 0..N {
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
                store_state(values[i], &mut states[i]);
            }
        }

        /// See [`super::super::hash_pairs`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) fn hash_pairs<const N: usize, const DOUBLE: bool>(
            nodes: &[Block],
            digests: &mut [[u8; 32]],
        ) {
            $($clean();)?
            let (nodes, _) = nodes.as_chunks::<N>();
            let (digests, _) = digests.as_chunks_mut::<N>();
            if N == 2 {
                hash_overlapping_pairs::<N, DOUBLE>(nodes, digests);
                return;
            }
            for (nodes, digests) in nodes.iter().zip(digests) {
                let mut states = [initial_state(); N];
                let mut w = [[_mm_setzero_si128(); 4]; N];
                for i in 0..N {
                    w[i] = load_block(&nodes[i]);
                }
                compress_block!(states, w);
                compress_padding!(states);
                if DOUBLE {
                    hash_again!(states);
                }
                for i in 0..N {
                    store_state(states[i], &mut digests[i]);
                }
            }
        }

        /// Hashes `N` nodes at a time, beside the padding blocks of the `N` before them.
        ///
        /// The first block of a node is bound by the front end, its padding block by the SHA unit.
        /// Together they keep both busy: on Zen 4 a node takes 23.4 ns, or 29.3 with three in step.
        #[inline]
        #[target_feature(enable = $features)]
        fn hash_overlapping_pairs<const N: usize, const DOUBLE: bool>(
            nodes: &[[Block; N]],
            digests: &mut [[[u8; 32]; N]],
        ) {
            let [first, rest @ ..] = nodes else { return };
            let [digests @ .., last] = digests else { return };
            let mut states = [initial_state(); N];
            let mut w = [[_mm_setzero_si128(); 4]; N];
            for i in 0..N {
                w[i] = load_block(&first[i]);
            }
            compress_block!(states, w);
            for (nodes, digests) in rest.iter().zip(digests) {
                let mut padded = states;
                states = [initial_state(); N];
                let mut w = [[_mm_setzero_si128(); 4]; N];
                for i in 0..N {
                    w[i] = load_block(&nodes[i]);
                }
                compress_block!(states, w, beside padded);
                if DOUBLE {
                    hash_again!(padded);
                }
                for i in 0..N {
                    store_state(padded[i], &mut digests[i]);
                }
            }
            compress_padding!(states);
            if DOUBLE {
                hash_again!(states);
            }
            for i in 0..N {
                store_state(states[i], &mut last[i]);
            }
        }

        /// How messages of equal length end.
        struct Ending {
            len: usize,
            padded_len: usize,
            /// Moves the bytes after the last whole quad from the end of a quad to its beginning.
            move_rest: __m128i,
            /// The one bit, in the quad that it is in.
            one_bit: __m128i,
            /// The length field, in the last quad.
            length: __m128i,
        }

        impl Ending {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(len: usize, blocks: usize, message_bytes: u64) -> Self {
                let rest = _mm_set1_epi8((len % 16) as i8);
                // Indices above 15 become those that `pshufb` replaces by zero.
                let skip = _mm_sub_epi8(_mm_set1_epi8(-0x80), rest);
                let is_next = _mm_cmpeq_epi8(byte_order(), rest);
                let [high, low] = u32::length_words(ByteOrder::Big, message_bytes);
                Self {
                    len,
                    padded_len: blocks * BLOCK_BYTES,
                    move_rest: _mm_adds_epu8(byte_order(), skip),
                    one_bit: _mm_and_si128(is_next, _mm_set1_epi8(-0x80)),
                    length: quad([0, 0, high, low]),
                }
            }
        }

        /// The words of the 16 bytes at `at`, a multiple of 16, of a padded message.
        ///
        /// Made in registers: padding that is stored in parts and then loaded as a whole defeats
        /// store forwarding.
        #[inline]
        #[target_feature(enable = $features)]
        fn padded_quad(ending: &Ending, message: &[u8], at: usize) -> __m128i {
            if let Some(quad) = message.get(at..at + 16).and_then(|quad| quad.first_chunk()) {
                return load_quad(quad);
            }
            let mut quad = _mm_setzero_si128();
            if at <= ending.len {
                quad = ending.one_bit;
                if at < ending.len {
                    let rest = match message.last_chunk() {
                        Some(last) => {
                            _mm_shuffle_epi8(vector(u128::from_le_bytes(*last)), ending.move_rest)
                        }
                        None => quad_of(short_quad(message)),
                    };
                    quad = _mm_or_si128(quad, rest);
                }
            }
            if at + 16 == ending.padded_len {
                quad = _mm_or_si128(quad, ending.length);
            }
            quad
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
            let initial = load_state(state);
            let len = messages[0].len();
            let blocks = padded_blocks::<u32>(len);
            let ending = Ending::new(len, blocks, message_bytes);
            let (messages, _) = messages.as_chunks::<N>();
            let (rows, _) = rows.as_chunks_mut::<N>();
            for (messages, rows) in messages.iter().zip(rows) {
                let mut states = [initial; N];
                let ends_like_node = (len, message_bytes) == (64, 64);
                for block in 0..blocks - usize::from(ends_like_node) {
                    // Each quad is stored by itself. LLVM would copy whole blocks, and zeros that
                    // it knows, in 256-bit registers.
                    let zero = opaque(_mm_setzero_si128());
                    let mut w = [[zero; 4]; N];
                    for i in 0..N {
                        let quads = match messages[i].as_chunks().0.get(block) {
                            Some(block) => load_block(block),
                            None => {
                                let mut quads = [zero; 4];
                                let mut j = 0;
                                while j < 4 {
                                    let at = block * BLOCK_BYTES + 16 * j;
                                    quads[j] = padded_quad(&ending, messages[i], at);
                                    j += 1;
                                }
                                quads
                            }
                        };
                        for j in 0..4 {
                            w[i][j] = opaque(quads[j]);
                        }
                    }
                    compress_block!(states, w);
                }
                if ends_like_node {
                    compress_padding!(states);
                }
                for i in 0..N {
                    store_state(states[i], &mut rows[i]);
                }
            }
        }

        /// See [`super::super::double_hash_blocks`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) fn double_hash_blocks<const N: usize>(
            blocks: &[[u32; 16]],
            first_words: &mut [u32],
        ) {
            $($clean();)?
            let (blocks, _) = blocks.as_chunks::<N>();
            let (first_words, _) = first_words.as_chunks_mut::<N>();
            for (blocks, first_words) in blocks.iter().zip(first_words) {
                let mut states = [initial_state(); N];
                let mut w = [[_mm_setzero_si128(); 4]; N];
                for i in 0..N {
                    let (quads, _) = blocks[i].as_chunks::<4>();
                    w[i] = [quad(quads[0]), quad(quads[1]), quad(quads[2]), quad(quads[3])];
                }
                compress_block!(states, w);
                hash_again!(states);
                for i in 0..N {
                    // Word a is in the highest element.
                    first_words[i] = _mm_extract_epi32::<3>(states[i].abef).cast_unsigned();
                }
            }
        }
    };
}

hash_lanes::sha_kernels!(kernels);
