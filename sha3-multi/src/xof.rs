//! Functions whose outputs have any length: SHAKE (FIPS 202 §6.2), cSHAKE (SP 800-185 §3) and
//! TurboSHAKE (RFC 9861 §2).

use alloc::vec::Vec;
use core::fmt;

use arrayvec::ArrayVec;
use hash_lanes::engine::{GROUP, Sink, check_counts, check_hint};
use hash_lanes::{Backend, Parts};

use crate::costs::{Shape, plan};
use crate::cshake;
use crate::function::Function;
use crate::jobs::{Advance, EMPTY, MAX_MESSAGES, Sponge, State, run};
use crate::many_hasher::XofManyHasher;
use crate::stream::Output;

/// A function whose outputs have any length, on one backend.
///
/// ```
/// use sha3_multi::XofLanes;
///
/// let outputs: Vec<[u8; 100]> = XofLanes::shake128().xof_many(["one", "two"]);
/// let domain = XofLanes::cshake256(b"", b"my protocol");
/// assert_ne!(domain.xof::<16>(b"one"), XofLanes::shake256().xof::<16>(b"one"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XofLanes {
    pub(crate) function: Function,
    /// The state after the prefix of cSHAKE.
    pub(crate) initial: Option<State>,
}

const SHAKE128: Sponge = Sponge { rate: 168, suffix: 0x1f, rounds: 24 };
const SHAKE256: Sponge = Sponge { rate: 136, suffix: 0x1f, rounds: 24 };

impl XofLanes {
    pub(crate) fn new(sponge: Sponge) -> Self {
        Self { function: Function { backend: Backend::detect(), sponge }, initial: None }
    }

    /// SHAKE128.
    #[must_use]
    pub fn shake128() -> Self {
        Self::new(SHAKE128)
    }

    /// SHAKE256.
    #[must_use]
    pub fn shake256() -> Self {
        Self::new(SHAKE256)
    }

    /// cSHAKE128 with these two strings. `name` is for functions that NIST defines. If both are
    /// empty, this is SHAKE128.
    #[must_use]
    pub fn cshake128(name: &[u8], customization: &[u8]) -> Self {
        Self::cshake(SHAKE128, name, customization)
    }

    /// cSHAKE256 with these two strings; see [`Self::cshake128`].
    #[must_use]
    pub fn cshake256(name: &[u8], customization: &[u8]) -> Self {
        Self::cshake(SHAKE256, name, customization)
    }

    fn cshake(shake: Sponge, name: &[u8], customization: &[u8]) -> Self {
        if name.is_empty() && customization.is_empty() {
            return Self::new(shake);
        }
        let mut lanes = Self::new(Sponge { suffix: 0x04, ..shake });
        lanes.initial = Some(cshake::initial_state(lanes.function, name, customization));
        lanes
    }

    /// TurboSHAKE128 with this domain separation byte; RFC 9861 recommends 0x1F where only one is
    /// needed.
    ///
    /// # Panics
    ///
    /// Panics unless `domain` is in `0x01..=0x7f`.
    #[track_caller]
    #[must_use]
    pub fn turboshake128(domain: u8) -> Self {
        Self::turboshake(168, domain)
    }

    /// TurboSHAKE256 with this domain separation byte; see [`Self::turboshake128`].
    ///
    /// # Panics
    ///
    /// Panics unless `domain` is in `0x01..=0x7f`.
    #[track_caller]
    #[must_use]
    pub fn turboshake256(domain: u8) -> Self {
        Self::turboshake(136, domain)
    }

    #[track_caller]
    fn turboshake(rate: usize, domain: u8) -> Self {
        assert!(
            (0x01..=0x7f).contains(&domain),
            "the domain separation byte {domain:#04x} is not in 0x01..=0x7f"
        );
        Self::new(Sponge { rate, suffix: domain, rounds: 12 })
    }

    /// The same function on another backend.
    #[must_use]
    pub const fn with_backend(mut self, backend: Backend) -> Self {
        self.function.backend = backend;
        self
    }

    /// The backend.
    #[must_use]
    pub const fn backend(self) -> Backend {
        self.function.backend
    }

    /// The first `N` bytes of the output for one message.
    #[must_use]
    pub fn xof<const N: usize>(&self, message: &[u8]) -> [u8; N] {
        let mut output = [0; N];
        self.xof_many_into([message], core::slice::from_mut(&mut output));
        output
    }

    /// Returns the first `N` bytes of the output for each message. The messages may have different
    /// lengths, and may be owned or borrowed.
    #[must_use]
    pub fn xof_many<const N: usize>(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<[u8; N]> {
        let messages = messages.into_iter();
        let mut list = List::new(self.function, messages.size_hint().0);
        self.run(messages, &mut list);
        list.finish()
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
        let (messages, count) = (messages.into_iter(), outputs.len());
        check_hint(&messages, count);
        let mut slice = Slice::new(self.function, outputs);
        self.run(messages, &mut slice);
        check_counts(slice.finish(), count);
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
        let messages = messages.into_iter();
        let mut list = List::new(self.function, messages.size_hint().0);
        self.run_concat(messages, &mut list);
        list.finish()
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
        let (messages, count) = (messages.into_iter(), outputs.len());
        check_hint(&messages, count);
        let mut slice = Slice::new(self.function, outputs);
        self.run_concat(messages, &mut slice);
        check_counts(slice.finish(), count);
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
        let mut readers = XofReaders::new(self.function, Vec::new());
        self.run(messages.into_iter(), &mut readers);
        readers
    }

    /// Readers of the outputs for messages in parts; see [`Self::readers`].
    #[must_use]
    pub fn readers_concat(&self, messages: impl IntoIterator<Item: Parts>) -> XofReaders {
        let mut readers = XofReaders::new(self.function, Vec::new());
        self.run_concat(messages.into_iter(), &mut readers);
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
        XofManyHasher::new(self.function, self.initial.unwrap_or(EMPTY), count)
    }

    fn run(&self, messages: impl Iterator<Item: AsRef<[u8]>>, sink: &mut dyn Sink<State>) {
        self.function.run(self.initial.as_ref(), messages, Output::States(sink));
    }

    fn run_concat(&self, messages: impl Iterator<Item: Parts>, sink: &mut dyn Sink<State>) {
        self.function.run_concat(self.initial.as_ref(), messages, Output::States(sink));
    }
}

/// The outputs of many messages, read on and on.
#[derive(Clone)]
pub struct XofReaders {
    function: Function,
    states: Vec<State>,
    /// How many bytes of the block in each state have been read.
    used: Vec<usize>,
}

impl XofReaders {
    /// Readers from these states on, after the last block.
    pub(crate) fn new(function: Function, states: Vec<State>) -> Self {
        let used = alloc::vec![0; states.len()];
        Self { function, states, used }
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
        let numbers: ArrayVec<usize, GROUP> = (0..GROUP).collect();
        let groups = self.states.chunks_mut(GROUP).zip(self.used.chunks_mut(GROUP));
        for ((states, used), outputs) in groups.zip(outputs.chunks_mut(GROUP)) {
            squeeze(self.function, states, used, &mut Numbered { outputs, numbers: &numbers });
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
            self.states.resize(end, EMPTY);
            self.used.resize(end, 0);
        }
        self.states[first..end].copy_from_slice(states);
    }
}

/// Reads the next bytes of outputs whose blocks are in `states`, of which `used[i]` bytes have been
/// read.
fn squeeze(
    function: Function,
    states: &mut [State],
    used: &mut [usize],
    outputs: &mut dyn Outputs,
) {
    let Function { backend, sponge } = function;
    let mut done = [0; GROUP];
    loop {
        let mut active: ArrayVec<usize, GROUP> = ArrayVec::new();
        for (i, state) in states.iter().enumerate() {
            let output = outputs.output(i);
            let rest = output.get_mut(done[i]..).unwrap_or_default();
            let count = rest.len().min(sponge.rate - used[i]);
            read_block(state, used[i], &mut rest[..count]);
            (done[i], used[i]) = (done[i] + count, used[i] + count);
            if count < rest.len() {
                active.push(i);
            }
        }
        if active.is_empty() {
            return;
        }
        let plan = plan(Shape::Mixed, backend, active.len());
        for (pass, range) in plan.passes(backend, active.len()) {
            for active in active[range].chunks(MAX_MESSAGES) {
                let mut blocks = [EMPTY; MAX_MESSAGES];
                let blocks = &mut blocks[..active.len()];
                for (block, &i) in blocks.iter_mut().zip(active) {
                    *block = states[i];
                }
                let nothing = &[&[][..]; MAX_MESSAGES][..active.len()];
                let job = Advance { sponge, states: blocks, blocks: nothing, count: 1 };
                run(pass, job);
                for (block, &i) in blocks.iter().zip(active) {
                    states[i] = *block;
                    used[i] = 0;
                }
            }
        }
    }
}

/// Copies the bytes of a state from byte `begin` on.
fn read_block(state: &State, begin: usize, bytes: &mut [u8]) {
    if begin.is_multiple_of(8) {
        let (words, rest) = bytes.as_chunks_mut::<8>();
        let mut state = state[begin / 8..].iter();
        for (bytes, word) in words.iter_mut().zip(&mut state) {
            *bytes = word.to_le_bytes();
        }
        if let Some(word) = state.next() {
            rest.copy_from_slice(&word.to_le_bytes()[..rest.len()]);
        }
    } else {
        for (byte, i) in bytes.iter_mut().zip(begin..) {
            *byte = state[i / 8].to_le_bytes()[i % 8];
        }
    }
}

/// Where outputs go.
trait Outputs {
    /// Output `i`.
    fn output(&mut self, i: usize) -> &mut [u8];
}

/// The outputs with these numbers.
struct Numbered<'o, D> {
    outputs: &'o mut [D],
    numbers: &'o [usize],
}

impl<D: AsMut<[u8]>> Outputs for Numbered<'_, D> {
    fn output(&mut self, i: usize) -> &mut [u8] {
        self.outputs[self.numbers[i]].as_mut()
    }
}

/// States that wait until a group of them can be squeezed.
struct Waiting {
    function: Function,
    states: Vec<State>,
    numbers: Vec<usize>,
}

impl Waiting {
    fn new(function: Function) -> Self {
        Self { function, states: Vec::new(), numbers: Vec::new() }
    }

    fn push<D: AsMut<[u8]>>(&mut self, number: usize, state: &State, outputs: &mut [D]) {
        self.states.push(*state);
        self.numbers.push(number);
        if self.states.len() == GROUP {
            self.squeeze(outputs);
        }
    }

    fn squeeze<D: AsMut<[u8]>>(&mut self, outputs: &mut [D]) {
        let used = &mut [0; GROUP][..self.states.len()];
        let mut outputs = Numbered { outputs, numbers: &self.numbers };
        squeeze(self.function, &mut self.states, used, &mut outputs);
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
        let mut outputs = Vec::new();
        // A wrong hint costs a reallocation, not the process.
        let _ = outputs.try_reserve_exact(expected);
        Self { waiting: Waiting::new(function), outputs }
    }

    fn finish(mut self) -> Vec<[u8; N]> {
        self.waiting.squeeze(&mut self.outputs);
        self.outputs
    }
}

impl<const N: usize> Sink<State> for List<N> {
    fn finished(&mut self, first: usize, states: &[State]) {
        let end = first + states.len();
        if end > self.outputs.len() {
            // Those before them are reported later.
            self.outputs.resize(end, [0; N]);
        }
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
