//! The unavoidable bit conditions of the 32 disturbance vectors, for any number of lanes.
//!
//! A collision attack follows a disturbance vector only if certain bits of the expanded message are
//! equal, or differ. Marc Stevens and Daniel Shumow list these conditions in "Speeding up detection
//! of SHA-1 collision attacks using unavoidable attack conditions" (2017). Random blocks meet those
//! of 0.0495 vectors on average; only they need the expensive comparison.
//!
//! The conditions of a family of vectors, such as I(K, 0), are those of its first vector with all
//! steps moved. So one word holds bit `x` of *every* W(t), a stream, and a condition takes a few
//! operations for all K. This is the only reason for the layout below.

use core::hint::black_box;

use hash_lanes::engine::{BLOCK_WORDS, Words};

use crate::rounds::Watch;

/// A word holds a bit of step `t` at `STRIDE * t`, modulo 32. With this stride, fewer operations
/// collect the streams than with any other: more words of the message can be merged first.
const STRIDE: usize = 11;

/// The steps whose words have conditions.
const FIRST: usize = 35;
const LAST: usize = 64;
const STEPS: usize = LAST - FIRST + 1;

/// A stream: which bit of which words.
struct Stream {
    bit: usize,
    /// Ranges of steps, inclusive.
    steps: &'static [(usize, usize)],
}

const fn stream(bit: usize, steps: &'static [(usize, usize)]) -> Stream {
    Stream { bit, steps }
}

/// The streams, in the order of the fields of [`Conditions::streams`].
const STREAMS: [Stream; 11] = [
    stream(0, &[(36, 38), (58, 63)]),
    stream(1, &[(35, 56), (61, 63)]),
    stream(2, &[(61, 63)]),
    stream(3, &[(35, 44)]),
    stream(4, &[(35, 60)]),
    stream(5, &[(35, 35), (37, 39), (59, 64)]),
    stream(6, &[(36, 55), (62, 64)]),
    stream(7, &[(62, 64)]),
    stream(28, &[(39, 48)]),
    stream(29, &[(39, 64)]),
    stream(30, &[(35, 39), (41, 43), (63, 64)]),
];

/// The last step of each group of words that are merged before the streams take their bits. No two
/// bits of a group meet in one place.
const GROUP_ENDS: [usize; 11] = [37, 40, 42, 44, 46, 48, 50, 56, 61, 63, 64];

/// The place of the bit of step `t`.
const fn place(t: usize) -> usize {
    STRIDE * t % 32
}

/// The places of a range of steps, inclusive.
const fn steps(first: usize, last: usize) -> u32 {
    let (mut places, mut t) = (0, first);
    while t <= last {
        places |= 1 << place(t);
        t += 1;
    }
    places
}

/// The places of the bits of a stream in word `t` after it was rotated left by `place(t)`; zero if
/// the stream has none.
const fn of_word(stream: &Stream, t: usize) -> u32 {
    let mut i = 0;
    while i < stream.steps.len() {
        let (first, last) = stream.steps[i];
        if first <= t && t <= last {
            return 1_u32.rotate_left((stream.bit + place(t)) as u32);
        }
        i += 1;
    }
    0
}

/// The places that word `FIRST + i` has bits for.
const WORD_PLACES: [u32; STEPS] = {
    let mut places = [0; STEPS];
    let mut i = 0;
    while i < STEPS {
        let mut s = 0;
        while s < STREAMS.len() {
            let place = of_word(&STREAMS[s], FIRST + i);
            assert!(places[i] & place == 0, "two bits of a word meet");
            places[i] |= place;
            s += 1;
        }
        i += 1;
    }
    places
};

/// The places that each stream takes from the group that ends with step `FIRST + i`.
const GROUP_PLACES: [[u32; STREAMS.len()]; STEPS] = {
    let mut places = [[0; STREAMS.len()]; STEPS];
    let (mut group, mut t) = (0, FIRST);
    while group < GROUP_ENDS.len() {
        let end = GROUP_ENDS[group] - FIRST;
        let mut all = 0;
        while t <= GROUP_ENDS[group] {
            assert!(all & WORD_PLACES[t - FIRST] == 0, "two words of a group meet");
            all |= WORD_PLACES[t - FIRST];
            let mut s = 0;
            while s < STREAMS.len() {
                places[end][s] |= of_word(&STREAMS[s], t);
                s += 1;
            }
            t += 1;
        }
        group += 1;
    }
    assert!(t > LAST, "a word is in no group");
    places
};

/// Whether step `t` is the first of its group.
const fn begins_group(t: usize) -> bool {
    t == FIRST || is_group_end(t - 1)
}

const fn is_group_end(t: usize) -> bool {
    let mut group = 0;
    while group < GROUP_ENDS.len() {
        if GROUP_ENDS[group] == t {
            return true;
        }
        group += 1;
    }
    false
}

/// Collects the streams while the message schedule is made.
pub(super) struct Conditions<V> {
    streams: [V; STREAMS.len()],
    /// The bits of the words of a group.
    merged: V,
    /// The conditions that are not met, by vector.
    unmet: V,
}

impl<V: Words<Word = u32>> Watch<V> for Conditions<V> {
    /// Collects the streams, then evaluates the conditions, a part after each five rounds. They
    /// fill the cycles that the dependency chain of the rounds leaves idle.
    #[inline(always)]
    fn after_rounds(&mut self, t: usize, w: &[V; BLOCK_WORDS]) {
        // The compiler would move these operations before all rounds, out of reach of the
        // out-of-order window. It keeps the order of basic blocks, and cannot know that there is
        // only one way through them. With this, 16 lanes took 20 % less time on Zen 5.
        if !(20..=75).contains(&t) || !black_box(true) {
            return;
        }
        macro_rules! words {
            ($($back:literal)+) => {$(
                // W(t + 11) to W(t + 15), made in the last five rounds.
                self.word(t + 16 - $back, w[(t + 16 - $back) % 16]);
            )+};
        }
        if t <= 50 {
            words!(5 4 3 2 1);
        }
        match t {
            55 => self.evaluate_0(),
            65 => self.evaluate_2(),
            _ => {}
        }
    }
}

/// The word rotated left by any number of bits.
#[inline(always)]
fn left<V: Words<Word = u32>>(word: V, bits: usize) -> V {
    if bits.is_multiple_of(32) { word } else { word.rotate_left((bits % 32) as u32) }
}

/// In the place of each step, the bit of the step `later` steps later. An earlier one: negative.
#[inline(always)]
fn at<V: Words<Word = u32>>(word: V, later: isize) -> V {
    left(word, place((-later).rem_euclid(32) as usize))
}

/// The bits in the places of a range of steps, inclusive.
#[inline(always)]
fn within<V: Words<Word = u32>>(word: V, first: usize, last: usize) -> V {
    word & V::splat(word.token(), steps(first, last))
}

impl<V: Words<Word = u32>> Conditions<V> {
    /// Before the first word.
    #[inline(always)]
    pub(super) fn new(token: V::Token) -> Self {
        let zero = V::splat(token, 0);
        Self { streams: [zero; STREAMS.len()], merged: zero, unmet: zero }
    }

    /// Sees W(t).
    #[inline(always)]
    fn word(&mut self, t: usize, w: V) {
        if !(FIRST..=LAST).contains(&t) {
            return;
        }
        let token = w.token();
        let bits = left(w, place(t)) & V::splat(token, WORD_PLACES[t - FIRST]);
        self.merged = if begins_group(t) { bits } else { self.merged | bits };
        if !is_group_end(t) {
            return;
        }
        macro_rules! take {
            ($($s:literal)+) => {$(
                let places = GROUP_PLACES[t - FIRST][$s];
                if places > 0 {
                    self.streams[$s] = self.streams[$s] | (self.merged & V::splat(token, places));
                }
            )+};
        }
        take!(0 1 2 3 4 5 6 7 8 9 10);
    }

    /// The disturbance vectors whose conditions are all met, vector `i` of
    /// [`VECTORS`](super::vectors::VECTORS) as bit `place(i)`.
    #[inline(always)]
    pub(super) fn met(self) -> V {
        !self.unmet
    }

    /// Bit `x` of the word of each step, stream by stream.
    #[inline(always)]
    fn words(&self) -> [V; STREAMS.len()] {
        let mut w = self.streams;
        macro_rules! normalize {
            ($($s:literal)+) => {$(
                w[$s] = left(w[$s], 32 - STREAMS[$s].bit);
            )+};
        }
        normalize!(0 1 2 3 4 5 6 7 8 9 10);
        w
    }

    /// The vectors with b = 0.
    ///
    /// A one in a word here is a condition that is *not* met. In the end, the places are those of
    /// K.
    #[inline(always)]
    fn evaluate_0(&mut self) {
        let [w0, w1, _, w3, w4, w5, w6, _, w28, w29, w30] = self.words();

        // A disturbance of bit 31 in step t - 1 is corrected in bit 4 of step t and in bit 29 of
        // steps t + 2 to t + 4. The corrections have equal signs; those of t + 2 and t + 3 count in
        // rounds 40 to 59, where Maj lets no other sign pass.
        let second = within(w4 ^ at(w29, 2), 38, 57);
        let third = within(w4 ^ at(w29, 3), 37, 56);
        let fourth = within(w4 ^ at(w29, 4), 35, 60);
        // Disturbances two steps apart have opposite signs, and so have some in a row.
        let opposite = within(!(w4 ^ at(w4, 2)), 36, 55);
        let neighbours = within(!(w4 ^ at(w4, 1)), 36, 38);
        let pair = opposite | third;
        let begun = pair | second;
        let ended = third | fourth;
        let whole = second | ended;
        // The same of bit 30, and of bit 25 before it.
        let fourth_of_3 = within(w3 ^ at(w28, 4), 35, 44);
        let first_of_30 = within(!(w30 ^ at(w3, 1)), 35, 39);
        // A disturbance of bit 0 or 1, and its correction 5 bits higher, in the last steps.
        let first_of_0 = within(!(w0 ^ at(w5, 1)), 58, 63);
        let first_of_1 = within(!(w1 ^ at(w6, 1)), 61, 63);
        let fourth_of_5 = within(w5 ^ at(w30, 4), 59, 60);
        let last_steps = at(first_of_0, 15) | at(first_of_1, 18);

        let type_1 = at(pair | at(pair, 2) | at(pair, 4) | second, -6)
            | ended
            | at(whole, -10)
            | at(fourth, -13)
            | at(neighbours, -14)
            | at(within(fourth_of_3, 35, 35), -16)
            | at(fourth_of_5, 16)
            | last_steps;
        let type_2 = at(begun, 2)
            | at(ended, 4)
            | at(whole, -4)
            | at(whole, -9)
            | at(fourth, -12)
            | at(pair, -16)
            | at(begun, -18)
            | at(fourth_of_3, -12)
            | at(first_of_30, -13)
            | last_steps;
        // The vectors of a family are in a row.
        self.unmet =
            self.unmet | within(at(type_1, 43), 0, 9) | within(at(type_2, 45 - 10), 10, 21);
    }

    /// The vectors with b = 2, as [`Self::evaluate_0`].
    #[inline(always)]
    fn evaluate_2(&mut self) {
        let [w0, w1, w2, _, _, w5, w6, w7, _, _, w30] = self.words();

        // A disturbance of bit 1 in step t is corrected in bit 6 of step t + 1 and in bit 1 of step
        // t + 2, the one of bit 0 in bit 5 of step t + 1 and in bit 30 of step t + 5.
        let first = within(!(w1 ^ at(w6, 1)), 35, 52);
        let next = within(w6 ^ at(w1, 1), 39, 55);
        let both = first | at(next, 1);
        let equal = within(w6 ^ at(w6, 2), 40, 53);
        let same = within(w1 ^ w6, 37, 37);
        let first_of_0 = within(!(w0 ^ at(w5, 1)), 36, 38);
        let first_of_2 = within(!(w2 ^ at(w7, 1)), 61, 63);
        let fourth_of_5 = within(w5 ^ at(w30, 4), 35, 39);

        let type_1 = at(first, -7)
            | at(equal | at(equal, 2) | at(equal, 4), -6)
            | next
            | at(both, -11)
            | at(first | same, -14)
            | at(fourth_of_5, -16)
            | at(first_of_2, 15);
        let type_2 = at(first, 1)
            | at(equal, 2)
            | at(next, 4)
            | at(both, -5)
            | at(both, -10)
            | at(first_of_0, -13)
            | at(fourth_of_5, -12)
            | at(first_of_2, 15);
        // K = 47 and 48 are missing between the last four.
        self.unmet = self.unmet
            | within(at(type_1, 46 - 22), 22, 27)
            | within(at(type_2, 46 - 28), 28, 28)
            | within(at(type_2, 49 - 29), 29, 31);
    }
}
