//! Candidates in lanes. Everything here is `#[inline(always)]`; see `LaneJob`.

use hash_lanes::{LaneJob, Lanes, MAX_LANES, Two, Words};
use sha256_multi::hazmat::{compress_folding, hash_digest, initial_state};

use super::Masks;
use crate::layout::{LIMBS, Layout, MESSAGE_WORDS};
use crate::pending::Pending;
use crate::table::{Sums, TABLE_LIMBS};
use crate::tail::Tail;

/// The first word of the double hash of a message.
#[inline(always)]
fn double_hash<W: Words>(token: W::Token, layout: Layout, message: [W; MESSAGE_WORDS]) -> W {
    let [w0, w1, w2, w3, w4, w5] = message;
    let zero = W::splat(token, 0);
    let length = W::splat(token, layout.length());
    let block = [w0, w1, w2, w3, w4, w5, zero, zero, zero, zero, zero, zero, zero, zero, zero, length];
    let mut state = initial_state(token);
    compress_folding(token, &mut state, block);
    hash_digest(token, state)[0]
}

/// The words of a list that begin at `at`.
#[inline(always)]
fn words_at<V: Lanes>(token: V::Token, list: &[u32], at: usize) -> V {
    let words: &[u32; MAX_LANES] = list[at..].first_chunk().expect("lists are padded");
    V::from_words(token, words)
}

/// See [`Engine::hash_table`](super::Engine::hash_table).
pub(super) struct HashTable<'a> {
    pub(super) layout: Layout,
    pub(super) base: [u32; LIMBS],
    pub(super) sums: &'a Sums,
    pub(super) tail: &'a Tail,
    pub(super) masks: &'a mut Masks,
}

impl LaneJob for HashTable<'_> {
    type Output = ();

    /// Two groups of 16 lanes go side by side, which takes a hash from 31.4 to 29.1 ns on Zen 4. Two groups of 8 do not: 35.6 and 43.9 ns.
    ///
    /// There is little left to gain. For two groups there are 6,095 operations on vectors, 41 % of them shifts and rotations. Zen 4 could
    /// do two of 512 bits in a cycle, but does no mixture of independent rotations, sums and logic in less than 0.54 cycles
    /// each (measured; 0.51 for sums alone, 0.57 for logic of three operands), which is 28.0 ns for a hash at 3.69 GHz.
    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let count = self.sums.len();
        let mut at = 0;
        let mut group = 0;
        if V::COUNT == MAX_LANES {
            while at < count {
                let mut sums = [Two(V::splat(token, 0), V::splat(token, 0)); TABLE_LIMBS];
                for i in 0..TABLE_LIMBS {
                    let list = &self.sums.limbs[i];
                    sums[i] = Two(words_at(token, list, at), words_at(token, list, at + V::COUNT));
                }
                let (rest, beyond) = self.test(token, sums);
                self.masks.hits[group] = rest.0.zeros() | rest.1.zeros() << V::COUNT;
                self.masks.carries[group] = !(beyond.0.zeros() | beyond.1.zeros() << V::COUNT);
                at += 2 * V::COUNT;
                group += 1;
            }
        } else {
            while at < count {
                let mut sums = [V::splat(token, 0); TABLE_LIMBS];
                for i in 0..TABLE_LIMBS {
                    sums[i] = words_at(token, &self.sums.limbs[i], at);
                }
                let (rest, beyond) = self.test(token, sums);
                self.masks.hits[group] = rest.zeros();
                self.masks.carries[group] = beyond.zeros() ^ (u32::MAX >> (u32::BITS - V::COUNT as u32));
                at += V::COUNT;
                group += 1;
            }
        }
    }
}

impl HashTable<'_> {
    /// What is left of the tail, 0 if it can be spelled; and how far the checksum is beyond what no tail carries from.
    #[inline(always)]
    fn test<W: Words>(&self, token: W::Token, sums: [W; TABLE_LIMBS]) -> (W, W) {
        let (message, checksum) = self.candidates(token, sums);
        let hash = double_hash(token, self.layout, message);
        let tail = self.tail;
        let mut rest = hash - checksum + W::splat(token, tail.offset);
        for &step in &tail.steps {
            rest = rest.min(rest - W::splat(token, step));
        }
        let most = W::splat(token, !tail.span);
        (rest, checksum - checksum.min(most))
    }

    /// The message's words and the checksums of the base plus each sum.
    #[inline(always)]
    fn candidates<W: Words>(&self, token: W::Token, sums: [W; TABLE_LIMBS]) -> ([W; MESSAGE_WORDS], W) {
        let base = |i: usize| W::splat(token, self.base[i]);
        let mut limbs = [W::splat(token, 0); LIMBS];
        let mut carry = W::splat(token, 0);
        for i in (0..TABLE_LIMBS).rev() {
            let at = i + LIMBS - TABLE_LIMBS;
            let (a, b) = (base(at), sums[i]);
            limbs[at] = a + b + carry;
            // Of a sum with carry: a bit that both have carries, and one that either has if the sum has lost it.
            carry = ((a & b) | ((a | b) & !limbs[at])).shift_right(31);
        }
        limbs[0] = base(0);
        limbs[1] = base(1);
        let [w0, w1, w2, w3, w4, limb5, limb6] = limbs;
        let (left, right) = self.layout.checksum_shifts();
        let w5 = (limb5 & W::splat(token, self.layout.message_bits()))
            | W::splat(token, self.layout.padding_bit());
        ([w0, w1, w2, w3, w4, w5], limb5.shift_left(left) | limb6.shift_right(right))
    }
}

/// See [`Engine::hash_pending`](super::Engine::hash_pending).
pub(super) struct HashPending<'a>(pub(super) &'a mut Pending);

impl LaneJob for HashPending<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let pending = self.0;
        let mut at = 0;
        let mut group = 0;
        if V::COUNT == MAX_LANES {
            while at < pending.entries.len() {
                let mut message = [Two(V::splat(token, 0), V::splat(token, 0)); MESSAGE_WORDS];
                for i in 0..MESSAGE_WORDS {
                    let list = &pending.words[i];
                    message[i] = Two(words_at(token, list, at), words_at(token, list, at + V::COUNT));
                }
                let hash = double_hash(token, pending.layout, message);
                let first = finish(token, pending, at, hash.0);
                let second = finish(token, pending, at + V::COUNT, hash.1);
                pending.in_range[group] = first | second << V::COUNT;
                at += 2 * V::COUNT;
                group += 1;
            }
        } else {
            while at < pending.entries.len() {
                let mut message = [V::splat(token, 0); MESSAGE_WORDS];
                for i in 0..MESSAGE_WORDS {
                    message[i] = words_at(token, &pending.words[i], at);
                }
                let hash = double_hash(token, pending.layout, message);
                pending.in_range[group] = finish(token, pending, at, hash);
                at += V::COUNT;
                group += 1;
            }
        }
    }
}

/// Stores the hashes of the entries from `at` on, and says which are in range.
#[inline(always)]
fn finish<V: Lanes>(token: V::Token, pending: &mut Pending, at: usize, hash: V) -> u32 {
    let above: V = hash - words_at(token, &pending.from, at);
    let within = above.min(words_at(token, &pending.width, at));
    let hashes: &mut [u32; MAX_LANES] = pending.hashes[at..].first_chunk_mut().expect("lists are padded");
    hash.to_words(hashes);
    (above - within).zeros()
}
