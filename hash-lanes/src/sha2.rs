//! The rounds of SHA-2 (FIPS 180-4 §6.2.2 and §6.4.2), written once for both words and any number
//! of lanes. SHA-256 and SHA-512 differ in the constants of [`Sha2`] alone.

use crate::lanes::{Words, splat_all};
use crate::word::{BLOCK_WORDS, Word};

/// The number of words in a hash value.
const WORDS: usize = 8;

/// The working variables a to h, or a hash value.
pub type State<V> = [V; WORDS];

/// The constants of a hash of the SHA-2 family.
pub trait Sha2 {
    /// The word: `u32` for SHA-256, `u64` for SHA-512.
    type Word: Word;

    /// The rotations of big sigma 0 and 1, FIPS 180-4 (4.4), (4.5), (4.10) and (4.11).
    const BIG_SIGMA: [[u32; 3]; 2];

    /// The two rotations of small sigma 0 and 1, and the shift, FIPS 180-4 (4.6), (4.7), (4.12) and
    /// (4.13).
    const SMALL_SIGMA: [[u32; 3]; 2];

    /// The constants K(t), FIPS 180-4 §4.2.2 and §4.2.3, in groups of sixteen.
    const K: &'static [[Self::Word; 16]];

    /// The initial hash value, FIPS 180-4 §5.3.
    const IV: State<Self::Word>;
}

/// Big sigma 0 or 1.
#[inline(always)]
fn big_sigma<V: Words>(x: V, [a, b, c]: [u32; 3]) -> V {
    x.rotate_right(a).xor3(x.rotate_right(b), x.rotate_right(c))
}

/// Small sigma 0 or 1.
#[inline(always)]
fn small_sigma<V: Words>(x: V, [a, b, shift]: [u32; 3]) -> V {
    x.rotate_right(a).xor3(x.rotate_right(b), x.shift_right(shift))
}

/// Sixteen rounds; `k_plus_w(i)` returns K + W of round `i` and is called in order.
///
/// The working variables are renamed from round to round instead of being moved; after eight rounds
/// each has its original name. This is not a loop: if the compiler does not unroll one, it keeps
/// the vectors in memory, which costs a third of the total time.
#[inline(always)]
fn sixteen_rounds<S: Sha2, V: Words<Word = S::Word>>(
    state: &mut State<V>,
    mut k_plus_w: impl FnMut(usize) -> V,
) {
    let token = state[0].token();
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $i:expr) => {
            let t1 = $h + k_plus_w($i) + $e.choose($f, $g) + big_sigma($e, S::BIG_SIGMA[1]);
            $d = $d + t1;
            $h = t1 + $a.majority($b, $c) + big_sigma($a, S::BIG_SIGMA[0]);
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
fn block_rounds<S: Sha2, V: Words<Word = S::Word>>(
    token: V::Token,
    state: &mut State<V>,
    w: &[V; BLOCK_WORDS],
    k: &[S::Word; 16],
) {
    sixteen_rounds::<S, V>(
        state,
        #[inline(always)]
        |i| w[i] + V::splat(token, k[i]),
    );
}

/// Sixteen later rounds, where W(t) replaces W(t - 16).
#[inline(always)]
fn scheduled_rounds<S: Sha2, V: Words<Word = S::Word>>(
    token: V::Token,
    state: &mut State<V>,
    w: &mut [V; BLOCK_WORDS],
    k: &[S::Word; 16],
) {
    sixteen_rounds::<S, V>(
        state,
        #[inline(always)]
        |i| {
            w[i] = small_sigma(w[(i + 14) % 16], S::SMALL_SIGMA[1])
                + w[(i + 9) % 16]
                + small_sigma(w[(i + 1) % 16], S::SMALL_SIGMA[0])
                + w[i];
            w[i] + V::splat(token, k[i])
        },
    );
}

/// Adds the hash value from before the rounds (step 4).
#[inline(always)]
fn feed_forward<V: Words>(state: &mut State<V>, before: &State<V>) {
    for i in 0..WORDS {
        state[i] = state[i] + before[i];
    }
}

/// The initial hash value in every lane.
#[inline(always)]
pub fn initial_state<S: Sha2, V: Words<Word = S::Word>>(token: V::Token) -> State<V> {
    splat_all(token, &S::IV)
}

/// Hashes one block of each lane into `state`; `block` holds its words W(0) to W(15).
#[inline(always)]
pub fn compress<S: Sha2, V: Words<Word = S::Word>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    let before = *state;
    let mut w = block;
    block_rounds::<S, V>(token, state, &w, &S::K[0]);
    for k in &S::K[1..] {
        scheduled_rounds::<S, V>(token, state, &mut w, k);
    }
    feed_forward(state, &before);
}

/// Hashes a constant block, the same in every lane, into `state`. `k_plus_w` has the sums of its
/// K(t) and W(t), in groups of sixteen.
#[inline(always)]
pub fn compress_constant<S: Sha2, V: Words<Word = S::Word>>(
    token: V::Token,
    state: &mut State<V>,
    k_plus_w: &[[S::Word; 16]],
) {
    let before = *state;
    for sums in k_plus_w {
        sixteen_rounds::<S, V>(
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
pub fn compress_const_tail<S: Sha2, V: Words<Word = S::Word>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    let before = *state;
    let mut w = block;
    block_rounds::<S, V>(token, state, &w, &S::K[0]);
    scheduled_rounds::<S, V>(token, state, &mut w, &S::K[1]);
    for k in &S::K[2..] {
        scheduled_rounds::<S, V>(token, state, &mut w, k);
    }
    feed_forward(state, &before);
}
