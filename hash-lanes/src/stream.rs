//! Hashes messages of any length by hashes of blocks of sixteen words, group by group.
//!
//! Messages of equal length begin and end together, so their states and their padding stay in the
//! registers (`equal.rs`). The scheduler (`schedule.rs`) says which messages take turns.

mod equal;
mod one;
mod pass;

use core::fmt;
use core::hint::black_box;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::blocks::{block_bytes, row_bytes};
use crate::ending::{Ending, body_blocks};
use crate::fixed::{Rows, hash_batch, plan_of_batch};
use crate::hash::{
    GROUP, Group, LaneHash, MAX_SAMPLE_WORDS, Shape, Sink, Start, Starts, may_suspect,
};
use crate::kernel::{Kernel, ONLY_PORTABLE, Pass};
use crate::lanes::MAX_LANES;
use crate::padding::Padding;
use crate::plan::{Costs, Plan};
use crate::rows::{first_rows, zero_row};
use crate::schedule::{Family, MixedLanes, Slot, Stream, Tail};
use crate::word::{Array, Block, Bytes, ROW_WORDS, Row, Word};

use equal::{hash_alike, hash_padded};
pub use one::hash_one;
use pass::{Blocks, Held, Suspects, compress};

/// The kernels of a hash, which [`compile_kernels!`](crate::engine::compile_kernels) compiles in
/// its crate.
pub trait CompiledHash: LaneHash {
    /// What hashing `count` messages of `len` bytes costs, in the unit of the plans.
    fn cost(backend: Backend, len: usize, count: usize) -> u64;

    /// Hashes a message, or a part of one, alone.
    fn hash_one(
        backend: Backend,
        start: Start<'_, Row<Self::Word>>,
        bytes: &[u8],
    ) -> Row<Self::Word>;

    /// Hashes complete messages of one row.
    fn hash_rows(backend: Backend, messages: &[&[u8]], rows: &mut [Row<Self::Word>]);

    /// Hashes the next group of a stream, and reports each message that ends. Returns which
    /// messages of the group to begin the next one with, message `i` as bit `i`.
    fn hash_group(
        stream: &mut Stream<BlockHash<'_, Self>>,
        group: &Group<'_, Row<Self::Word>>,
    ) -> u64;
}

/// A hash function: kernels, the state that messages begin with, and the length of digests.
///
/// Every [`CompiledHash`] is one. Others share the kernels of a hash from which they differ only in
/// the initial state and in how many bytes of the last state are the digest, as SHA-384 differs
/// from SHA-512.
pub trait HashFunction: Clone + 'static {
    /// The hash with the kernels.
    type Kernels: CompiledHash;

    /// The digest: the first bytes of a row.
    type Digest: Bytes;

    /// The state before the first block, if it is not that of the kernels.
    fn initial() -> Option<&'static RowOf<Self::Kernels>>;
}

impl<H: CompiledHash> HashFunction for H {
    type Kernels = H;
    type Digest = <H as LaneHash>::Digest;

    #[inline]
    fn initial() -> Option<&'static RowOf<H>> {
        None
    }
}

/// The word of a hash function.
pub(crate) type WordOf<F> = <<F as HashFunction>::Kernels as LaneHash>::Word;

/// How messages of a hash function end.
pub(crate) type EndingOf<F> = <<F as HashFunction>::Kernels as LaneHash>::Ending;

/// The state that messages begin with.
pub(crate) fn initial_row<F: HashFunction>() -> RowOf<F::Kernels> {
    F::initial().copied().unwrap_or_else(|| F::Kernels::row(&F::Kernels::IV))
}

/// The number of bytes in a digest.
pub(crate) const fn digest_bytes<F: HashFunction>() -> usize {
    <F::Digest as Array<u8>>::LEN
}

/// The digest of a message that has ended, from its row.
#[inline]
#[must_use]
pub fn digest_of<F: HashFunction>(row: &RowOf<F::Kernels>) -> F::Digest {
    let mut digest = F::Digest::filled(0);
    digest.elements_mut().copy_from_slice(&row.elements()[..digest_bytes::<F>()]);
    digest
}

/// The digest of one message.
#[inline]
#[must_use]
pub fn hash_message<F: HashFunction>(backend: Backend, message: &[u8]) -> F::Digest {
    let start = Start::ending(F::initial(), 0);
    digest_of::<F>(&F::Kernels::hash_one(backend, start, message))
}

/// Implements [`CompiledHash`] for a hash.
///
/// The methods are not provided ones: those would be compiled again in each crate that calls them,
/// kernels included.
#[doc(hidden)]
#[macro_export]
macro_rules! compile_kernels {
    ($Hash:ty) => {
        impl $crate::engine::CompiledHash for $Hash {
            fn cost(backend: $crate::Backend, len: usize, count: usize) -> u64 {
                $crate::engine::cost::<Self>(backend, len, count)
            }

            fn hash_one(
                backend: $crate::Backend,
                start: $crate::engine::Start<'_, $crate::engine::RowOf<Self>>,
                bytes: &[u8],
            ) -> $crate::engine::RowOf<Self> {
                $crate::engine::hash_one::<Self>(backend, start, bytes)
            }

            fn hash_rows(
                backend: $crate::Backend,
                messages: &[&[u8]],
                rows: &mut [$crate::engine::RowOf<Self>],
            ) {
                $crate::engine::hash_rows::<Self>(backend, messages, rows);
            }

            fn hash_group(
                stream: &mut $crate::engine::Stream<$crate::engine::BlockHash<'_, Self>>,
                group: &$crate::engine::Group<'_, $crate::engine::RowOf<Self>>,
            ) -> u64 {
                $crate::engine::hash_group(stream, group)
            }
        }
    };
}

/// Hashes messages of one row; implements [`CompiledHash::hash_rows`].
pub fn hash_rows<H: CompiledHash>(backend: Backend, messages: &[&[u8]], rows: &mut [RowOf<H>]) {
    if const { !may_suspect::<H>() } {
        return hash_batch::<Rows<'_, H>>(backend, messages, rows);
    }
    // The kernels of rows look into no suspicions.
    for (message, row) in messages.iter().zip(rows) {
        *row = H::hash_one(backend, Start::WHOLE, message);
    }
}

/// The row of a hash.
pub type RowOf<H> = Row<<H as LaneHash>::Word>;

/// The places in a group.
const PLACES: [usize; GROUP] = {
    let mut places = [0; GROUP];
    let mut i = 0;
    while i < GROUP {
        places[i] = i;
        i += 1;
    }
    places
};

/// The hashes of blocks of sixteen words, as the scheduler sees them.
pub struct BlockHash<'s, H: LaneHash> {
    sink: &'s mut dyn Sink<Row<H::Word>>,
    /// They grow to as many as are used: zeroing all of them would slow down small batches.
    rows: ArrayVec<Row<H::Word>, GROUP>,
    suspects: Suspects<H>,
}

impl<'s, H: LaneHash> BlockHash<'s, H> {
    /// Messages whose states go to `sink`.
    // Made in place: moving it would copy the rows that are not in use yet.
    #[inline(always)]
    pub fn new(sink: &'s mut dyn Sink<Row<H::Word>>) -> Self {
        Self { sink, rows: ArrayVec::new(), suspects: Suspects::new() }
    }
}

impl<H: LaneHash> fmt::Debug for BlockHash<'_, H> {
    /// Omits the rows, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockHash").finish_non_exhaustive()
    }
}

impl<W: Word> Tail for Padding<W> {
    #[inline]
    fn clear(&mut self) {
        Self::clear(self);
    }

    #[inline]
    fn count(&self) -> usize {
        self.blocks().len()
    }
}

impl<H: CompiledHash> Family for BlockHash<'_, H> {
    type State = Row<H::Word>;

    type Word = H::Word;

    type Sha = H::Sha;

    type Tail = Padding<H::Word>;

    const MIN_EQUAL: usize = 16;

    #[inline]
    fn initial(&self) -> Row<H::Word> {
        H::row(&H::IV)
    }

    #[inline]
    fn blocks(&self, len: usize, ends: bool) -> [usize; 2] {
        let last = if ends { H::Ending::last_blocks::<H::Word>(len) } else { 0 };
        [body_blocks::<H::Ending, H::Word>(len, ends), last]
    }

    #[inline]
    fn pad(&self, tail: &mut Padding<H::Word>, before: u64, bytes: &[u8]) {
        tail.end::<H::Ending>(H::ORDER, before, bytes);
    }

    fn hash_equal(
        &mut self,
        backend: Backend,
        group: &Group<'_, Row<H::Word>>,
        count: usize,
        alike: bool,
    ) -> bool {
        let Self { sink, rows, suspects } = self;
        let (messages, start) = (&group.bytes[..count], group.starts.of(0));
        if let [message] = messages {
            sink.finished(group.first, &[hash_one::<H>(backend, *start, message)]);
            return true;
        }
        let rows = first_rows(rows, count);
        let are_rows = const { !may_suspect::<H>() } && messages[0].len() == row_bytes::<H::Word>();
        if alike && start.state.is_none() && are_rows {
            H::hash_rows(backend, messages, rows);
        } else {
            let plan = plan_of_equal::<H>(backend, messages[0].len(), count);
            for (pass, range) in plan.passes(backend, count) {
                let begin = range.start;
                let (messages, rows) = (&messages[range.clone()], &mut rows[range]);
                if alike {
                    hash_alike::<H>(pass, start, messages, rows, begin, suspects);
                } else {
                    let start = |i| group.starts.of(begin + i);
                    hash_padded::<H>(pass, start, messages, rows, &PLACES[begin..], suspects);
                }
            }
        }
        if const { may_suspect::<H>() } {
            suspects.look_into();
            for (place, row) in rows.iter_mut().enumerate() {
                if suspects.is_confirmed(place) {
                    *row = hash_one::<H>(backend, *group.starts.of(place), messages[place]);
                }
            }
            suspects.clear();
        }
        sink.finished(group.first, rows);
        true
    }

    fn plan(&self, backend: Backend, group: &Group<'_, Row<H::Word>>) -> &'static Plan {
        let blocks_of = |bytes: &&[u8]| blocks_of_len::<H>(bytes.len()) as u64;
        plan::<H>(backend, Shape::Mixed, || group.bytes.iter().map(blocks_of).sum())
    }

    fn hash_blocks(
        &mut self,
        pass: Pass<H::Sha>,
        group: &Group<'_, Row<H::Word>>,
        slots: &[Slot<Self>],
        rows: &mut [Row<H::Word>],
        count: usize,
    ) {
        let mut blocks = Blocks::<H>::new();
        blocks.extend(
            slots.iter().map(|slot| &slot.blocks(group.bytes[slot.place])[..count]),
            slots.iter().map(Slot::offset),
        );
        let mut places: ArrayVec<usize, MAX_LANES> = ArrayVec::new();
        if const { may_suspect::<H>() } {
            places.extend(slots.iter().map(|slot| slot.place));
        }
        let tails = &mut Blocks::<H>::new();
        compress::<H>(pass, &mut blocks, tails, rows, &places, &mut self.suspects);
    }

    #[inline]
    fn finished(
        &mut self,
        backend: Backend,
        group: &Group<'_, Row<H::Word>>,
        slot: &Slot<Self>,
        row: &Row<H::Word>,
    ) {
        let &Slot { place, number, is_confirmed, .. } = slot;
        if is_confirmed || self.suspects.is_confirmed(place) {
            let row = hash_one::<H>(backend, *group.starts.of(place), group.bytes[place]);
            self.sink.finished(number, &[row]);
        } else if self.suspects.is_suspected(place) {
            self.suspects.hold(place, number, row);
        } else {
            self.sink.finished(number, &[*row]);
        }
    }

    fn end_group(
        &mut self,
        backend: Backend,
        group: &Group<'_, Row<H::Word>>,
        slots: &mut [Slot<Self>],
    ) {
        let Self { sink, suspects, .. } = self;
        if const { !may_suspect::<H>() } {
            return;
        }
        suspects.look_into();
        for &Held { place, number, row } in suspects.held() {
            let row = if suspects.is_confirmed(place) {
                hash_one::<H>(backend, *group.starts.of(place), group.bytes[place])
            } else {
                row
            };
            sink.finished(number, &[row]);
        }
        for slot in slots {
            slot.is_confirmed |= suspects.is_confirmed(slot.place);
        }
        suspects.clear();
    }
}

impl<H: CompiledHash> Slot<BlockHash<'_, H>> {
    /// The blocks that can be hashed in one pass, of the message with these `bytes`.
    #[inline]
    fn blocks<'b>(&'b self, bytes: &'b [u8]) -> &'b [Block<H::Word>] {
        match self.body_left {
            0 => {
                let blocks = self.tail.blocks();
                &blocks[blocks.len() - self.tail_left..]
            }
            left => {
                let blocks = &H::Word::blocks_of(bytes).0[..self.body];
                &blocks[self.body - left..]
            }
        }
    }

    /// The offset of the first of these blocks.
    #[inline]
    fn offset(&self) -> <H::Ending as Ending>::Offset {
        if self.body_left > 0 {
            let end = (self.body - self.body_left + 1) as u64 * block_bytes::<H::Word>() as u64;
            H::Ending::offset(self.before.wrapping_add(end), false)
        } else {
            H::Ending::offset(self.tail.message_bytes(), true)
        }
    }
}

/// Hashes the next group of a stream; implements [`CompiledHash::hash_group`].
pub fn hash_group<H: CompiledHash>(
    stream: &mut Stream<BlockHash<'_, H>>,
    group: &Group<'_, Row<H::Word>>,
) -> u64 {
    const { assert!(H::STATE_WORDS <= ROW_WORDS, "a state has at most eight words") }
    if stream.is_idle() && stream.family.sink.hash_fixed(group) {
        return 0;
    }
    if ONLY_PORTABLE {
        for (i, bytes) in group.bytes.iter().enumerate() {
            let row = hash_one::<H>(stream.backend, *group.starts.of(i), bytes);
            stream.family.sink.finished(group.first + i, &[row]);
        }
        return 0;
    }
    stream.hash_group(group)
}

/// The plan for `count` messages of `len` bytes.
fn plan_of_equal<H: CompiledHash>(backend: Backend, len: usize, count: usize) -> &'static Plan {
    let blocks = || (count as u64).saturating_mul(blocks_of_len::<H>(len) as u64);
    plan::<H>(backend, Shape::of::<H::Ending, H::Word>(len), blocks)
}

/// The number of blocks of a message of `len` bytes, with its padding.
fn blocks_of_len<H: LaneHash>(len: usize) -> usize {
    H::Ending::blocks::<H::Word>(len)
}

/// The plan for some messages of a shape, which have this number of blocks.
fn plan<H: CompiledHash>(
    backend: Backend,
    shape: Shape,
    blocks: impl FnOnce() -> u64,
) -> &'static Plan {
    H::plans(shape).of(backend, blocks, |kernel, messages| {
        let len = shape.sample_len::<H::Word>();
        let slices = &[&SAMPLE[..len]; MAX_LANES][..messages];
        if shape == Shape::Mixed {
            hash_mixed_samples::<H>(backend, kernel, slices);
        } else {
            hash_equal_samples::<H>(backend, kernel, slices);
        }
        blocks_of_len::<H>(len) as u32
    })
}

/// Hashes samples in equal steps.
// Inlined, its rows would be on the stack while other samples are hashed.
#[inline(never)]
fn hash_equal_samples<H: CompiledHash>(backend: Backend, kernel: Kernel, samples: &[&[u8]]) {
    let mut rows = <H::Word as Word>::PerLane::filled(zero_row::<H>());
    let (pass, rows) = (backend.pass(kernel), &mut rows.elements_mut()[..samples.len()]);
    hash_alike::<H>(pass, &Start::WHOLE, samples, rows, 0, &mut Suspects::new());
    black_box(rows);
}

/// Hashes samples in lanes that are refilled.
// Out of line for the same reason.
#[inline(never)]
fn hash_mixed_samples<H: CompiledHash>(backend: Backend, kernel: Kernel, samples: &[&[u8]]) {
    let group = Group { bytes: samples, starts: Starts::One(Start::WHOLE), first: 0 };
    let plan = Plan::only(kernel, Costs::new(&[]).of_words::<H::Word>());
    let mut sink = |_, rows: &[RowOf<H>]| _ = black_box(rows);
    let mut stream = Stream::new(backend, BlockHash::<H>::new(&mut sink));
    MixedLanes::new().hash_in_turns(backend, &plan, &group, &mut stream.family);
}

/// What hashing `count` messages of `len` bytes costs; implements [`CompiledHash::cost`].
#[must_use]
pub fn cost<H: CompiledHash>(backend: Backend, len: usize, count: usize) -> u64 {
    if const { !may_suspect::<H>() } && len == row_bytes::<H::Word>() {
        return plan_of_batch::<Rows<'_, H>>(backend, count).cost(count);
    }
    let plan = plan_of_equal::<H>(backend, len, count);
    plan.cost(count).saturating_mul(blocks_of_len::<H>(len) as u64)
}

/// What a kernel hashes while it is measured, or the beginning of it.
const SAMPLE: [u8; MAX_SAMPLE_WORDS * u64::BYTES] = [0; MAX_SAMPLE_WORDS * u64::BYTES];
