//! Messages that arrive in parts: a buffer for each message, and a list of those that have whole
//! blocks. Knows no hash; hashes of both families buffer through it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::erase::{Blank, Erased};
use crate::hash::Sink;

/// Hashes whole blocks into states.
pub trait Absorb {
    /// The state of a message between blocks.
    type State: Blank;

    /// The bytes of a block.
    fn block_bytes(&self) -> usize;

    /// The number of bytes, out of `len`, that can be hashed: whole blocks. Unless the message
    /// `continues`, some hashes keep the last one, which may be the end of the message.
    fn whole_bytes(&self, len: usize, continues: bool) -> usize {
        let _ = continues;
        len / self.block_bytes() * self.block_bytes()
    }

    /// Hashes the whole blocks of each part into the state before it, which is that after a number
    /// of bytes, and reports the states that they reach.
    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = (&'p Self::State, u64, &'p [u8])>,
        sink: &mut dyn Sink<Self::State>,
    ) where
        Self::State: 'p;
}

/// The buffers of a fixed number of messages, of `BYTES` bytes each. A hash uses as much of them as
/// fills whole blocks.
///
/// A call takes time for the bytes that it gets and for the messages that wait for a pass, not for
/// the others.
#[derive(Clone, Debug)]
pub struct Buffers<S: Blank, const BYTES: usize> {
    /// The state that each message starts from, alone in a list, the number of bytes before it,
    /// and the bytes that then wait.
    initial: (Erased<S>, u64),
    pending: Erased<u8>,
    messages: Erased<Message<S, BYTES>>,
    /// The indices of the messages that are hashed together next: first those in whose buffers
    /// whole blocks wait. Only the first `listed` ones are in use.
    indices: Box<[usize]>,
    listed: usize,
    /// The states that they reach. Kept so that no call allocates.
    states: Erased<S>,
}

/// A message: the state of the part already hashed, and a buffer of bytes that wait.
#[derive(Clone, Copy)]
struct Message<S, const BYTES: usize> {
    state: S,
    /// The number of bytes hashed into `state`: whole blocks.
    hashed: u64,
    /// The buffer. Its first `waiting` bytes are in use.
    bytes: [u8; BYTES],
    waiting: usize,
    /// Whether the message is listed, because whole blocks wait.
    is_listed: bool,
    /// In [`Buffers::update_all`]: the number of bytes of the part that are in the buffer.
    filled: usize,
}

impl<S: Blank, const BYTES: usize> Blank for Message<S, BYTES> {
    const BLANK: Self = Self {
        state: S::BLANK,
        hashed: 0,
        bytes: [0; BYTES],
        waiting: 0,
        is_listed: false,
        filled: 0,
    };
}

impl<S, const BYTES: usize> Message<S, BYTES> {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.waiting]
    }

    /// Appends bytes until `room` bytes wait, and returns the rest.
    fn append<'b>(&mut self, bytes: &'b [u8], room: usize) -> &'b [u8] {
        let (fitting, rest) = bytes.split_at(bytes.len().min(room - self.waiting));
        self.bytes[self.waiting..][..fitting.len()].copy_from_slice(fitting);
        self.waiting += fitting.len();
        rest
    }
}

impl<S: Blank, const BYTES: usize> Buffers<S, BYTES> {
    /// The buffers of `count` empty messages, which start from a state after a number of bytes, and
    /// with `pending` bytes, at most as many as a buffer.
    ///
    /// # Panics
    ///
    /// Panics if they do not fit into memory.
    #[track_caller]
    pub fn new(count: usize, (state, hashed): (S, u64), pending: &[u8]) -> Self {
        let mut message = Message { state, hashed, ..Blank::BLANK };
        message.append(pending, BYTES);
        let (Some(messages), Some(states), Some(indices)) = (
            Erased::try_filled(count, message),
            Erased::try_filled(count, S::BLANK),
            try_zeros(count),
        ) else {
            panic!("the buffers of {count} messages do not fit into memory");
        };
        let (initial, pending) = ((Erased::of(state), hashed), Erased::copied(pending));
        Self { initial, pending, messages, indices, listed: 0, states }
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Returns `true` if there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The state of each message, the number of bytes before the waiting ones, and these.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (&S, u64, &[u8])> {
        self.messages.iter().map(|it| (&it.state, it.hashed, it.bytes()))
    }

    /// Message `index`, as [`Self::all`] gives it.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn one(&self, index: usize) -> (&S, u64, &[u8]) {
        self.check_index(index);
        let it = &self.messages[index];
        (&it.state, it.hashed, it.bytes())
    }

    /// Resets message `index` to empty.
    pub fn reset_one(&mut self, index: usize) {
        let message = &mut self.messages[index];
        (message.state, message.hashed) = (self.initial.0[0], self.initial.1);
        message.waiting = 0;
        message.append(&self.pending, BYTES);
    }

    /// Resets every message to empty.
    pub fn reset(&mut self) {
        (0..self.messages.len()).for_each(|i| self.reset_one(i));
    }

    /// Appends bytes to message `index`.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn update(&mut self, hash: &impl Absorb<State = S>, index: usize, mut bytes: &[u8]) {
        self.check_index(index);
        let block = hash.block_bytes();
        let buffer = BYTES / block * block;
        loop {
            bytes = self.append(block, index, bytes, buffer);
            if bytes.is_empty() {
                return;
            }
            self.hash_listed(hash, |_, _| None, |_, i| i == index);
            // Bytes that exceed the buffer are hashed in place, after completing the current block.
            if bytes.len() >= buffer {
                let boundary = self.messages[index].waiting.next_multiple_of(block);
                bytes = self.append(block, index, bytes, boundary);
                self.hash_listed(hash, |_, _| None, |_, i| i == index);
                self.list(index);
                self.hash_listed(hash, |_, _| Some(bytes), |_, _| false);
                bytes = &bytes[hash.whole_bytes(bytes.len(), false)..];
            }
        }
    }

    /// Appends `parts[i]` to message `i`, for every message.
    ///
    /// # Panics
    ///
    /// Panics if `parts.len() != self.len()`.
    #[track_caller]
    pub fn update_all<P: AsRef<[u8]>>(&mut self, hash: &impl Absorb<State = S>, parts: &[P]) {
        let (count, block) = (self.messages.len(), hash.block_bytes());
        assert!(
            parts.len() == count,
            "{} parts for {count} messages: pass one part for each message, empty if it has no new \
             bytes",
            parts.len()
        );
        // Fill every message up to a block boundary, so that the rest of its part can be hashed in
        // place.
        for (i, part) in parts.iter().enumerate() {
            let part = part.as_ref();
            let boundary = self.messages[i].waiting.next_multiple_of(block);
            self.messages[i].filled = part.len() - self.append(block, i, part, boundary).len();
        }
        // A part that becomes shorter while it is hashed has nothing left.
        let rest = |filled: usize, i: usize| parts[i].as_ref().get(filled..).unwrap_or_default();
        self.hash_listed(hash, |_, _| None, |filled, i| !rest(filled, i).is_empty());
        (0..count).for_each(|i| self.list(i));
        self.hash_listed(hash, |filled, i| Some(rest(filled, i)), |_, _| false);
        for (i, message) in self.messages.iter_mut().enumerate() {
            let rest = rest(message.filled, i);
            message.append(&rest[hash.whole_bytes(rest.len(), false)..], BYTES);
        }
    }

    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn check_index(&self, index: usize) {
        let count = self.messages.len();
        assert!(index < count, "message index {index} is out of range for {count} messages");
    }

    /// Appends bytes to a message until `room` bytes wait, and returns the rest.
    fn append<'b>(&mut self, block: usize, index: usize, bytes: &'b [u8], room: usize) -> &'b [u8] {
        let message = &mut self.messages[index];
        let rest = message.append(bytes, room);
        if message.waiting >= block {
            self.list(index);
        }
        rest
    }

    /// Lists a message, unless it is listed.
    fn list(&mut self, index: usize) {
        if !self.messages[index].is_listed {
            self.messages[index].is_listed = true;
            self.indices[self.listed] = index;
            self.listed += 1;
        }
    }

    /// Hashes the whole blocks of `part(filled, i)`, for every listed message `i`, together.
    /// `None`: those that wait in its buffer, which are then dropped. Parts must not overtake whole
    /// blocks. `continues(filled, i)`: whether more bytes of a message are known.
    fn hash_listed<'p>(
        &mut self,
        hash: &impl Absorb<State = S>,
        part: impl Fn(usize, usize) -> Option<&'p [u8]>,
        continues: impl Fn(usize, usize) -> bool,
    ) {
        let whole = |bytes: &[u8], filled: usize, i: usize| {
            hash.whole_bytes(bytes.len(), continues(filled, i))
        };
        let Self { messages, indices, states, .. } = self;
        let mut count = 0;
        for place in 0..self.listed {
            let i = indices[place];
            messages[i].is_listed = false;
            // A message may have been reset since.
            let filled = messages[i].filled;
            let bytes = part(filled, i).unwrap_or_else(|| messages[i].bytes());
            if whole(bytes, filled, i) > 0 {
                indices[count] = i;
                count += 1;
            }
        }
        self.listed = 0;
        if count == 0 {
            return;
        }
        let indices = &indices[..count];
        let parts = indices.iter().map(|&i| {
            let message = &messages[i];
            let bytes = part(message.filled, i).unwrap_or_else(|| message.bytes());
            (&message.state, message.hashed, &bytes[..whole(bytes, message.filled, i)])
        });
        hash.absorb(parts, &mut |first: usize, reached: &[S]| {
            states[first..][..reached.len()].copy_from_slice(reached);
        });
        for (&i, state) in indices.iter().zip(&**states) {
            let message = &mut messages[i];
            let part = part(message.filled, i);
            let whole = whole(part.unwrap_or(message.bytes()), message.filled, i);
            if part.is_none() {
                message.bytes.copy_within(whole..message.waiting, 0);
                message.waiting -= whole;
            }
            message.state = *state;
            message.hashed = message.hashed.wrapping_add(whole as u64);
        }
    }
}

/// A zero for each message, or `None` if they do not fit into memory.
fn try_zeros(messages: usize) -> Option<Box<[usize]>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(messages).ok()?;
    zeros.resize(messages, 0);
    Some(zeros.into())
}
