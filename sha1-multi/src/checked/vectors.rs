//! The 32 disturbance vectors that known attacks can use, and the message differences that belong
//! to them.
//!
//! Stéphane Manuel classified the vectors ("Classification and generation of disturbance vectors
//! for collision attacks against SHA-1", 2011). Marc Stevens and Daniel Shumow list the 32 of least
//! cost ("Speeding up detection of SHA-1 collision attacks using unavoidable attack conditions",
//! 2017).

use hash_lanes::engine::{BLOCK_WORDS, Block};

/// A disturbance vector: sixteen words from step K on, from which its recurrence makes all others.
/// Type I(K, b) or II(K, b) by Manuel's classification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisturbanceVector {
    /// Whether it is of type II.
    pub is_type_2: bool,
    /// The step K.
    pub k: usize,
    /// The bit b.
    pub b: u32,
}

/// The vectors, in the order of their conditions.
pub(super) const VECTORS: [DisturbanceVector; 32] = {
    let mut vectors = [DisturbanceVector { is_type_2: false, k: 0, b: 0 }; 32];
    let families: [(bool, u32, &[usize]); 4] = [
        (false, 0, &[43, 44, 45, 46, 47, 48, 49, 50, 51, 52]),
        (true, 0, &[45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56]),
        (false, 2, &[46, 47, 48, 49, 50, 51]),
        (true, 2, &[46, 49, 50, 51]),
    ];
    let (mut i, mut family) = (0, 0);
    while family < families.len() {
        let (is_type_2, b, ks) = families[family];
        let mut at = 0;
        while at < ks.len() {
            vectors[i] = DisturbanceVector { is_type_2, k: ks[at], b };
            (i, at) = (i + 1, at + 1);
        }
        family += 1;
    }
    vectors
};

/// The last of the two steps before which the working variables of both messages may be compared.
pub(super) const LATE_STEP: usize = 65;

/// The first of them.
pub(super) const EARLY_STEP: usize = 58;

impl DisturbanceVector {
    /// The step before which the working variables of both messages of an attack are equal:
    /// [`EARLY_STEP`] or [`LATE_STEP`]. The five steps before it have no disturbance.
    pub(super) const fn test_step(self) -> usize {
        if self.k < 50 { EARLY_STEP } else { LATE_STEP }
    }

    /// The words of the vector of steps -5 to 79. Type I(K, b) has zeros in steps K to K + 14 and
    /// 2^b in step K + 15. Type II(K, b) also has 2^(31 + b) in steps K + 1 and K + 3. The others
    /// follow from the recurrence of the message schedule, which holds in both directions.
    const fn words(self) -> [u32; 85] {
        let mut words = [0_u32; 85];
        let first = self.k + 5;
        words[first + 15] = 1 << self.b;
        if self.is_type_2 {
            let high = (1_u32 << 31).rotate_left(self.b);
            (words[first + 1], words[first + 3]) = (high, high);
        }
        let mut i = first + 16;
        while i < words.len() {
            words[i] = (words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1);
            i += 1;
        }
        let mut i = first;
        while i > 0 {
            i -= 1;
            words[i] = words[i + 16].rotate_right(1) ^ words[i + 13] ^ words[i + 8] ^ words[i + 2];
        }
        words
    }

    /// The difference of the two messages of an attack: each disturbance begins a local collision,
    /// which the next five words correct.
    const fn difference(self) -> Block {
        let words = self.words();
        let mut block = [[0; 4]; BLOCK_WORDS];
        let mut t = 0;
        while t < BLOCK_WORDS {
            let i = t + 5;
            let word = words[i]
                ^ words[i - 1].rotate_left(5)
                ^ words[i - 2]
                ^ words[i - 3].rotate_left(30)
                ^ words[i - 4].rotate_left(30)
                ^ words[i - 5].rotate_left(30);
            block[t] = word.to_be_bytes();
            t += 1;
        }
        match block.as_flattened().as_chunks() {
            (&[block], _) => block,
            _ => unreachable!(),
        }
    }
}

/// The difference of the two messages of an attack, for each of [`VECTORS`].
pub(super) static DIFFERENCES: [Block; 32] = {
    let mut differences = [[0; size_of::<Block>()]; 32];
    let mut i = 0;
    while i < 32 {
        differences[i] = VECTORS[i].difference();
        i += 1;
    }
    differences
};

/// The vector of a bit of the conditions.
pub(super) const fn of_bit(bit: u32) -> usize {
    // The inverse of `place`: 3 * 11 = 1, modulo 32.
    3 * bit as usize % 32
}
