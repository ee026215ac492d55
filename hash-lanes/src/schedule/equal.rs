//! Messages of equal length, which begin and end together.

use core::marker::PhantomData;
use core::ptr;

use super::Waiting;
use super::states::{States, compress_blocks};
use crate::cpu::ShaExtensions;
use crate::hash::LaneHash;
use crate::kernel::{LaneJob, LaneKernel};
use crate::lanes::{BLOCK_BYTES, Block, Lanes, MAX_LANES};
use crate::message::{Message, Times};
use crate::padding::Padding;
use crate::passes::MAX_STREAMS;

/// Words in the rows that lanes are stored to; the words after a shorter state are zero.
pub(super) const ROW_WORDS: usize = 8;

/// Whether all messages have the same number of blocks, and of blocks with padding among them.
#[inline]
pub(super) fn have_equal_shape<const WORDS: usize>(group: &[Message<'_, WORDS>]) -> bool {
    let shape = |message: &Message<'_, WORDS>| {
        let whole = message.bytes.len() / BLOCK_BYTES;
        (whole, message.ends_after.map(|_| Padding::blocks_after(message.bytes.len())))
    };
    let first = shape(&group[0]);
    group.iter().all(|message| shape(message) == first)
}

/// Writes the padding of a message; one that goes on has none.
#[inline]
fn pad<H: LaneHash<WORDS>, const WORDS: usize>(
    padding: &mut Padding,
    message: &Message<'_, WORDS>,
    rest: &[u8],
) {
    match message.ends_after {
        Some(before) => padding.set(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER),
        None => padding.clear(),
    }
}

/// Hashes the next group of messages, which have equal shape, and the groups after it as long as they
/// fill the lanes and have equal shape. What equal messages share is written once.
// Inlined, the portable kernel would share one function and its registers with that of ragged messages.
#[inline(never)]
pub(super) fn in_lanes<H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    times: Times,
    waiting: &mut Waiting<'_, '_, WORDS>,
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    let lanes = kernel.lanes();
    let begin = waiting.first(1)[0].state;
    let mut states = States::splat(begin);
    let mut begins = [begin; MAX_LANES];
    let mut paddings = [Padding::NONE; MAX_LANES];
    let mut rows = [[0; ROW_WORDS]; MAX_LANES];
    loop {
        let group = waiting.first(lanes);
        let mut bodies: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
        for lane in 0..lanes {
            // A lane without a message does what lane 0 does.
            let message = group.get(lane).unwrap_or(&group[0]);
            let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
            bodies[lane] = body;
            pad::<H, WORDS>(&mut paddings[lane], message, rest);
            // Compare addresses, not contents: a branch on state words would leak which messages share a prefix.
            if !ptr::eq(message.state, begins[lane]) {
                begins[lane] = message.state;
                states.set(lane, message.state);
            }
        }
        kernel.run(HashGroup::<H, WORDS> {
            states: &states,
            parts: [&bodies, &paddings.each_ref().map(Padding::blocks)],
            is_hashed_again: times == Times::Twice && group[0].ends_after.is_some(),
            rows: &mut rows,
            hash: PhantomData,
        });
        let count = group.len();
        for (lane, row) in rows[..count].iter().enumerate() {
            finished(waiting.index + lane, row.first_chunk().expect("no state is longer than a row"));
        }
        if !waiting.next_group(count, lanes) {
            return;
        }
    }
}

/// Hashes the blocks of each lane's message, from its initial state to the words of the digest.
struct HashGroup<'a, H, const WORDS: usize> {
    states: &'a States<WORDS>,
    /// Whole blocks, then those with padding. All lanes have equally many of each.
    parts: [&'a [&'a [Block]; MAX_LANES]; 2],
    is_hashed_again: bool,
    rows: &'a mut [[u32; ROW_WORDS]; MAX_LANES],
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for HashGroup<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut state: [V; WORDS] = self.states.load(token);
        for blocks in self.parts {
            compress_blocks::<V, H, WORDS>(token, &mut state, blocks);
        }
        if H::HASHES_TWICE && self.is_hashed_again {
            state = H::hash_digest(token, state);
        }
        let mut words = [V::splat(token, 0); ROW_WORDS];
        words[..WORDS].copy_from_slice(&state);
        V::store_rows(
            words,
            #[inline(always)]
            |lane, row| self.rows[lane] = row,
        );
    }
}

/// Hashes the next group of messages, which have equal shape, and the groups after it as long as there are
/// as many and they have equal shape.
pub(super) fn by_hardware<H: LaneHash<WORDS>, const WORDS: usize>(
    sha: ShaExtensions,
    times: Times,
    waiting: &mut Waiting<'_, '_, WORDS>,
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    let mut states = [[0; WORDS]; MAX_STREAMS];
    let mut paddings = [Padding::NONE; MAX_STREAMS];
    // Those of the digests, which are hashed again.
    let mut outer_paddings = [Padding::NONE; MAX_STREAMS];
    loop {
        let group = waiting.first(MAX_STREAMS);
        let count = group.len();
        let states = &mut states[..count];
        let mut bodies: [&[Block]; MAX_STREAMS] = [&[]; MAX_STREAMS];
        for (stream, message) in group.iter().enumerate() {
            let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
            states[stream] = *message.state;
            bodies[stream] = body;
            pad::<H, WORDS>(&mut paddings[stream], message, rest);
        }
        let is_hashed_again = times == Times::Twice && group[0].ends_after.is_some();
        if !bodies[0].is_empty() {
            H::compress_hardware(sha, states, &bodies[..count]);
        }
        H::compress_hardware(sha, states, &paddings.each_ref().map(Padding::blocks)[..count]);
        if H::HASHES_TWICE && is_hashed_again {
            for (state, padding) in states.iter_mut().zip(&mut outer_paddings) {
                let mut digest = H::digest(state);
                let digest = digest.as_mut();
                padding.set(digest, digest.len() as u64, H::ORDER);
                *state = H::IV;
            }
            H::compress_hardware(sha, states, &outer_paddings.each_ref().map(Padding::blocks)[..count]);
        }
        for (stream, state) in states.iter().enumerate() {
            finished(waiting.index + stream, state);
        }
        if !waiting.next_group(count, MAX_STREAMS) {
            return;
        }
    }
}
