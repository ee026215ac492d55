//! Many messages over few lanes.

mod equal;
mod ragged;

use alloc::boxed::Box;

use crate::backend::Backend;
use crate::hash::LaneHash;
use crate::lanes::{BLOCK_WORDS, ByteOrder, Lanes, MAX_LANES};
use crate::passes::MAX_STREAMS;

/// A message, or a part of one, to be hashed.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to go on from: the hash's IV, or where an earlier part ended.
    pub state: [u32; WORDS],
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes and `n` bytes came before them; it is padded.
    /// `None`: it goes on; the bytes that do not fill a block are left out.
    pub ends_after: Option<u64>,
}

/// How often a message is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The usual.
    Once,
    /// The digest is hashed again, as Bitcoin does.
    Twice,
}

/// Hashes messages of any lengths, keeping the lanes full.
///
/// `finished(i, state)` is called once for the `i`-th message, in no particular order.
pub fn hash_messages<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    times: Times,
    messages: &mut dyn Iterator<Item = Message<'m, WORDS>>,
    finished: &mut dyn FnMut(usize, [u32; WORDS]),
) {
    let crossovers = H::crossovers(backend);
    let mut waiting = Waiting::new(messages);
    let capacity = backend.widest().lanes().max(MAX_STREAMS);
    loop {
        let count = waiting.fill(capacity);
        if count == 0 {
            return;
        }
        let pass = crossovers.next_pass(backend, count);
        let group = waiting.first(pass.capacity());
        if equal::have_equal_shape(group) {
            equal::hash::<H, WORDS>(pass, times, group, &mut |nth, state| {
                finished(waiting.index + nth, state);
            });
            waiting.drop_first(group.len());
        } else {
            // Boxed, because it is large and most calls never need it.
            let mut lanes = Box::new(ragged::Working::<H, WORDS>::new(backend, crossovers, times));
            lanes.hash_all(&mut waiting, capacity, finished);
        }
    }
}

/// The states of the messages in the lanes: one row per word, one column per lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct States<const WORDS: usize>([[u32; MAX_LANES]; WORDS]);

impl<const WORDS: usize> States<WORDS> {
    #[inline]
    fn set(&mut self, lane: usize, state: &[u32; WORDS]) {
        for (row, &word) in self.0.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    #[inline]
    fn get(&self, lane: usize) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for (word, row) in state.iter_mut().zip(&self.0) {
            *word = row[lane];
        }
        state
    }

    #[inline(always)]
    fn load<V: Lanes>(&self, token: V::Token) -> [V; WORDS] {
        let mut state = [V::splat(token, 0); WORDS];
        for i in 0..WORDS {
            state[i] = V::from_words(token, &self.0[i]);
        }
        state
    }

    #[inline(always)]
    fn store<V: Lanes>(&mut self, state: [V; WORDS]) {
        for i in 0..WORDS {
            state[i].to_words(&mut self.0[i]);
        }
    }
}

/// The state of hashing `digest`, which is a state, as a message.
#[inline(always)]
fn hash_digest<H: LaneHash<WORDS>, const WORDS: usize, V: Lanes>(
    token: V::Token,
    digest: [V; WORDS],
) -> [V; WORDS] {
    let mut block = [V::splat(token, 0); BLOCK_WORDS];
    block[..WORDS].copy_from_slice(&digest);
    let (one_bit, length_word) = match H::ORDER {
        ByteOrder::Big => (0x8000_0000, 15),
        ByteOrder::Little => (0x80, 14),
    };
    block[WORDS] = V::splat(token, one_bit);
    block[length_word] = V::splat(token, WORDS as u32 * u32::BITS);
    let mut state = digest;
    for i in 0..WORDS {
        state[i] = V::splat(token, H::IV[i]);
    }
    H::compress(token, &mut state, block);
    state
}

/// The messages that come next.
struct Waiting<'m, 'i, const WORDS: usize> {
    messages: &'i mut dyn Iterator<Item = Message<'m, WORDS>>,
    exhausted: bool,
    /// Those of `begin..end` wait.
    next: [Message<'m, WORDS>; MAX_LANES],
    begin: usize,
    end: usize,
    /// Which message the first of them is.
    index: usize,
}

impl<'m, 'i, const WORDS: usize> Waiting<'m, 'i, WORDS> {
    fn new(messages: &'i mut dyn Iterator<Item = Message<'m, WORDS>>) -> Self {
        let none = Message { state: [0; WORDS], bytes: &[], ends_after: None };
        Self { messages, exhausted: false, next: [none; MAX_LANES], begin: 0, end: 0, index: 0 }
    }

    /// Takes in messages until `most` wait, if there are so many; says how many wait.
    #[inline]
    fn fill(&mut self, most: usize) -> usize {
        if self.end - self.begin < most && !self.exhausted {
            self.next.copy_within(self.begin..self.end, 0);
            self.end -= self.begin;
            self.begin = 0;
            while self.end < most {
                match self.messages.next() {
                    Some(message) => self.next[self.end] = message,
                    None => {
                        self.exhausted = true;
                        break;
                    }
                }
                self.end += 1;
            }
        }
        self.end - self.begin
    }

    /// The first `most` of those that wait, or all.
    #[inline]
    fn first(&self, most: usize) -> &[Message<'m, WORDS>] {
        &self.next[self.begin..self.end.min(self.begin + most)]
    }

    /// Lets go of the first `count`.
    #[inline]
    fn drop_first(&mut self, count: usize) {
        self.begin += count;
        self.index += count;
    }

    /// Takes out the first, with its number.
    fn pop(&mut self) -> Option<(usize, Message<'m, WORDS>)> {
        self.fill(1);
        let message = *self.first(1).first()?;
        let index = self.index;
        self.drop_first(1);
        Some((index, message))
    }
}
