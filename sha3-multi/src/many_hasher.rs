//! Hashes many messages that arrive in parts.

use alloc::vec::Vec;
use core::{fmt, iter};

use hash_lanes::engine::{Absorb, Buffers, Sink, into_slice};

use crate::XofReaders;
use crate::function::{Function, output};
use crate::jobs::{EMPTY, MAX_RATE, State};
use crate::stream::Output;

/// The buffer size per message: large enough to make a pass over the lanes long, and small enough
/// for eight buffers to stay in the L1 cache. A function uses as much of it as fills whole blocks.
const WAITING_BYTES: usize = 8 * MAX_RATE;

impl Absorb for Function {
    type State = State;

    fn block_bytes(&self) -> usize {
        self.sponge.rate
    }

    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = (&'p State, u64, &'p [u8])>,
        sink: &mut dyn Sink<State>,
    ) {
        let parts = parts.map(|(state, _, bytes)| (state, bytes));
        self.run_parts(parts, Output::Continues(sink));
    }
}

/// Messages that arrive in parts, for both public hashers.
#[derive(Clone)]
struct Messages {
    function: Function,
    buffers: Buffers<State, WAITING_BYTES>,
}

impl Messages {
    #[track_caller]
    fn new(function: Function, initial: State, count: usize) -> Self {
        Self { function, buffers: Buffers::new(count, (initial, 0), &[]) }
    }

    /// Ends every message.
    fn finish(&self, output: Output<'_>) {
        self.function.run_parts(self.buffers.all().map(|(state, _, rest)| (state, rest)), output);
    }

    /// Ends message `index`.
    #[track_caller]
    fn finish_one(&self, index: usize, output: Output<'_>) {
        let (state, _, rest) = self.buffers.one(index);
        self.function.run_parts(iter::once((state, rest)), output);
    }

    fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("backend", &self.function.backend)
            .field("count", &self.buffers.len())
            .finish_non_exhaustive()
    }
}

/// The methods that both hashers have.
macro_rules! hasher {
    () => {
        /// The number of messages.
        #[must_use]
        pub fn len(&self) -> usize {
            self.messages.buffers.len()
        }

        /// Returns `true` if there are no messages.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.messages.buffers.is_empty()
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
            let Messages { function, buffers } = &mut self.messages;
            buffers.update(function, index, bytes);
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
            let Messages { function, buffers } = &mut self.messages;
            buffers.update_all(function, parts);
        }

        /// Message `index` as a [`std::io::Write`], for functions that write to one.
        ///
        /// # Panics
        ///
        /// Panics if `index >= self.len()`.
        #[cfg(feature = "std")]
        #[track_caller]
        pub fn writer(&mut self, index: usize) -> hash_lanes::MessageWriter<'_, Self> {
            hash_lanes::MessageWriter::new(self, index)
        }

        /// Resets every message to empty.
        pub fn reset(&mut self) {
            self.messages.buffers.reset();
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
    messages: Messages,
}

impl<const N: usize> ManyHasher<N> {
    #[track_caller]
    pub(crate) fn new(function: Function, count: usize) -> Self {
        Self { messages: Messages::new(function, EMPTY, count) }
    }

    hasher!();

    /// Returns the digest of each message.
    #[must_use]
    pub fn finalize(self) -> Vec<[u8; N]> {
        let mut digests = alloc::vec![[0; N]; self.len()];
        into_slice(iter::repeat_n((), digests.len()), &mut digests, |_, digests| {
            self.messages.finish(output::<N>(digests));
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
    pub fn finalize_one(&mut self, index: usize) -> [u8; N] {
        self.messages.buffers.check_index(index);
        let mut digest = [[0; N]];
        into_slice([()], &mut digest, |_, digests| {
            self.messages.finish_one(index, output::<N>(digests));
        });
        self.messages.buffers.reset_one(index);
        digest[0]
    }
}

#[cfg(feature = "std")]
impl<const N: usize> ManyHasher<N> {
    /// Appends what each reader has until its end to the message of its index, and returns the
    /// digest of each message. See [`hash_lanes::ManyHasher::hash_readers`].
    ///
    /// # Errors
    ///
    /// Each reader has its own result. Those that have not ended when `progress` stops the reading
    /// have an error of [`std::io::ErrorKind::Interrupted`].
    ///
    /// # Panics
    ///
    /// Panics if `readers.len() != self.len()`.
    #[track_caller]
    pub fn hash_readers<R: std::io::Read>(
        self,
        readers: &mut [R],
        progress: impl FnMut(crate::ReadProgress) -> core::ops::ControlFlow<()>,
    ) -> Vec<std::io::Result<[u8; N]>> {
        hash_lanes::engine::hash_readers(self, readers, progress)
    }
}

/// Makes a hasher one that readers and writers use.
#[cfg(feature = "std")]
macro_rules! update_many {
    () => {
        fn count(&self) -> usize {
            self.len()
        }

        fn update(&mut self, index: usize, bytes: &[u8]) {
            self.update(index, bytes);
        }

        fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]) {
            self.update_all(pieces);
        }
    };
}

#[cfg(feature = "std")]
impl<const N: usize> hash_lanes::engine::UpdateMany for ManyHasher<N> {
    update_many!();
}

#[cfg(feature = "std")]
impl<const N: usize> hash_lanes::engine::PiecesHasher for ManyHasher<N> {
    type Digest = [u8; N];

    fn finalize(self) -> Vec<[u8; N]> {
        self.finalize()
    }
}

impl<const N: usize> fmt::Debug for ManyHasher<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.messages.debug("ManyHasher", f)
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
    messages: Messages,
}

impl XofManyHasher {
    #[track_caller]
    pub(crate) fn new(function: Function, initial: State, count: usize) -> Self {
        Self { messages: Messages::new(function, initial, count) }
    }

    hasher!();

    /// Returns readers of the outputs.
    #[must_use]
    pub fn finalize(self) -> XofReaders {
        let mut readers = XofReaders::new(self.messages.function);
        self.messages.finish(Output::States(&mut readers));
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
        let mut readers = XofReaders::new(self.messages.function);
        self.messages.finish_one(index, Output::States(&mut readers));
        self.messages.buffers.reset_one(index);
        readers
    }
}

#[cfg(feature = "std")]
impl hash_lanes::engine::UpdateMany for XofManyHasher {
    update_many!();
}

impl fmt::Debug for XofManyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.messages.debug("XofManyHasher", f)
    }
}
