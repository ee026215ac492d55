//! Outputs of any length for any number of messages, and readers of outputs that have no end.

use alloc::vec::Vec;
use core::fmt;
use core::iter::Take;

use arrayvec::ArrayVec;
use hash_lanes::Parts;
use hash_lanes::engine::{
    Erased, GROUP, Sink, check_counted, counted, extend_outputs, into_slice, into_vec,
    outputs_of_hint,
};

use crate::function::{Function, into_digests};
use crate::jobs::{EMPTY, LongRow, State};
use crate::many_hasher::XofManyHasher;
use crate::squeeze::{Passes, read_block, squeeze};
use crate::stream::Output;
use crate::xof_lanes::XofLanes;

impl XofLanes {
    /// Returns the first `N` bytes of the output for each message. The messages may have different
    /// lengths, and may be owned or borrowed.
    #[must_use]
    pub fn xof_many<const N: usize>(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<[u8; N]> {
        outputs_of(self.function, messages, |messages, output| self.run(messages, output))
    }

    /// Fills `outputs[i]` with the output for the `i`-th message. Outputs may have different
    /// lengths.
    ///
    /// ```
    /// let mut outputs = [vec![0; 10], vec![0; 1000]];
    /// sha3_multi::XofLanes::shake256().xof_many_into(["one", "two"], &mut outputs);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len()` is not the number of messages.
    #[track_caller]
    pub fn xof_many_into<D: AsMut<[u8]>>(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        outputs: &mut [D],
    ) {
        outputs_into(self.function, messages, outputs, |messages, output| {
            self.run(messages, output);
        });
    }

    /// Returns the first `N` bytes of the output for each message, whose parts are hashed one after
    /// the other.
    ///
    /// ```
    /// use sha3_multi::XofLanes;
    ///
    /// let seed = [7; 32];
    /// let cells = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|cell| (seed, cell));
    /// let outputs: Vec<[u8; 504]> = XofLanes::shake128().xof_concat_many(cells);
    /// ```
    #[must_use]
    pub fn xof_concat_many<const N: usize>(
        &self,
        messages: impl IntoIterator<Item: Parts>,
    ) -> Vec<[u8; N]> {
        outputs_of(self.function, messages, |messages, output| self.run_concat(messages, output))
    }

    /// Fills `outputs[i]` with the output for the `i`-th message, whose parts are hashed one after
    /// the other.
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len()` is not the number of messages.
    #[track_caller]
    pub fn xof_concat_many_into<D: AsMut<[u8]>>(
        &self,
        messages: impl IntoIterator<Item: Parts>,
        outputs: &mut [D],
    ) {
        outputs_into(self.function, messages, outputs, |messages, output| {
            self.run_concat(messages, output);
        });
    }

    /// Absorbs each message and returns readers of the outputs, which have no end.
    ///
    /// ```
    /// use sha3_multi::XofLanes;
    ///
    /// let mut readers = XofLanes::shake128().readers(["one", "two"]);
    /// let (first, second): (Vec<[u8; 7]>, Vec<[u8; 9]>) = (readers.read(), readers.read());
    /// let all = XofLanes::shake128().xof::<16>(b"two");
    /// assert_eq!(all[..], [&first[1][..], &second[1]].concat());
    /// ```
    #[must_use]
    pub fn readers(&self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> XofReaders {
        let mut readers = XofReaders::new(self.function);
        self.run(messages.into_iter(), Output::States(&mut readers));
        readers
    }

    /// Readers of the outputs for messages in parts; see [`Self::readers`].
    #[must_use]
    pub fn readers_concat(&self, messages: impl IntoIterator<Item: Parts>) -> XofReaders {
        let mut readers = XofReaders::new(self.function);
        self.run_concat(messages.into_iter(), Output::States(&mut readers));
        readers
    }

    /// A hasher of `count` messages that arrive in parts.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> XofManyHasher {
        XofManyHasher::new(self.function, (self.initial.unwrap_or(EMPTY), 0), &[], count)
    }

    fn run(&self, messages: impl Iterator<Item: AsRef<[u8]>>, output: Output<'_>) {
        self.function.run(self.initial.as_ref(), messages, output);
    }

    fn run_concat(&self, messages: impl Iterator<Item: Parts>, output: Output<'_>) {
        self.function.run_concat((self.initial.as_ref(), 0, &[]), messages, output);
    }
}

/// Returns the first `N` bytes of the output for each message that `run` hashes.
pub(crate) fn outputs_of<const N: usize, I: IntoIterator>(
    function: Function,
    messages: I,
    run: impl FnOnce(I::IntoIter, Output<'_>),
) -> Vec<[u8; N]> {
    if N <= size_of::<LongRow>() {
        return into_vec(messages, &[0; N], |messages, outputs| {
            into_digests(N, outputs, |output| run(messages, output));
        });
    }
    let messages = messages.into_iter();
    let mut list = List::new(function, messages.size_hint().0);
    run(messages, Output::States(&mut list));
    list.finish()
}

/// Fills `outputs[i]` with the output for the `i`-th message that `run` hashes.
///
/// # Panics
///
/// Panics if `outputs.len()` is not the number of messages.
#[track_caller]
pub(crate) fn outputs_into<D: AsMut<[u8]>, I: IntoIterator>(
    function: Function,
    messages: I,
    outputs: &mut [D],
    run: impl FnOnce(Take<I::IntoIter>, Output<'_>),
) {
    let longest = outputs.iter_mut().map(|output| output.as_mut().len()).max();
    if let Some(longest) = longest
        && longest <= size_of::<LongRow>()
    {
        return into_slice(messages, outputs, |messages, outputs| {
            into_digests(longest, outputs, |output| run(messages, output));
        });
    }
    let count = outputs.len();
    let messages = counted(messages, count);
    let mut slice = Slice::new(function, outputs);
    run(messages, Output::States(&mut slice));
    check_counted(slice.finish(), count);
}

/// The outputs of many messages, read on and on.
#[derive(Clone)]
pub struct XofReaders {
    function: Function,
    states: Erased<State>,
    /// How many bytes of the block in each state have been read.
    used: Vec<usize>,
}

impl XofReaders {
    /// No readers yet; as a sink it takes the states after the last block.
    pub(crate) const fn new(function: Function) -> Self {
        Self { function, states: Erased::new(), used: Vec::new() }
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns `true` if there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Returns the next `N` bytes of each output.
    #[must_use]
    pub fn read<const N: usize>(&mut self) -> Vec<[u8; N]> {
        let mut outputs = alloc::vec![[0; N]; self.len()];
        self.read_into(&mut outputs);
        outputs
    }

    /// Fills `outputs[i]` with the next bytes of the `i`-th output: any number, and different ones
    /// if need be.
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len() != self.len()`.
    #[track_caller]
    pub fn read_into<D: AsMut<[u8]>>(&mut self, outputs: &mut [D]) {
        let count = self.len();
        assert!(outputs.len() == count, "{} outputs for {count} messages", outputs.len());
        let groups = self.states.chunks_mut(GROUP).zip(self.used.chunks_mut(GROUP));
        for ((states, used), outputs) in groups.zip(outputs.chunks_mut(GROUP)) {
            let mut places: ArrayVec<&mut [u8], GROUP> = ArrayVec::new();
            places.extend(outputs.iter_mut().map(AsMut::as_mut));
            squeeze(self.function, Passes::Planned, states, used, &mut places);
        }
    }
}

impl fmt::Debug for XofReaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofReaders")
            .field("backend", &self.function.backend)
            .field("count", &self.len())
            .finish_non_exhaustive()
    }
}

impl Sink<State> for XofReaders {
    fn finished(&mut self, first: usize, states: &[State]) {
        let end = first + states.len();
        if end > self.states.len() {
            // Those before them are reported later.
            self.states.resize(end);
            self.used.resize(end, 0);
        }
        self.states[first..end].copy_from_slice(states);
    }
}

/// States that wait until a group of them can be squeezed. Those whose output is a part of a block
/// do not wait: nothing of them is kept.
struct Waiting {
    function: Function,
    states: Erased<State>,
    numbers: ArrayVec<usize, GROUP>,
}

impl Waiting {
    const fn new(function: Function) -> Self {
        Self { function, states: Erased::new(), numbers: ArrayVec::new_const() }
    }

    fn push<D: AsMut<[u8]>>(&mut self, number: usize, state: &State, outputs: &mut [D]) {
        let output = outputs[number].as_mut();
        if output.len() <= self.function.sponge.rate {
            return read_block(state, 0, output);
        }
        self.states.push(*state);
        self.numbers.push(number);
        if self.numbers.is_full() {
            self.squeeze(outputs);
        }
    }

    fn squeeze<D: AsMut<[u8]>>(&mut self, outputs: &mut [D]) {
        let count = self.numbers.len();
        let mut places: [&mut [u8]; GROUP] = core::array::from_fn(|_| Default::default());
        let mut ascending: ArrayVec<usize, GROUP> = (0..count).collect();
        ascending.sort_unstable_by_key(|&i| self.numbers[i]);
        let (mut outputs, mut passed) = (outputs.iter_mut(), 0);
        for i in ascending {
            if let Some(output) = outputs.nth(self.numbers[i] - passed) {
                places[i] = output.as_mut();
            }
            passed = self.numbers[i] + 1;
        }
        let (states, places) = (&mut self.states, &mut places[..count]);
        squeeze(self.function, Passes::Planned, states, &mut [0; GROUP], places);
        self.states.clear();
        self.numbers.clear();
    }
}

/// The outputs of any number of messages.
struct List<const N: usize> {
    waiting: Waiting,
    outputs: Vec<[u8; N]>,
}

impl<const N: usize> List<N> {
    fn new(function: Function, expected: usize) -> Self {
        Self { waiting: Waiting::new(function), outputs: outputs_of_hint(expected) }
    }

    fn finish(mut self) -> Vec<[u8; N]> {
        self.waiting.squeeze(&mut self.outputs);
        self.outputs
    }
}

impl<const N: usize> Sink<State> for List<N> {
    fn finished(&mut self, first: usize, states: &[State]) {
        // Those before them may be reported later.
        extend_outputs(&mut self.outputs, first + states.len(), &[0; N]);
        for (number, state) in (first..).zip(states) {
            self.waiting.push(number, state, &mut self.outputs);
        }
    }
}

/// The outputs of as many messages as are expected. Those of others are only counted.
struct Slice<'o, D> {
    waiting: Waiting,
    outputs: &'o mut [D],
    finished: usize,
}

impl<'o, D: AsMut<[u8]>> Slice<'o, D> {
    fn new(function: Function, outputs: &'o mut [D]) -> Self {
        Self { waiting: Waiting::new(function), outputs, finished: 0 }
    }

    /// The number of messages.
    fn finish(mut self) -> usize {
        self.waiting.squeeze(self.outputs);
        self.finished
    }
}

impl<D: AsMut<[u8]>> Sink<State> for Slice<'_, D> {
    fn finished(&mut self, first: usize, states: &[State]) {
        self.finished += states.len();
        for (number, state) in (first..self.outputs.len()).zip(states) {
            self.waiting.push(number, state, self.outputs);
        }
    }
}
