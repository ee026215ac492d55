//! Hashes many messages that arrive in parts.

use alloc::vec::Vec;
use core::fmt;
use core::iter::{once, repeat_n};
use core::marker::PhantomData;

use crate::any_hash::{AnyHash, Begun};
use crate::backend::Backend;
use crate::buffers::{Absorb, Buffers};
use crate::concat::{Ended, Numbered, hash_concat};
use crate::hash::Sink;
use crate::many::{Digests, into_slice};
use crate::parts::Parts;
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
pub struct ManyHasher<F: AnyHash> {
    hash: OnBackend<F>,
    buffers: Buffers<F::State, WAITING_BYTES>,
}

/// The blocks of a hash on a backend.
#[derive(Clone)]
struct OnBackend<F>(Backend, PhantomData<fn() -> F>);

impl<F: AnyHash> Absorb for OnBackend<F> {
    type State = F::State;

    fn block_bytes(&self) -> usize {
        F::BLOCK_BYTES
    }

    fn whole_bytes(&self, len: usize, continues: bool) -> usize {
        F::whole_bytes(len, continues)
    }

    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = Begun<'p, F::State>>,
        sink: &mut dyn Sink<F::State>,
    ) where
        F::State: 'p,
    {
        F::absorb(self.0, parts, sink);
    }
}

impl<F: AnyHash> ManyHasher<F> {
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
        Self::after_prefix(backend, F::initial_state(), 0, count)
    }

    /// Like [`Self::with_backend`], for messages whose common prefix has already been hashed into
    /// `state`. Its length is a multiple of the block size.
    #[doc(hidden)]
    #[track_caller]
    #[must_use]
    pub fn after_prefix(backend: Backend, state: F::State, prefix_len: u64, count: usize) -> Self {
        Self::with_pending(backend, (state, prefix_len), &[], count)
    }

    /// [`Self::after_prefix`] with the last bytes of the prefix, which are not hashed.
    #[track_caller]
    pub(crate) fn with_pending(
        backend: Backend,
        initial: (F::State, u64),
        pending: &[u8],
        count: usize,
    ) -> Self {
        let hash = OnBackend(backend, PhantomData);
        Self { hash, buffers: Buffers::new(count, initial, pending) }
    }

    /// Hashes complete messages in parts, each after the same prefix.
    pub(crate) fn hash_concat(
        backend: Backend,
        prefix: Begun<'_, F::State>,
        messages: impl Iterator<Item: Parts>,
        digests: &mut dyn Digests,
    ) {
        let hash = OnBackend::<F>(backend, PhantomData);
        hash_concat(&hash, prefix, messages, &mut |ended, number| {
            let digests = &mut Numbered { to: &mut *digests, number };
            match ended {
                Ended::After(state, hashed, messages) => {
                    F::hash_all(backend, Some((state, hashed)), messages.iter(), digests);
                }
                Ended::Each(messages) => F::end(backend, messages, digests),
            }
        });
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
        into_slice(repeat_n((), self.len()), &mut digests, |_, digests| {
            F::end(self.hash.0, self.buffers.all(), digests);
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
        let message = self.buffers.one(index);
        let mut digest = [F::Digest::filled(0)];
        into_slice([()], &mut digest, |_, digests| F::end(self.hash.0, once(message), digests));
        self.buffers.reset_one(index);
        let [digest] = digest;
        digest
    }

    /// Resets every message to empty.
    pub fn reset(&mut self) {
        self.buffers.reset();
    }
}

impl<F: AnyHash> fmt::Debug for ManyHasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManyHasher")
            .field("backend", &self.hash.0)
            .field("count", &self.len())
            .finish_non_exhaustive()
    }
}
