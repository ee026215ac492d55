//! A function of the family on a backend, which hashes messages of all kinds.

use hash_lanes::Parts;
use hash_lanes::engine::{
    Absorb, Begun, Digests, Ended, Group, RowsOf, Sink, Start, Starts, hash_begun, hash_concat,
    hash_messages,
};

pub(crate) use crate::jobs::Function;
use crate::jobs::{EMPTY, LongRow, MAX_RATE, ShortRow, State};
use crate::stream::{Output, hash_group};

/// The buffer size per message that arrives in parts: large enough to make a pass over the lanes
/// long, and small enough for eight buffers to stay in the L1 cache. A function uses as much of it
/// as fills whole blocks.
pub(crate) const WAITING_BYTES: usize = 8 * MAX_RATE;

impl Absorb for Function {
    type State = State;

    fn block_bytes(&self) -> usize {
        self.sponge.rate
    }

    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = Begun<'p, State>>,
        sink: &mut dyn Sink<State>,
    ) {
        let continues = |(state, hashed, bytes)| (Start::continuing(Some(state), hashed), bytes);
        let mut stream = self.stream(Output::States(sink));
        hash_begun(parts.map(continues), &mut |group| hash_group(&mut stream, group));
    }
}

impl Function {
    /// Hashes messages that begin with the state `initial`.
    pub(crate) fn run(
        self,
        initial: Option<&State>,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        output: Output<'_>,
    ) {
        let (mut stream, start) = (self.stream(output), Start::ending(initial, 0));
        hash_messages(start, [None, None], messages, &mut |group| hash_group(&mut stream, group));
    }

    /// Hashes messages in parts, each after the same prefix: a state, or none, the number of bytes
    /// before it, and the bytes after it.
    pub(crate) fn run_concat(
        self,
        (initial, before, rest): (Option<&State>, u64, &[u8]),
        messages: impl Iterator<Item: Parts>,
        mut output: Output<'_>,
    ) {
        let prefix = (initial.unwrap_or(&EMPTY), before, rest);
        hash_concat(&self, prefix, messages, &mut |ended, number| {
            output.numbered(number, |output| match ended {
                Ended::After(_, _, messages) => self.run(initial, messages.iter(), output),
                Ended::Each(messages) => self.end(messages, output),
            });
        });
    }

    /// Ends messages: hashes the last bytes of each.
    pub(crate) fn end<'p>(self, parts: impl Iterator<Item = Begun<'p, State>>, output: Output<'_>) {
        let ends = |(state, hashed, bytes)| (Start::ending(Some(state), hashed), bytes);
        let mut stream = self.stream(output);
        hash_begun(parts.map(ends), &mut |group| hash_group(&mut stream, group));
    }

    /// The state after the whole blocks of one part.
    pub(crate) fn absorb_one(self, part: Begun<'_, State>) -> State {
        let mut reached = *part.0;
        self.absorb(core::iter::once(part), &mut |_: usize, states: &[State]| reached = states[0]);
        reached
    }

    /// Hashes one message.
    pub(crate) fn run_one(self, message: &[u8], output: Output<'_>) {
        let starts = Starts::One(Start::WHOLE);
        let group = Group { bytes: &[message], starts, first: 0 };
        hash_group(&mut self.stream(output), &group);
    }
}

/// Hashes into digests of `bytes` bytes, which are not more than [`LongRow`] has: `hash` gets what
/// becomes of the messages.
pub(crate) fn into_digests(bytes: usize, digests: &mut dyn Digests, hash: impl FnOnce(Output<'_>)) {
    debug_assert!(bytes <= size_of::<LongRow>(), "digests of {bytes} bytes");
    let mut rows = RowsOf(digests);
    hash(if bytes <= size_of::<ShortRow>() {
        Output::Short(&mut rows)
    } else {
        Output::Long(&mut rows)
    });
}
