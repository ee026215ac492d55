//! Many messages over few lanes.
//!
//! See docs/scheduling.md for how messages reach the kernels.

mod digests;
mod equal;
mod ragged;
mod single;
mod states;

use alloc::boxed::Box;
use core::iter;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::message::{GROUP, Hashing, Message, MessageGroup, Messages};

pub use digests::hash_32_bytes;
pub use single::hash_one;

/// The most messages that are interleaved for the SHA instructions.
pub(crate) const MAX_STREAMS: usize = 4;

/// From how many messages of equal shape on it is worth hashing them apart from others.
const MIN_EQUAL: usize = 16;

/// Hashes messages of any lengths, keeping the lanes full: what [`LaneHash::hash_messages`] is.
///
/// `finished(i, rows)` is called with the final states of the messages from the `i`-th on, once for
/// every message, in no particular order.
pub fn hash_messages<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    messages: &mut dyn Messages<'m, WORDS>,
    finished: &mut dyn FnMut(usize, &[Row]),
) {
    const {
        assert!(WORDS <= 8, "a state of more than eight words");
        assert!(WORDS == 8 || !H::OFFERS_DOUBLE, "a digest to be hashed again has 32 bytes");
    }
    check_hashing::<H, WORDS>(hashing);
    let mut waiting = Waiting { messages, group: MessageGroup::default(), begin: 0, index: 0 };
    let mut equal = equal::Lanes::default();
    loop {
        waiting.fill();
        let group = waiting.group();
        match group {
            [] => return,
            [message] => {
                return finished(
                    waiting.index,
                    &[hash_one::<H, WORDS>(backend, hashing, *message)],
                );
            }
            _ => {}
        }
        let count = equal::count_equal(group);
        if count < MIN_EQUAL && count < group.len() {
            // Boxed, because it is large and most calls never need it.
            let mut lanes = Box::new(ragged::Working::<H, WORDS>::new(backend, hashing));
            return lanes.hash_all(&mut waiting, finished);
        }
        let mut rows: ArrayVec<Row, GROUP> = iter::repeat_n([0; 32], count).collect();
        equal.hash::<H>(backend, hashing, &group[..count], &mut rows);
        finished(waiting.index, &rows);
        waiting.drop_first(count);
    }
}

/// Panics if the hash does not offer it.
#[track_caller]
fn check_hashing<H: LaneHash<WORDS>, const WORDS: usize>(hashing: Hashing) {
    assert!(H::OFFERS_DOUBLE || hashing == Hashing::Single, "this hash is not offered twice");
}

/// The messages that come next.
struct Waiting<'m, 'i, const WORDS: usize> {
    messages: &'i mut dyn Messages<'m, WORDS>,
    /// Those from `begin` on wait.
    group: MessageGroup<'m, WORDS>,
    begin: usize,
    /// Which message the first of them is.
    index: usize,
}

impl<'m, const WORDS: usize> Waiting<'m, '_, WORDS> {
    /// Takes in messages until a group waits, if there are as many.
    fn fill(&mut self) {
        self.group.0.drain(..self.begin);
        self.begin = 0;
        self.messages.fill(&mut self.group);
    }

    /// Those that wait.
    fn group(&self) -> &[Message<'m, WORDS>] {
        &self.group.0[self.begin..]
    }

    /// Drops the first `count`.
    fn drop_first(&mut self, count: usize) {
        self.begin += count;
        self.index += count;
    }

    /// Takes out the first, with its number.
    fn pop(&mut self) -> Option<(usize, Message<'m, WORDS>)> {
        if self.group().is_empty() {
            self.fill();
        }
        let message = *self.group().first()?;
        let index = self.index;
        self.drop_first(1);
        Some((index, message))
    }
}
