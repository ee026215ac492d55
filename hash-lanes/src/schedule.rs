//! Schedules many messages onto the lanes and keeps the lanes full.
//!
//! See docs/scheduling.md for how messages reach the kernels.

mod digests;
mod equal;
mod ragged;
mod single;
mod states;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::message::{GROUP, Hashing, Message, MessageGroup, Messages};
use crate::scratch::Scratch;

pub use equal::hash_equal;
pub use single::hash_one;

/// The minimum number of messages of equal shape that are hashed separately from the others.
pub(crate) const MIN_EQUAL: usize = 16;

/// Hashes messages of any length and keeps the lanes full; implements [`LaneHash::hash_messages`].
///
/// `finished(i, rows)` receives the final states of the messages starting at index `i`. Every
/// message is reported once, in no particular order.
pub fn hash_messages<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    messages: &mut dyn Messages<'m, WORDS>,
    finished: &mut dyn FnMut(usize, &[Row]),
) {
    const {
        assert!(WORDS <= 8, "a state has at most eight words");
        assert!(WORDS == 8 || !H::OFFERS_DOUBLE, "double hashing needs a 32-byte digest");
    }
    check_hashing::<H, WORDS>(hashing);
    let mut waiting = Waiting { messages, group: MessageGroup::default(), begin: 0, index: 0 };
    let mut scratch = Scratch::new();
    let mut rows = [[0; 32]; GROUP];
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
            let mut lanes = ragged::Working::<H, WORDS>::boxed(backend, hashing);
            return lanes.hash_all(&mut waiting, finished);
        }
        let rows = &mut rows[..count];
        equal::hash_group::<H, WORDS>(backend, hashing, |i| group[i], rows, &mut scratch);
        finished(waiting.index, rows);
        waiting.drop_first(count);
    }
}

/// Panics if the hash does not support `hashing`.
#[track_caller]
pub(crate) fn check_hashing<H: LaneHash<WORDS>, const WORDS: usize>(hashing: Hashing) {
    assert!(
        H::OFFERS_DOUBLE || hashing == Hashing::Single,
        "this hash does not support double hashing"
    );
}

/// The messages that are still to be hashed.
struct Waiting<'m, 'i, const WORDS: usize> {
    messages: &'i mut dyn Messages<'m, WORDS>,
    /// Messages from index `begin` on are waiting.
    group: MessageGroup<'m, WORDS>,
    begin: usize,
    /// The number of the first waiting message.
    index: usize,
}

impl<'m, const WORDS: usize> Waiting<'m, '_, WORDS> {
    /// Takes messages from the source until the group is full or no messages are left.
    fn fill(&mut self) {
        self.group.0.drain(..self.begin);
        self.begin = 0;
        self.messages.fill(&mut self.group);
    }

    /// The waiting messages of the group.
    fn group(&self) -> &[Message<'m, WORDS>] {
        &self.group.0[self.begin..]
    }

    /// Drops the first `count` messages.
    fn drop_first(&mut self, count: usize) {
        self.begin += count;
        self.index += count;
    }

    /// Removes the first message and returns it with its number.
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
