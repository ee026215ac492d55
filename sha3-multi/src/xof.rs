//! Functions whose outputs have any length: SHAKE (FIPS 202 §6.2), cSHAKE (SP 800-185 §3) and
//! TurboSHAKE (RFC 9861 §2).

use alloc::vec::Vec;
use core::fmt;
use core::iter::Take;
use core::ops::Range;

use arrayvec::ArrayVec;
use hash_lanes::engine::{
    Erased, GROUP, Pass, Sink, check_counted, counted, erase, extend_outputs, into_slice, into_vec,
    outputs_of_hint,
};
use hash_lanes::{Backend, Parts};

use crate::costs::{Shape, pass_of, plan};
use crate::cshake;
use crate::function::{Function, into_digests};
use crate::jobs::{Advance, EMPTY, LongRow, MAX_MESSAGES, Sponge, State, run};
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
    pub fn xof<const N: usize>(&self, message: impl AsRef<[u8]>) -> [u8; N] {
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
        self.function.run_concat(self.initial.as_ref(), messages, output);
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

/// How kernels are chosen.
#[derive(Clone, Copy)]
pub(crate) enum Passes {
    /// By a plan, which measures them.
    Planned,
    /// By [`pass_of`], which allocates nothing.
    Fixed,
}

impl Passes {
    /// The passes over `count` states in memory.
    fn over(self, backend: Backend, count: usize) -> impl Iterator<Item = (Pass, Range<usize>)> {
        let (plan, fixed) = match self {
            Self::Planned => (Some(plan(Shape::Mixed, backend, count)), None),
            Self::Fixed => (None, Some((pass_of(backend, count), 0..count))),
        };
        let planned = plan.into_iter().flat_map(move |plan| plan.passes(backend, count));
        planned.chain(fixed)
    }
}

/// Reads the next bytes of outputs whose blocks are in `states`, of which `used[i]` bytes have been
/// read. Whole blocks of several outputs are squeezed together, without leaving the lanes.
pub(crate) fn squeeze(
    function: Function,
    passes: Passes,
    states: &mut [State],
    used: &mut [usize],
    outputs: &mut [&mut [u8]],
) {
    let Function { backend, sponge } = function;
    let rate = sponge.rate;
    loop {
        let mut active: ArrayVec<usize, GROUP> = ArrayVec::new();
        for (i, output) in outputs.iter_mut().enumerate() {
            let count = output.len().min(rate - used[i]);
            read_block(&states[i], used[i], take_first(output, count));
            used[i] += count;
            if !output.is_empty() {
                active.push(i);
            }
        }
        if active.is_empty() {
            return;
        }
        for (pass, range) in passes.over(backend, active.len()) {
            for active in active[range].chunks(MAX_MESSAGES) {
                let mut blocks = [EMPTY; MAX_MESSAGES];
                let blocks = &mut blocks[..active.len()];
                for (block, &i) in blocks.iter_mut().zip(active) {
                    *block = states[i];
                }
                let whole = active.iter().map(|&i| outputs[i].len() / rate).min().unwrap_or(0);
                let mut places: ArrayVec<&mut [u8], MAX_MESSAGES> = ArrayVec::new();
                if whole > 0 {
                    places
                        .extend(active.iter().map(|&i| take_first(&mut outputs[i], whole * rate)));
                }
                let nothing = &[&[][..]; MAX_MESSAGES][..active.len()];
                run(
                    pass,
                    Advance {
                        sponge,
                        states: blocks,
                        blocks: nothing,
                        outputs: &mut places,
                        count: whole.max(1),
                    },
                );
                for (block, &i) in blocks.iter().zip(active) {
                    states[i] = *block;
                    used[i] = if whole > 0 { rate } else { 0 };
                }
                erase(blocks);
            }
        }
    }
}

/// The first `count` bytes, which are then no longer part of `bytes`.
fn take_first<'b>(bytes: &mut &'b mut [u8], count: usize) -> &'b mut [u8] {
    bytes.split_off_mut(..count).unwrap_or_default()
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
