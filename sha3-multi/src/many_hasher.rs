//! Hashes many messages that arrive in parts, into outputs of any length.

use core::{fmt, iter};

use hash_lanes::engine::Buffers;

use crate::XofReaders;
use crate::function::{Function, WAITING_BYTES};
use crate::jobs::State;
use crate::stream::Output;

/// Hashes a fixed number of messages that arrive in parts, into outputs of any length. See
/// [`ManyHasher`](crate::ManyHasher) for how parts wait.
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
    function: Function,
    buffers: Buffers<State, WAITING_BYTES>,
}

impl XofManyHasher {
    #[track_caller]
    pub(crate) fn new(
        function: Function,
        initial: (State, u64),
        pending: &[u8],
        count: usize,
    ) -> Self {
        Self { function, buffers: Buffers::new(count, initial, pending) }
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buffers.len()
    }

    /// Returns `true` if there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buffers.is_empty()
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
        self.buffers.update(&self.function, index, bytes);
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
        self.buffers.update_all(&self.function, parts);
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
        self.buffers.reset();
    }

    /// Returns readers of the outputs.
    #[must_use]
    pub fn finalize(self) -> XofReaders {
        let mut readers = XofReaders::new(self.function);
        self.function.end(self.buffers.all(), Output::States(&mut readers));
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
        let mut readers = XofReaders::new(self.function);
        let message = iter::once(self.buffers.one(index));
        self.function.end(message, Output::States(&mut readers));
        self.buffers.reset_one(index);
        readers
    }
}

#[cfg(feature = "std")]
impl hash_lanes::engine::UpdateMany for XofManyHasher {
    fn count(&self) -> usize {
        self.len()
    }

    fn update(&mut self, index: usize, bytes: &[u8]) {
        self.update(index, bytes);
    }

    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]) {
        self.update_all(pieces);
    }
}

impl fmt::Debug for XofManyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofManyHasher")
            .field("backend", &self.function.backend)
            .field("count", &self.buffers.len())
            .finish_non_exhaustive()
    }
}
