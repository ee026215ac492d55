//! Candidates in lanes. Everything here is `#[inline(always)]`; see `LaneJob`.

use hash_lanes::{LaneJob, Lanes, MAX_LANES, Two, Words};
use sha256_multi::hazmat::{compress_folding, hash_digest, initial_state};

use super::Masks;
use crate::layout::{LIMBS, Layout, MESSAGE_WORDS};
use crate::pending::Pending;
use crate::table::{TABLE_LIMBS, Table};

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
    pub(super) table: &'a Table,
    pub(super) masks: &'a mut Masks,
}

impl LaneJob for HashTable<'_> {
    type Output = ();

    /// Two groups of 16 lanes go side by side, which takes a hash from 31.4 to 28.9 ns on Zen 4. Two groups of 8 do not: 35.6 and 43.9 ns.
    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let count = self.table.sums.len();
        let mut at = 0;
        let mut group = 0;
        if V::COUNT == MAX_LANES {
            while at < count {
                let mut sums = [Two(V::splat(token, 0), V::splat(token, 0)); TABLE_LIMBS];
                for i in 0..TABLE_LIMBS {
                    let list = &self.table.limbs[i];
                    sums[i] = Two(words_at(token, list, at), words_at(token, list, at + V::COUNT));
                }
                let (rest, room) = self.test(token, sums);
                self.masks.hits[group] = rest.0.zeros();
                self.masks.hits[group + 1] = rest.1.zeros();
                self.masks.carries[group] = room.0.zeros();
                self.masks.carries[group + 1] = room.1.zeros();
                at += 2 * V::COUNT;
                group += 2;
            }
        } else {
            while at < count {
                let mut sums = [V::splat(token, 0); TABLE_LIMBS];
                for i in 0..TABLE_LIMBS {
                    sums[i] = words_at(token, &self.table.limbs[i], at);
                }
                let (rest, room) = self.test(token, sums);
                self.masks.hits[group] = rest.zeros();
                self.masks.carries[group] = room.zeros();
                at += V::COUNT;
                group += 1;
            }
        }
    }
}

impl HashTable<'_> {
    /// What is left of the tail, 0 if it can be spelled; and how much room the checksum leaves, 0 if the tail may carry.
    #[inline(always)]
    fn test<W: Words>(&self, token: W::Token, sums: [W; TABLE_LIMBS]) -> (W, W) {
        let (message, checksum) = self.candidates(token, sums);
        let hash = double_hash(token, self.layout, message);
        let tail = &self.table.tail;
        let mut rest = hash - checksum + W::splat(token, tail.offset);
        for &step in &tail.steps {
            rest = rest.min(rest - W::splat(token, step));
        }
        let most = W::splat(token, !tail.span);
        (rest, most - checksum.min(most))
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
                finish(token, pending, at, group, hash.0);
                finish(token, pending, at + V::COUNT, group + 1, hash.1);
                at += 2 * V::COUNT;
                group += 2;
            }
        } else {
            while at < pending.entries.len() {
                let mut message = [V::splat(token, 0); MESSAGE_WORDS];
                for i in 0..MESSAGE_WORDS {
                    message[i] = words_at(token, &pending.words[i], at);
                }
                let hash = double_hash(token, pending.layout, message);
                finish(token, pending, at, group, hash);
                at += V::COUNT;
                group += 1;
            }
        }
    }
}

/// Stores the hashes of the entries from `at` on, and tests whether they are in range.
#[inline(always)]
fn finish<V: Lanes>(token: V::Token, pending: &mut Pending, at: usize, group: usize, hash: V) {
    let above: V = hash - words_at(token, &pending.from, at);
    let within = above.min(words_at(token, &pending.width, at));
    let hashes: &mut [u32; MAX_LANES] = pending.hashes[at..].first_chunk_mut().expect("lists are padded");
    hash.to_words(hashes);
    pending.in_range[group] = (above - within).zeros();
}
