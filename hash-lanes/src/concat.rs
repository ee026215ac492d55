//! Hashes messages in parts. Short ones are joined on the stack, those of some blocks on the heap;
//! long ones are hashed in place, part by part.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::any_hash::Begun;
use crate::buffers::{Absorb, Buffers};
use crate::erase::Erased;
use crate::hash::{GROUP, Sink};
use crate::kernel::ONLY_PORTABLE;
use crate::many::Digests;
use crate::parts::Parts;

/// The size of the buffer in which short messages are joined, and the maximum length of those.
const JOINED_BYTES: usize = if ONLY_PORTABLE { MAX_JOINED } else { 64 * GROUP + MAX_JOINED };
const MAX_JOINED: usize = 512;

/// The maximum length of messages that are copied to the heap.
const MAX_COPIED: usize = 4096;

/// The size of the buffer of a long message: a block, because all others are hashed in place.
const WAITING_BYTES: usize = 168;

/// The messages that are hashed together if the buffer has no room for a group: they fill the lanes
/// of most kernels.
const TOGETHER: usize = 16;

/// Messages that end.
pub enum Ended<'e, 'm, S> {
    /// All after the same state, that after a number of bytes.
    After(&'e S, u64, &'e [&'e [u8]]),
    /// Each after its own.
    Each(&'e mut (dyn Iterator<Item = Begun<'m, S>> + 'e)),
}

/// Hashes messages to their ends. Message `i` has the number that the function gives.
pub type End<'e, S> = dyn FnMut(Ended<'_, '_, S>, &dyn Fn(usize) -> usize) + 'e;

/// Hashes messages in parts, each after the same prefix.
pub fn hash_concat<A: Absorb, P: Parts>(
    hash: &A,
    prefix: Begun<'_, A::State>,
    messages: impl Iterator<Item = P>,
    end: &mut End<'_, A::State>,
) {
    let (mut joined, mut long, mut copies) = (Joined::new(), Vec::new(), Erased::new());
    for (number, message) in messages.enumerate() {
        if !joined.has_room() {
            let count = joined.messages.len();
            joined.end(prefix, count - count % TOGETHER.min(count), end);
        }
        if !joined.push(number, prefix.2, &message) {
            long.push((number, message));
            if long.len() == GROUP {
                end_long(hash, prefix, &long, &mut copies, end);
                long.clear();
            }
        }
    }
    joined.end(prefix, joined.messages.len(), end);
    end_long(hash, prefix, &long, &mut copies, end);
}

/// Hashes messages that were not joined. Those of some blocks are copied, which costs less than
/// passing their states through memory.
#[inline(never)]
fn end_long<A: Absorb, P: Parts>(
    hash: &A,
    (state, hashed, rest): Begun<'_, A::State>,
    messages: &[(usize, P)],
    copies: &mut Erased<u8>,
    end: &mut End<'_, A::State>,
) {
    if messages.is_empty() {
        return;
    }
    // Each part is asked for its bytes once, because they may be others the next time.
    let mut all_parts = Vec::with_capacity(messages.len() * P::COUNT);
    for (_, message) in messages {
        all_parts.extend((0..P::COUNT).map(|i| message.part(i)));
    }
    let (mut long, mut short) = (Vec::new(), Vec::new());
    let mut total = 0;
    for ((number, _), parts) in messages.iter().zip(all_parts.chunks(P::COUNT.max(1))) {
        let len = parts.iter().fold(rest.len(), |len, part| len.saturating_add(part.len()));
        if len > MAX_COPIED {
            long.push((*number, parts));
        } else {
            short.push((*number, parts));
            total += len;
        }
    }
    copies.clear();
    // So much that the next group, whose messages are a little longer, has room as well.
    copies.reserve(total.next_power_of_two());
    let mut copied = Vec::with_capacity(short.len());
    for (number, parts) in short {
        copies.extend_from_slice(rest);
        parts.iter().for_each(|part| copies.extend_from_slice(part));
        copied.push((number, copies.len()));
    }
    if !copied.is_empty() {
        let (mut slices, mut begin) = (Vec::with_capacity(copied.len()), 0);
        for &(_, end) in &copied {
            slices.push(&copies[begin..end]);
            begin = end;
        }
        end(Ended::After(state, hashed, &slices), &|i| copied[i].0);
    }
    if !long.is_empty() {
        let mut buffers = Buffers::<_, WAITING_BYTES>::new(long.len(), (*state, hashed), rest);
        for i in 0..P::COUNT {
            buffers.update_all(hash, &Vec::from_iter(long.iter().map(|(_, parts)| parts[i])));
        }
        let mut all = buffers.all();
        end(Ended::Each(&mut all), &|i| long[i].0);
        drop(all);
    }
}

/// States or digests of messages that have other numbers.
pub struct Numbered<'d, D: ?Sized> {
    /// Where they go.
    pub to: &'d mut D,
    /// The number of a message.
    pub number: &'d dyn Fn(usize) -> usize,
}

impl<D: ?Sized> Numbered<'_, D> {
    /// The number of the first of `count` messages from `first` on if theirs are consecutive. They
    /// ascend.
    fn consecutive(&self, first: usize, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let number = (self.number)(first);
        ((self.number)(first + last) == number + last).then_some(number)
    }
}

impl<R> Sink<R> for Numbered<'_, dyn Sink<R> + '_> {
    fn finished(&mut self, first: usize, rows: &[R]) {
        if let Some(number) = self.consecutive(first, rows.len()) {
            return self.to.finished(number, rows);
        }
        for (i, row) in (first..).zip(rows) {
            self.to.finished((self.number)(i), core::slice::from_ref(row));
        }
    }
}

impl Digests for Numbered<'_, dyn Digests + '_> {
    fn store(&mut self, i: usize, digest: &[u8]) {
        self.to.store((self.number)(i), digest);
    }

    fn store_rows(&mut self, first: usize, rows: &[u8], row_bytes: usize) {
        if let Some(number) = self.consecutive(first, rows.len() / row_bytes) {
            return self.to.store_rows(number, rows, row_bytes);
        }
        for (i, row) in (first..).zip(rows.chunks_exact(row_bytes)) {
            self.store(i, row);
        }
    }
}

/// Short messages, joined.
struct Joined {
    bytes: ArrayVec<u8, JOINED_BYTES>,
    /// The number of each message, and where its bytes end.
    messages: ArrayVec<(usize, usize), GROUP>,
}

impl Joined {
    const fn new() -> Self {
        Self { bytes: ArrayVec::new_const(), messages: ArrayVec::new_const() }
    }

    /// Whether there is room for any message that is joined.
    fn has_room(&self) -> bool {
        !self.messages.is_full() && self.bytes.remaining_capacity() >= MAX_JOINED
    }

    /// Joins a message, or returns `false` if it is too long. Each part is asked for its bytes
    /// once, because they may be others the next time.
    fn push<P: Parts>(&mut self, number: usize, rest: &[u8], message: &P) -> bool {
        let begin = self.bytes.len();
        let mut append = |part: &[u8]| {
            let is_short = self.bytes.len() - begin + part.len() <= MAX_JOINED;
            is_short && self.bytes.try_extend_from_slice(part).is_ok()
        };
        if !append(rest) || !(0..P::COUNT).all(|i| append(message.part(i))) {
            self.bytes.truncate(begin);
            return false;
        }
        self.messages.push((number, self.bytes.len()));
        true
    }

    /// Hashes the first `count` messages, and removes them.
    #[inline(never)]
    fn end<S>(&mut self, (state, hashed, _): Begun<'_, S>, count: usize, end: &mut End<'_, S>) {
        if count == 0 {
            return;
        }
        let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
        let mut begin = 0;
        for &(_, end) in &self.messages[..count] {
            slices.push(&self.bytes[begin..end]);
            begin = end;
        }
        end(Ended::After(state, hashed, &slices), &|i| self.messages[i].0);
        drop(slices);
        self.bytes.drain(..begin);
        self.messages.drain(..count);
        self.messages.iter_mut().for_each(|(_, end)| *end -= begin);
    }
}
