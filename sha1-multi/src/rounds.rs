//! The compression function of SHA-1 (FIPS 180-4 §6.1.2) and its constants, written once for any
//! number of lanes.
//!
//! See docs/scheduling.md for the order of operations and what was measured.

use hash_lanes::engine::{BLOCK_WORDS, Words};

/// The initial hash value, FIPS 180-4 §5.3.1.
pub const IV: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The constants K(t), FIPS 180-4 §4.2.1; each is used in twenty rounds.
pub const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// The working variables a to e, or a hash value.
pub type State<V> = [V; 5];

/// Ch, the function of rounds 0 to 19, FIPS 180-4 (4.1).
#[inline(always)]
fn ch<V: Words<Word = u32>>(x: V, y: V, z: V) -> V {
    x.choose(y, z)
}

/// Parity, the function of rounds 20 to 39 and 60 to 79.
#[inline(always)]
fn parity<V: Words<Word = u32>>(x: V, y: V, z: V) -> V {
    x.xor3(y, z)
}

/// Maj, the function of rounds 40 to 59.
#[inline(always)]
fn maj<V: Words<Word = u32>>(x: V, y: V, z: V) -> V {
    x.majority(y, z)
}

/// Replaces W(t) by W(t + 16) (step 1).
///
/// Call it in order, right after W(t) was used. The schedule's operations depend on little and then
/// fill the gaps in the dependency chain of the rounds. If each word is computed just before its
/// round, 16 lanes take 4 % longer on Zen 4.
#[inline(always)]
pub(crate) fn schedule<V: Words<Word = u32>>(w: &mut [V; BLOCK_WORDS], t: usize) {
    let before = w[(t + 13) % 16].xor3(w[(t + 8) % 16], w[(t + 2) % 16]);
    w[t % 16] = (before ^ w[t % 16]).rotate_left(1);
}

/// Sees the words of the message schedule as they are made.
pub(crate) trait Watch<V> {
    /// Called after five rounds, before round `t`, with W(t) to W(t + 15), the word of each step at
    /// its number modulo 16. Mark it `#[inline(always)]`.
    fn after_rounds(&mut self, t: usize, w: &[V; BLOCK_WORDS]);
}

impl<V> Watch<V> for () {
    #[inline(always)]
    fn after_rounds(&mut self, _: usize, _: &[V; BLOCK_WORDS]) {}
}

/// Hashes one block of each lane into `state`; `block` holds its words W(0) to W(15).
#[inline(always)]
pub fn compress<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    V::outline(
        token,
        #[inline(always)]
        || eighty_rounds(token, state, block, &mut ()),
    );
}

/// The working variables are renamed from round to round instead of being moved; after five rounds
/// each has its original name. This is not a loop: if the compiler does not unroll one, it keeps
/// the vectors in memory.
#[inline(always)]
pub(crate) fn eighty_rounds<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
    watch: &mut impl Watch<V>,
) {
    let mut w = block;
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident, $f:ident $k:ident, $t:expr) => {
            // Added last, because it is on the critical path.
            let rotated = $a.rotate_left(5);
            let function = $f($b, $c, $d);
            $e = $e + (w[($t) % 16] + $k) + function + rotated;
            if $t < 64 {
                schedule(&mut w, $t);
            }
            $b = $b.rotate_left(30);
        };
    }
    macro_rules! twenty_rounds {
        ($f:ident, $k:expr, $($t:expr)*) => {
            // Hidden from the compiler, which would add a known constant last.
            let k = V::splat_opaque(token, $k);
            $(
                V::outline_in_debug(
                    token,
                    #[inline(always)]
                    || {
                        round!(a b c d e, $f k, $t);
                        round!(e a b c d, $f k, $t + 1);
                        round!(d e a b c, $f k, $t + 2);
                        round!(c d e a b, $f k, $t + 3);
                        round!(b c d e a, $f k, $t + 4);
                    },
                );
                watch.after_rounds($t + 5, &w);
            )*
        };
    }
    twenty_rounds!(ch, K[0], 0 5 10 15);
    twenty_rounds!(parity, K[1], 20 25 30 35);
    twenty_rounds!(maj, K[2], 40 45 50 55);
    twenty_rounds!(parity, K[3], 60 65 70 75);
    let [h0, h1, h2, h3, h4] = *state;
    *state = [h0 + a, h1 + b, h2 + c, h3 + d, h4 + e];
}

/// The initial hash value in every lane.
#[inline(always)]
pub fn initial_state<V: Words<Word = u32>>(token: V::Token) -> State<V> {
    let mut state = [V::splat(token, 0); 5];
    for i in 0..5 {
        state[i] = V::splat(token, IV[i]);
    }
    state
}
