//! The common prefix of many messages.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::any_hash::AnyHash;
use crate::backend::Backend;
use crate::erase::Erased;
use crate::many::{Digests, into_slice, into_vec};
use crate::many_hasher::ManyHasher;
use crate::parts::Parts;
use crate::word::Array;

/// The common prefix of many messages, hashed once. It may have any length, or be empty.
///
/// Each message follows it in parts, which need not be joined: a hash-based signature hashes
/// `prefix || address || value`. Neither [`hash_many_into`](Self::hash_many_into) nor the joining
/// allocates for messages of at most 512 bytes.
#[derive(Clone)]
pub struct Prefix<F: AnyHash> {
    backend: Backend,
    /// The state after the whole blocks, alone in a list, and their length.
    state: Erased<F::State>,
    hashed: u64,
    /// The bytes after them.
    rest: Erased<u8>,
    hash: PhantomData<fn() -> F>,
}

impl<F: AnyHash> Prefix<F> {
    /// Hashes the prefix.
    #[must_use]
    pub fn new(prefix: &[u8]) -> Self {
        Self::with_backend(Backend::detect(), prefix)
    }

    /// [`Self::new`] with the given backend.
    #[must_use]
    pub fn with_backend(backend: Backend, prefix: &[u8]) -> Self {
        Self::after_state(backend, F::initial_state(), prefix)
    }

    /// [`Self::with_backend`] from another initial state.
    #[doc(hidden)]
    #[must_use]
    pub fn after_state(backend: Backend, mut state: F::State, prefix: &[u8]) -> Self {
        let (whole, rest) = prefix.split_at(F::whole_bytes(prefix.len(), false));
        if !whole.is_empty() {
            state = F::absorb_one(backend, (&state, 0, whole));
        }
        let (state, rest) = (Erased::of(state), Erased::copied(rest));
        Self { backend, state, hashed: whole.len() as u64, rest, hash: PhantomData }
    }

    /// A hasher of `count` messages that arrive in parts, each after the prefix.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> ManyHasher<F> {
        let initial = (self.state[0], self.hashed);
        ManyHasher::with_pending(self.backend, initial, &self.rest, count)
    }

    /// Returns the digest of the prefix followed by each message.
    #[must_use]
    pub fn hash_many(&self, messages: impl IntoIterator<Item: Parts>) -> Vec<F::Digest> {
        into_vec(messages, &F::Digest::filled(0), |messages, digests| {
            self.hash_all(messages, digests);
        })
    }

    /// Hashes the prefix followed by the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        &self,
        messages: impl IntoIterator<Item: Parts>,
        digests: &mut [F::Digest],
    ) {
        into_slice(messages, digests, |messages, digests| {
            self.hash_all(messages, digests);
        });
    }

    fn hash_all(&self, messages: impl Iterator<Item: Parts>, digests: &mut dyn Digests) {
        let prefix = (&self.state[0], self.hashed, &self.rest[..]);
        ManyHasher::<F>::hash_concat(self.backend, prefix, messages, digests);
    }
}

impl<F: AnyHash> fmt::Debug for Prefix<F> {
    /// Omits the state, which may be that of a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefix").field("backend", &self.backend).finish_non_exhaustive()
    }
}
