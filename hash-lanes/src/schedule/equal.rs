//! Hashes messages of equal shape, which begin and end together.

use core::marker::PhantomData;
use core::ptr;

use arrayvec::ArrayVec;

use super::states::{States, compress_blocks};
use crate::backend::Backend;
use crate::cpu::{MAX_STREAMS, ShaExtensions};
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::{LaneJob, LaneKernel, Pass};
use crate::lanes::{self, BLOCK_BYTES, Block, ByteOrder, MAX_LANES};
use crate::message::{Hashing, Message};
use crate::padding::Padding;

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

/// The working memory for messages of equal shape. What a message shares with its predecessor in
/// the lane is written only once.
pub(super) struct Lanes<'m, const WORDS: usize> {
    /// Created when lanes are first filled.
    states: Option<States<WORDS>>,
    /// The initial state of each lane.
    begins: [Option<&'m [u32; WORDS]>; MAX_LANES],
    /// One for each lane in use.
    paddings: ArrayVec<Padding, MAX_LANES>,
}

impl<const WORDS: usize> Default for Lanes<'_, WORDS> {
    fn default() -> Self {
        Self { states: None, begins: [None; MAX_LANES], paddings: ArrayVec::new() }
    }
}

impl<'m, const WORDS: usize> Lanes<'m, WORDS> {
    /// Hashes messages of equal shape and writes their final states to `rows`.
    pub(super) fn hash<H: LaneHash<WORDS>>(
        &mut self,
        backend: Backend,
        hashing: Hashing,
        group: &[Message<'m, WORDS>],
        rows: &mut [Row],
    ) {
        let blocks = group[0].bytes.len() / BLOCK_BYTES
            + group[0].ends_after.map_or(0, |_| Padding::blocks_after(group[0].bytes.len()));
        let shape = match (hashing, blocks) {
            (Hashing::Double, _) => Shape::Double,
            (Hashing::Single, 1) => Shape::OneBlock,
            (Hashing::Single, _) => Shape::Blocks,
        };
        for (pass, range) in H::plan(backend, shape).passes(backend, group.len()) {
            let (group, rows) = (&group[range.clone()], &mut rows[range]);
            match pass {
                Pass::Lanes(kernel) => self.in_lanes::<H>(kernel, hashing, group, rows),
                Pass::Sha(sha, streams) => self.with_sha::<H>(sha, streams, hashing, group, rows),
            }
        }
    }

    /// Hashes a group that fills the lanes one or more times, or has fewer messages than lanes.
    // If inlined, the portable kernel would share a function, and its registers, with the kernel
    // for ragged messages.
    #[inline(never)]
    fn in_lanes<H: LaneHash<WORDS>>(
        &mut self,
        kernel: LaneKernel,
        hashing: Hashing,
        group: &[Message<'m, WORDS>],
        rows: &mut [Row],
    ) {
        let lanes = kernel.lanes();
        let states = self.states.get_or_insert_with(|| States::splat(&H::IV));
        for (group, rows) in group.chunks(lanes).zip(rows.chunks_mut(lanes)) {
            let mut bodies: ArrayVec<&[Block], MAX_LANES> = ArrayVec::new();
            for lane in 0..lanes {
                // An idle lane repeats the message of lane 0.
                let message = group.get(lane).unwrap_or(&group[0]);
                bodies.push(message.bytes.as_chunks().0);
                pad::<H, WORDS>(&mut self.paddings, lane, message);
                // Compare addresses, not contents: a branch on state words would leak which
                // messages share a prefix.
                if message.state.map(ptr::from_ref) != self.begins[lane].map(ptr::from_ref) {
                    self.begins[lane] = message.state;
                    states.set(lane, message.state.unwrap_or(&H::IV));
                }
            }
            let paddings: ArrayVec<&[Block], MAX_LANES> =
                self.paddings[..lanes].iter().map(Padding::blocks).collect();
            let run = |rows: &mut [Row]| {
                kernel.run(HashGroup::<H, WORDS> {
                    states,
                    parts: [&bodies, &paddings],
                    is_hashed_again: hashing == Hashing::Double && group[0].ends_after.is_some(),
                    rows,
                    hash: PhantomData,
                });
            };
            if group.len() == lanes {
                run(rows);
            } else {
                let mut all_rows = [[0; 32]; MAX_LANES];
                run(&mut all_rows);
                rows.copy_from_slice(&all_rows[..rows.len()]);
            }
        }
    }

    /// Hashes a group with the SHA instructions, `streams` messages at a time.
    #[inline(never)]
    fn with_sha<H: LaneHash<WORDS>>(
        &mut self,
        sha: ShaExtensions,
        streams: usize,
        hashing: Hashing,
        group: &[Message<'m, WORDS>],
        rows: &mut [Row],
    ) {
        for (group, rows) in group.chunks(streams).zip(rows.chunks_mut(streams)) {
            let count = group.len();
            let mut states = [H::IV; MAX_STREAMS];
            let states = &mut states[..count];
            let mut bodies: ArrayVec<&[Block], MAX_STREAMS> = ArrayVec::new();
            for (i, message) in group.iter().enumerate() {
                bodies.push(message.bytes.as_chunks().0);
                pad::<H, WORDS>(&mut self.paddings, i, message);
                if let Some(state) = message.state {
                    states[i] = *state;
                }
            }
            let paddings: ArrayVec<&[Block], MAX_STREAMS> =
                self.paddings[..count].iter().map(Padding::blocks).collect();
            for blocks in [&bodies, &paddings] {
                if !blocks[0].is_empty() {
                    H::compress_streams(sha, states, blocks);
                }
            }
            for (row, state) in rows.iter_mut().zip(&*states) {
                *row = H::row(state);
            }
            if H::OFFERS_DOUBLE && hashing == Hashing::Double && group[0].ends_after.is_some() {
                let mut digests = [[0; 32]; MAX_STREAMS];
                digests[..count].copy_from_slice(rows);
                H::hash_32_bytes_sha(sha, count, &digests.each_ref()[..count], rows);
            }
        }
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

/// Stores the state of each lane.
#[inline(always)]
pub(super) fn store_rows<V: lanes::Lanes, H: LaneHash<WORDS>, const WORDS: usize>(
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
    fn run<V: lanes::Lanes>(self, token: V::Token) {
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
