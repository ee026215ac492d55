//! The scheduler of every hash: which messages are hashed together.
//!
//! Messages of equal length, or with equally many blocks, begin and end together. Others are in
//! lanes of their own: they run for the blocks that all have, and when one ends, its lane takes the
//! next. See docs/scheduling.md.

use alloc::vec::Vec;
use core::{fmt, slice};

use crate::backend::Backend;
use crate::cpu::ShaInstructions;
use crate::erase::{Blank, erase};
use crate::hash::{GROUP, Group, Start, Starts};
use crate::kernel::Pass;
use crate::lanes::MAX_LANES;
use crate::plan::Plan;
use crate::word::Word;

/// The last blocks of a message, padded in memory. A blank one has none.
pub trait Tail: Blank {
    /// Removes the blocks.
    fn clear(&mut self);

    /// The number of blocks.
    fn count(&self) -> usize;
}

/// A family of hashes, as the scheduler sees it: how many blocks messages have, how the last ones
/// are padded, what hashes them, and where the states go.
pub trait Family: Sized {
    /// The state of a message between blocks.
    type State: Blank;

    /// The word of the lanes.
    type Word: Word;

    /// The CPU's instructions for these hashes.
    type Sha: ShaInstructions;

    /// The last blocks of a message.
    type Tail: Tail;

    /// The minimum number of messages of equal length that are hashed separately from others.
    const MIN_EQUAL: usize;

    /// The state before the first block.
    fn initial(&self) -> Self::State;

    /// The number of blocks of a message, or of a part of one, of `len` bytes: those that are
    /// hashed in place, and those of its tail. Only a message that `ends` has a tail; the last
    /// bytes of others are ignored.
    fn blocks(&self, len: usize, ends: bool) -> [usize; 2];

    /// Pads a message that ends `before` bytes after those before it.
    fn pad(&self, tail: &mut Self::Tail, before: u64, bytes: &[u8]);

    /// Hashes the first `count` messages of a group, which are equal, and reports them. If they are
    /// `alike`, they have equal lengths and begin and end like the first. If not, they only have as
    /// many whole blocks and as many last ones. Returns `false` if no kernel does that: they are
    /// then hashed like others.
    fn hash_equal(
        &mut self,
        backend: Backend,
        group: &Group<'_, Self::State>,
        count: usize,
        alike: bool,
    ) -> bool;

    /// The plan for messages that are not equal.
    fn plan(&self, backend: Backend, group: &Group<'_, Self::State>) -> &'static Plan;

    /// Hashes the next `count` blocks, at least one, of the message of each slot into its state.
    fn hash_blocks(
        &mut self,
        pass: Pass<Self::Sha>,
        group: &Group<'_, Self::State>,
        slots: &[Slot<Self>],
        states: &mut [Self::State],
        count: usize,
    );

    /// Takes the state of a message of the group that has ended.
    fn finished(
        &mut self,
        backend: Backend,
        group: &Group<'_, Self::State>,
        slot: &Slot<Self>,
        state: &Self::State,
    );

    /// After the last pass over a group, whose messages in these slots have not ended.
    fn end_group(
        &mut self,
        backend: Backend,
        group: &Group<'_, Self::State>,
        slots: &mut [Slot<Self>],
    ) {
        let _ = (backend, group, slots);
    }
}

/// A stream of messages of a family: the state between its groups.
pub struct Stream<F: Family> {
    pub(crate) backend: Backend,
    pub(crate) family: F,
    /// Those of messages that are not equal.
    pub(crate) lanes: Option<MixedLanes<F>>,
}

impl<F: Family> Stream<F> {
    /// Before the first group.
    // Made in place, as families may have room for many states.
    #[inline(always)]
    #[must_use]
    pub fn new(backend: Backend, family: F) -> Self {
        Self { backend, family, lanes: None }
    }

    /// Whether no message is in a lane.
    pub(crate) fn is_idle(&self) -> bool {
        self.lanes.as_ref().is_none_or(|lanes| lanes.count == 0)
    }

    /// Hashes the next group. Returns which of its messages to begin the next one with, message `i`
    /// as bit `i`.
    pub fn hash_group(&mut self, group: &Group<'_, F::State>) -> u64 {
        let count = group.bytes.len();
        if self.is_idle() {
            let hashed = self.hash_first_equal(group);
            if hashed == count {
                return 0;
            }
            if hashed > 0 && count == GROUP {
                // The next messages may be equal to the others.
                return u64::MAX << hashed;
            }
            if hashed > 0 {
                return self.hash_group(&group.after(hashed));
            }
        }
        let plan = self.family.plan(self.backend, group);
        let lanes = self.lanes.get_or_insert_with(MixedLanes::new);
        lanes.hash_in_turns(self.backend, plan, group, &mut self.family)
    }

    /// Hashes the first messages of a group if they are equal enough. Returns their number, or 0.
    // Inlined, its arrays would take up stack while other messages are hashed.
    #[inline(never)]
    fn hash_first_equal(&mut self, group: &Group<'_, F::State>) -> usize {
        let (count, alike) = group.count_equal(&self.family);
        if count > 0 && self.family.hash_equal(self.backend, group, count, alike) {
            count
        } else {
            0
        }
    }
}

impl<F: Family> fmt::Debug for Stream<F> {
    /// Omits the messages, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("backend", &self.backend).finish_non_exhaustive()
    }
}

impl<R: Blank> Group<'_, R> {
    /// The group without its first `count` messages.
    fn after(&self, count: usize) -> Self {
        let starts = match self.starts {
            Starts::One(start) => Starts::One(start),
            Starts::Each(starts) => Starts::Each(&starts[count..]),
        };
        Self { bytes: &self.bytes[count..], starts, first: self.first + count }
    }

    /// The number of leading messages to hash separately from the others, and whether they are
    /// alike: have the length and the start of the first. If not, they only have as many whole
    /// blocks and as many padding blocks.
    fn count_equal<F: Family<State = R>>(&self, family: &F) -> (usize, bool) {
        let all = self.bytes.len();
        let Some(first) = self.bytes.first() else { return (0, false) };
        let is_enough = |count| count >= F::MIN_EQUAL || count == all;
        let len = first.len();
        let mut count = all;
        // The common case without a branch for each message.
        if self.bytes.iter().fold(0, |differences, bytes| differences | bytes.len() ^ len) > 0 {
            count = self.bytes.iter().position(|bytes| bytes.len() != len).unwrap_or(all);
        }
        if matches!(self.starts, Starts::One(Start { ends: true, .. })) && is_enough(count) {
            return (count, true);
        }
        let shape = |i: usize| family.blocks(self.bytes[i].len(), self.starts.of(i).ends);
        let first = shape(0);
        count = (1..all).find(|&i| shape(i) != first).unwrap_or(all);
        (if is_enough(count) { count } else { 0 }, false)
    }
}

/// Messages that are not alike, in lanes, each as far as it is still to be hashed.
///
/// When a message ends, its lane takes the next one. When there is none, the message of the last
/// lane moves into its place. The active messages are therefore always in the first lanes, and a
/// narrower kernel can take over.
pub(crate) struct MixedLanes<F: Family> {
    /// The number of active messages, which are in the first lanes.
    count: usize,
    /// On the heap, because they are large and most calls never need them. They have room for all
    /// lanes and grow to as many as are used, so that they are never moved.
    slots: Vec<Slot<F>>,
    states: Vec<F::State>,
}

/// The message of a lane.
pub struct Slot<F: Family> {
    /// Its place in the group.
    pub place: usize,
    /// Its number in the stream.
    pub number: usize,
    /// The number of its bytes.
    len: usize,
    /// The number of bytes before it.
    pub before: u64,
    /// The number of its blocks that are hashed in place, and of those that are left.
    pub body: usize,
    /// See `body`.
    pub body_left: usize,
    /// The last blocks.
    pub tail: F::Tail,
    /// How many of them are left.
    pub tail_left: usize,
    /// Whether a suspicion about it was right, in an earlier group.
    pub(crate) is_confirmed: bool,
}

impl<F: Family> Slot<F> {
    fn idle() -> Self {
        let (place, number, len, before, body, body_left, tail_left) = (0, 0, 0, 0, 0, 0, 0);
        let (tail, is_confirmed) = (F::Tail::BLANK, false);
        Self { place, number, len, before, body, body_left, tail, tail_left, is_confirmed }
    }

    /// The number of blocks that can be hashed in one pass.
    #[inline]
    fn run(&self) -> usize {
        if self.body_left > 0 { self.body_left } else { self.tail_left }
    }

    #[inline]
    fn advance(&mut self, blocks: usize) {
        let left = if self.body_left > 0 { &mut self.body_left } else { &mut self.tail_left };
        *left -= blocks;
    }

    #[inline]
    fn has_ended(&self) -> bool {
        self.body_left == 0 && self.tail_left == 0
    }
}

impl<F: Family> fmt::Debug for Slot<F> {
    /// Omits the tail, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("number", &self.number).finish_non_exhaustive()
    }
}

impl<F: Family> Drop for MixedLanes<F> {
    fn drop(&mut self) {
        erase(&mut self.states);
        self.slots.iter_mut().for_each(|slot| erase(slice::from_mut(&mut slot.tail)));
    }
}

impl<F: Family> MixedLanes<F> {
    /// Without messages.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let (slots, states) = (Vec::with_capacity(MAX_LANES), Vec::with_capacity(MAX_LANES));
        Self { count: 0, slots, states }
    }

    /// Hashes the messages of a group, the first of which are in lanes. Once no message of a full
    /// group waits, it returns those left in lanes as bits, because others may follow that take
    /// part in their passes.
    pub(crate) fn hash_in_turns(
        &mut self,
        backend: Backend,
        plan: &Plan,
        group: &Group<'_, F::State>,
        family: &mut F,
    ) -> u64 {
        let mut waiting = self.count..group.bytes.len();
        let may_others_follow = group.bytes.len() == GROUP;
        for lane in 0..self.count {
            let Slot { place, number, len, .. } = self.slots[lane];
            // The bytes of a message that is kept are asked for again. If there are others, it
            // begins again.
            if group.bytes[place].len() != len {
                self.begin(group, family, lane, place);
                self.slots[lane].number = number;
            }
        }
        loop {
            let left = self.count + waiting.len();
            let kernel = if may_others_follow { plan.bulk() } else { plan.first(left).0 };
            let pass = backend.pass(kernel);
            let lanes = pass.messages::<F::Word>();
            while self.count < lanes
                && let Some(place) = waiting.next()
            {
                if self.count == self.slots.len() {
                    self.slots.push(Slot::idle());
                    self.states.push(F::State::BLANK);
                }
                self.begin(group, family, self.count, place);
                self.count += 1;
            }
            if self.count == 0 || waiting.is_empty() && may_others_follow {
                break;
            }
            let taken = self.count.min(lanes);
            self.run_pass(group, family, pass, taken);
            // From the last lane down, because `remove` moves the last message into the free lane.
            for lane in (0..taken).rev() {
                if self.slots[lane].has_ended() {
                    family.finished(backend, group, &self.slots[lane], &self.states[lane]);
                    match waiting.next() {
                        Some(place) => self.begin(group, family, lane, place),
                        None => self.remove(lane),
                    }
                }
            }
        }
        let slots = &mut self.slots[..self.count];
        family.end_group(backend, group, slots);
        let kept = slots.iter().fold(0, |kept, slot| kept | 1 << slot.place);
        for slot in slots {
            // Those kept move to the front of the next group.
            slot.place = (kept & !(u64::MAX << slot.place)).count_ones() as usize;
        }
        kept
    }

    /// Puts a message into a lane.
    #[inline]
    fn begin(&mut self, group: &Group<'_, F::State>, family: &F, lane: usize, place: usize) {
        let slot = &mut self.slots[lane];
        let (bytes, start) = (group.bytes[place], group.starts.of(place));
        (slot.place, slot.number, slot.len) = (place, group.first + place, bytes.len());
        let [body, _] = family.blocks(bytes.len(), start.ends);
        (slot.before, slot.body, slot.body_left) = (start.before, body, body);
        if start.ends {
            family.pad(&mut slot.tail, start.before, bytes);
        } else {
            slot.tail.clear();
        }
        slot.tail_left = slot.tail.count();
        slot.is_confirmed = false;
        self.states[lane] = start.state.copied().unwrap_or_else(|| family.initial());
    }

    /// Removes the message of a lane; the last message moves into that lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        if lane < self.count {
            self.states[lane] = self.states[self.count];
            self.slots.swap(lane, self.count);
        }
    }

    /// Advances the first `taken` lanes by their shortest run of blocks.
    fn run_pass(
        &mut self,
        group: &Group<'_, F::State>,
        family: &mut F,
        pass: Pass<F::Sha>,
        taken: usize,
    ) {
        let (slots, states) = (&mut self.slots[..taken], &mut self.states[..taken]);
        let run = slots.iter().map(Slot::run).min().unwrap_or(0);
        if run == 0 {
            // A part of a message that has no whole block.
            return;
        }
        family.hash_blocks(pass, group, slots, states, run);
        for slot in slots {
            slot.advance(run);
        }
    }
}
