//! Hashes messages of equal shape, which begin and end together.

use core::marker::PhantomData;
use core::ptr;

use arrayvec::ArrayVec;

use super::digests::hash_32_bytes;
use super::states::{compress_blocks, store_rows};
use crate::backend::Backend;
use crate::cpu::{MAX_STREAMS, ShaExtensions};
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::{LaneJob, LaneKernel, Pass};
use crate::lanes::{BLOCK_BYTES, Block, Lanes, MAX_LANES};
use crate::message::{GROUP, Hashing, InitialState, Message};
use crate::padding::Padding;
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
/// Panics if `rows.len() != messages.len()`, or if `hashing` is [`Hashing::Double`] and the hash
/// does not support it.
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
    let is_digest = messages.first().is_some_and(|first| first.len() == 32);
    if is_digest && initial.is_iv() && hashing == Hashing::Single {
        let mut digests: ArrayVec<&[u8; 32], GROUP> = ArrayVec::new();
        digests.extend(messages.iter().map_while(|&message| message.try_into().ok()));
        return hash_32_bytes::<H, WORDS>(backend, &digests, rows);
    }
    hash_group::<H, WORDS>(backend, hashing, |i| initial.message(messages[i]), rows, scratch);
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
    let first = message(0);
    let blocks = first.bytes.len() / BLOCK_BYTES
        + first.ends_after.map_or(0, |_| Padding::blocks_after(first.bytes.len()));
    let shape = match (hashing, blocks) {
        (Hashing::Double, _) => Shape::Double,
        (Hashing::Single, 1) => Shape::OneBlock,
        (Hashing::Single, _) => Shape::Blocks,
    };
    let is_hashed_again = hashing == Hashing::Double && first.ends_after.is_some();
    for (pass, range) in H::plan(backend, shape).passes(backend, rows.len()) {
        let full = pass.messages();
        let mut begin = range.start;
        // Padding several passes together keeps the stores away from the loads, which would
        // wait for them.
        for rows in rows[range].chunks_mut(MAX_LANES - MAX_LANES % full) {
            for i in 0..rows.len() {
                pad::<H, WORDS>(&mut scratch.paddings, i, &message(begin + i));
            }
            for (paddings, rows) in scratch.paddings.chunks(full).zip(rows.chunks_mut(full)) {
                let group = (begin..begin + rows.len()).map(&message);
                match pass {
                    Pass::Lanes(kernel) => hash_lanes::<H, WORDS>(
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
}

/// Hashes messages, one in each lane or fewer.
// If inlined, the portable kernel would share a function, and its registers, with the kernel for
// ragged messages.
#[inline(never)]
fn hash_lanes<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    is_hashed_again: bool,
    group: impl Iterator<Item = Message<'m, WORDS>>,
    initial: &mut InitialStates<'m, WORDS>,
    paddings: &[Padding],
    rows: &mut [Row],
) {
    let InitialStates { states, origins } = initial;
    let states = states.get_or_insert_with(|| States::splat(&H::IV));
    let mut bodies: ArrayVec<&[Block], MAX_LANES> = ArrayVec::new();
    let mut ends: ArrayVec<&[Block], MAX_LANES> = ArrayVec::new();
    for (lane, (message, padding)) in group.zip(paddings).enumerate() {
        bodies.push(message.bytes.as_chunks().0);
        ends.push(padding.blocks());
        // Compare addresses, not contents: a branch on state words would leak which messages
        // share a prefix.
        if message.state.map(ptr::from_ref) != origins[lane].map(ptr::from_ref) {
            origins[lane] = message.state;
            states.set(lane, message.state.unwrap_or(&H::IV));
        }
    }
    // Idle lanes repeat the message of lane 0.
    for _ in rows.len()..kernel.lanes() {
        bodies.push(bodies[0]);
        ends.push(ends[0]);
    }
    let run = |rows: &mut [Row]| {
        kernel.run(HashGroup::<H, WORDS> {
            states,
            parts: [&bodies, &ends],
            is_hashed_again,
            rows,
            hash: PhantomData,
        });
    };
    if rows.len() == kernel.lanes() {
        run(rows);
    } else {
        let mut all_rows = [[0; 32]; MAX_LANES];
        run(&mut all_rows);
        rows.copy_from_slice(&all_rows[..rows.len()]);
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
    for (row, state) in rows.iter_mut().zip(&*states) {
        *row = H::row(state);
    }
    if H::OFFERS_DOUBLE && is_hashed_again {
        let mut digests = [[0; 32]; MAX_STREAMS];
        digests[..count].copy_from_slice(rows);
        H::hash_32_bytes_sha(sha, count, &digests.each_ref()[..count], rows);
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

/// Hashes the message of each lane, from its initial state to the digest.
struct HashGroup<'a, H, const WORDS: usize> {
    states: &'a States<WORDS>,
    /// Whole blocks, then padding blocks. All lanes have the same number of each.
    parts: [&'a [&'a [Block]]; 2],
    is_hashed_again: bool,
    rows: &'a mut [Row],
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
        if H::OFFERS_DOUBLE && self.is_hashed_again {
            let mut digest = [V::splat(token, 0); 8];
            digest[..WORDS].copy_from_slice(&state);
            state = H::compress_32_bytes(token, digest);
        }
        store_rows::<V, H, WORDS>(token, state, self.rows);
    }
}
