//! Messages of equal length, which begin and end together.

use super::states::States;
use crate::cpu::ShaExtensions;
use crate::hash::LaneHash;
use crate::kernel::LaneKernel;
use crate::lanes::{BLOCK_BYTES, Block, MAX_LANES};
use crate::message::{Message, Times};
use crate::padding::Padding;
use crate::passes::{MAX_STREAMS, Pass};

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

/// Hashes one pass of messages of equal shape; `finished(i, state)` is called for each in order.
pub(super) fn hash<H: LaneHash<WORDS>, const WORDS: usize>(
    pass: Pass,
    times: Times,
    group: &[Message<'_, WORDS>],
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    match pass {
        Pass::Lanes(kernel) => in_lanes::<H, WORDS>(kernel, times, group, finished),
        Pass::Hardware(sha, _) => by_hardware::<H, WORDS>(sha, times, group, finished),
    }
}

/// Writes the padding of a message; one that goes on has none.
#[inline]
fn pad<H: LaneHash<WORDS>, const WORDS: usize>(
    padding: &mut Padding,
    message: &Message<'_, WORDS>,
    rest: &[u8],
) {
    if let Some(before) = message.ends_after {
        padding.set(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER);
    }
}

fn in_lanes<H: LaneHash<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    times: Times,
    group: &[Message<'_, WORDS>],
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    let mut bodies: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
    let mut paddings = [Padding::NONE; MAX_LANES];
    let mut states = States::splat(group[0].state);
    // By where the states stand: to compare their words would let out which messages begin with the same bytes.
    let begin_alike = group.iter().all(|message| core::ptr::eq(message.state, group[0].state));
    for lane in 0..kernel.lanes() {
        // A lane without a message does what lane 0 does.
        let message = group.get(lane).unwrap_or(&group[0]);
        let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
        bodies[lane] = body;
        pad::<H, WORDS>(&mut paddings[lane], message, rest);
        if !begin_alike {
            states.set(lane, message.state);
        }
    }
    states.compress::<H>(kernel, &bodies);
    states.compress::<H>(kernel, &paddings.each_ref().map(Padding::blocks));
    if H::HASHES_TWICE && times == Times::Twice && group[0].ends_after.is_some() {
        states.hash_again::<H>(kernel);
    }
    for (lane, row) in states.rows(kernel)[..group.len()].iter().enumerate() {
        finished(lane, row.first_chunk().expect("no state is longer than a row"));
    }
}

fn by_hardware<H: LaneHash<WORDS>, const WORDS: usize>(
    sha: ShaExtensions,
    times: Times,
    group: &[Message<'_, WORDS>],
    finished: &mut dyn FnMut(usize, &[u32; WORDS]),
) {
    let count = group.len();
    let mut states = [[0; WORDS]; MAX_STREAMS];
    let mut bodies: [&[Block]; MAX_STREAMS] = [&[]; MAX_STREAMS];
    let mut paddings = [Padding::NONE; MAX_STREAMS];
    for (stream, message) in group.iter().enumerate() {
        let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
        states[stream] = *message.state;
        bodies[stream] = body;
        pad::<H, WORDS>(&mut paddings[stream], message, rest);
    }
    H::compress_hardware(sha, &mut states[..count], &bodies[..count]);
    H::compress_hardware(sha, &mut states[..count], &paddings.each_ref().map(Padding::blocks)[..count]);
    if H::HASHES_TWICE && times == Times::Twice && group[0].ends_after.is_some() {
        for stream in 0..count {
            let mut digest = H::digest(&states[stream]);
            let digest = digest.as_mut();
            paddings[stream].set(digest, digest.len() as u64, H::ORDER);
            states[stream] = H::IV;
        }
        H::compress_hardware(sha, &mut states[..count], &paddings.each_ref().map(Padding::blocks)[..count]);
    }
    for stream in 0..count {
        finished(stream, &states[stream]);
    }
}
