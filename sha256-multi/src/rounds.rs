//! The compression function of SHA-256 (FIPS 180-4 §6.2.2) and the bytes of its digests, written
//! once for any number of lanes.

use hash_lanes::engine::{BLOCK_WORDS, Lanes, Words};

use crate::constants::{IV, K_BY_16, K_PLUS_PADDING_OF_64, PADDING_OF_32};

/// The working variables a to h, or a hash value.
pub type State<V> = [V; 8];

/// Big sigma 0, FIPS 180-4 (4.4).
#[inline(always)]
fn big_sigma_0<V: Words<Word = u32>>(x: V) -> V {
    x.rotate_right(2).xor3(x.rotate_right(13), x.rotate_right(22))
}

/// Big sigma 1, FIPS 180-4 (4.5).
#[inline(always)]
fn big_sigma_1<V: Words<Word = u32>>(x: V) -> V {
    x.rotate_right(6).xor3(x.rotate_right(11), x.rotate_right(25))
}

/// Small sigma 0, FIPS 180-4 (4.6).
#[inline(always)]
fn small_sigma_0<V: Words<Word = u32>>(x: V) -> V {
    x.rotate_right(7).xor3(x.rotate_right(18), x.shift_right(3))
}

/// Small sigma 1, FIPS 180-4 (4.7).
#[inline(always)]
fn small_sigma_1<V: Words<Word = u32>>(x: V) -> V {
    x.rotate_right(17).xor3(x.rotate_right(19), x.shift_right(10))
}

/// Sixteen rounds; `k_plus_w(i)` returns K + W of round `i` and is called in order.
///
/// The working variables are renamed from round to round instead of being moved; after eight rounds
/// each has its original name. This is not a loop: if the compiler does not unroll one, it keeps
/// the vectors in memory, which costs a third of the total time.
#[inline(always)]
fn sixteen_rounds<V: Words<Word = u32>>(
    state: &mut State<V>,
    mut k_plus_w: impl FnMut(usize) -> V,
) {
    let token = state[0].token();
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $i:expr) => {
            let known = $h + k_plus_w($i);
            if V::IS_LATENCY_BOUND {
                // What is known early is added first: three operations lead from one `e` to the
                // next, not four. T1 is the new `e` less the old `d`.
                let before = $d;
                $d = ($d + known) + $e.choose($f, $g) + big_sigma_1($e);
                $h = $d + ($a.majority($b, $c) - before) + big_sigma_0($a);
            } else {
                let t1 = known + $e.choose($f, $g) + big_sigma_1($e);
                $d = $d + t1;
                $h = t1 + $a.majority($b, $c) + big_sigma_0($a);
            }
        };
    }
    macro_rules! eight_rounds {
        ($first:expr) => {
            V::outline_in_debug(
                token,
                #[inline(always)]
                || {
                    round!(a b c d e f g h, $first);
                    round!(h a b c d e f g, $first + 1);
                    round!(g h a b c d e f, $first + 2);
                    round!(f g h a b c d e, $first + 3);
                },
            );
            V::outline_in_debug(
                token,
                #[inline(always)]
                || {
                    round!(e f g h a b c d, $first + 4);
                    round!(d e f g h a b c, $first + 5);
                    round!(c d e f g h a b, $first + 6);
                    round!(b c d e f g h a, $first + 7);
                },
            );
        };
    }
    eight_rounds!(0);
    eight_rounds!(8);
    *state = [a, b, c, d, e, f, g, h];
}

/// The first sixteen rounds, where W(t) are the words of the block.
#[inline(always)]
fn block_rounds<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    w: &[V; BLOCK_WORDS],
    k: &[u32; 16],
) {
    sixteen_rounds(
        state,
        #[inline(always)]
        |i| w[i] + V::splat(token, k[i]),
    );
}

/// Sixteen later rounds, where W(t) replaces W(t - 16).
#[inline(always)]
fn scheduled_rounds<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    w: &mut [V; BLOCK_WORDS],
    k: &[u32; 16],
) {
    sixteen_rounds(
        state,
        #[inline(always)]
        |i| {
            w[i] = small_sigma_1(w[(i + 14) % 16])
                + w[(i + 9) % 16]
                + small_sigma_0(w[(i + 1) % 16])
                + w[i];
            w[i] + V::splat(token, k[i])
        },
    );
}

/// Adds the hash value from before the rounds (step 4).
#[inline(always)]
fn feed_forward<V: Words<Word = u32>>(state: &mut State<V>, before: &State<V>) {
    for i in 0..8 {
        state[i] = state[i] + before[i];
    }
}

/// The initial hash value in every lane.
#[inline(always)]
pub fn initial_state<V: Words<Word = u32>>(token: V::Token) -> State<V> {
    let mut state = [V::splat(token, 0); 8];
    for i in 0..8 {
        state[i] = V::splat(token, IV[i]);
    }
    state
}

/// Hashes one block of each lane into `state`; `block` holds its words W(0) to W(15).
#[inline(always)]
pub fn compress<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    let before = *state;
    let mut w = block;
    block_rounds(token, state, &w, &K_BY_16[0]);
    for k in &K_BY_16[1..] {
        scheduled_rounds(token, state, &mut w, k);
    }
    feed_forward(state, &before);
}

/// Hashes a constant block, the same in every lane, into `state`;
/// [`k_plus_w`](crate::hazmat::k_plus_w) computes the argument.
#[inline(always)]
pub fn compress_constant<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    k_plus_w: &[u32; 64],
) {
    let before = *state;
    let (k_plus_w, _) = k_plus_w.as_chunks::<16>();
    for sums in k_plus_w {
        sixteen_rounds(
            state,
            #[inline(always)]
            |i| V::splat(token, sums[i]),
        );
    }
    feed_forward(state, &before);
}

/// [`compress`] for a block with constant words, such as padding.
///
/// The first sixteen scheduled rounds are outside the loop, so that the compiler can fold the
/// constants into them.
#[inline(always)]
pub fn compress_const_tail<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    let before = *state;
    let mut w = block;
    block_rounds(token, state, &w, &K_BY_16[0]);
    scheduled_rounds(token, state, &mut w, &K_BY_16[1]);
    for k in &K_BY_16[2..] {
        scheduled_rounds(token, state, &mut w, k);
    }
    feed_forward(state, &before);
}

/// The state after a 32-byte message, given as words: the outer hash of Bitcoin's double SHA-256.
#[inline(always)]
#[must_use]
pub fn compress_32_bytes<V: Words<Word = u32>>(token: V::Token, message: State<V>) -> State<V> {
    let mut block = [V::splat(token, 0); BLOCK_WORDS];
    for i in 0..8 {
        block[i] = message[i];
        block[i + 8] = V::splat(token, PADDING_OF_32[i]);
    }
    let mut state = initial_state(token);
    compress_const_tail(token, &mut state, block);
    state
}

/// The state after a 64-byte message, given as words: a node of a Merkle tree.
#[inline(always)]
#[must_use]
pub fn compress_64_bytes<V: Words<Word = u32>>(
    token: V::Token,
    message: [V; BLOCK_WORDS],
) -> State<V> {
    let mut state = initial_state(token);
    compress(token, &mut state, message);
    compress_constant(token, &mut state, &K_PLUS_PADDING_OF_64);
    state
}

/// Writes the digest of each lane: the words of its hash value, most significant byte first.
///
/// # Panics
///
/// Panics if `digests.len() < V::COUNT`.
#[inline(always)]
pub fn store_digests<V: Lanes<Word = u32>>(mut state: State<V>, digests: &mut [[u8; 32]]) {
    // Swap the bytes while they are still in vectors.
    for word in &mut state {
        *word = word.swap_bytes();
    }
    let digests = &mut digests[..V::COUNT];
    V::store_rows(
        state,
        #[inline(always)]
        |lane, words| {
            let (bytes, _) = digests[lane].as_chunks_mut::<4>();
            for i in 0..8 {
                bytes[i] = words[i].swap_bytes().to_be_bytes();
            }
        },
    );
}
