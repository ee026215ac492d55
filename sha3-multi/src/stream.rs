//! Hashes messages of any length, group by group.
//!
//! Messages of equal length, or with equally many blocks, begin and end together. Others are in
//! lanes of their own: when one ends, its lane takes the next. See docs/lanes.md.

use alloc::boxed::Box;

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{GROUP, Pass, Plan, Sink, erase, first_rows};

use crate::costs::{Shape, plan};
use crate::jobs::{
    Advance, Alike, Block, EMPTY, LongRow, MAX_MESSAGES, MAX_RATE, Results, ShortRow, Sponge,
    State, run,
};

/// The minimum number of messages of equal length that are hashed separately from others.
const MIN_EQUAL: usize = MAX_MESSAGES;

/// The messages that are looked at together, at most [`GROUP`].
#[derive(Clone, Copy)]
pub(crate) struct Group<'g> {
    /// The messages, or the first parts of some.
    pub(crate) messages: &'g [&'g [u8]],
    /// The second part of each; empty if there are none.
    pub(crate) seconds: &'g [&'g [u8]],
    /// The state that each begins with; empty if all begin with that of the stream.
    pub(crate) starts: &'g [&'g State],
    /// Message `i` is number `first + i` of the stream, unless it is in a lane already.
    pub(crate) first: usize,
}

/// What becomes of the messages of a stream.
pub(crate) enum Output<'o> {
    /// The messages end, and their digests of at most 32 bytes are wanted.
    Short(&'o mut dyn Sink<ShortRow>),
    /// The messages end, and their digests of at most 64 bytes are wanted.
    Long(&'o mut dyn Sink<LongRow>),
    /// The messages end, and their states are wanted, to squeeze.
    States(&'o mut dyn Sink<State>),
    /// The messages continue: bytes after the last whole block are ignored, and the states are
    /// wanted.
    Continues(&'o mut dyn Sink<State>),
}

impl Output<'_> {
    /// Takes the state of message `number`.
    fn take(&mut self, number: usize, state: &State) {
        match self {
            Self::Short(sink) => sink.finished(number, &[row_of(state)]),
            Self::Long(sink) => sink.finished(number, &[row_of(state)]),
            Self::States(sink) | Self::Continues(sink) => sink.finished(number, &[*state]),
        }
    }
}

/// The first bytes of a state.
fn row_of<const BYTES: usize>(state: &State) -> [u8; BYTES] {
    let mut row = [0; BYTES];
    for (bytes, word) in row.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    row
}

/// The state of a stream of messages between its groups.
pub(crate) struct Stream<'s> {
    backend: Backend,
    sponge: Sponge,
    /// The state that messages begin with; `None`: [`EMPTY`].
    initial: Option<&'s State>,
    /// Those of messages that are not equal.
    lanes: Option<Box<MixedLanes>>,
}

impl<'s> Stream<'s> {
    /// Before the first group.
    pub(crate) fn new(backend: Backend, sponge: Sponge, initial: Option<&'s State>) -> Self {
        Self { backend, sponge, initial, lanes: None }
    }

    /// Hashes the next group. Returns those of a full group to begin the next one with, message `i`
    /// as bit `i`.
    pub(crate) fn hash_group(&mut self, group: &Group<'_>, output: &mut Output<'_>) -> u64 {
        let count = group.messages.len();
        let ends = !matches!(output, Output::Continues(_));
        if ends && self.lanes.as_ref().is_none_or(|lanes| lanes.count == 0) {
            let (equal, are_alike) = group.count_equal(self.sponge.rate);
            if equal > 0 {
                self.hash_equal(&group.messages[..equal], are_alike, group.first, output);
                if equal == count {
                    return 0;
                }
                if count == GROUP {
                    // The next messages may be equal to the others.
                    return u64::MAX << equal;
                }
                return self.hash_group(&group.after(equal), output);
            }
        }
        let plan = plan(Shape::Mixed, self.backend, count);
        let lanes = self.lanes.get_or_insert_with(MixedLanes::boxed);
        let initial = self.initial.unwrap_or(&EMPTY);
        lanes.hash_group(self.backend, self.sponge, initial, plan, group, output)
    }

    /// Hashes messages of equal length, or with as many whole blocks.
    // Inlined, its arrays would take up stack while other messages are hashed.
    #[inline(never)]
    fn hash_equal(
        &self,
        messages: &[&[u8]],
        are_alike: bool,
        first: usize,
        output: &mut Output<'_>,
    ) {
        match output {
            Output::Short(sink) => {
                let mut rows = ArrayVec::new();
                let rows = first_rows(&mut rows, messages.len());
                self.run_equal(messages, are_alike, Results::Short(rows));
                sink.finished(first, rows);
            }
            Output::Long(sink) => {
                let mut rows = ArrayVec::new();
                let rows = first_rows(&mut rows, messages.len());
                self.run_equal(messages, are_alike, Results::Long(rows));
                sink.finished(first, rows);
            }
            Output::States(sink) | Output::Continues(sink) => {
                for (i, messages) in messages.chunks(MAX_MESSAGES).enumerate() {
                    let states = &mut [EMPTY; MAX_MESSAGES][..messages.len()];
                    self.run_equal(messages, are_alike, Results::States(states));
                    sink.finished(first + i * MAX_MESSAGES, states);
                }
            }
        }
    }

    fn run_equal(&self, messages: &[&[u8]], are_alike: bool, mut results: Results<'_>) {
        let Self { backend, sponge, initial, .. } = *self;
        let blocks = messages[0].len() / sponge.rate + 1;
        let shape = if blocks == 1 { Shape::OneBlock } else { Shape::Blocks };
        let plan = plan(shape, backend, messages.len().saturating_mul(blocks));
        for (pass, range) in plan.passes(backend, messages.len()) {
            let (results, messages) = (results.split_off(range.len()), &messages[range]);
            if are_alike {
                run(pass, Alike { sponge, initial, messages, tails: &[], results });
            } else {
                hash_padded(pass, sponge, initial, messages, results);
            }
        }
    }
}

/// Hashes messages with as many whole blocks, the last ones padded in memory.
#[inline(never)]
fn hash_padded(
    pass: Pass,
    sponge: Sponge,
    initial: Option<&State>,
    messages: &[&[u8]],
    mut results: Results<'_>,
) {
    for messages in messages.chunks(PADDED) {
        let mut tails = [[0; MAX_RATE]; PADDED];
        for (tail, message) in tails.iter_mut().zip(messages) {
            pad(tail, sponge, &message[message.len() - message.len() % sponge.rate..]);
        }
        let tails = &tails[..messages.len()];
        let results = results.split_off(messages.len());
        run(pass, Alike { sponge, initial, messages, tails, results });
    }
}

/// The number of messages that are padded in memory together. That keeps the stores away from the
/// loads, which are wider and would wait for them.
const PADDED: usize = 2 * MAX_MESSAGES;

/// Pads the last bytes of a message, fewer than a block, in zeros.
pub(crate) fn pad(block: &mut Block, sponge: Sponge, rest: &[u8]) {
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = sponge.suffix;
    block[sponge.rate - 1] |= 0x80;
}

impl<'g> Group<'g> {
    /// Whole messages.
    pub(crate) fn of(messages: &'g [&'g [u8]], first: usize) -> Self {
        Self { messages, seconds: &[], starts: &[], first }
    }

    /// The group without its first `count` messages.
    fn after(&self, count: usize) -> Self {
        let rest = |list: &'g [&'g [u8]]| list.get(count..).unwrap_or_default();
        Self {
            messages: rest(self.messages),
            seconds: rest(self.seconds),
            starts: self.starts.get(count..).unwrap_or_default(),
            first: self.first + count,
        }
    }

    /// The number of leading messages to hash separately from the others, and whether they have
    /// equal lengths. If not, they only have as many whole blocks.
    fn count_equal(&self, rate: usize) -> (usize, bool) {
        let all = self.messages.len();
        let has_seconds = self.seconds.iter().any(|second| !second.is_empty());
        if has_seconds || !self.starts.is_empty() || all == 0 {
            return (0, false);
        }
        let is_enough = |count| count >= MIN_EQUAL || count == all;
        let len = self.messages[0].len();
        let mut count = all;
        // The common case without a branch for each message.
        if self.messages.iter().fold(0, |differences, it| differences | it.len() ^ len) > 0 {
            count = self.messages.iter().position(|it| it.len() != len).unwrap_or(all);
        }
        if is_enough(count) {
            return (count, true);
        }
        let blocks = len / rate;
        count = self.messages.iter().position(|it| it.len() / rate != blocks).unwrap_or(all);
        (if is_enough(count) { count } else { 0 }, false)
    }

    /// The two parts of message `place`.
    fn parts(&self, place: usize) -> [&'g [u8]; 2] {
        [self.messages[place], self.seconds.get(place).copied().unwrap_or_default()]
    }
}

impl<'a> Results<'a> {
    /// Those of the next `count` messages.
    fn split_off(&mut self, count: usize) -> Results<'a> {
        const COUNTED: &str = "as many results as messages";
        match self {
            Self::Short(rows) => Results::Short(rows.split_off_mut(..count).expect(COUNTED)),
            Self::Long(rows) => Results::Long(rows.split_off_mut(..count).expect(COUNTED)),
            Self::States(states) => Results::States(states.split_off_mut(..count).expect(COUNTED)),
        }
    }
}

/// Messages that are not alike, in lanes, each as far as it is still to be hashed.
///
/// When a message ends, its lane takes the next one. When there is none, the message of the last
/// lane moves into its place. The active messages are therefore always in the first lanes, and a
/// narrower kernel can take over.
struct MixedLanes {
    /// The number of active messages, which are in the first lanes.
    count: usize,
    slots: [Slot; MAX_MESSAGES],
    states: [State; MAX_MESSAGES],
}

/// The message of a lane.
#[derive(Clone)]
struct Slot {
    /// Its place in the group.
    place: usize,
    /// Its number in the stream.
    number: usize,
    /// The numbers of bytes of its parts.
    lens: [usize; 2],
    /// The part whose blocks are hashed or come next, and the number of its bytes that have been
    /// taken: hashed, or copied into the block.
    part: usize,
    taken: usize,
    /// Where the next blocks are, and how many are left there.
    source: Source,
    left: usize,
    /// A block that is the end of one part and the beginning of the next, or the end of all.
    block: Block,
}

/// Where the next blocks of a message are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// In the part, before its `taken` bytes end.
    Part,
    /// In the slot.
    Block,
    /// In the slot: the padded end.
    End,
}

impl Slot {
    const IDLE: Self = Self {
        place: 0,
        number: 0,
        lens: [0; 2],
        part: 0,
        taken: 0,
        source: Source::End,
        left: 0,
        block: [0; MAX_RATE],
    };

    /// The blocks that can be hashed in one pass.
    fn blocks<'b>(&'b self, parts: [&'b [u8]; 2], rate: usize) -> &'b [u8] {
        match self.source {
            Source::Part => &parts[self.part][self.taken - self.left * rate..self.taken],
            Source::Block | Source::End => &self.block[..self.left * rate],
        }
    }

    /// Finds the next blocks once none are left. `ends`: whether the message ends with its parts.
    fn find_blocks(&mut self, parts: [&[u8]; 2], sponge: Sponge, ends: bool) {
        let rate = sponge.rate;
        let rest = &parts[self.part][self.taken..];
        if rest.len() >= rate {
            self.left = rest.len() / rate;
            self.taken += self.left * rate;
            self.source = Source::Part;
            return;
        }
        self.block = [0; MAX_RATE];
        self.block[..rest.len()].copy_from_slice(rest);
        let mut filled = rest.len();
        if self.part == 0 {
            let needed = parts[1].len().min(rate - filled);
            self.block[filled..][..needed].copy_from_slice(&parts[1][..needed]);
            filled += needed;
            (self.part, self.taken) = (1, needed);
        }
        if filled == rate {
            (self.source, self.left) = (Source::Block, 1);
        } else if ends {
            self.block[filled] = sponge.suffix;
            self.block[rate - 1] |= 0x80;
            (self.source, self.left) = (Source::End, 1);
        } else {
            (self.source, self.left) = (Source::End, 0);
        }
    }

    fn has_ended(&self) -> bool {
        self.source == Source::End && self.left == 0
    }
}

impl Drop for MixedLanes {
    fn drop(&mut self) {
        erase(&mut self.states);
        self.slots.iter_mut().for_each(|slot| erase(&mut slot.block));
    }
}

impl MixedLanes {
    /// Without messages. Boxed because it is large and most calls never need it.
    #[inline(never)]
    fn boxed() -> Box<Self> {
        Box::new(Self {
            count: 0,
            slots: [Slot::IDLE; MAX_MESSAGES],
            states: [EMPTY; MAX_MESSAGES],
        })
    }

    /// Hashes the messages of a group, the first of which are in lanes. Once no message of a full
    /// group waits, it returns those left in lanes as bits, because others may follow that take
    /// part in their passes.
    fn hash_group(
        &mut self,
        backend: Backend,
        sponge: Sponge,
        initial: &State,
        plan: &Plan,
        group: &Group<'_>,
        output: &mut Output<'_>,
    ) -> u64 {
        let ends = !matches!(output, Output::Continues(_));
        let mut waiting = self.count..group.messages.len();
        let may_others_follow = group.messages.len() == GROUP;
        let begin = |slot: &mut Slot, state: &mut State, place: usize| {
            *state = *group.starts.get(place).copied().unwrap_or(initial);
            (slot.place, slot.number) = (place, group.first + place);
            slot.lens = group.parts(place).map(<[u8]>::len);
            (slot.part, slot.taken) = (0, 0);
            slot.find_blocks(group.parts(place), sponge, ends);
        };
        for (slot, state) in self.slots.iter_mut().zip(&mut self.states).take(self.count) {
            // The bytes of a message that is kept are asked for again. If there are others, it
            // begins again.
            if group.parts(slot.place).map(<[u8]>::len) != slot.lens {
                let number = slot.number;
                begin(slot, state, slot.place);
                slot.number = number;
            }
        }
        loop {
            let left = self.count + waiting.len();
            let kernel = if may_others_follow { plan.bulk() } else { plan.first(left).0 };
            let pass = backend.pass(kernel);
            let lanes = pass.messages::<u64>();
            while self.count < lanes
                && let Some(place) = waiting.next()
            {
                begin(&mut self.slots[self.count], &mut self.states[self.count], place);
                self.count += 1;
            }
            if self.count == 0 || waiting.is_empty() && may_others_follow {
                break;
            }
            let taken = self.count.min(lanes);
            self.run_pass(group, pass, sponge, taken);
            // From the last lane down, because `remove` moves the last message into the free lane.
            for lane in (0..taken).rev() {
                let (slot, state) = (&mut self.slots[lane], &mut self.states[lane]);
                if slot.left == 0 && !slot.has_ended() {
                    slot.find_blocks(group.parts(slot.place), sponge, ends);
                }
                if slot.has_ended() {
                    output.take(slot.number, state);
                    match waiting.next() {
                        Some(place) => begin(slot, state, place),
                        None => self.remove(lane),
                    }
                }
            }
        }
        let slots = &mut self.slots[..self.count];
        let kept = slots.iter().fold(0, |kept, slot| kept | 1 << slot.place);
        for slot in slots {
            // Those kept move to the front of the next group.
            slot.place = (kept & !(u64::MAX << slot.place)).count_ones() as usize;
        }
        kept
    }

    /// Removes the message of a lane; the last message moves into that lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        self.states[lane] = self.states[self.count];
        self.slots.swap(lane, self.count);
    }

    /// Advances the first `taken` lanes by their shortest run of blocks.
    fn run_pass(&mut self, group: &Group<'_>, pass: Pass, sponge: Sponge, taken: usize) {
        let (slots, states) = (&mut self.slots[..taken], &mut self.states[..taken]);
        let count = slots.iter().map(|slot| slot.left).min().unwrap_or(0);
        if count == 0 {
            // A part of a message that has no whole block.
            return;
        }
        {
            let mut blocks: ArrayVec<&[u8], MAX_MESSAGES> = ArrayVec::new();
            let all = slots.iter().map(|slot| slot.blocks(group.parts(slot.place), sponge.rate));
            blocks.extend(all);
            run(pass, Advance { sponge, states, blocks: &blocks, outputs: &mut [], count });
        }
        for slot in slots {
            slot.left -= count;
        }
    }
}
