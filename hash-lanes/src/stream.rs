//! Hashes messages of any length: fills the lanes, runs them for the blocks that all have, and
//! refills them.
//!
//! Messages of equal length begin and end together, so their states and their padding stay in the
//! registers. See docs/scheduling.md.

use alloc::boxed::Box;
use core::hint::black_box;
use core::iter::repeat_n;
use core::marker::PhantomData;
use core::num::Wrapping;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::fixed::{Bytes32, plan_of_batch};
use crate::hash::{GROUP, Group, LaneHash, Row, Shape, Sink, Start, Starts};
use crate::kernel::{KernelSet, LaneJob, LaneKernel, Pass};
use crate::lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES, Portable};
use crate::padding::{Padding, ROW_BYTES, copy_short, pad_in_lanes, padded_blocks};
use crate::plan::Plan;

/// The minimum number of messages of equal length that are hashed separately from others.
const MIN_EQUAL: usize = 16;

/// The state of a stream of messages between its groups.
#[derive(Debug)]
pub struct Stream<H, const WORDS: usize> {
    backend: Backend,
    /// Those of messages that are not equal.
    lanes: Option<Box<MixedLanes<H, WORDS>>>,
    /// They grow to as many as are used: zeroing all of them would slow down small batches.
    rows: ArrayVec<Row, GROUP>,
}

impl<H, const WORDS: usize> Stream<H, WORDS> {
    /// Before the first group.
    #[inline]
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        Self { backend, lanes: None, rows: ArrayVec::new() }
    }
}

/// Hashes the next group of a stream; implements [`LaneHash::hash_group`].
pub fn hash_group<H: LaneHash<WORDS>, const WORDS: usize>(
    stream: &mut Stream<H, WORDS>,
    group: &Group<'_>,
    sink: &mut dyn Sink,
) -> u64 {
    const { assert!(WORDS <= 8, "a state has at most eight words") }
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
    let blocks = || group.bytes.iter().map(|bytes| padded_blocks(bytes.len()) as u64).sum();
    let plan = plan::<H, WORDS>(stream.backend, Shape::Mixed, blocks);
    let lanes = stream.lanes.get_or_insert_with(MixedLanes::boxed);
    lanes.hash_group(stream.backend, plan, group, sink)
}

impl Group<'_> {
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
    fn count_equal(&self) -> (usize, bool) {
        let all = self.bytes.len();
        let Some(first) = self.bytes.first() else { return (0, false) };
        let is_enough = |count| count >= MIN_EQUAL || count == all;
        let len = first.len();
        let mut count = all;
        // The common case without a branch for each message.
        if self.bytes.iter().fold(0, |differences, bytes| differences | bytes.len() ^ len) > 0 {
            count = self.bytes.iter().position(|bytes| bytes.len() != len).unwrap_or(all);
        }
        if matches!(self.starts, Starts::One(Start { ends_after: Some(_), .. })) && is_enough(count)
        {
            return (count, true);
        }
        let shape = |i: usize| {
            let len = self.bytes[i].len();
            let ends = self.starts.of(i).ends_after.is_some();
            (len / BLOCK_BYTES, ends.then(|| Padding::blocks_after(len)))
        };
        let first = shape(0);
        count = (1..all).find(|&i| shape(i) != first).unwrap_or(all);
        (if is_enough(count) { count } else { 0 }, false)
    }
}

/// Hashes the first messages of a group if they are equal enough. Returns their number, or 0.
// Inlined, its arrays would take up stack while other messages are hashed.
#[inline(never)]
fn hash_first_equal<H: LaneHash<WORDS>, const WORDS: usize>(
    stream: &mut Stream<H, WORDS>,
    group: &Group<'_>,
    sink: &mut dyn Sink,
) -> usize {
    let Stream { backend, rows, .. } = stream;
    let (count, are_alike) = group.count_equal();
    if count == 0 {
        return 0;
    }
    let (messages, start) = (&group.bytes[..count], group.starts.of(0));
    if let [message] = messages {
        sink.finished(group.first, &[hash_one::<H, WORDS>(*backend, *start, message)]);
        return 1;
    }
    let rows = first_rows(rows, count);
    if are_alike && start.state.is_none() && messages[0].len() == ROW_BYTES {
        H::hash_32_bytes(*backend, messages, rows);
    } else {
        let plan = plan_of_equal::<H, WORDS>(*backend, messages[0].len(), count);
        for (pass, range) in plan.passes(*backend, count) {
            let (begin, messages, rows) = (range.start, &messages[range.clone()], &mut rows[range]);
            if are_alike {
                hash_alike::<H, WORDS>(pass, start, messages, rows);
            } else {
                hash_padded::<H, WORDS>(pass, |i| group.starts.of(begin + i), messages, rows);
            }
        }
    }
    sink.finished(group.first, rows);
    count
}

/// The first `count` of some rows, which grow as needed.
///
/// # Panics
///
/// Panics if `count` is above [`GROUP`].
#[inline]
pub fn first_rows(rows: &mut ArrayVec<Row, GROUP>, count: usize) -> &mut [Row] {
    // By one `memset`: `extend` takes nine instructions for each row.
    let missing = count.saturating_sub(rows.len());
    rows.try_extend_from_slice(&[[0; 32]; GROUP][..missing]).expect("at most a group");
    &mut rows[..count]
}

/// The plan for `count` messages of `len` bytes.
fn plan_of_equal<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    len: usize,
    count: usize,
) -> &'static Plan {
    let blocks = || (count as u64).saturating_mul(padded_blocks(len) as u64);
    plan::<H, WORDS>(backend, Shape::of(len), blocks)
}

/// The plan for some messages of a shape, which have this number of blocks.
fn plan<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    shape: Shape,
    blocks: impl FnOnce() -> u64,
) -> &'static Plan {
    H::plans(shape).of(backend, blocks, |kernel, messages| {
        let len = shape.sample_len();
        let slices = &[&SAMPLE[..len]; MAX_LANES][..messages];
        if shape == Shape::Mixed {
            let group = Group { bytes: slices, starts: Starts::One(Start::WHOLE), first: 0 };
            let (plan, mut sink) = (Plan::only(kernel), |_, rows: &[Row]| _ = black_box(rows));
            MixedLanes::<H, WORDS>::boxed().hash_group(backend, &plan, &group, &mut sink);
        } else {
            let mut rows = [[0; 32]; MAX_LANES];
            hash_alike::<H, WORDS>(
                backend.pass(kernel),
                &Start::WHOLE,
                slices,
                &mut rows[..messages],
            );
            black_box(rows);
        }
        padded_blocks(len) as u32
    })
}

/// What hashing `count` messages of `len` bytes costs; implements [`LaneHash::cost`].
#[must_use]
pub fn cost<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    len: usize,
    count: usize,
) -> u64 {
    if len == ROW_BYTES {
        return plan_of_batch::<Bytes32<'_, H, WORDS>>(backend, count).cost(count);
    }
    let plan = plan_of_equal::<H, WORDS>(backend, len, count);
    plan.cost(count).saturating_mul(padded_blocks(len) as u64)
}

/// What a kernel hashes while it is measured, or the beginning of it.
const SAMPLE: [u8; 5 * BLOCK_BYTES] = [0; 5 * BLOCK_BYTES];

/// Hashes messages of equal length that all begin and end like `start`, by passes of one kind.
fn hash_alike<H: LaneHash<WORDS>, const WORDS: usize>(
    pass: Pass,
    start: &Start<'_>,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let len = messages[0].len();
    let message_bits = start.ends_after.unwrap_or(0).wrapping_add(len as u64).wrapping_mul(8);
    match pass {
        Pass::Lanes(kernel) => {
            let state = start.state.map_or(H::IV, H::state);
            let end = End { len, message_bits };
            if len < ROW_BYTES {
                hash_short::<H, WORDS>(kernel, &state, end, messages, rows);
            } else {
                hash_lanes::<H, WORDS>(kernel, &state, end, messages, rows);
            }
        }
        Pass::Sha(sha, streams) => {
            let streams = messages.len().min(streams.into());
            H::hash_equal(sha, streams, &start.row::<H, WORDS>(), messages, message_bits, rows);
        }
    }
}

impl Start<'_> {
    /// The state to begin with.
    #[inline]
    fn row<H: LaneHash<WORDS>, const WORDS: usize>(&self) -> Row {
        self.state.copied().unwrap_or_else(|| H::row(&H::IV))
    }
}

/// [`hash_lanes`] for messages shorter than a row.
// Inlined, its arrays would be on the stack of longer messages, too.
#[inline(never)]
fn hash_short<H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    state: &[u32; WORDS],
    end: End,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let mut copies = ArrayVec::new();
    // In place: a row that is moved would be loaded with other widths than it was stored, which
    // defeats store forwarding.
    for (row, message) in first_rows(&mut copies, messages.len()).iter_mut().zip(messages) {
        copy_short(&message[..end.len], row);
    }
    let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    slices.extend(copies.iter().map(|row| &row[..]));
    hash_lanes::<H, WORDS>(kernel, state, end, &slices, rows);
}

/// Hashes messages in lanes; idle lanes repeat the first message of their group.
// If inlined, the portable kernel would share a function, and its registers, with the kernel for
// mixed messages.
#[inline(never)]
fn hash_lanes<H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    state: &[u32; WORDS],
    end: End,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let run = |messages: &[&[u8]], rows: &mut [Row]| {
        let work = Work::Alike { messages, state, end };
        kernel.run(HashLanes { work, rows, hash: PhantomData::<H> });
    };
    let full = messages.len() - messages.len() % kernel.lanes();
    let (messages, rest) = messages.split_at(full);
    let (rows, rest_rows) = rows.split_at_mut(full);
    if !messages.is_empty() {
        run(messages, rows);
    }
    if let [first, ..] = rest {
        let mut all: ArrayVec<&[u8], MAX_LANES> = ArrayVec::new();
        all.extend(rest.iter().copied());
        all.extend(repeat_n(*first, kernel.lanes() - rest.len()));
        let mut all_rows = [[0; 32]; MAX_LANES];
        run(&all, &mut all_rows[..all.len()]);
        rest_rows.copy_from_slice(&all_rows[..rest.len()]);
    }
}

/// Hashes messages with equally many blocks, each with its own start and padded in memory, by
/// passes of one kind.
#[inline(never)]
fn hash_padded<'s, H: LaneHash<WORDS>, const WORDS: usize>(
    pass: Pass,
    start: impl Fn(usize) -> &'s Start<'s>,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let whole = messages[0].len() / BLOCK_BYTES;
    // Padding several passes together keeps the stores away from the loads, which would wait for
    // them.
    let full = pass.messages();
    let together = MAX_LANES - MAX_LANES % full;
    let mut paddings: ArrayVec<Padding, MAX_LANES> = ArrayVec::new();
    let chunks = messages.chunks(together).zip(rows.chunks_mut(together));
    for (chunk, (messages, rows)) in chunks.enumerate() {
        for (i, (message, row)) in messages.iter().zip(&mut *rows).enumerate() {
            let start = start(chunk * together + i);
            if i == paddings.len() {
                paddings.push(Padding::NONE);
            }
            paddings[i].end::<H, WORDS>(start, message);
            *row = start.row::<H, WORDS>();
        }
        let passes = messages.chunks(full).zip(rows.chunks_mut(full)).zip(paddings.chunks(full));
        for ((messages, rows), paddings) in passes {
            let (mut bodies, mut tails) = (Blocks::new(), Blocks::new());
            bodies.extend(messages.iter().map(|message| &message.as_chunks().0[..whole]));
            tails.extend(paddings.iter().map(Padding::blocks).take(messages.len()));
            compress::<H, WORDS>(pass, &mut bodies, &mut tails, rows);
        }
    }
}

/// Some blocks of each message of a pass.
type Blocks<'b> = ArrayVec<&'b [Block], MAX_LANES>;

/// Hashes `bodies` and then `tails`, of each message as many or none, into the states in `rows`.
#[inline(never)]
fn compress<'b, H: LaneHash<WORDS>, const WORDS: usize>(
    pass: Pass,
    bodies: &mut Blocks<'b>,
    tails: &mut Blocks<'b>,
    rows: &mut [Row],
) {
    match pass {
        Pass::Lanes(kernel) => {
            // Idle lanes repeat the first message.
            let idle = kernel.lanes() - rows.len();
            bodies.extend(repeat_n(bodies[0], idle));
            if let Some(&first) = tails.first() {
                tails.extend(repeat_n(first, idle));
            }
            let mut all_rows: ArrayVec<Row, MAX_LANES> = ArrayVec::new();
            let lane_rows = if idle > 0 {
                all_rows.extend(rows.iter().copied());
                all_rows.extend(repeat_n([0; 32], idle));
                &mut all_rows
            } else {
                &mut *rows
            };
            let work = Work::Padded { bodies, tails };
            kernel.run(HashLanes { work, rows: lane_rows, hash: PhantomData::<H> });
            if idle > 0 {
                rows.copy_from_slice(&all_rows[..rows.len()]);
            }
        }
        Pass::Sha(sha, _) => {
            for blocks in [bodies, tails] {
                if blocks.first().is_some_and(|blocks| !blocks.is_empty()) {
                    H::compress_streams(sha, rows, blocks);
                }
            }
        }
    }
}

impl Padding {
    /// Pads a message that ends, and has no blocks for one that continues.
    #[inline]
    fn end<H: LaneHash<WORDS>, const WORDS: usize>(&mut self, start: &Start<'_>, message: &[u8]) {
        match start.ends_after {
            Some(before) => {
                let (_, rest) = message.as_chunks::<BLOCK_BYTES>();
                self.set(rest, before.wrapping_add(message.len() as u64), H::ORDER);
            }
            None => self.clear(),
        }
    }
}

/// Hashes a message with the SHA instructions if they support this hash, else with portable code;
/// implements [`LaneHash::hash_one`].
#[must_use]
pub fn hash_one<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    start: Start<'_>,
    bytes: &[u8],
) -> Row {
    let mut row = start.row::<H, WORDS>();
    let kernel = H::plans(Shape::OneBlock).of_few(backend).first(1).0;
    if let (Pass::Sha(sha, _), Some(before)) = (backend.pass(kernel), start.ends_after) {
        let message_bits = before.wrapping_add(bytes.len() as u64).wrapping_mul(8);
        let mut rows = [[0; 32]];
        H::hash_equal(sha, 1, &row, &[bytes], message_bits, &mut rows);
        return rows[0];
    }
    let body = bytes.as_chunks().0;
    if !body.is_empty() {
        compress_one::<H, WORDS>(backend, &mut row, body);
    }
    if start.ends_after.is_some() {
        let mut padding = Padding::NONE;
        padding.end::<H, WORDS>(&start, bytes);
        compress_one::<H, WORDS>(backend, &mut row, padding.blocks());
    }
    row
}

fn compress_one<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    row: &mut Row,
    blocks: &[Block],
) {
    let kernel = H::plans(Shape::OneBlock).of_few(backend).first(1).0;
    if let Pass::Sha(sha, _) = backend.pass(kernel) {
        return H::compress_streams(sha, core::slice::from_mut(row), &[blocks]);
    }
    let mut words = H::state(row).map(Wrapping);
    for block in blocks {
        let block = Wrapping::load_blocks(Portable, H::ORDER, |_| block);
        H::compress(Portable, &mut words, block);
    }
    *row = H::row(&words.map(|word| word.0));
}

/// Messages that are not alike, in lanes, each as far as it is still to be hashed.
///
/// When a message ends, its lane takes the next one. When there is none, the message of the last
/// lane moves into its place. The active messages are therefore always in the first lanes, and a
/// narrower kernel can take over.
#[derive(Debug)]
struct MixedLanes<H, const WORDS: usize> {
    /// The number of active messages, which are in the first lanes.
    count: usize,
    /// They grow to as many as are used, like the rows of the stream.
    slots: ArrayVec<Slot, MAX_LANES>,
    /// The states of the messages.
    rows: ArrayVec<Row, MAX_LANES>,
    hash: PhantomData<H>,
}

/// The message of a lane.
#[derive(Clone, Debug)]
struct Slot {
    /// Its place in the group.
    place: usize,
    /// Its number in the stream.
    number: usize,
    /// The number of its whole blocks that are left.
    body_left: usize,
    /// The last blocks, and how many of them are left.
    padding: Padding,
    padding_left: usize,
}

impl Slot {
    const IDLE: Self =
        Self { place: 0, number: 0, body_left: 0, padding: Padding::NONE, padding_left: 0 };

    /// The blocks that can be hashed in one pass, of the message with these `bytes`.
    #[inline]
    fn blocks<'b>(&'b self, bytes: &'b [u8]) -> &'b [Block] {
        let (blocks, left) = match self.body_left {
            0 => (self.padding.blocks(), self.padding_left),
            left => (bytes.as_chunks().0, left),
        };
        &blocks[blocks.len() - left..]
    }

    /// The number of blocks that can be hashed in one pass.
    #[inline]
    fn run(&self) -> usize {
        if self.body_left > 0 { self.body_left } else { self.padding_left }
    }

    #[inline]
    fn advance(&mut self, blocks: usize) {
        let left = if self.body_left > 0 { &mut self.body_left } else { &mut self.padding_left };
        *left -= blocks;
    }

    #[inline]
    fn has_ended(&self) -> bool {
        self.body_left == 0 && self.padding_left == 0
    }
}

impl<H, const WORDS: usize> MixedLanes<H, WORDS> {
    /// Without messages. Boxed because it is large and most calls never need it.
    // Inlined, its construction would take the stack of all calls.
    #[inline(never)]
    fn boxed() -> Box<Self> {
        let (slots, rows) = (ArrayVec::new(), ArrayVec::new());
        Box::new(Self { count: 0, slots, rows, hash: PhantomData })
    }
}

impl<H: LaneHash<WORDS>, const WORDS: usize> MixedLanes<H, WORDS> {
    /// Hashes the messages of a group, the first of which are in lanes. Once no message of a full
    /// group waits, it returns those left in lanes as bits, because others may follow that take
    /// part in their passes.
    fn hash_group(
        &mut self,
        backend: Backend,
        plan: &Plan,
        group: &Group<'_>,
        sink: &mut dyn Sink,
    ) -> u64 {
        let mut waiting = self.count..group.bytes.len();
        let may_others_follow = group.bytes.len() == GROUP;
        loop {
            let left = self.count + waiting.len();
            let kernel = if may_others_follow { plan.bulk() } else { plan.first(left).0 };
            let pass = backend.pass(kernel);
            while self.count < pass.messages()
                && let Some(place) = waiting.next()
            {
                if self.count == self.slots.len() {
                    self.slots.push(Slot::IDLE);
                    self.rows.push([0; 32]);
                }
                self.begin(group, self.count, place);
                self.count += 1;
            }
            if self.count == 0 || waiting.is_empty() && may_others_follow {
                break;
            }
            let taken = self.count.min(pass.messages());
            self.run_pass(group, pass, taken);
            // From the last lane down, because `remove` moves the last message into the free lane.
            for lane in (0..taken).rev() {
                if self.slots[lane].has_ended() {
                    sink.finished(self.slots[lane].number, &[self.rows[lane]]);
                    match waiting.next() {
                        Some(place) => self.begin(group, lane, place),
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

    /// Puts a message into a lane.
    #[inline]
    fn begin(&mut self, group: &Group<'_>, lane: usize, place: usize) {
        let slot = &mut self.slots[lane];
        let (bytes, start) = (group.bytes[place], group.starts.of(place));
        (slot.place, slot.number) = (place, group.first + place);
        slot.body_left = bytes.len() / BLOCK_BYTES;
        slot.padding.end::<H, WORDS>(start, bytes);
        slot.padding_left = slot.padding.blocks().len();
        self.rows[lane] = start.row::<H, WORDS>();
    }

    /// Removes the message of a lane; the last message moves into that lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        if lane < self.count {
            self.rows[lane] = self.rows[self.count];
            self.slots.swap(lane, self.count);
        }
    }

    /// Advances the first `taken` lanes by their shortest run of blocks.
    fn run_pass(&mut self, group: &Group<'_>, pass: Pass, taken: usize) {
        let (slots, rows) = (&mut self.slots[..taken], &mut self.rows[..taken]);
        let run = slots.iter().map(Slot::run).min().unwrap_or(0);
        {
            let mut blocks = Blocks::new();
            blocks.extend(slots.iter().map(|slot| &slot.blocks(group.bytes[slot.place])[..run]));
            compress::<H, WORDS>(pass, &mut blocks, &mut Blocks::new(), rows);
        }
        for slot in slots {
            slot.advance(run);
        }
    }
}

/// Messages to hash in lanes.
#[derive(Clone, Copy)]
enum Work<'a, const WORDS: usize> {
    /// Blocks and then, if there are any, other blocks of each lane, as many in each. They follow
    /// the states in the rows.
    Padded { bodies: &'a [&'a [Block]], tails: &'a [&'a [Block]] },
    /// Groups of messages that begin with `state` and are padded in the lanes.
    Alike { messages: &'a [&'a [u8]], state: &'a [u32; WORDS], end: End },
}

/// How messages of equal length end.
#[derive(Clone, Copy)]
struct End {
    /// Their length. Messages shorter than a row are followed by zeros up to its end.
    len: usize,
    /// Their length with what precedes them.
    message_bits: u64,
}

/// Hashes messages, one in each lane.
struct HashLanes<'a, H, const WORDS: usize> {
    work: Work<'a, WORDS>,
    /// The states that the messages reach.
    rows: &'a mut [Row],
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for HashLanes<'_, H, WORDS> {
    const KERNELS: KernelSet = H::KERNELS;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        for (group, rows) in self.rows.chunks_exact_mut(V::COUNT).enumerate() {
            // Not filled with empty slices, which would be a call of `memset`.
            let (mut state, whole, mut bodies): (_, _, [&[Block]; MAX_LANES]);
            match self.work {
                Work::Padded { bodies: blocks, .. } => {
                    whole = blocks[0].len();
                    state = load_states::<V, H, WORDS>(
                        token,
                        #[inline(always)]
                        |lane| &rows[lane],
                    );
                    bodies = [blocks[0]; MAX_LANES];
                    bodies[..V::COUNT].copy_from_slice(&blocks[..V::COUNT]);
                }
                Work::Alike { messages, state: initial, end } => {
                    let messages = &messages[group * V::COUNT..][..V::COUNT];
                    whole = end.len / BLOCK_BYTES;
                    state = splat_state(token, initial);
                    bodies = [messages[0].as_chunks().0; MAX_LANES];
                    for lane in 0..V::COUNT {
                        bodies[lane] = messages[lane].as_chunks().0;
                    }
                }
            }
            // A loop of its own: with one loop for both, RIPEMD-160 in SSE4.2 lanes takes 50 %
            // longer.
            for i in 0..whole {
                let block = load_block(token, H::ORDER, &bodies, i);
                H::compress(token, &mut state, block);
            }
            let is_node =
                matches!(self.work, Work::Alike { end: End { len: 64, message_bits: 512 }, .. });
            if !is_node || !H::compress_padding_of_64(token, &mut state) {
                let blocks = match self.work {
                    Work::Padded { tails, .. } => tails.first().map_or(0, |blocks| blocks.len()),
                    Work::Alike { end, .. } => Padding::blocks_after(end.len),
                };
                for i in 0..blocks {
                    let block = match self.work {
                        Work::Padded { tails, .. } => load_block(token, H::ORDER, tails, i),
                        Work::Alike { messages, end: End { len, message_bits }, .. } => {
                            let messages = &messages[group * V::COUNT..][..V::COUNT];
                            let index = whole + i;
                            pad_in_lanes(token, H::ORDER, messages, len, index, message_bits)
                        }
                    };
                    H::compress(token, &mut state, block);
                }
            }
            store_rows::<V, H, WORDS>(token, state, rows);
        }
    }
}

/// The same state in every lane.
#[inline(always)]
fn splat_state<V: Lanes, const WORDS: usize>(token: V::Token, state: &[u32; WORDS]) -> [V; WORDS] {
    let mut lanes = [V::splat(token, 0); WORDS];
    for i in 0..WORDS {
        lanes[i] = V::splat(token, state[i]);
    }
    lanes
}

/// The state of each lane, from its row; mark the closure `#[inline(always)]`.
#[inline(always)]
pub(crate) fn load_states<'r, V: Lanes, H: LaneHash<WORDS>, const WORDS: usize>(
    token: V::Token,
    row: impl Fn(usize) -> &'r Row,
) -> [V; WORDS] {
    let words = V::load_rows(token, H::ORDER, row);
    let mut state = [words[0]; WORDS];
    state.copy_from_slice(&words[..WORDS]);
    state
}

/// Loads block `i` of each lane.
#[inline(always)]
fn load_block<V: Lanes>(
    token: V::Token,
    order: ByteOrder,
    blocks: &[&[Block]],
    i: usize,
) -> [V; BLOCK_WORDS] {
    let blocks = &blocks[..V::COUNT];
    V::load_blocks(
        token,
        order,
        // Every lane has this block. Falling back to a constant instead of panicking removes the
        // branch, and the compiler then schedules the loads better: SHA-1 in 16 lanes takes 4 %
        // less time on Zen 4.
        #[inline(always)]
        |lane| blocks[lane].get(i).unwrap_or(&[0; BLOCK_BYTES]),
    )
}

/// Stores the state of each lane.
///
/// # Panics
///
/// Panics if `rows.len() < V::COUNT`.
#[inline(always)]
pub fn store_rows<V: Lanes, H: LaneHash<WORDS>, const WORDS: usize>(
    token: V::Token,
    state: [V; WORDS],
    rows: &mut [Row],
) {
    let mut words = [V::splat(token, 0); 8];
    for i in 0..WORDS {
        let is_foreign = match H::ORDER {
            ByteOrder::Big => cfg!(target_endian = "little"),
            ByteOrder::Little => cfg!(target_endian = "big"),
        };
        words[i] = if is_foreign { state[i].swap_bytes() } else { state[i] };
    }
    let rows = &mut rows[..V::COUNT];
    V::store_rows(
        words,
        #[inline(always)]
        |lane, words| {
            let (bytes, _) = rows[lane].as_chunks_mut::<4>();
            for i in 0..8 {
                bytes[i] = words[i].to_ne_bytes();
            }
        },
    );
}
