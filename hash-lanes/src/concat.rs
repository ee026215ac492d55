//! Hashes messages in parts. Short ones are joined on the stack; long ones are hashed in place, part
//! by part.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::any_hash::Begun;
use crate::buffers::{Absorb, Buffers};
use crate::hash::{GROUP, Sink};
use crate::many::Digests;
use crate::parts::Parts;

/// The size of the buffer in which short messages are joined, and the maximum length of those.
const JOINED_BYTES: usize = 64 * GROUP + MAX_JOINED;
const MAX_JOINED: usize = 256;

/// The messages that are hashed together if the buffer has no room for a group: they fill the lanes
/// of most kernels.
const TOGETHER: usize = 16;

/// Ends messages, of which message `i` has the number that the function gives.
pub type End<'e, S> =
    dyn FnMut(&mut dyn Iterator<Item = Begun<'_, S>>, &dyn Fn(usize) -> usize) + 'e;

/// Hashes messages in parts, each after the same prefix. Long ones wait in buffers of `BYTES` bytes.
pub fn hash_concat<A: Absorb, P: Parts, const BYTES: usize>(
    hash: &A,
    prefix: Begun<'_, A::State>,
    messages: impl Iterator<Item = P>,
    end: &mut End<'_, A::State>,
) {
    let (mut joined, mut long) = (Joined::new(), Vec::new());
    for (number, message) in messages.enumerate() {
        if !joined.has_room() {
            let count = joined.messages.len();
            joined.end(prefix, count - count % TOGETHER.min(count), end);
        }
        if !joined.push(number, prefix.2, &message) {
            long.push((number, message));
            if long.len() == GROUP {
                end_long::<A, P, BYTES>(hash, prefix, &mut long, end);
            }
        }
    }
    joined.end(prefix, joined.messages.len(), end);
    end_long::<A, P, BYTES>(hash, prefix, &mut long, end);
}

/// Hashes long messages, and removes them.
fn end_long<A: Absorb, P: Parts, const BYTES: usize>(
    hash: &A,
    (state, hashed, rest): Begun<'_, A::State>,
    messages: &mut Vec<(usize, P)>,
    end: &mut End<'_, A::State>,
) {
    if messages.is_empty() {
        return;
    }
    let mut buffers = Buffers::<_, BYTES>::new(messages.len(), (*state, hashed), rest);
    for i in 0..P::COUNT {
        let parts: Vec<_> = messages.iter().map(|(_, message)| message.part(i)).collect();
        buffers.update_all(hash, &parts);
    }
    end(&mut buffers.all(), &|i| messages[i].0);
    messages.clear();
}

/// States or digests of messages that have other numbers.
pub struct Numbered<'d, D: ?Sized> {
    /// Where they go.
    pub to: &'d mut D,
    /// The number of a message.
    pub number: &'d dyn Fn(usize) -> usize,
}

impl<R> Sink<R> for Numbered<'_, dyn Sink<R> + '_> {
    fn finished(&mut self, first: usize, rows: &[R]) {
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
        for (i, row) in (first..).zip(rows.chunks_exact(row_bytes)) {
            self.store(i, row);
        }
    }
}

/// Short messages, joined.
struct Joined {
    bytes: [u8; JOINED_BYTES],
    /// The number of each message, and where its bytes end.
    messages: ArrayVec<(usize, usize), GROUP>,
}

impl Joined {
    const fn new() -> Self {
        Self { bytes: [0; JOINED_BYTES], messages: ArrayVec::new_const() }
    }

    /// The number of bytes in use.
    fn used(&self) -> usize {
        self.messages.last().map_or(0, |&(_, end)| end)
    }

    /// Whether there is room for any message that is joined.
    fn has_room(&self) -> bool {
        !self.messages.is_full() && self.used() + MAX_JOINED <= JOINED_BYTES
    }

    /// Joins a message, or returns `false` if it is too long. Each part is asked for its bytes
    /// once, because they may be others the next time.
    fn push<P: Parts>(&mut self, number: usize, rest: &[u8], message: &P) -> bool {
        let begin = self.used();
        let Some(mut room) = self.bytes.get_mut(begin..begin + MAX_JOINED) else { return false };
        let mut append = |bytes: &[u8]| match room.split_off_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                true
            }
            None => false,
        };
        if !append(rest) || !(0..P::COUNT).all(|i| append(message.part(i))) {
            return false;
        }
        let end = begin + MAX_JOINED - room.len();
        self.messages.push((number, end));
        true
    }

    /// Hashes the first `count` messages, and removes them.
    fn end<S>(&mut self, (state, hashed, _): Begun<'_, S>, count: usize, end: &mut End<'_, S>) {
        if count == 0 {
            return;
        }
        let mut begin = 0;
        let mut parts = self.messages[..count].iter().map(|&(_, end)| {
            let bytes = &self.bytes[begin..end];
            begin = end;
            (state, hashed, bytes)
        });
        end(&mut parts, &|i| self.messages[i].0);
        let (ended, used) = (self.messages[count - 1].1, self.used());
        self.bytes.copy_within(ended..used, 0);
        self.messages.drain(..count);
        self.messages.iter_mut().for_each(|(_, end)| *end -= ended);
    }
}
