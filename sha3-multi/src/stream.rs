//! Hashes messages of any length by sponges, group by group. The scheduler of hash-lanes says which
//! are hashed together.

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{
    Blank, Family, Group, Numbered, Plan, Sink, Slot, Start, Starts, Stream, Tail, first_rows,
};

use crate::costs::{Shape, plan};
use crate::hw::Sha3Instructions;
use crate::jobs::{
    Advance, Alike, Block, EMPTY, Function, LongRow, MAX_MESSAGES, MAX_RATE, Pass, Results,
    ShortRow, Sponge, State, run,
};

/// What becomes of the messages of a stream.
pub(crate) enum Output<'o> {
    /// Their digests of at most 32 bytes are wanted.
    Short(&'o mut dyn Sink<ShortRow>),
    /// Their digests of at most 64 bytes are wanted.
    Long(&'o mut dyn Sink<LongRow>),
    /// Their states are wanted, to squeeze or to go on.
    States(&'o mut dyn Sink<State>),
}

impl Output<'_> {
    /// Takes the state of message `number`.
    fn take(&mut self, number: usize, state: &State) {
        match self {
            Self::Short(sink) => sink.finished(number, &[row_of(state)]),
            Self::Long(sink) => sink.finished(number, &[row_of(state)]),
            Self::States(sink) => sink.finished(number, &[*state]),
        }
    }
}

impl Output<'_> {
    /// Calls `hash` with one that gives message `i` the number `number(i)`.
    pub(crate) fn numbered(
        &mut self,
        number: &dyn Fn(usize) -> usize,
        hash: impl FnOnce(Output<'_>),
    ) {
        match self {
            Self::Short(to) => hash(Output::Short(&mut Numbered { to: &mut **to, number })),
            Self::Long(to) => hash(Output::Long(&mut Numbered { to: &mut **to, number })),
            Self::States(to) => hash(Output::States(&mut Numbered { to: &mut **to, number })),
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

/// The messages of a function, as the scheduler sees them.
pub(crate) struct Messages<'o> {
    sponge: Sponge,
    output: Output<'o>,
}

impl Function {
    /// A stream of messages, before the first group.
    pub(crate) fn stream(self, output: Output<'_>) -> Stream<Messages<'_>> {
        Stream::new(self.backend, Messages { sponge: self.sponge, output })
    }
}

/// Hashes the next group of a stream. Not generic: it is compiled in this crate.
pub(crate) fn hash_group(stream: &mut Stream<Messages<'_>>, group: &Group<'_, State>) -> u64 {
    stream.hash_group(group)
}

/// The last block of a message, padded in memory, or none.
#[derive(Clone, Copy)]
pub(crate) struct LastBlock {
    block: Block,
    count: usize,
}

impl Blank for LastBlock {
    const BLANK: Self = Self { block: [0; MAX_RATE], count: 0 };
}

impl Tail for LastBlock {
    fn clear(&mut self) {
        self.count = 0;
    }

    fn count(&self) -> usize {
        self.count
    }
}

impl Family for Messages<'_> {
    type State = State;

    type Word = u64;

    type Sha = Sha3Instructions;

    type Tail = LastBlock;

    const MIN_EQUAL: usize = MAX_MESSAGES;

    fn initial(&self) -> State {
        EMPTY
    }

    fn blocks(&self, len: usize, ends: bool) -> [usize; 2] {
        [len / self.sponge.rate, ends.into()]
    }

    fn pad(&self, tail: &mut LastBlock, _: u64, bytes: &[u8]) {
        tail.block = [0; MAX_RATE];
        pad(&mut tail.block, self.sponge, &bytes[bytes.len() - bytes.len() % self.sponge.rate..]);
        tail.count = 1;
    }

    fn hash_equal(
        &mut self,
        backend: Backend,
        group: &Group<'_, State>,
        count: usize,
        alike: bool,
    ) -> bool {
        let Starts::One(Start { state: initial, ends: true, .. }) = group.starts else {
            return false;
        };
        let (messages, first) = (&group.bytes[..count], group.first);
        let equal = Equal { backend, sponge: self.sponge, initial, alike };
        match &mut self.output {
            Output::Short(sink) => {
                let mut rows = ArrayVec::new();
                let rows = first_rows(&mut rows, messages.len());
                equal.run(messages, Results::Short(rows));
                sink.finished(first, rows);
            }
            Output::Long(sink) => {
                let mut rows = ArrayVec::new();
                let rows = first_rows(&mut rows, messages.len());
                equal.run(messages, Results::Long(rows));
                sink.finished(first, rows);
            }
            Output::States(sink) => {
                for (i, messages) in messages.chunks(MAX_MESSAGES).enumerate() {
                    let states = &mut [EMPTY; MAX_MESSAGES][..messages.len()];
                    equal.run(messages, Results::States(states));
                    sink.finished(first + i * MAX_MESSAGES, states);
                }
            }
        }
        true
    }

    fn plan(&self, backend: Backend, group: &Group<'_, State>) -> &'static Plan {
        plan(Shape::Mixed, backend, group.bytes.len())
    }

    fn hash_blocks(
        &mut self,
        pass: Pass,
        group: &Group<'_, State>,
        slots: &[Slot<Self>],
        states: &mut [State],
        count: usize,
    ) {
        let Self { sponge, .. } = *self;
        let mut blocks: ArrayVec<&[u8], MAX_MESSAGES> = ArrayVec::new();
        blocks.extend(slots.iter().map(|slot| match slot.body_left {
            0 => &slot.tail.block[..],
            left => &group.bytes[slot.place][(slot.body - left) * sponge.rate..],
        }));
        run(pass, Advance { sponge, states, blocks: &blocks, outputs: &mut [], count });
    }

    fn finished(&mut self, _: Backend, _: &Group<'_, State>, slot: &Slot<Self>, state: &State) {
        self.output.take(slot.number, state);
    }
}

/// Messages of equal length, or with as many whole blocks if they are not `alike`.
struct Equal<'s> {
    backend: Backend,
    sponge: Sponge,
    initial: Option<&'s State>,
    alike: bool,
}

impl Equal<'_> {
    fn run(&self, messages: &[&[u8]], mut results: Results<'_>) {
        let Self { backend, sponge, initial, alike } = *self;
        let blocks = messages[0].len() / sponge.rate + 1;
        let shape = if blocks == 1 { Shape::OneBlock } else { Shape::Blocks };
        let plan = plan(shape, backend, messages.len().saturating_mul(blocks));
        for (pass, range) in plan.passes(backend, messages.len()) {
            let (results, messages) = (results.split_off(range.len()), &messages[range]);
            if alike {
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
