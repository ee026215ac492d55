//! Many messages over few lanes.

mod equal;
mod ragged;
mod states;

use alloc::boxed::Box;

use crate::backend::Backend;
use crate::hash::LaneHash;
use crate::lanes::MAX_LANES;
use crate::message::{Message, Messages, Times};
use crate::passes::Pass;

/// Hashes messages of any lengths, keeping the lanes full: what [`LaneHash::hash_messages`] is.
///
/// `finished(i, state)` is called once for the `i`-th message, in no particular order.
pub fn hash_messages<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    times: Times,
    messages: &mut dyn Messages<'m, WORDS>,
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    const { assert!(WORDS <= equal::ROW_WORDS, "a state of more than eight words") };
    assert!(H::HASHES_TWICE || times == Times::Once, "this hash is not offered twice");
    let crossovers = H::crossovers(backend, times);
    let mut waiting = Waiting::new(messages);
    loop {
        let pass = crossovers.next_pass(backend, waiting.left());
        waiting.fill(pass.capacity());
        let group = waiting.first(pass.capacity());
        if group.is_empty() {
            return;
        }
        if equal::have_equal_shape(group) {
            match pass {
                Pass::Lanes(kernel) => equal::in_lanes::<H, WORDS>(kernel, times, &mut waiting, finished),
                Pass::Hardware(sha, _) => equal::by_hardware::<H, WORDS>(sha, times, &mut waiting, finished),
            }
        } else {
            // Boxed, because it is large and most calls never need it.
            let mut lanes = Box::new(ragged::Working::<H, WORDS>::new(backend, crossovers, times));
            lanes.hash_all(&mut waiting, finished);
        }
    }
}

/// The messages that come next.
struct Waiting<'m, 'i, const WORDS: usize> {
    messages: &'i mut dyn Messages<'m, WORDS>,
    /// Those of `begin..end` wait.
    next: [Message<'m, WORDS>; MAX_LANES],
    begin: usize,
    end: usize,
    /// Which message the first of them is.
    index: usize,
}

impl<'m, 'i, const WORDS: usize> Waiting<'m, 'i, WORDS> {
    fn new(messages: &'i mut dyn Messages<'m, WORDS>) -> Self {
        let none = Message { state: &[0; WORDS], bytes: &[], ends_after: None };
        Self { messages, next: [none; MAX_LANES], begin: 0, end: 0, index: 0 }
    }

    /// How many are left, those included that do not wait yet.
    #[inline]
    fn left(&self) -> usize {
        self.end - self.begin + self.messages.left()
    }

    /// Takes in messages until `most` wait, if there are so many.
    #[inline]
    fn fill(&mut self, most: usize) {
        if self.end - self.begin < most {
            if self.begin > 0 {
                self.next.copy_within(self.begin..self.end, 0);
                self.end -= self.begin;
                self.begin = 0;
            }
            self.end += self.messages.take(&mut self.next[self.end..]);
        }
    }

    /// The first `most` of those that wait, or all.
    #[inline]
    fn first(&self, most: usize) -> &[Message<'m, WORDS>] {
        &self.next[self.begin..self.end.min(self.begin + most)]
    }

    /// Drops a group of `count`. Whether the next messages are a group of `size` with equal shape.
    #[inline]
    fn next_group(&mut self, count: usize, size: usize) -> bool {
        self.drop_first(count);
        self.fill(size);
        let group = self.first(size);
        group.len() == size && equal::have_equal_shape(group)
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
