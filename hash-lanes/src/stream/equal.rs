//! Hashes messages of equal length, which begin and end together.

use core::iter::repeat_n;

use arrayvec::ArrayVec;

use super::pass::{Blocks, End, HashLanes, Places, Suspects, Work, compress};
use crate::blocks::{block_bytes, row_bytes};
use crate::ending::{Ending, body_blocks};
use crate::hash::{GROUP, LaneHash, ShaKernels, Start};
use crate::kernel::{LaneKernel, Pass};
use crate::lanes::MAX_LANES;
use crate::padding::{Padding, copy_short};
use crate::rows::{first_rows, zero_row};
use crate::word::{Array, Row, Word};

/// Hashes messages of equal length that all begin and end like `start`, by passes of one kind.
/// `first` is the place of the first of them in the group.
pub(super) fn hash_alike<H: LaneHash>(
    pass: Pass<H::Sha>,
    start: &Start<'_, Row<H::Word>>,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
    first: usize,
    suspects: &mut Suspects<H>,
) {
    let len = messages[0].len();
    let before = start.before;
    match pass {
        Pass::Lanes(kernel) => {
            let state = start.state.map_or(H::IV, H::state);
            let end = End { len, message_bytes: before.wrapping_add(len as u64) };
            if len < row_bytes::<H::Word>() {
                hash_short::<H>(kernel, &state, end, messages, rows, first, suspects);
            } else {
                hash_lanes::<H>(kernel, &state, end, messages, rows, first, suspects);
            }
        }
        Pass::Sha(sha, streams) => {
            let streams = messages.len().min(streams.into());
            sha.hash_equal(streams, &start.row::<H>(), before, messages, rows);
        }
    }
}

/// [`hash_lanes`] for messages shorter than a row.
// Inlined, its arrays would be on the stack of longer messages, too.
#[inline(never)]
fn hash_short<H: LaneHash>(
    kernel: LaneKernel,
    state: &H::State<H::Word>,
    end: End,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
    first: usize,
    suspects: &mut Suspects<H>,
) {
    let mut copies: ArrayVec<Row<H::Word>, GROUP> = ArrayVec::new();
    // In place: a row that is moved would be loaded with other widths than it was stored, which
    // defeats store forwarding.
    for (row, message) in first_rows(&mut copies, messages.len()).iter_mut().zip(messages) {
        copy_short::<H::Word>(&message[..end.len], row.elements_mut());
    }
    let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    slices.extend(copies.iter().map(|row| row.elements()));
    hash_lanes::<H>(kernel, state, end, &slices, rows, first, suspects);
}

/// Hashes messages in lanes; idle lanes repeat the first message of their group.
// If inlined, the portable kernel would share a function, and its registers, with the kernel for
// mixed messages.
#[inline(never)]
fn hash_lanes<H: LaneHash>(
    kernel: LaneKernel,
    state: &H::State<H::Word>,
    end: End,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
    first: usize,
    suspects: &mut Suspects<H>,
) {
    suspects.begin(kernel);
    let mut run = |messages: &[&[u8]], rows: &mut [Row<H::Word>], places: Places<'_>| {
        let work = Work::Alike { messages, state, end };
        kernel.run(HashLanes::<H> { work, rows, places, suspects });
    };
    let full = messages.len() - messages.len() % kernel.lanes::<H::Word>();
    let (messages, rest) = messages.split_at(full);
    let (rows, rest_rows) = rows.split_at_mut(full);
    if !messages.is_empty() {
        run(messages, rows, Places::From(first, full));
    }
    if let [message, ..] = rest {
        let mut all: ArrayVec<&[u8], MAX_LANES> = ArrayVec::new();
        all.extend(rest.iter().copied());
        all.extend(repeat_n(*message, kernel.lanes::<H::Word>() - rest.len()));
        let mut all_rows = <H::Word as Word>::PerLane::filled(zero_row::<H>());
        let all_rows = &mut all_rows.elements_mut()[..all.len()];
        run(&all, all_rows, Places::From(first + full, rest.len()));
        rest_rows.copy_from_slice(&all_rows[..rest.len()]);
    }
}

/// Hashes messages with equally many blocks, each with its own start and padded in memory, by
/// passes of one kind. `places` are those of the messages in the group.
pub(super) fn hash_padded<'s, H: LaneHash>(
    pass: Pass<H::Sha>,
    start: impl Fn(usize) -> &'s Start<'s, Row<H::Word>>,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
    places: &[usize],
    suspects: &mut Suspects<H>,
) {
    if const { H::Word::BYTES == u32::BYTES } {
        hash_padded_together::<H, MAX_LANES>(pass, start, messages, rows, places, suspects);
    } else {
        hash_padded_together::<H, { MAX_LANES / 2 }>(pass, start, messages, rows, places, suspects);
    }
}

/// [`hash_padded`], at most `TOGETHER` messages at once: those of the widest pass, because their
/// paddings are on the stack.
#[inline(never)]
fn hash_padded_together<'s, H: LaneHash, const TOGETHER: usize>(
    pass: Pass<H::Sha>,
    start: impl Fn(usize) -> &'s Start<'s, Row<H::Word>>,
    messages: &[&[u8]],
    rows: &mut [Row<H::Word>],
    places: &[usize],
    suspects: &mut Suspects<H>,
) {
    let whole = body_blocks::<H::Ending, H::Word>(messages[0].len(), start(0).ends);
    // Padding several passes together keeps the stores away from the loads, which would wait for
    // them.
    let full = pass.messages::<H::Word>();
    let together = TOGETHER - TOGETHER % full;
    let mut paddings: ArrayVec<Padding<H::Word>, TOGETHER> = ArrayVec::new();
    let chunks = messages.chunks(together).zip(rows.chunks_mut(together));
    for (chunk, (messages, rows)) in chunks.enumerate() {
        for (i, (message, row)) in messages.iter().zip(&mut *rows).enumerate() {
            let start = start(chunk * together + i);
            if i == paddings.len() {
                paddings.push(Padding::none());
            }
            if start.ends {
                paddings[i].end::<H::Ending>(H::ORDER, start.before, message);
            } else {
                paddings[i].clear();
            }
            *row = start.row::<H>();
        }
        let passes = messages.chunks(full).zip(rows.chunks_mut(full)).zip(paddings.chunks(full));
        for (pass_index, ((messages, rows), paddings)) in passes.enumerate() {
            let (mut bodies, mut tails) = (Blocks::<H>::new(), Blocks::<H>::new());
            let first = chunk * together + pass_index * full;
            let block = block_bytes::<H::Word>() as u64;
            bodies.extend(
                messages.iter().map(|message| &H::Word::blocks_of(message).0[..whole]),
                (first..)
                    .take(messages.len())
                    .map(|i| H::Ending::offset(start(i).before.wrapping_add(block), false)),
            );
            tails.extend(
                paddings.iter().map(Padding::blocks).take(messages.len()),
                paddings.iter().map(|padding| H::Ending::offset(padding.message_bytes(), true)),
            );
            let places = &places[first..][..rows.len()];
            compress::<H>(pass, &mut bodies, &mut tails, rows, places, suspects);
        }
    }
}
