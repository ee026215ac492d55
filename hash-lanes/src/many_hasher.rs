//! Hashes many messages that arrive in parts.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::ending::known_bytes;
use crate::hash::{Sink, Start};
use crate::many::hash_parts;
use crate::padding::{MAX_BLOCK_BYTES, block_bytes};
use crate::stream::{EndingOf, HashFunction, RowOf, WordOf, digest_of, initial_row};
use crate::word::Array;

/// The buffer size per message: large enough to make a pass over the lanes long, and small enough
/// for 16 buffers to stay in the L1 cache.
const WAITING_BYTES: usize = 1024;

/// Hashes a fixed number of messages that arrive in parts, such as files that are read in pieces.
///
/// [`update`](Self::update) appends bytes to one message. They wait in its buffer of 1024 bytes.
/// When a buffer is full, the whole blocks of all messages are hashed together. If you have a part
/// of *every* message, [`update_all`](Self::update_all) hashes the parts in place.
#[derive(Clone)]
pub struct ManyHasher<F: HashFunction> {
    backend: Backend,
    /// The state that each message starts from, the number of bytes before it, and the bytes that
    /// then wait.
    initial: (RowOf<F::Kernels>, u64),
    pending: ArrayVec<u8, MAX_BLOCK_BYTES>,
    messages: Box<[Waiting<RowOf<F::Kernels>>]>,
    /// The indices of the messages that are hashed together next: first those in whose buffers
    /// whole blocks wait. Only the first `listed` ones are in use.
    indices: Box<[usize]>,
    listed: usize,
    /// The states that they reach. Kept so that no call allocates.
    states: Box<[RowOf<F::Kernels>]>,
    hash: PhantomData<fn() -> F>,
}

/// A message: the state of the part already hashed, and a buffer of bytes that wait.
#[derive(Clone)]
struct Waiting<R> {
    state: R,
    /// The number of bytes hashed into `state`: whole blocks.
    hashed: u64,
    /// The buffer. Its first `waiting` bytes are in use.
    bytes: [u8; WAITING_BYTES],
    waiting: usize,
    /// Whether the message is listed, because whole blocks wait.
    is_listed: bool,
    /// In [`ManyHasher::update_all`]: the number of bytes of the part that are in the buffer.
    filled: usize,
}

impl<R: Copy> Waiting<R> {
    fn begin(&mut self, initial: (R, u64), pending: &[u8]) {
        (self.state, self.hashed) = initial;
        self.waiting = 0;
        self.append(pending, WAITING_BYTES);
    }

    /// The waiting bytes.
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

impl<F: HashFunction> ManyHasher<F> {
    /// Creates a hasher of `count` empty messages.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self::with_backend(Backend::detect(), count)
    }

    /// Like [`Self::new`], with the given backend.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::new`] does.
    #[track_caller]
    #[must_use]
    pub fn with_backend(backend: Backend, count: usize) -> Self {
        Self::after_prefix(backend, initial_row::<F>(), 0, count)
    }

    /// Like [`Self::with_backend`], for messages whose common prefix has already been hashed into
    /// `state`. Its length is a multiple of the block size.
    #[doc(hidden)]
    #[track_caller]
    #[must_use]
    pub fn after_prefix(
        backend: Backend,
        state: RowOf<F::Kernels>,
        prefix_len: u64,
        count: usize,
    ) -> Self {
        Self::with_pending(backend, (state, prefix_len), ArrayVec::new(), count)
    }

    /// [`Self::after_prefix`] with the last bytes of the prefix, which are not hashed.
    #[track_caller]
    pub(crate) fn with_pending(
        backend: Backend,
        initial: (RowOf<F::Kernels>, u64),
        pending: ArrayVec<u8, MAX_BLOCK_BYTES>,
        count: usize,
    ) -> Self {
        let mut message = Waiting {
            state: initial.0,
            hashed: initial.1,
            bytes: [0; WAITING_BYTES],
            waiting: 0,
            is_listed: false,
            filled: 0,
        };
        message.begin(initial, &pending);
        let messages = one_per_message(count, message).into();
        let indices = one_per_message(count, 0).into();
        let states = one_per_message(count, Array::filled(0)).into();
        let hash = PhantomData;
        Self { backend, initial, pending, messages, indices, listed: 0, states, hash }
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

    /// Appends bytes to message `index`.
    ///
    /// A part longer than 1024 bytes is hashed alone, without lane parallelism. For parts that long
    /// [`Self::update_all`] is faster.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn update(&mut self, index: usize, mut bytes: &[u8]) {
        self.check_index(index);
        loop {
            bytes = self.append(index, bytes, WAITING_BYTES);
            if bytes.is_empty() {
                return;
            }
            self.hash_waiting(|_, i| i == index);
            // Bytes that exceed the buffer are hashed in place, after completing the current block.
            if bytes.len() >= WAITING_BYTES {
                let boundary =
                    self.messages[index].waiting.next_multiple_of(block_bytes::<WordOf<F>>());
                bytes = self.append(index, bytes, boundary);
                self.hash_waiting(|_, i| i == index);
                self.list(index);
                self.hash_listed(|_, _| Some(bytes), |_, _| false);
                bytes = &bytes[known_bytes::<EndingOf<F>, WordOf<F>>(bytes.len())..];
            }
        }
    }

    /// Appends `parts[i]` to message `i`, for every message.
    ///
    /// All parts are hashed in one pass. If bytes of an earlier part wait for the rest of their
    /// block, those blocks take another. Neither pass allocates, except for plans when they are
    /// first used, as long as at least 16 messages in a row, or all, have parts of equal length.
    ///
    /// # Panics
    ///
    /// Panics if `parts.len() != self.len()`.
    #[track_caller]
    pub fn update_all<P: AsRef<[u8]>>(&mut self, parts: &[P]) {
        let count = self.messages.len();
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
            let boundary = self.messages[i].waiting.next_multiple_of(block_bytes::<WordOf<F>>());
            self.messages[i].filled = part.len() - self.append(i, part, boundary).len();
        }
        let rest = |message: &Waiting<_>, i: usize| &parts[i].as_ref()[message.filled..];
        self.hash_waiting(|message, i| !rest(message, i).is_empty());
        (0..count).for_each(|i| self.list(i));
        self.hash_listed(|message, i| Some(rest(message, i)), |_, _| false);
        for (i, message) in self.messages.iter_mut().enumerate() {
            let rest = rest(message, i);
            let hashed = known_bytes::<EndingOf<F>, WordOf<F>>(rest.len());
            message.append(&rest[hashed..], WAITING_BYTES);
        }
    }

    /// Returns the digest of each message.
    #[must_use]
    pub fn finalize(self) -> Vec<F::Digest> {
        let mut digests = alloc::vec![F::Digest::filled(0); self.messages.len()];
        self.finish(&self.messages, &mut |first: usize, rows: &[RowOf<F::Kernels>]| {
            for (digest, row) in digests[first..].iter_mut().zip(rows) {
                *digest = digest_of::<F>(row);
            }
        });
        digests
    }

    /// Returns the digest of message `index` and resets it, so that it can take another message.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    #[must_use]
    pub fn finalize_one(&mut self, index: usize) -> F::Digest {
        self.check_index(index);
        let mut digest = F::Digest::filled(0);
        self.finish(&self.messages[index..=index], &mut |_, rows: &[RowOf<F::Kernels>]| {
            digest = digest_of::<F>(&rows[0]);
        });
        self.messages[index].begin(self.initial, &self.pending);
        digest
    }

    /// Resets every message to empty.
    pub fn reset(&mut self) {
        for message in &mut self.messages {
            message.begin(self.initial, &self.pending);
        }
    }

    #[track_caller]
    fn check_index(&self, index: usize) {
        let count = self.messages.len();
        assert!(index < count, "message index {index} is out of range for {count} messages");
    }

    /// Ends every message, whose rows `sink` takes.
    pub(crate) fn finish_all(&self, sink: &mut dyn Sink<RowOf<F::Kernels>>) {
        self.finish(&self.messages, sink);
    }

    /// Pads and hashes the waiting bytes of `messages`.
    fn finish(
        &self,
        messages: &[Waiting<RowOf<F::Kernels>>],
        sink: &mut dyn Sink<RowOf<F::Kernels>>,
    ) {
        let parts = messages.iter().map(|message| {
            let start = Start::ending(Some(&message.state), message.hashed);
            (start, message.bytes())
        });
        hash_parts::<F>(self.backend, parts, sink);
    }

    /// Appends bytes to a message until `room` bytes wait, and returns the rest.
    fn append<'b>(&mut self, index: usize, bytes: &'b [u8], room: usize) -> &'b [u8] {
        let message = &mut self.messages[index];
        let rest = message.append(bytes, room);
        if message.waiting >= block_bytes::<WordOf<F>>() {
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

    /// Hashes the whole blocks that wait, of all messages together; `continues(message, i)` if more
    /// bytes of a message are known.
    fn hash_waiting(&mut self, continues: impl Fn(&Waiting<RowOf<F::Kernels>>, usize) -> bool) {
        self.hash_listed(|_, _| None, continues);
    }

    /// Hashes the whole blocks of `part(message, i)`, for every listed message `i`, together.
    /// `None`: those that wait in its buffer, which are then dropped. Parts must not overtake whole
    /// blocks. If the last block of a hash differs, a whole block at the end of a part waits until
    /// the message `continues`.
    fn hash_listed<'p>(
        &mut self,
        part: impl Fn(&Waiting<RowOf<F::Kernels>>, usize) -> Option<&'p [u8]>,
        continues: impl Fn(&Waiting<RowOf<F::Kernels>>, usize) -> bool,
    ) {
        let Self { messages, indices, states, .. } = self;
        let whole = |message: &Waiting<RowOf<F::Kernels>>, i: usize| {
            let len = part(message, i).unwrap_or_else(|| message.bytes()).len();
            if continues(message, i) {
                len - len % block_bytes::<WordOf<F>>()
            } else {
                known_bytes::<EndingOf<F>, WordOf<F>>(len)
            }
        };
        let mut count = 0;
        for place in 0..self.listed {
            let i = indices[place];
            messages[i].is_listed = false;
            // A message may have been reset since.
            if whole(&messages[i], i) > 0 {
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
            let bytes = part(message, i).unwrap_or_else(|| message.bytes());
            let start = Start::continuing(Some(&message.state), message.hashed);
            (start, &bytes[..whole(message, i)])
        });
        hash_parts::<F>(self.backend, parts, &mut |first: usize, rows: &[RowOf<F::Kernels>]| {
            states[first..][..rows.len()].copy_from_slice(rows);
        });
        for (&i, state) in indices.iter().zip(&*states) {
            let (whole, is_waiting) = (whole(&messages[i], i), part(&messages[i], i).is_none());
            let message = &mut messages[i];
            if is_waiting {
                message.bytes.copy_within(whole..message.waiting, 0);
                message.waiting -= whole;
            }
            message.state = *state;
            message.hashed = message.hashed.wrapping_add(whole as u64);
        }
    }
}

/// One `value` for each message. Panics if they do not fit into memory, where `vec!` ends the
/// process.
#[track_caller]
fn one_per_message<T: Clone>(messages: usize, value: T) -> Vec<T> {
    let mut values = Vec::new();
    if values.try_reserve_exact(messages).is_err() {
        panic!("the buffers of {messages} messages do not fit into memory");
    }
    values.resize(messages, value);
    values
}

impl<F: HashFunction> fmt::Debug for ManyHasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManyHasher")
            .field("backend", &self.backend)
            .field("count", &self.messages.len())
            .finish_non_exhaustive()
    }
}
