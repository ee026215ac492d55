//! The compression function F of BLAKE2, written once for any number of lanes and for both words,
//! with the names of RFC 7693.

use hash_lanes::engine::{BLOCK_WORDS, Counter, Word, Words};

/// What distinguishes BLAKE2s from BLAKE2b (RFC 7693 §2.1).
pub trait Blake2 {
    /// The word: `u32` or `u64`.
    type Word: Word;

    /// The initialization vector (§2.6).
    const IV: [Self::Word; 8];

    /// The rotation constants R1 to R4.
    const ROTATIONS: [u32; 4];

    /// The number of rounds.
    const ROUNDS: usize;
}

/// The message schedule (§2.7).
const SIGMA: [[usize; BLOCK_WORDS]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The mixing function G (§3.1).
///
/// The word of the message is added before `b`, which is the last to be known: it comes from a
/// chain of operations.
#[inline(always)]
fn g<B: Blake2, V: Words<Word = B::Word>>([a, b, c, d]: [V; 4], x: V, y: V) -> [V; 4] {
    let a = (a + x) + b;
    let d = (d ^ a).rotate_right(const { B::ROTATIONS[0] });
    let c = c + d;
    let b = (b ^ c).rotate_right(const { B::ROTATIONS[1] });
    let a = (a + y) + b;
    let d = (d ^ a).rotate_right(const { B::ROTATIONS[2] });
    let c = c + d;
    let b = (b ^ c).rotate_right(const { B::ROTATIONS[3] });
    [a, b, c, d]
}

/// Hashes one block of each lane into the state `h`; `m` holds its words (§3.2).
///
/// This is not a loop: the words of the message would be addressed by a table, in memory.
#[inline(always)]
pub fn compress<B: Blake2, V: Words<Word = B::Word>>(
    token: V::Token,
    h: &mut [V; 8],
    m: [V; BLOCK_WORDS],
    Counter { t, f }: Counter<V>,
) {
    let mut v = [h[0]; 16];
    for i in 0..8 {
        v[i] = h[i];
        v[i + 8] = V::splat(token, B::IV[i]);
    }
    v[12] = v[12] ^ t[0];
    v[13] = v[13] ^ t[1];
    v[14] = v[14] ^ f;
    macro_rules! mix {
        ($round:literal: $($a:literal $b:literal $c:literal $d:literal, $i:literal;)+) => {
            V::outline_in_debug(
                token,
                #[inline(always)]
                || {$(
                    let x = m[const { SIGMA[$round][2 * $i] }];
                    let y = m[const { SIGMA[$round][2 * $i + 1] }];
                    [v[$a], v[$b], v[$c], v[$d]] = g::<B, V>([v[$a], v[$b], v[$c], v[$d]], x, y);
                )+},
            );
        };
    }
    macro_rules! rounds {
        ($($round:literal)+) => {$(
            // The columns, then the diagonals.
            mix!($round: 0 4 8 12, 0; 1 5 9 13, 1; 2 6 10 14, 2; 3 7 11 15, 3;);
            mix!($round: 0 5 10 15, 4; 1 6 11 12, 5; 2 7 8 13, 6; 3 4 9 14, 7;);
        )+};
    }
    rounds!(0 1 2 3 4 5 6 7 8 9);
    if const { B::ROUNDS == 12 } {
        // The schedule begins anew.
        rounds!(0 1);
    }
    for i in 0..8 {
        h[i] = h[i].xor3(v[i], v[i + 8]);
    }
}
