//! The permutations Keccak-f\[1600\] (FIPS 202 §3.4) and Keccak-p\[1600, 12\], written once for any
//! number of lanes.
//!
//! See docs/lanes.md for the two orders of operations and what was measured.

use hash_lanes::engine::Words;

/// The words A[x, y] of a state, A[x, y] at index `x + 5 * y` (FIPS 202 §3.1.2).
pub type State<V> = [V; 25];

/// The number of rounds of Keccak-f\[1600\].
pub const ROUNDS: usize = 24;

/// The round constants RC (FIPS 202 §3.2.5), from the linear feedback shift register rc(t).
pub const RC: [u64; ROUNDS] = {
    let (mut constants, mut round, mut register) = ([0; ROUNDS], 0, 1_u32);
    while round < ROUNDS {
        let mut j = 0;
        while j <= 6 {
            if register & 1 == 1 {
                constants[round] |= 1 << ((1_u32 << j) - 1);
            }
            register <<= 1;
            if register & 0x100 != 0 {
                register ^= 0x171;
            }
            j += 1;
        }
        round += 1;
    }
    constants
};

/// The index of the word that pi moves to index `to`, and its rotation by rho (FIPS 202 §3.2.2,
/// §3.2.3). Both steps follow one cycle through all words but A[0, 0].
const fn origin(to: usize) -> (usize, u32) {
    if to == 0 {
        return (0, 0);
    }
    let (mut x, mut y, mut t) = (1, 0, 0);
    loop {
        let next = (y, (2 * x + 3 * y) % 5);
        if next.0 + 5 * next.1 == to {
            return (x + 5 * y, (t + 1) * (t + 2) / 2 % 64);
        }
        (x, y) = next;
        t += 1;
    }
}

/// The words of row `$y` after theta, rho and pi. `$d` is what theta adds to each column.
macro_rules! row {
    ($a:ident, $d:ident, $y:expr) => {
        [
            word!($a, $d, 5 * $y),
            word!($a, $d, 5 * $y + 1),
            word!($a, $d, 5 * $y + 2),
            word!($a, $d, 5 * $y + 3),
            word!($a, $d, 5 * $y + 4),
        ]
    };
}

/// The word that pi moves to index `$to`.
macro_rules! word {
    ($a:ident, $d:ident, $to:expr) => {{
        const ORIGIN: (usize, u32) = origin($to);
        const RIGHT: i32 = (64 - ORIGIN.1 as i32) % 64;
        $a[ORIGIN.0].xor_rotate_right::<RIGHT>($d[ORIGIN.0 % 5])
    }};
}

/// The parity of each column.
#[inline(always)]
fn parities<V: Words<Word = u64>>(a: &State<V>) -> [V; 5] {
    let mut c = [a[0]; 5];
    for x in 0..5 {
        c[x] = a[x].xor5(a[x + 5], a[x + 10], a[x + 15], a[x + 20]);
    }
    c
}

/// What theta adds to each column, from the parities.
#[inline(always)]
fn theta<V: Words<Word = u64>>(c: &[V; 5]) -> [V; 5] {
    let mut d = *c;
    for x in 0..5 {
        d[x] = c[(x + 4) % 5].xor_rotated_by_1(c[(x + 1) % 5]);
    }
    d
}

/// Word `x` of a row after chi.
#[inline(always)]
fn chi<V: Words<Word = u64>>(b: &[V; 5], x: usize) -> V {
    b[x].xor_and_not(b[(x + 1) % 5], b[(x + 2) % 5])
}

/// One round. Each word is dead after its row, so 25 words, theta's five and two temporaries fit
/// into 32 registers.
#[inline(always)]
fn round_in_registers<V: Words<Word = u64>>(token: V::Token, a: &mut State<V>, rc: u64) {
    let d = theta(&parities(a));
    let mut e = *a;
    macro_rules! rows {
        ($($y:literal)*) => {$(
            let b = row!(a, d, $y);
            for x in 0..5 {
                e[5 * $y + x] = chi(&b, x);
            }
        )*};
    }
    rows!(0 1 2 3 4);
    e[0] = e[0] ^ V::splat(token, rc);
    *a = e;
}

/// One round from `a` to `e`, for 16 registers: `c` has the parities of `a`, and then those of `e`,
/// gathered while its words are in registers. Operands come from memory, folded into the
/// operations.
#[inline(always)]
fn round_through_memory<V: Words<Word = u64>>(
    token: V::Token,
    c: &mut [V; 5],
    a: &State<V>,
    e: &mut State<V>,
    rc: u64,
) {
    let d = theta(c);
    macro_rules! rows {
        ($($y:literal)*) => {$(
            let b = row!(a, d, $y);
            for x in 0..5 {
                let mut word = chi(&b, x);
                if $y == 0 && x == 0 {
                    word = word ^ V::splat(token, rc);
                }
                e[5 * $y + x] = word;
                c[x] = if $y == 0 { word } else { c[x] ^ word };
            }
        )*};
    }
    rows!(0 1 2 3 4);
}

/// The first row after a round, the only one that a digest of at most 320 bits needs.
#[inline(always)]
fn first_row<V: Words<Word = u64>>(token: V::Token, c: &[V; 5], a: &State<V>, rc: u64) -> [V; 5] {
    let d = theta(c);
    let b = row!(a, d, 0);
    let mut e = b;
    for x in 0..5 {
        e[x] = chi(&b, x);
    }
    e[0] = e[0] ^ V::splat(token, rc);
    e
}

/// Applies the last `rounds` rounds of Keccak-f\[1600\], an even number: all 24, or 12 for
/// TurboSHAKE.
#[inline(always)]
pub fn permute<V: Words<Word = u64>>(token: V::Token, state: &mut State<V>, rounds: usize) {
    let constants = &RC[ROUNDS - rounds..];
    if V::HAS_32_REGISTERS {
        for &rc in constants {
            V::outline_in_debug(
                token,
                #[inline(always)]
                || round_in_registers(token, state, rc),
            );
        }
        return;
    }
    let (mut other, mut c) = ([state[0]; 25], parities(state));
    for &[rc, next] in constants.as_chunks::<2>().0 {
        V::outline_in_debug(
            token,
            #[inline(always)]
            || {
                round_through_memory(token, &mut c, state, &mut other, rc);
                round_through_memory(token, &mut c, &other, state, next);
            },
        );
    }
}

/// [`permute`], but returns only the first row, which saves two thirds of the last round.
#[inline(always)]
pub(crate) fn permute_to_first_row<V: Words<Word = u64>>(
    token: V::Token,
    state: &mut State<V>,
    rounds: usize,
) -> [V; 5] {
    let constants = &RC[ROUNDS - rounds..ROUNDS - 1];
    let last = RC[ROUNDS - 1];
    if V::HAS_32_REGISTERS {
        for &rc in constants {
            V::outline_in_debug(
                token,
                #[inline(always)]
                || round_in_registers(token, state, rc),
            );
        }
        return first_row(token, &parities(state), state, last);
    }
    let (mut other, mut c) = ([state[0]; 25], parities(state));
    let (pairs, single) = constants.as_chunks::<2>();
    for &[rc, next] in pairs {
        V::outline_in_debug(
            token,
            #[inline(always)]
            || {
                round_through_memory(token, &mut c, state, &mut other, rc);
                round_through_memory(token, &mut c, &other, state, next);
            },
        );
    }
    round_through_memory(token, &mut c, state, &mut other, single[0]);
    first_row(token, &c, &other, last)
}
