//! Hashes messages of any length, group by group.
//!
//! Messages of equal length begin and end together, so their states and their padding stay in the
//! registers (`equal.rs`). Others fill the lanes, run for the blocks that all have, and are
//! replaced as they end (`mixed.rs`). See docs/scheduling.md.

mod equal;
mod mixed;
mod one;
mod pass;

use alloc::boxed::Box;
use core::hint::black_box;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::blocks::row_bytes;
use crate::ending::{Ending, body_blocks};
use crate::fixed::{Rows, plan_of_batch};
use crate::hash::{GROUP, Group, LaneHash, MAX_SAMPLE_WORDS, Shape, Sink, Start, Starts};
use crate::kernel::ONLY_PORTABLE;
use crate::lanes::MAX_LANES;
use crate::plan::{Costs, Plan};
use crate::rows::{first_rows, zero_row};
use crate::word::{Array, Bytes, ROW_WORDS, Row, Word};

use equal::{hash_alike, hash_padded};
use mixed::MixedLanes;
pub use one::hash_one;
use pass::Suspects;

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
        stream: &mut Stream<Self>,
        group: &Group<'_, Row<Self::Word>>,
        sink: &mut dyn Sink<Row<Self::Word>>,
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
                $crate::engine::hash_batch::<$crate::engine::Rows<'_, Self>>(
                    backend, messages, rows,
                );
            }

            fn hash_group(
                stream: &mut $crate::engine::Stream<Self>,
                group: &$crate::engine::Group<'_, $crate::engine::RowOf<Self>>,
                sink: &mut dyn $crate::engine::Sink<$crate::engine::RowOf<Self>>,
            ) -> u64 {
                $crate::engine::hash_group(stream, group, sink)
            }
        }
    };
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

/// The minimum number of messages of equal length that are hashed separately from others.
const MIN_EQUAL: usize = 16;

/// The state of a stream of messages between its groups.
#[derive(Debug)]
pub struct Stream<H: LaneHash> {
    backend: Backend,
    /// Those of messages that are not equal.
    lanes: Option<Box<MixedLanes<H>>>,
    /// They grow to as many as are used: zeroing all of them would slow down small batches.
    rows: ArrayVec<Row<H::Word>, GROUP>,
    /// Those of the group.
    suspects: Suspects<H>,
}

impl<H: LaneHash> Stream<H> {
    /// Before the first group.
    #[inline]
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        Self { backend, lanes: None, rows: ArrayVec::new(), suspects: Suspects::new() }
    }
}

/// Hashes the next group of a stream; implements [`CompiledHash::hash_group`].
pub fn hash_group<H: CompiledHash>(
    stream: &mut Stream<H>,
    group: &Group<'_, Row<H::Word>>,
    sink: &mut dyn Sink<Row<H::Word>>,
) -> u64 {
    const { assert!(H::STATE_WORDS <= ROW_WORDS, "a state has at most eight words") }
    if ONLY_PORTABLE {
        for (i, bytes) in group.bytes.iter().enumerate() {
            let row = hash_one::<H>(stream.backend, *group.starts.of(i), bytes);
            sink.finished(group.first + i, &[row]);
        }
        return 0;
    }
    let count = group.bytes.len();
    if stream.lanes.as_ref().is_none_or(|lanes| lanes.count == 0) {
        let hashed = hash_first_equal(stream, group, sink);
        if hashed == count {
            return 0;
        }
        if hashed > 0 && count == GROUP {
            // The next messages may be equal to the others.
            return u64::MAX << hashed;
        }
        if hashed > 0 {
            return hash_group(stream, &group.after(hashed), sink);
        }
    }
    let blocks_of = |bytes: &&[u8]| blocks_of_len::<H>(bytes.len()) as u64;
    let blocks = || group.bytes.iter().map(blocks_of).sum();
    let plan = plan::<H>(stream.backend, Shape::Mixed, blocks);
    let lanes = stream.lanes.get_or_insert_with(MixedLanes::boxed);
    lanes.hash_in_turns(stream.backend, plan, group, &mut stream.suspects, sink)
}

impl<R: Copy> Group<'_, R> {
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
    fn count_equal<E: Ending, W: Word>(&self) -> (usize, bool) {
        let all = self.bytes.len();
        let Some(first) = self.bytes.first() else { return (0, false) };
        let is_enough = |count| count >= MIN_EQUAL || count == all;
        let len = first.len();
        let mut count = all;
        // The common case without a branch for each message.
        if self.bytes.iter().fold(0, |differences, bytes| differences | bytes.len() ^ len) > 0 {
            count = self.bytes.iter().position(|bytes| bytes.len() != len).unwrap_or(all);
        }
        if matches!(self.starts, Starts::One(Start { ends: true, .. })) && is_enough(count) {
            return (count, true);
        }
        let shape = |i: usize| {
            let len = self.bytes[i].len();
            let ends = self.starts.of(i).ends;
            (body_blocks::<E, W>(len, ends), ends.then(|| E::last_blocks::<W>(len)))
        };
        let first = shape(0);
        count = (1..all).find(|&i| shape(i) != first).unwrap_or(all);
        (if is_enough(count) { count } else { 0 }, false)
    }
}

/// Hashes the first messages of a group if they are equal enough. Returns their number, or 0.
// Inlined, its arrays would take up stack while other messages are hashed.
#[inline(never)]
fn hash_first_equal<H: CompiledHash>(
    stream: &mut Stream<H>,
    group: &Group<'_, Row<H::Word>>,
    sink: &mut dyn Sink<Row<H::Word>>,
) -> usize {
    let Stream { backend, rows, suspects, .. } = stream;
    let (count, are_alike) = group.count_equal::<H::Ending, H::Word>();
    if count == 0 {
        return 0;
    }
    let (messages, start) = (&group.bytes[..count], group.starts.of(0));
    if let [message] = messages {
        sink.finished(group.first, &[hash_one::<H>(*backend, *start, message)]);
        return 1;
    }
    let rows = first_rows(rows, count);
    let are_rows = !H::SUSPECTS && messages[0].len() == row_bytes::<H::Word>();
    if are_alike && start.state.is_none() && are_rows {
        H::hash_rows(*backend, messages, rows);
    } else {
        let plan = plan_of_equal::<H>(*backend, messages[0].len(), count);
        for (pass, range) in plan.passes(*backend, count) {
            let (begin, messages, rows) = (range.start, &messages[range.clone()], &mut rows[range]);
            if are_alike {
                hash_alike::<H>(pass, start, messages, rows, begin, suspects);
            } else {
                let start = |i| group.starts.of(begin + i);
                hash_padded::<H>(pass, start, messages, rows, &PLACES[begin..], suspects);
            }
        }
    }
    if H::SUSPECTS {
        suspects.look_into();
        for (place, row) in rows.iter_mut().enumerate() {
            if suspects.is_confirmed(place) {
                *row = hash_one::<H>(*backend, *group.starts.of(place), messages[place]);
            }
        }
        suspects.clear();
    }
    sink.finished(group.first, rows);
    count
}

/// The plan for `count` messages of `len` bytes.
fn plan_of_equal<H: LaneHash>(backend: Backend, len: usize, count: usize) -> &'static Plan {
    let blocks = || (count as u64).saturating_mul(blocks_of_len::<H>(len) as u64);
    plan::<H>(backend, Shape::of::<H::Ending, H::Word>(len), blocks)
}

/// The number of blocks of a message of `len` bytes, with its padding.
fn blocks_of_len<H: LaneHash>(len: usize) -> usize {
    H::Ending::blocks::<H::Word>(len)
}

/// The plan for some messages of a shape, which have this number of blocks.
fn plan<H: LaneHash>(
    backend: Backend,
    shape: Shape,
    blocks: impl FnOnce() -> u64,
) -> &'static Plan {
    H::plans(shape).of(backend, blocks, |kernel, messages| {
        let len = shape.sample_len::<H::Word>();
        let slices = &[&SAMPLE[..len]; MAX_LANES][..messages];
        if shape == Shape::Mixed {
            let group = Group { bytes: slices, starts: Starts::One(Start::WHOLE), first: 0 };
            let (plan, mut sink) = (
                Plan::only(kernel, Costs::new(&[]).of_words::<H::Word>()),
                |_, rows: &[RowOf<H>]| _ = black_box(rows),
            );
            let mut lanes = MixedLanes::<H>::boxed();
            lanes.hash_in_turns(backend, &plan, &group, &mut Suspects::new(), &mut sink);
        } else {
            let mut rows = [zero_row::<H>(); MAX_LANES];
            let (pass, rows_of) = (backend.pass(kernel), &mut rows[..messages]);
            hash_alike::<H>(pass, &Start::WHOLE, slices, rows_of, 0, &mut Suspects::new());
            black_box(rows);
        }
        blocks_of_len::<H>(len) as u32
    })
}

/// What hashing `count` messages of `len` bytes costs; implements [`CompiledHash::cost`].
#[must_use]
pub fn cost<H: LaneHash>(backend: Backend, len: usize, count: usize) -> u64 {
    if len == row_bytes::<H::Word>() {
        return plan_of_batch::<Rows<'_, H>>(backend, count).cost(count);
    }
    let plan = plan_of_equal::<H>(backend, len, count);
    plan.cost(count).saturating_mul(blocks_of_len::<H>(len) as u64)
}

/// What a kernel hashes while it is measured, or the beginning of it.
const SAMPLE: [u8; MAX_SAMPLE_WORDS * u64::BYTES] = [0; MAX_SAMPLE_WORDS * u64::BYTES];
