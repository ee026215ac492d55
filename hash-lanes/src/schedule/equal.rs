//! Hashes messages of equal shape, which begin and end together.

use core::iter::repeat_n;
use core::marker::PhantomData;
use core::ptr;

use arrayvec::ArrayVec;

use super::digests::hash_32_bytes;
use super::states::{compress_blocks, load_block, store_rows};
use crate::backend::Backend;
use crate::cpu::{MAX_STREAMS, ShaExtensions};
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::{LaneJob, LaneKernel, Pass};
use crate::lanes::{BLOCK_BYTES, Block, Lanes, MAX_LANES};
use crate::message::{Hashing, InitialState, Message};
use crate::padding::{Padding, ROW_BYTES, pad_in_lanes};
use crate::plan::Plan;
use crate::scratch::{InitialStates, Scratch, States};

/// The number of leading messages that have the same number of whole blocks, and the same number of
/// padding blocks, as the first.
pub(super) fn count_equal<const WORDS: usize>(group: &[Message<'_, WORDS>]) -> usize {
    let shape = |message: &Message<'_, WORDS>| {
        let whole = message.bytes.len() / BLOCK_BYTES;
        (whole, message.ends_after.map(|_| Padding::blocks_after(message.bytes.len())))
    };
    let first = shape(&group[0]);
    group.iter().position(|message| shape(message) != first).unwrap_or(group.len())
}

/// Hashes complete messages of equal length; implements [`LaneHash::hash_equal`].
///
/// # Panics
///
/// Panics if `rows.len() != messages.len()`, if there are more than 64 messages or their lengths
/// differ, or if `hashing` is [`Hashing::Double`] and the hash does not support it.
pub fn hash_equal<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    initial: &'m InitialState<WORDS>,
    messages: &[&'m [u8]],
    rows: &mut [Row],
    scratch: &mut Scratch<'m, WORDS>,
) {
    super::check_hashing::<H, WORDS>(hashing);
    assert_eq!(messages.len(), rows.len(), "each message needs one row");
    let Some(first) = messages.first() else { return };
    if first.len() == ROW_BYTES && initial.is_iv() && hashing == Hashing::Single {
        return hash_32_bytes::<H, WORDS>(backend, messages, rows);
    }
    let message = |i: usize| initial.message(messages[i]);
    if first.len() < ROW_BYTES {
        return hash_group::<H, WORDS>(backend, hashing, message, rows, scratch);
    }
    let states = States::splat(initial.words());
    let message_bits = initial.prefix_len().wrapping_add(first.len() as u64).wrapping_mul(8);
    for (pass, range) in plan::<H, WORDS>(backend, hashing, &message(0)).passes(backend, rows.len())
    {
        let begin = range.start;
        let messages = &messages[range.clone()];
        let rows = &mut rows[range];
        match pass {
            Pass::Lanes(kernel) => {
                let end = End::EqualLengths { message_bits };
                let is_double = hashing == Hashing::Double;
                hash_lanes::<H, WORDS>(kernel, is_double, &states, end, messages, rows);
            }
            Pass::Sha(..) => {
                let message = |i: usize| message(begin + i);
                hash_pass::<H, WORDS>(pass, hashing, message, rows, scratch);
            }
        }
    }
}

/// Hashes messages of equal shape, one for each row, and writes their final states to `rows`.
#[inline]
pub(super) fn hash_group<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    message: impl Fn(usize) -> Message<'m, WORDS>,
    rows: &mut [Row],
    scratch: &mut Scratch<'m, WORDS>,
) {
    for (pass, range) in plan::<H, WORDS>(backend, hashing, &message(0)).passes(backend, rows.len())
    {
        let begin = range.start;
        let message = |i: usize| message(begin + i);
        hash_pass::<H, WORDS>(pass, hashing, message, &mut rows[range], scratch);
    }
}

/// The plan for messages of the shape of `message`.
fn plan<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    hashing: Hashing,
    message: &Message<'_, WORDS>,
) -> &'static Plan {
    let len = message.bytes.len();
    let padding = message.ends_after.map_or(0, |_| Padding::blocks_after(len));
    let shape = match (hashing, len / BLOCK_BYTES + padding) {
        (Hashing::Double, _) => Shape::Double,
        (Hashing::Single, 1) => Shape::OneBlock,
        (Hashing::Single, _) => Shape::Blocks,
    };
    H::plan(backend, shape)
}

/// Hashes messages of equal shape by passes of one kind.
#[inline]
fn hash_pass<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    pass: Pass,
    hashing: Hashing,
    message: impl Fn(usize) -> Message<'m, WORDS>,
    rows: &mut [Row],
    scratch: &mut Scratch<'m, WORDS>,
) {
    let is_hashed_again = hashing == Hashing::Double && message(0).ends_after.is_some();
    let full = pass.messages();
    let mut begin = 0;
    // Padding several passes together keeps the stores away from the loads, which would
    // wait for them.
    for rows in rows.chunks_mut(MAX_LANES - MAX_LANES % full) {
        for i in 0..rows.len() {
            pad::<H, WORDS>(&mut scratch.paddings, i, &message(begin + i));
        }
        for (i, rows) in rows.chunks_mut(full).enumerate() {
            let group = (begin..begin + rows.len()).map(&message);
            let paddings = &scratch.paddings[i * full..];
            match pass {
                Pass::Lanes(kernel) => hash_padded::<H, WORDS>(
                    kernel,
                    is_hashed_again,
                    group,
                    &mut scratch.initial,
                    paddings,
                    rows,
                ),
                Pass::Sha(sha, _) => {
                    hash_sha::<H, WORDS>(sha, is_hashed_again, group, paddings, rows);
                }
            }
            begin += rows.len();
        }
    }
}

/// Hashes messages with their paddings, one in each lane or fewer.
#[inline(never)]
fn hash_padded<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    is_hashed_again: bool,
    group: impl Iterator<Item = Message<'m, WORDS>>,
    initial: &mut InitialStates<'m, WORDS>,
    paddings: &[Padding],
    rows: &mut [Row],
) {
    let InitialStates { states, origins } = initial;
    let states = states.get_or_insert_with(|| States::splat(&H::IV));
    let mut messages: ArrayVec<&[u8], MAX_LANES> = ArrayVec::new();
    for (lane, message) in group.enumerate() {
        messages.push(message.bytes);
        // Compare addresses, not contents: a branch on state words would leak which messages
        // share a prefix.
        if message.state.map(ptr::from_ref) != origins[lane].map(ptr::from_ref) {
            origins[lane] = message.state;
            states.set(lane, message.state.unwrap_or(&H::IV));
        }
    }
    let mut blocks: ArrayVec<&[Block], MAX_LANES> = ArrayVec::new();
    for padding in paddings.iter().take(rows.len()) {
        blocks.push(padding.blocks());
    }
    for _ in rows.len()..kernel.lanes() {
        blocks.push(blocks[0]);
    }
    let end = End::Padded(&blocks);
    hash_lanes::<H, WORDS>(kernel, is_hashed_again, states, end, &messages, rows);
}

/// Hashes messages in lanes; idle lanes repeat the first message of their group.
// If inlined, the portable kernel would share a function, and its registers, with the kernel for
// ragged messages.
#[inline(never)]
fn hash_lanes<H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    is_hashed_again: bool,
    states: &States<WORDS>,
    end: End<'_>,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let run = |messages: &[&[u8]], rows: &mut [Row]| {
        let hash = PhantomData::<H>;
        kernel.run(HashGroups { states, messages, end, is_hashed_again, rows, hash });
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
        run(&all, &mut all_rows);
        rest_rows.copy_from_slice(&all_rows[..rest.len()]);
    }
}

/// Hashes messages with the SHA instructions, all interleaved.
#[inline(never)]
fn hash_sha<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    sha: ShaExtensions,
    is_hashed_again: bool,
    group: impl Iterator<Item = Message<'m, WORDS>>,
    paddings: &[Padding],
    rows: &mut [Row],
) {
    let count = rows.len();
    let mut states = [H::IV; MAX_STREAMS];
    let states = &mut states[..count];
    let mut bodies: ArrayVec<&[Block], MAX_STREAMS> = ArrayVec::new();
    let mut padding_blocks: ArrayVec<&[Block], MAX_STREAMS> = ArrayVec::new();
    for (i, (message, padding)) in group.zip(paddings).enumerate() {
        bodies.push(message.bytes.as_chunks().0);
        padding_blocks.push(padding.blocks());
        if let Some(state) = message.state {
            states[i] = *state;
        }
    }
    for blocks in [&bodies, &padding_blocks] {
        if !blocks[0].is_empty() {
            H::compress_streams(sha, states, blocks);
        }
    }
    if H::OFFERS_DOUBLE && is_hashed_again {
        let mut digests = [[0; 32]; MAX_STREAMS];
        for (digest, state) in digests.iter_mut().zip(&*states) {
            *digest = H::row(state);
        }
        return H::hash_32_bytes_sha(sha, count, &digests.each_ref()[..count], rows);
    }
    for (row, state) in rows.iter_mut().zip(&*states) {
        *row = H::row(state);
    }
}

/// Writes the padding of the message in a lane; a message that continues has none.
#[inline]
fn pad<H: LaneHash<WORDS>, const WORDS: usize>(
    paddings: &mut ArrayVec<Padding, MAX_LANES>,
    lane: usize,
    message: &Message<'_, WORDS>,
) {
    if lane == paddings.len() {
        paddings.push(Padding::NONE);
    }
    let padding = &mut paddings[lane];
    match message.ends_after {
        Some(before) => {
            let (_, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
            padding.set(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER);
        }
        None => padding.clear(),
    }
}

/// How the messages in the lanes end, after their whole blocks.
#[derive(Clone, Copy)]
enum End<'a> {
    /// With these blocks, as many in each lane; none if they continue.
    Padded(&'a [&'a [Block]]),
    /// They have the same number of bytes, and of bits with their prefix, and are not padded yet.
    EqualLengths { message_bits: u64 },
}

/// Hashes groups of messages, one in each lane, from their initial states to the digests.
struct HashGroups<'a, H, const WORDS: usize> {
    states: &'a States<WORDS>,
    /// As many whole blocks in each; one group if they are padded in memory.
    messages: &'a [&'a [u8]],
    end: End<'a>,
    is_hashed_again: bool,
    rows: &'a mut [Row],
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for HashGroups<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let len = self.messages[0].len();
        let whole = len / BLOCK_BYTES;
        let padding = match self.end {
            End::Padded(blocks) => blocks[0].len(),
            End::EqualLengths { .. } => Padding::blocks_after(len),
        };
        let groups = self.messages.chunks_exact(V::COUNT);
        for (messages, rows) in groups.zip(self.rows.chunks_exact_mut(V::COUNT)) {
            let mut state: [V; WORDS] = self.states.load(token);
            let mut bodies: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
            for lane in 0..V::COUNT {
                bodies[lane] = messages[lane].as_chunks().0;
            }
            // A loop of its own: with one loop for both, RIPEMD-160 in SSE4.2 lanes takes half as
            // long again.
            compress_blocks::<V, H, WORDS>(token, &mut state, &bodies);
            for i in 0..padding {
                let block = match self.end {
                    End::Padded(blocks) => load_block(token, H::ORDER, blocks, i),
                    End::EqualLengths { message_bits } => {
                        pad_in_lanes(token, H::ORDER, messages, len, whole + i, message_bits)
                    }
                };
                H::compress(token, &mut state, block);
            }
            if H::OFFERS_DOUBLE && self.is_hashed_again {
                let mut digest = [V::splat(token, 0); 8];
                digest[..WORDS].copy_from_slice(&state);
                state = H::compress_32_bytes(token, digest);
            }
            store_rows::<V, H, WORDS>(token, state, rows);
        }
    }
}
