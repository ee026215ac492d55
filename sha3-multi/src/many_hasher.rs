//! Hashes many messages that arrive in parts.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use hash_lanes::engine::into_slice;

use crate::XofReaders;
use crate::function::{Function, output};
use crate::jobs::{EMPTY, MAX_RATE, State};
use crate::stream::Output;

/// The buffer size per message: large enough to make a pass over the lanes long, and small enough
/// for eight buffers to stay in the L1 cache. A function uses as much of it as fills whole blocks.
const WAITING_BYTES: usize = 8 * MAX_RATE;

/// Messages that arrive in parts, for both public hashers.
#[derive(Clone)]
struct Parts {
    function: Function,
    /// The state that each message starts from.
    initial: State,
    messages: Box<[Message]>,
    /// The indices of the messages that are hashed together, and the states that they reach. Kept
    /// so that no call allocates; only the first ones are in use.
    indices: Box<[usize]>,
    states: Box<[State]>,
}

/// A message: the state of the part already hashed, and a buffer of bytes that wait.
#[derive(Clone)]
struct Message {
    state: State,
    /// The buffer. Its first `waiting` bytes are in use.
    bytes: [u8; WAITING_BYTES],
    waiting: usize,
    /// In [`Parts::update_all`]: the number of bytes of the part that are in the buffer.
    filled: usize,
}

impl Message {
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

impl Parts {
    #[track_caller]
    fn new(function: Function, initial: State, count: usize) -> Self {
        let message = Message { state: initial, bytes: [0; WAITING_BYTES], waiting: 0, filled: 0 };
        Self {
            function,
            initial,
            messages: one_per_message(count, message).into(),
            indices: one_per_message(count, 0).into(),
            states: one_per_message(count, EMPTY).into(),
        }
    }

    fn rate(&self) -> usize {
        self.function.sponge.rate
    }

    #[track_caller]
    fn check_index(&self, index: usize) {
        let count = self.messages.len();
        assert!(index < count, "message index {index} is out of range for {count} messages");
    }

    #[track_caller]
    fn update(&mut self, index: usize, mut bytes: &[u8]) {
        self.check_index(index);
        let rate = self.rate();
        let buffer = WAITING_BYTES / rate * rate;
        loop {
            bytes = self.messages[index].append(bytes, buffer);
            if bytes.is_empty() {
                return;
            }
            self.hash_blocks(|_, _| None);
            // Bytes that exceed the buffer are hashed in place, after completing the current block.
            if bytes.len() >= buffer {
                let waiting = self.messages[index].waiting;
                bytes = self.messages[index].append(bytes, waiting.next_multiple_of(rate));
                self.hash_blocks(|_, _| None);
                self.hash_blocks(|_, other| (other == index).then_some(bytes));
                bytes = &bytes[bytes.len() / rate * rate..];
            }
        }
    }

    #[track_caller]
    fn update_all<P: AsRef<[u8]>>(&mut self, parts: &[P]) {
        let (count, rate) = (self.messages.len(), self.rate());
        assert!(
            parts.len() == count,
            "{} parts for {count} messages: pass one part for each message, empty if it has no new \
             bytes",
            parts.len()
        );
        // Fill every message up to a block boundary, so that the rest of its part can be hashed in
        // place.
        for (message, part) in self.messages.iter_mut().zip(parts) {
            let (part, boundary) = (part.as_ref(), message.waiting.next_multiple_of(rate));
            message.filled = part.len() - message.append(part, boundary).len();
        }
        self.hash_blocks(|_, _| None);
        self.hash_blocks(|message, index| Some(&parts[index].as_ref()[message.filled..]));
        for (message, part) in self.messages.iter_mut().zip(parts) {
            let rest = &part.as_ref()[message.filled..];
            message.append(&rest[rest.len() / rate * rate..], WAITING_BYTES);
        }
    }

    /// Hashes the whole blocks of `part(message, i)`, for every message `i`, together. `None`:
    /// those that wait in its buffer, which are then dropped. Parts must not overtake whole blocks.
    fn hash_blocks<'p>(&mut self, part: impl Fn(&Message, usize) -> Option<&'p [u8]>) {
        let rate = self.rate();
        let Self { function, messages, indices, states, .. } = self;
        let bytes = |i: usize| part(&messages[i], i).unwrap_or_else(|| messages[i].bytes());
        let mut count = 0;
        for i in (0..messages.len()).filter(|&i| bytes(i).len() >= rate) {
            indices[count] = i;
            count += 1;
        }
        if count == 0 {
            return;
        }
        let indices = &indices[..count];
        let mut sink = |first: usize, reached: &[State]| {
            states[first..][..reached.len()].copy_from_slice(reached);
        };
        let parts = indices.iter().map(|&i| (&messages[i].state, bytes(i)));
        function.run_parts(parts, Output::Continues(&mut sink));
        for (&i, state) in indices.iter().zip(&*states) {
            let part = part(&messages[i], i);
            let message = &mut messages[i];
            if part.is_none() {
                let whole = message.waiting / rate * rate;
                message.bytes.copy_within(whole..message.waiting, 0);
                message.waiting -= whole;
            }
            message.state = *state;
        }
    }

    /// Hashes the waiting bytes of some messages.
    fn finish(&self, messages: &[Message], output: Output<'_>) {
        let parts = messages.iter().map(|message| (&message.state, message.bytes()));
        self.function.run_parts(parts, output);
    }

    fn reset_one(&mut self, index: usize) {
        let message = &mut self.messages[index];
        (message.state, message.waiting) = (self.initial, 0);
    }

    fn reset(&mut self) {
        for i in 0..self.messages.len() {
            self.reset_one(i);
        }
    }

    fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("backend", &self.function.backend)
            .field("count", &self.messages.len())
            .finish_non_exhaustive()
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

/// The methods that both hashers have.
macro_rules! hasher {
    () => {
        /// The number of messages.
        #[must_use]
        pub fn len(&self) -> usize {
            self.parts.messages.len()
        }

        /// Returns `true` if there are no messages.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.parts.messages.is_empty()
        }

        /// Appends bytes to message `index`.
        ///
        /// A part longer than 1 KiB is hashed alone, without lane parallelism. For parts that long
        /// [`Self::update_all`] is faster.
        ///
        /// # Panics
        ///
        /// Panics if `index >= self.len()`.
        #[track_caller]
        pub fn update(&mut self, index: usize, bytes: &[u8]) {
            self.parts.update(index, bytes);
        }

        /// Appends `parts[i]` to message `i`, for every message.
        ///
        /// All parts are hashed in one pass. If bytes of an earlier part wait for the rest of their
        /// block, those blocks take another.
        ///
        /// # Panics
        ///
        /// Panics if `parts.len() != self.len()`.
        #[track_caller]
        pub fn update_all<P: AsRef<[u8]>>(&mut self, parts: &[P]) {
            self.parts.update_all(parts);
        }

        /// Resets every message to empty.
        pub fn reset(&mut self) {
            self.parts.reset();
        }
    };
}

/// Hashes a fixed number of messages that arrive in parts, into digests of `N` bytes.
///
/// [`update`](Self::update) appends bytes to one message. They wait in its buffer of 1 KiB. When a
/// buffer is full, the whole blocks of all messages are hashed together. If you have a part of
/// *every* message, [`update_all`](Self::update_all) hashes the parts in place.
///
/// ```
/// use sha3_multi::{Keccak256Lanes, keccak256};
///
/// let mut hasher = Keccak256Lanes::default().many_hasher(2);
/// hasher.update(0, b"first part, ");
/// hasher.update(1, b"another message");
/// hasher.update(0, b"second part");
/// assert_eq!(hasher.finalize()[0], keccak256::hash(b"first part, second part"));
/// ```
#[derive(Clone)]
pub struct ManyHasher<const N: usize> {
    parts: Parts,
}

impl<const N: usize> ManyHasher<N> {
    #[track_caller]
    pub(crate) fn new(function: Function, count: usize) -> Self {
        Self { parts: Parts::new(function, EMPTY, count) }
    }

    hasher!();

    /// Returns the digest of each message.
    #[must_use]
    pub fn finalize(self) -> Vec<[u8; N]> {
        let mut digests = alloc::vec![[0; N]; self.len()];
        self.finish(&self.parts.messages, &mut digests);
        digests
    }

    /// Returns the digest of message `index` and resets it, so that it can take another message.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    #[must_use]
    pub fn finalize_one(&mut self, index: usize) -> [u8; N] {
        self.parts.check_index(index);
        let mut digest = [[0; N]];
        self.finish(&self.parts.messages[index..=index], &mut digest);
        self.parts.reset_one(index);
        digest[0]
    }

    fn finish(&self, messages: &[Message], digests: &mut [[u8; N]]) {
        into_slice(messages, digests, |_, digests| {
            self.parts.finish(messages, output::<N>(digests));
        });
    }
}

impl<const N: usize> fmt::Debug for ManyHasher<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.debug("ManyHasher", f)
    }
}

/// Hashes a fixed number of messages that arrive in parts, into outputs of any length. See
/// [`ManyHasher`] for how parts wait.
///
/// ```
/// use sha3_multi::XofLanes;
///
/// let mut hasher = XofLanes::shake256().many_hasher(2);
/// hasher.update_all(&["first part, ", "another message"]);
/// hasher.update(0, b"second part");
/// let outputs: Vec<[u8; 20]> = hasher.finalize().read();
/// assert_eq!(outputs[0], XofLanes::shake256().xof::<20>(b"first part, second part"));
/// ```
#[derive(Clone)]
pub struct XofManyHasher {
    parts: Parts,
}

impl XofManyHasher {
    #[track_caller]
    pub(crate) fn new(function: Function, initial: State, count: usize) -> Self {
        Self { parts: Parts::new(function, initial, count) }
    }

    hasher!();

    /// Returns readers of the outputs.
    #[must_use]
    pub fn finalize(self) -> XofReaders {
        let mut readers = XofReaders::new(self.parts.function, Vec::new());
        self.parts.finish(&self.parts.messages, Output::States(&mut readers));
        readers
    }

    /// Returns a reader of the output for message `index`, the only one of its readers, and resets
    /// the message, so that it can take another one.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    #[must_use]
    pub fn finalize_one(&mut self, index: usize) -> XofReaders {
        self.parts.check_index(index);
        let mut readers = XofReaders::new(self.parts.function, Vec::new());
        self.parts.finish(&self.parts.messages[index..=index], Output::States(&mut readers));
        self.parts.reset_one(index);
        readers
    }
}

impl fmt::Debug for XofManyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.debug("XofManyHasher", f)
    }
}
