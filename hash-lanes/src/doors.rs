//! A hash function on a backend: the functions that every hash has, as methods.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::backend::Backend;
#[cfg(feature = "files")]
use crate::files::FileError;
use crate::hash::Start;
use crate::many::{Digests, HashAll, HashMany, hash_into};
use crate::many_hasher::ManyHasher;
use crate::parts::{Parts, Prefix};
use crate::stream::{HashFunction, hash_message};
use crate::word::Array;

/// A hash function on one backend. The hash crates name it, such as `Blake2s256Lanes`.
///
/// `default()` is the hash on the default backend.
pub struct Lanes<F> {
    backend: Backend,
    hash: PhantomData<fn() -> F>,
}

impl<F: HashFunction> Lanes<F> {
    /// The hash on `backend`.
    #[must_use]
    pub const fn on(backend: Backend) -> Self {
        Self { backend, hash: PhantomData }
    }

    /// The backend.
    #[must_use]
    pub const fn backend(self) -> Backend {
        self.backend
    }

    /// The digest of one message.
    #[must_use]
    pub fn hash(self, message: impl AsRef<[u8]>) -> F::Digest {
        hash_message::<F>(self.backend, message.as_ref())
    }

    /// Returns the digest of each message.
    #[must_use]
    pub fn hash_many(self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<F::Digest> {
        HashMany::hash_many(&self, messages)
    }

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [F::Digest],
    ) {
        HashMany::hash_many_into(&self, messages, digests);
    }

    /// Returns the digest of each message of an iterator that may fail.
    ///
    /// # Errors
    ///
    /// Returns the first error. Nothing after it is hashed.
    pub fn try_hash_many<T: AsRef<[u8]>, E>(
        self,
        messages: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<Vec<F::Digest>, E> {
        HashMany::try_hash_many(&self, messages)
    }

    /// Returns the digest of each message, whose parts are hashed one after the other.
    #[must_use]
    pub fn hash_concat_many(self, messages: impl IntoIterator<Item: Parts>) -> Vec<F::Digest> {
        self.prefix(&[]).hash_many(messages)
    }

    /// Hashes the `i`-th message, whose parts are hashed one after the other, into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_concat_many_into(
        self,
        messages: impl IntoIterator<Item: Parts>,
        digests: &mut [F::Digest],
    ) {
        self.prefix(&[]).hash_many_into(messages, digests);
    }

    /// The common prefix of many messages, hashed once.
    #[must_use]
    pub fn prefix(self, prefix: &[u8]) -> Prefix<F> {
        Prefix::with_backend(self.backend, prefix)
    }

    /// A hasher of `count` messages that arrive in parts.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(self, count: usize) -> ManyHasher<F> {
        ManyHasher::with_backend(self.backend, count)
    }

    /// Hashes whole files on all cores; see [`ManyHasher::hash_files`].
    ///
    /// # Errors
    ///
    /// Each file has its own result.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn hash_files<P: AsRef<std::path::Path> + Sync>(
        self,
        paths: &[P],
    ) -> Vec<Result<F::Digest, FileError>> {
        ManyHasher::<F>::hash_files_with(self.backend, paths)
    }

    /// [`Self::hash_files`] with progress; see [`ManyHasher::hash_files_with_progress`].
    ///
    /// # Errors
    ///
    /// Each file has its own result.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn hash_files_with_progress<P: AsRef<std::path::Path> + Sync>(
        self,
        paths: &[P],
        progress: impl FnMut(crate::ReadProgress) -> core::ops::ControlFlow<()> + Send,
    ) -> Vec<Result<F::Digest, FileError>> {
        ManyHasher::<F>::hash_files_with_progress(self.backend, paths, progress)
    }
}

impl<F: HashFunction> HashMany for Lanes<F> {
    type Output = F::Digest;

    fn zero_digest() -> F::Digest {
        F::Digest::filled(0)
    }
}

#[doc(hidden)]
impl<F: HashFunction> HashAll for Lanes<F> {
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests) {
        hash_into::<F>(self.backend, Start::WHOLE, messages, digests);
    }
}

impl<F> Clone for Lanes<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Lanes<F> {}

impl<F: HashFunction> Default for Lanes<F> {
    fn default() -> Self {
        Self::on(Backend::detect())
    }
}

impl<F> PartialEq for Lanes<F> {
    fn eq(&self, other: &Self) -> bool {
        self.backend == other.backend
    }
}

impl<F> Eq for Lanes<F> {}

impl<F> fmt::Debug for Lanes<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("backend", &self.backend).finish()
    }
}
