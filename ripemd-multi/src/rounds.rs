//! The compression function of RIPEMD-160, written once for any number of lanes, with the names of
//! the paper (see [`constants`](crate::constants)).
//!
//! See docs/rounds.md for the order of sums.

use core::hint::black_box;

use hash_lanes::engine::{BLOCK_WORDS, ByteOrder, Words, padding_words};

use crate::constants::{IV, K_LEFT, K_RIGHT, R_LEFT, R_RIGHT, S_LEFT, S_RIGHT};

/// The chaining value h0 to h4, or the working variables A to E of a line.
pub type State<V> = [V; 5];

/// `sum + f(x, y, z)` with the function of steps 0 to 15.
#[inline(always)]
fn add_f1<V: Words<Word = u32>>(sum: V, x: V, y: V, z: V) -> V {
    sum + x.xor3(y, z)
}

/// `sum + f(x, y, z)` with the function of steps 16 to 31.
#[inline(always)]
fn add_f2<V: Words<Word = u32>>(sum: V, x: V, y: V, z: V) -> V {
    sum + x.choose(y, z)
}

/// `sum + f(x, y, z) + 1` with the function (x | !y) ^ z of steps 32 to 47. Subtracting the
/// complement of the function saves one operation.
#[inline(always)]
fn add_f3_and_1<V: Words<Word = u32>>(sum: V, x: V, y: V, z: V) -> V {
    sum - ((!x & y) ^ z)
}

/// `sum + f(x, y, z)` with the function of steps 48 to 63.
#[inline(always)]
fn add_f4<V: Words<Word = u32>>(sum: V, x: V, y: V, z: V) -> V {
    sum + z.choose(x, y)
}

/// `sum + f(x, y, z) + 1` with the function x ^ (y | !z) of steps 64 to 79, also by subtracting its
/// complement.
#[inline(always)]
fn add_f5_and_1<V: Words<Word = u32>>(sum: V, x: V, y: V, z: V) -> V {
    sum - (x ^ (!y & z))
}

/// A constant. A zero is left visible to the compiler, which then omits the addition. Any other
/// is hidden, so that it is added before the function, which is on the critical path.
#[inline(always)]
fn constant<V: Words<Word = u32>>(token: V::Token, k: u32) -> V {
    if k == 0 { V::splat(token, 0) } else { V::splat_opaque(token, k) }
}

/// Where step `i` of a round finds a working variable: 0 for A, 4 for E. Steps rename the variables
/// instead of moving them, which costs time in unoptimised builds.
const fn at(round: usize, i: usize, variable: usize) -> usize {
    (80 - (16 * round + i) + variable) % 5
}

/// True, but hidden from the compiler, which moves no vector operation over such a condition. In
/// one piece of code, it puts one line after the other in builds with several codegen units.
///
/// A single message in scalar words stays in one piece: its conditions would take 2 to 5 % of the
/// time.
#[inline(always)]
fn keeps_order<V>() -> bool {
    size_of::<V>() <= size_of::<u64>() || black_box(true)
}

/// Hashes one block of each lane into `state`; `block` holds its words X(0) to X(15).
///
/// The steps of the two lines are interleaved. Each line is one dependency chain, and while one
/// waits for a result, the other advances. This is not a loop: if the compiler does not unroll one,
/// it keeps the vectors in memory.
///
/// Every eight steps of the lines have a condition that keeps them in this order.
#[inline(always)]
pub fn compress<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    let (mut left, mut right) = (*state, *state);
    macro_rules! step {
        ($round:literal, $i:literal, $line:ident, $add_f:ident, $r:ident, $k:expr, $s:ident) => {
            const A: usize = at($round, $i, 0);
            const B: usize = at($round, $i, 1);
            const C: usize = at($round, $i, 2);
            const D: usize = at($round, $i, 3);
            const E: usize = at($round, $i, 4);
            const WORD: usize = $r[$round][$i];
            // The function is added last, because it is on the critical path.
            let sum = $add_f($line[A] + (block[WORD] + $k), $line[B], $line[C], $line[D]);
            $line[A] = sum.rotate_left(const { $s[$round][$i] }) + $line[E];
            $line[C] = $line[C].rotate_left(10);
        };
    }
    macro_rules! steps {
        (
            $round:literal, $left:ident $k_left:expr, $right:ident $k_right:expr, $($i:literal)*
        ) => {{$(
            { step!($round, $i, left, $left, R_LEFT, $k_left, S_LEFT); }
            { step!($round, $i, right, $right, R_RIGHT, $k_right, S_RIGHT); }
        )*}};
    }
    macro_rules! round {
        ($round:literal, $left:ident $k_left:expr, $right:ident $k_right:expr) => {
            let (k_left, k_right) = (constant(token, $k_left), constant(token, $k_right));
            if keeps_order::<V>() {
                V::outline_in_debug(
                    token,
                    #[inline(always)]
                    || steps!($round, $left k_left, $right k_right, 0 1 2 3 4 5 6 7),
                );
            }
            if keeps_order::<V>() {
                V::outline_in_debug(
                    token,
                    #[inline(always)]
                    || steps!($round, $left k_left, $right k_right, 8 9 10 11 12 13 14 15),
                );
            }
        };
    }
    round!(0, add_f1 K_LEFT[0], add_f5_and_1 K_RIGHT[0] - 1);
    round!(1, add_f2 K_LEFT[1], add_f4 K_RIGHT[1]);
    round!(2, add_f3_and_1 K_LEFT[2] - 1, add_f3_and_1 K_RIGHT[2] - 1);
    round!(3, add_f4 K_LEFT[3], add_f2 K_RIGHT[3]);
    round!(4, add_f5_and_1 K_LEFT[4] - 1, add_f1 K_RIGHT[4]);
    let [h0, h1, h2, h3, h4] = *state;
    *state = [
        h1 + left[2] + right[3],
        h2 + left[3] + right[4],
        h3 + left[4] + right[0],
        h4 + left[0] + right[1],
        h0 + left[1] + right[2],
    ];
}

/// The initial value in every lane.
#[inline(always)]
pub fn initial_state<V: Words<Word = u32>>(token: V::Token) -> State<V> {
    let mut state = [V::splat(token, 0); 5];
    for i in 0..5 {
        state[i] = V::splat(token, IV[i]);
    }
    state
}

/// The state after a 32-byte message, given as words: the outer hash of HASH160.
///
/// Half of the block is padding: zeros, whose additions the compiler omits, and two words that are
/// hidden from the compiler like the constants K.
#[inline(always)]
#[must_use]
pub fn compress_32_bytes<V: Words<Word = u32>>(token: V::Token, message: [V; 8]) -> State<V> {
    let mut block = [V::splat(token, 0); BLOCK_WORDS];
    block[..8].copy_from_slice(&message);
    let padding = const { padding_words(ByteOrder::Little, 8 * 32) };
    for i in 8..BLOCK_WORDS {
        block[i] = constant(token, padding[i]);
    }
    let mut state = initial_state(token);
    compress(token, &mut state, block);
    state
}
