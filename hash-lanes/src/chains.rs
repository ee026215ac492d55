//! Chains of hashes: messages that are hashed again and again, with the digest in the place of what
//! was hashed before, as in hash-based signatures.
//!
//! A chain stays in its lane until it ends, and then the next one takes the lane.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::error::Error;
use core::fmt;
use core::ops::Range;
use core::slice;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::cpu::ShaInstructions;
use crate::ending::Length;
use crate::hash::{LaneHash, ShaKernels, Starts};
use crate::kernel::{Kernel, KernelSet, LaneJob, Pass};
use crate::lanes::{Lanes, MAX_LANES, splat_all};
use crate::pbkdf2::plan_of_chains;
use crate::plan::Plan;
use crate::rows::load_states;
use crate::stream::{CompiledHash, RowOf};
use crate::word::{Array, Block, ByteOrder, ROW_WORDS, Word};

/// Where the messages of some chains have what changes from step to step.
///
/// A step hashes the message, writes the first bytes of the digest in the place of the *value*, and
/// adds one to the *counter*, if there is one.
///
/// ```
/// use hash_lanes::ChainLayout;
///
/// // A digest that is hashed again and again.
/// let plain = ChainLayout::new(32, 0..32);
/// // WOTS+ of SLH-DSA-SHA2-128s: an address of 22 bytes whose last four count, and 16 bytes.
/// let wots = ChainLayout::new(38, 22..38).with_counter(18..22);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLayout {
    message_len: usize,
    value: Range<usize>,
    counter: Range<usize>,
}

impl ChainLayout {
    /// Messages of `message_len` bytes, with the value in the bytes `value`.
    ///
    /// # Panics
    ///
    /// Panics if `value` is empty or ends after the message.
    #[track_caller]
    #[must_use]
    pub fn new(message_len: usize, value: Range<usize>) -> Self {
        Self::try_new(message_len, value, None).unwrap_or_else(|error| panic!("{error}"))
    }

    /// With a counter in the bytes `counter`, at most four, the most significant first. It wraps.
    ///
    /// # Panics
    ///
    /// Panics if `counter` is empty, ends after the message, has more than four bytes, or has a
    /// byte of the value.
    #[track_caller]
    #[must_use]
    pub fn with_counter(self, counter: Range<usize>) -> Self {
        Self::try_new(self.message_len, self.value, Some(counter))
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Self::new`], and [`Self::with_counter`] if there is one, for a layout from outside.
    ///
    /// # Errors
    ///
    /// Returns a [`ChainError`] where they panic.
    pub fn try_new(
        message_len: usize,
        value: Range<usize>,
        counter: Option<Range<usize>>,
    ) -> Result<Self, ChainError> {
        let is_inside = |range: &Range<usize>| range.start < range.end && range.end <= message_len;
        if !is_inside(&value) {
            return Err(ChainError::Value { value, message_len });
        }
        if let Some(counter) = &counter {
            if !is_inside(counter) {
                return Err(ChainError::Counter { counter: counter.clone(), message_len });
            }
            if counter.len() > 4 {
                return Err(ChainError::CounterTooLong { len: counter.len() });
            }
            if value.start < counter.end && counter.start < value.end {
                return Err(ChainError::Overlap { counter: counter.clone(), value });
            }
        }
        Ok(Self { message_len, value, counter: counter.unwrap_or(0..0) })
    }

    /// The bytes of a message.
    #[must_use]
    pub const fn message_len(&self) -> usize {
        self.message_len
    }

    /// The place of the value.
    #[must_use]
    pub fn value(&self) -> Range<usize> {
        self.value.clone()
    }

    /// Advances a message by one step, by its digest.
    ///
    /// # Panics
    ///
    /// Panics if `message` or `digest` is shorter than the layout needs.
    pub fn advance(&self, message: &mut [u8], digest: &[u8]) {
        let value = &mut message[self.value.clone()];
        // Copies of constant size are a few moves, others calls.
        match value.len() {
            16 => copy::<16>(value, digest),
            24 => copy::<24>(value, digest),
            32 => copy::<32>(value, digest),
            len => value.copy_from_slice(&digest[..len]),
        }
        let mut carry = true;
        for byte in message[self.counter.clone()].iter_mut().rev() {
            (*byte, carry) = byte.overflowing_add(u8::from(carry));
        }
    }
}

/// Copies the first `N` bytes of a digest.
#[inline(always)]
fn copy<const N: usize>(value: &mut [u8], digest: &[u8]) {
    value[..N].copy_from_slice(&digest[..N]);
}

/// The error of chains whose layout, messages or steps do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// The value is empty, or ends after the message.
    Value {
        /// The place of the value.
        value: Range<usize>,
        /// The bytes of a message.
        message_len: usize,
    },
    /// The counter is empty, or ends after the message.
    Counter {
        /// The place of the counter.
        counter: Range<usize>,
        /// The bytes of a message.
        message_len: usize,
    },
    /// The counter has more than four bytes.
    CounterTooLong {
        /// The bytes of the counter.
        len: usize,
    },
    /// The counter and the value have bytes in common.
    Overlap {
        /// The place of the counter.
        counter: Range<usize>,
        /// The place of the value.
        value: Range<usize>,
    },
    /// There are not as many messages as steps.
    Count {
        /// The number of steps.
        chains: usize,
        /// The bytes of a message.
        message_len: usize,
        /// The bytes of all messages.
        bytes: usize,
    },
    /// The value is longer than a digest.
    ValueTooLong {
        /// The bytes of the value.
        len: usize,
        /// The bytes of a digest.
        max: usize,
    },
    /// A message with its padding does not fit into a block.
    MessageTooLong {
        /// The bytes of a message.
        len: usize,
        /// The most that fit.
        max: usize,
    },
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { value, message_len } => {
                write!(f, "the value is in the bytes {value:?} of {message_len}")
            }
            Self::Counter { counter, message_len } => {
                write!(f, "the counter is in the bytes {counter:?} of {message_len}")
            }
            Self::CounterTooLong { len } => write!(f, "a counter of {len} bytes: at most 4"),
            Self::Overlap { counter, value } => {
                write!(f, "the counter, bytes {counter:?}, overlaps the value, bytes {value:?}")
            }
            Self::Count { chains, message_len, bytes } => write!(
                f,
                "{chains} chains have messages of {message_len} bytes each, not {bytes} bytes \
                 together"
            ),
            Self::ValueTooLong { len, max } => {
                write!(f, "a value of {len} bytes is longer than a digest, {max} bytes")
            }
            Self::MessageTooLong { len, max } => {
                write!(f, "a message of a chain has at most {max} bytes, not {len}")
            }
        }
    }
}

impl Error for ChainError {}

/// A hash with kernels for chains.
pub trait ChainHash: CompiledHash {
    /// Hashes chains that begin with `starts`; implement it with [`try_hash_chains`].
    ///
    /// # Errors
    ///
    /// Returns the error of [`try_hash_chains`].
    fn hash_chains(
        backend: Backend,
        starts: Starts<'_, RowOf<Self>>,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) -> Result<(), ChainError>;
}

/// Advances the `i`-th message by `steps[i]` steps; `messages` are end to end.
///
/// `starts` have the states after what precedes the messages, of one length before all.
///
/// # Errors
///
/// Returns a [`ChainError`] if there are not as many messages as `steps`, if a value is longer than
/// a digest, or if a message does not fit into one block with its padding.
///
/// # Panics
///
/// Panics if `starts` are those of each chain and not as many as `steps`, or come after several
/// lengths.
pub fn try_hash_chains<H: LaneHash<Word: From<u32>, Ending = Length>>(
    backend: Backend,
    starts: Starts<'_, RowOf<H>>,
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) -> Result<(), ChainError> {
    let max_len = block_bytes::<H::Word>() - 2 * H::Word::BYTES - 1;
    let mut chains = Chains::new(layout, messages, steps, max_len, H::DIGEST_BYTES)?;
    let mut padded = *H::Word::zero_block();
    padded.elements_mut()[layout.message_len] = 0x80;
    if let Starts::Each(each) = starts {
        assert_eq!(each.len(), steps.len(), "as many starts as chains");
        let is_one = each.windows(2).all(|pair| pair[0].before == pair[1].before);
        assert!(is_one, "what precedes the messages of chains has one length");
    }
    let before = if steps.is_empty() { 0 } else { starts.of(0).before };
    H::Word::write_length(&mut padded, H::ORDER, before + layout.message_len as u64);
    let words = ChainWords::new(H::ORDER, layout);
    // Chains cost what those of PBKDF2 do: messages that are loaded for each hash cost more.
    let plan = plan_of_chains::<H>(backend, chains.count());
    let one = match starts {
        Starts::One(start) => Some(start.state.map_or(H::IV, H::state)),
        Starts::Each(_) => None,
    };
    for (pass, range) in chains.passes(backend, plan) {
        let lanes = pass.messages::<H::Word>();
        chains.run(range, lanes, padded, |blocks, places, count| {
            let mut rows: ArrayVec<RowOf<H>, MAX_LANES> = ArrayVec::new();
            let states = match &one {
                Some(state) => States::One(state),
                None => {
                    rows.extend(places.iter().map(|place| starts.of(place.chain).row::<H>()));
                    States::Each(&rows)
                }
            };
            match pass {
                Pass::Lanes(kernel) => {
                    kernel.run(Steps::<H> { states, words: &words, blocks, count });
                }
                Pass::Sha(sha, _) => run_streams::<H>(sha, &states, layout, blocks, places, count),
            }
        });
    }
    Ok(())
}

/// The state before the message in each lane.
enum States<'s, H: LaneHash> {
    One(&'s H::State<H::Word>),
    Each(&'s [RowOf<H>]),
}

/// Chains on their way through the lanes of any hash.
#[derive(Debug)]
pub struct Chains<'c> {
    layout: &'c ChainLayout,
    messages: &'c mut [u8],
    steps: &'c [u32],
    /// The chains that have steps, the longest first, so that lanes are idle only while the last
    /// ones end.
    queue: Vec<usize>,
}

/// What is in a lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    chain: usize,
    /// The steps that the chain has left; 0 if there is none.
    pub left: u32,
}

impl<'c> Chains<'c> {
    /// The chains of `messages`, end to end, for a hash with messages of at most `max_len` bytes
    /// and digests of `max_value`.
    ///
    /// # Errors
    ///
    /// Returns a [`ChainError`] if there are not as many messages as `steps`, or if messages or
    /// values are too long.
    pub fn new(
        layout: &'c ChainLayout,
        messages: &'c mut [u8],
        steps: &'c [u32],
        max_len: usize,
        max_value: usize,
    ) -> Result<Self, ChainError> {
        let (message_len, value_len) = (layout.message_len, layout.value.len());
        let (bytes, chains) = (messages.len(), steps.len());
        if Some(bytes) != chains.checked_mul(message_len) {
            return Err(ChainError::Count { chains, message_len, bytes });
        }
        if value_len > max_value {
            return Err(ChainError::ValueTooLong { len: value_len, max: max_value });
        }
        if message_len > max_len {
            return Err(ChainError::MessageTooLong { len: message_len, max: max_len });
        }
        let mut queue: Vec<usize> = (0..chains).filter(|&i| steps[i] > 0).collect();
        queue.sort_by_key(|&i| Reverse(steps[i]));
        Ok(Self { layout, messages, steps, queue })
    }

    /// The number of chains that have steps.
    #[must_use]
    pub fn count(&self) -> usize {
        self.queue.len()
    }

    /// The passes of `plan`, or one kernel for all chains if that takes less time.
    ///
    /// A plan is for chains of equal length. Each of its passes lasts as long as its longest chain,
    /// while one kernel refills its lanes.
    #[must_use]
    pub fn passes<S: ShaInstructions>(
        &self,
        backend: Backend,
        plan: &Plan,
    ) -> Vec<(Pass<S>, Range<usize>)> {
        let costs = plan.costs();
        // The steps of the longest chain, and those of all.
        let steps = |chains: Range<usize>| {
            let chains = &self.queue[chains];
            let longest = chains.first().map_or(0, |&first| self.steps[first].into());
            let all: u64 = chains.iter().map(|&chain| u64::from(self.steps[chain])).sum();
            (longest, all)
        };
        let time = |kernel: Kernel, (longest, all): (u64, u64)| {
            let passes = all.div_ceil(costs.messages(kernel) as u64).max(longest);
            costs.of(kernel).map_or(u64::MAX, |cost| passes.saturating_mul(cost.into()))
        };
        let mut runs: Vec<_> = plan.runs(self.count()).collect();
        let times = runs.iter().map(|(kernel, chains)| time(*kernel, steps(chains.clone())));
        let planned = times.fold(0, u64::saturating_add);
        let whole = steps(0..self.count());
        let alone = backend.kernels().map(|kernel| (time(kernel, whole), kernel));
        if let Some((time, kernel)) = alone.min_by_key(|&(time, _)| time)
            && time < planned
        {
            runs = vec![(kernel, 0..self.count())];
        }
        runs.into_iter().map(|(kernel, chains)| (backend.pass(kernel), chains)).collect()
    }

    /// Runs these chains to their ends, in this number of lanes. `padded` is a block with the
    /// padding of a message.
    ///
    /// `advance` takes the message in each lane by some steps further; what it does to those of
    /// lanes without a chain does not matter.
    pub fn run<B: Array<u8>>(
        &mut self,
        chains: Range<usize>,
        lanes: usize,
        padded: B,
        mut advance: impl FnMut(&mut [B], &[Place], u32),
    ) {
        let Self { layout, messages, steps, queue } = self;
        let len = layout.message_len;
        let mut queue = queue[chains].iter();
        let mut all_blocks = [padded; MAX_LANES];
        let mut all_places = [Place::default(); MAX_LANES];
        let (blocks, places) = (&mut all_blocks[..lanes], &mut all_places[..lanes]);
        loop {
            for (place, block) in places.iter_mut().zip(&mut *blocks) {
                if place.left == 0 {
                    let Some(&chain) = queue.next() else { continue };
                    *place = Place { chain, left: steps[chain] };
                    let message = &messages[chain * len..][..len];
                    block.elements_mut()[..len].copy_from_slice(message);
                }
            }
            let lefts = places.iter().map(|place| place.left).filter(|&left| left > 0);
            let Some(count) = lefts.min() else { return };
            advance(blocks, places, count);
            for (place, block) in places.iter_mut().zip(&*blocks) {
                if place.left > 0 {
                    place.left -= count;
                    if place.left == 0 {
                        messages[place.chain * len..][..len]
                            .copy_from_slice(&block.elements()[..len]);
                    }
                }
            }
        }
    }
}

/// Advances the chains in the lanes by `count` steps, with SHA instructions.
fn run_streams<H: LaneHash>(
    sha: H::Sha,
    states: &States<'_, H>,
    layout: &ChainLayout,
    blocks: &mut [Block<H::Word>],
    places: &[Place],
    count: u32,
) {
    let busy: ArrayVec<usize, MAX_LANES> =
        (0..places.len()).filter(|&i| places[i].left > 0).collect();
    for _ in 0..count {
        let mut rows: ArrayVec<RowOf<H>, MAX_LANES> = ArrayVec::new();
        let mut inputs: ArrayVec<&[Block<H::Word>], MAX_LANES> = ArrayVec::new();
        for &i in &busy {
            rows.push(match states {
                States::One(state) => H::row(state),
                States::Each(rows) => rows[i],
            });
            inputs.push(slice::from_ref(&blocks[i]));
        }
        sha.compress_streams(&mut rows, &inputs);
        drop(inputs);
        for (row, &i) in rows.iter().zip(&busy) {
            layout.advance(blocks[i].elements_mut(), row.elements());
        }
    }
}

/// Some steps of the chain in each lane.
struct Steps<'c, H: LaneHash> {
    states: States<'c, H>,
    words: &'c ChainWords<H::Word>,
    /// The messages, padded.
    blocks: &'c mut [Block<H::Word>],
    count: u32,
}

impl<H: LaneHash<Word: From<u32>, Ending = Length>> LaneJob for Steps<'_, H> {
    const KERNELS: KernelSet = H::KERNELS;

    type Word = H::Word;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = H::Word>>(self, token: V::Token) {
        let Self { states, words, blocks, count } = self;
        let blocks = &mut blocks[..V::COUNT];
        let mut block = V::load_blocks(
            token,
            H::ORDER,
            #[inline(always)]
            |lane| &blocks[lane],
        );
        let mut counters: V = words.counters(token, blocks);
        let one = V::splat(token, 1.into());
        for _ in 0..count {
            // Made again for each step: a copy of so many vectors would be a call of `memcpy`.
            let mut state: H::State<V> = match states {
                States::One(state) => splat_all(token, state.elements()),
                States::Each(rows) => {
                    let rows = &rows[..V::COUNT];
                    load_states::<V, H>(
                        token,
                        #[inline(always)]
                        |lane| &rows[lane],
                    )
                }
            };
            H::compress(token, &mut state, block, ());
            counters = counters + one;
            words.advance(token, &mut block, &state, counters);
        }
        let (halves, _) = block.as_chunks::<ROW_WORDS>();
        for half in 0..2 {
            V::store_rows(
                halves[half],
                #[inline(always)]
                |lane, words| {
                    H::Word::rows_of_mut(&mut blocks[lane])[half] =
                        H::Word::row_of(words, H::ORDER);
                },
            );
        }
    }
}

/// The most words of a block: those of SHAKE128.
const MAX_WORDS: usize = 24;

/// Where the words of a block have what changes from step to step.
#[derive(Clone, Copy, Debug)]
pub struct ChainWords<W> {
    order: ByteOrder,
    value: Bits<W>,
    counter: Bits<W>,
    counter_bytes: (usize, usize),
}

/// Some bits of a block, of which the first one of a word is put in `first`, `shift` bits after its
/// begin.
#[derive(Clone, Copy, Debug)]
struct Bits<W> {
    /// Ones where the bits are.
    mask: [W; MAX_WORDS],
    first: usize,
    /// The number of words that have some, at most.
    count: usize,
    shift: u32,
}

impl<W: Word> Bits<W> {
    /// The bits of these bytes, for words of which the first begins at byte `begin`.
    fn new(order: ByteOrder, bytes: &Range<usize>, begin: isize) -> Self {
        let mut mask = [W::default(); MAX_WORDS];
        for (i, words) in mask.as_chunks_mut::<ROW_WORDS>().0.iter_mut().enumerate() {
            let mut row = *W::zero_row();
            let len = row.elements().len();
            for (byte, at) in row.elements_mut().iter_mut().zip(i * len..) {
                if bytes.contains(&at) {
                    *byte = 0xff;
                }
            }
            *words = W::words_of(&row, order);
        }
        let size = W::BYTES as isize;
        let count = if bytes.is_empty() { 0 } else { bytes.len().div_ceil(W::BYTES) + 1 };
        let first = begin.div_euclid(size) as usize;
        Self { mask, first, count, shift: 8 * begin.rem_euclid(size) as u32 }
    }

    /// Replaces these bits in word `i` of a block, if it has some, by those of `words`.
    #[inline(always)]
    fn put<V: Lanes<Word = W>, A: Array<V>>(
        &self,
        token: V::Token,
        order: ByteOrder,
        i: usize,
        block: &mut V,
        words: &A,
    ) {
        let at = i.wrapping_sub(self.first);
        if at >= self.count {
            return;
        }
        // Where there are no such words, the mask has zeros.
        let here = words.elements()[at.min(A::LEN - 1)];
        let mut word = here;
        if self.shift > 0 {
            let before = words.elements()[at.wrapping_sub(1).min(A::LEN - 1)];
            let rest = W::BITS - self.shift;
            word = match order {
                ByteOrder::Big => here.shift_right(self.shift) | before.shift_left(rest),
                ByteOrder::Little => here.shift_left(self.shift) | before.shift_right(rest),
            };
        }
        *block = V::splat(token, self.mask[i]).choose(word, *block);
    }
}

impl<W: Word + From<u32>> ChainWords<W> {
    /// Of a layout, for blocks whose words have their bytes in `order`.
    #[must_use]
    pub fn new(order: ByteOrder, layout: &ChainLayout) -> Self {
        let ChainLayout { value, counter, .. } = layout;
        // The last byte of a counter is that of a word, whatever its length.
        let counter_begin = counter.end as isize - W::BYTES as isize;
        Self {
            order,
            value: Bits::new(order, value, value.start as isize),
            counter: Bits::new(order, counter, counter_begin),
            counter_bytes: (counter.start, counter.end),
        }
    }

    /// The counter of each lane, from the bytes of its message.
    #[inline(always)]
    pub fn counters<V: Lanes<Word = W>, B: Array<u8>>(&self, token: V::Token, blocks: &[B]) -> V {
        let mut counters = [W::default(); MAX_LANES];
        for lane in 0..V::COUNT {
            let mut counter = 0;
            for at in self.counter_bytes.0..self.counter_bytes.1 {
                counter = counter << 8 | u32::from(blocks[lane].elements()[at]);
            }
            counters[lane] = counter.into();
        }
        V::from_words(token, &counters)
    }

    /// Puts these digests, of which only the first words matter, in the place of the values, and
    /// these counters in that of the old ones.
    #[inline(always)]
    pub fn advance<V: Lanes<Word = W>, A: Array<V>>(
        &self,
        token: V::Token,
        block: &mut A,
        digests: &impl Array<V>,
        counters: V,
    ) {
        let order = self.order;
        let digits = match order {
            ByteOrder::Big => counters,
            ByteOrder::Little => counters.swap_bytes(),
        };
        for i in 0..A::LEN {
            let word = &mut block.elements_mut()[i];
            self.value.put(token, order, i, word, digests);
            self.counter.put(token, order, i, word, &[digits]);
        }
    }
}
