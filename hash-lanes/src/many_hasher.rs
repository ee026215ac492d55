//! Hashes many messages that arrive in parts.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::buffers::{Absorb, Buffers};
use crate::ending::known_bytes;
use crate::hash::{Sink, Start};
use crate::many::hash_parts;
use crate::padding::block_bytes;
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
    hash: OnBackend<F>,
    buffers: Buffers<RowOf<F::Kernels>, WAITING_BYTES>,
}

/// The blocks of a hash on a backend.
#[derive(Clone)]
struct OnBackend<F>(Backend, PhantomData<fn() -> F>);

impl<F: HashFunction> Absorb for OnBackend<F> {
    type State = RowOf<F::Kernels>;

    fn block_bytes(&self) -> usize {
        block_bytes::<WordOf<F>>()
    }

    fn whole_bytes(&self, len: usize, continues: bool) -> usize {
        if continues {
            len - len % block_bytes::<WordOf<F>>()
        } else {
            known_bytes::<EndingOf<F>, WordOf<F>>(len)
        }
    }

    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = (&'p Self::State, u64, &'p [u8])>,
        sink: &mut dyn Sink<Self::State>,
    ) where
        Self::State: 'p,
    {
        let continues = |(state, hashed, bytes)| (Start::continuing(Some(state), hashed), bytes);
        hash_parts::<F>(self.0, parts.map(continues), sink);
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
        Self::with_pending(backend, (state, prefix_len), &[], count)
    }

    /// [`Self::after_prefix`] with the last bytes of the prefix, which are not hashed.
    #[track_caller]
    pub(crate) fn with_pending(
        backend: Backend,
        initial: (RowOf<F::Kernels>, u64),
        pending: &[u8],
        count: usize,
    ) -> Self {
        let hash = OnBackend(backend, PhantomData);
        Self { hash, buffers: Buffers::new(count, initial, pending) }
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
    /// A part longer than 1024 bytes is hashed alone, without lane parallelism. For parts that long
    /// [`Self::update_all`] is faster.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn update(&mut self, index: usize, bytes: &[u8]) {
        self.buffers.update(&self.hash, index, bytes);
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
        self.buffers.update_all(&self.hash, parts);
    }

    /// Returns the digest of each message.
    #[must_use]
    pub fn finalize(self) -> Vec<F::Digest> {
        let mut digests = alloc::vec![F::Digest::filled(0); self.len()];
        self.finish_all(&mut |first: usize, rows: &[RowOf<F::Kernels>]| {
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
        let mut digest = F::Digest::filled(0);
        let one = core::iter::once(self.buffers.one(index));
        self.finish(one, &mut |_, rows: &[RowOf<F::Kernels>]| digest = digest_of::<F>(&rows[0]));
        self.buffers.reset_one(index);
        digest
    }

    /// Resets every message to empty.
    pub fn reset(&mut self) {
        self.buffers.reset();
    }

    /// Ends every message, whose rows `sink` takes.
    pub(crate) fn finish_all(&self, sink: &mut dyn Sink<RowOf<F::Kernels>>) {
        self.finish(self.buffers.all(), sink);
    }

    /// Pads and hashes the waiting bytes of messages.
    fn finish<'m>(
        &self,
        messages: impl Iterator<Item = (&'m RowOf<F::Kernels>, u64, &'m [u8])>,
        sink: &mut dyn Sink<RowOf<F::Kernels>>,
    ) {
        let ends = |(state, hashed, bytes)| (Start::ending(Some(state), hashed), bytes);
        hash_parts::<F>(self.hash.0, messages.map(ends), sink);
    }
}

impl<F: HashFunction> fmt::Debug for ManyHasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManyHasher")
            .field("backend", &self.hash.0)
            .field("count", &self.len())
            .finish_non_exhaustive()
    }
}
