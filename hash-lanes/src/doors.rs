//! A hash function on a backend: the functions that every hash has, as methods.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::any_hash::AnyHash;
use crate::backend::Backend;
use crate::chains::{ChainError, ChainHash, ChainLayout};
use crate::ending::Length;
#[cfg(feature = "files")]
use crate::files::FileError;
use crate::hash::{LaneHash, Start, Starts};
use crate::hmac::{check_pairs, hmac_many, pairs};
use crate::hmac_key::{HmacKey, WrongMacs, verify_hmac_many};
use crate::many::{Digests, HashAll, HashMany, check_counts, hash_again, into_vec, try_into_slice};
use crate::many_hasher::ManyHasher;
use crate::nodes::{AsNodes, NodeHash, nodes_of};
use crate::parts::Parts;
use crate::pbkdf2::{Pbkdf2Hash, Rounds, pbkdf2_many};
use crate::prefix::Prefix;
use crate::stream::{CompiledHash, HashFunction, RowOf};
use crate::word::Array;

/// A hash function on one backend: the functions of a hash crate as methods, for a backend other
/// than the default. `default()` is the hash on the default backend.
///
/// The hash crates name it, such as `Sha256Lanes`. It implements [`HashMany`].
pub struct Lanes<F> {
    backend: Backend,
    hash: PhantomData<fn() -> F>,
}

impl<F: AnyHash> Lanes<F> {
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
        F::hash_message(self.backend, message.as_ref())
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

impl<F: HashFunction<Kernels: LaneHash<Ending = Length>>> Lanes<F> {
    /// Returns the HMAC of the `i`-th message with the `i`-th key.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of keys and messages differ.
    #[track_caller]
    #[must_use]
    pub fn hmac_many(
        self,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<F::Digest> {
        let mut result = Ok(());
        let macs = into_vec(messages, &F::Digest::filled(0), |messages, macs| {
            result = hmac_many::<F>(self.backend, keys, messages, macs);
        });
        check_pairs(result);
        macs
    }

    /// Writes the HMAC of the `i`-th message with the `i`-th key to `macs[i]`.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of keys, messages and MACs differ.
    #[track_caller]
    pub fn hmac_many_into(
        self,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: &mut [F::Digest],
    ) {
        check_pairs(try_into_slice(messages, macs, |messages, macs| {
            hmac_many::<F>(self.backend, keys, messages, macs)
        }));
    }

    /// Compares the HMAC of the `i`-th message with the `i`-th of `macs`, in constant time.
    ///
    /// # Errors
    ///
    /// Returns which MACs are wrong. A truncated MAC is wrong.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of keys, messages and MACs differ.
    #[track_caller]
    pub fn verify_hmac_many(
        self,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Result<(), WrongMacs> {
        check_pairs(verify_hmac_many::<F>(self.backend, keys, messages, macs))
    }

    /// An HMAC key for many messages, hashed once.
    #[must_use]
    pub fn hmac_key(self, key: impl AsRef<[u8]>) -> HmacKey<F> {
        HmacKey::with_backend(self.backend, key)
    }
}

impl<F: Pbkdf2Hash> Lanes<F> {
    /// Derives a key of `N` bytes from the `i`-th password and the `i`-th salt with PBKDF2.
    /// `rounds` is one number for all, or a list with one for each.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of passwords, salts and listed rounds differ, or if there are zero
    /// rounds.
    #[track_caller]
    #[must_use]
    pub fn pbkdf2_many<const N: usize>(
        self,
        passwords: impl IntoIterator<Item: AsRef<[u8]>>,
        salts: impl IntoIterator<Item: AsRef<[u8]>>,
        rounds: impl Rounds,
    ) -> Vec<[u8; N]> {
        let (passwords, salts) = check_pairs(pairs("passwords", passwords, "salts", salts));
        let mut keys = alloc::vec![[0; N]; passwords.len()];
        self.pbkdf2_many_into(passwords, salts, rounds, &mut keys);
        keys
    }

    /// Derives `outputs[i]` from the `i`-th password and the `i`-th salt with PBKDF2. `rounds` is
    /// one number for all, or a list with one for each.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of passwords, salts, outputs and listed rounds differ, if there are
    /// zero rounds, or if an output is longer than 2^32 - 1 digests.
    #[track_caller]
    pub fn pbkdf2_many_into<D: AsMut<[u8]>>(
        self,
        passwords: impl IntoIterator<Item: AsRef<[u8]>>,
        salts: impl IntoIterator<Item: AsRef<[u8]>>,
        rounds: impl Rounds,
        outputs: &mut [D],
    ) {
        pbkdf2_many::<F, D>(self.backend, passwords, salts, rounds, outputs);
    }
}

/// Digests that have the length of a row, as those of SHA-256.
impl<F: CompiledHash + LaneHash<Digest = RowOf<F>>> Lanes<F> {
    /// Returns the digest of the digest of each message.
    #[must_use]
    pub fn double_hash_many(self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<RowOf<F>> {
        let mut digests = self.hash_many(messages);
        hash_again::<F>(self.backend, &mut digests);
        digests
    }

    /// Hashes the `i`-th message twice into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn double_hash_many_into(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [RowOf<F>],
    ) {
        self.hash_many_into(messages, digests);
        hash_again::<F>(self.backend, digests);
    }
}

impl<F: NodeHash> Lanes<F> {
    /// Returns the digest of each node of 64 bytes; two adjacent digests are a node, too.
    ///
    /// # Panics
    ///
    /// Panics if `nodes` are an odd number of digests.
    #[track_caller]
    #[must_use]
    pub fn hash_pairs<T: AsNodes>(self, nodes: &[T]) -> Vec<[u8; 32]> {
        let mut digests = alloc::vec![[0; 32]; nodes_of(nodes).len()];
        self.hash_pairs_into(nodes, &mut digests);
        digests
    }

    /// Hashes the `i`-th node into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `nodes` are an odd number of digests, or if `digests.len()` is not the number of
    /// nodes.
    #[track_caller]
    pub fn hash_pairs_into<T: AsNodes>(self, nodes: &[T], digests: &mut [[u8; 32]]) {
        let nodes = nodes_of(nodes);
        check_counts(nodes.len(), digests.len());
        F::hash_nodes(self.backend, nodes, digests);
    }

    /// Returns the digest of the digest of each node; see [`Self::hash_pairs`].
    ///
    /// # Panics
    ///
    /// Panics if `nodes` are an odd number of digests.
    #[track_caller]
    #[must_use]
    pub fn double_hash_pairs<T: AsNodes>(self, nodes: &[T]) -> Vec<[u8; 32]> {
        let mut digests = alloc::vec![[0; 32]; nodes_of(nodes).len()];
        self.double_hash_pairs_into(nodes, &mut digests);
        digests
    }

    /// Hashes the `i`-th node twice into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::hash_pairs_into`] does.
    #[track_caller]
    pub fn double_hash_pairs_into<T: AsNodes>(self, nodes: &[T], digests: &mut [[u8; 32]]) {
        let nodes = nodes_of(nodes);
        check_counts(nodes.len(), digests.len());
        F::hash_nodes_twice(self.backend, nodes, digests);
    }
}

impl<F: ChainHash> Lanes<F> {
    /// Hashes the `i`-th message `steps[i]` times, each time with the first bytes of the digest in
    /// the place of its value, and its counter advanced. `messages` are end to end, and are
    /// replaced by those after the last step.
    ///
    /// A chain that ends gives its lane to the next. The steps are public: which chain is in which
    /// lane depends on them.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::try_hash_chains`] returns an error.
    #[track_caller]
    pub fn hash_chains(self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        if let Err(error) = self.try_hash_chains(layout, messages, steps) {
            panic!("{error}");
        }
    }

    /// [`Self::hash_chains`], for chains from outside.
    ///
    /// # Errors
    ///
    /// Returns [`ChainError`] if `messages.len() != steps.len() * layout.message_len()`, if a
    /// message does not fit into a block with its padding, or if its value is longer than a digest.
    pub fn try_hash_chains(
        self,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) -> Result<(), ChainError> {
        let whole = Starts::One(Start::WHOLE);
        F::hash_chains(self.backend, whole, layout, messages, steps)
    }
}

impl<F: AnyHash> HashMany for Lanes<F> {
    type Output = F::Digest;

    fn zero_digest() -> F::Digest {
        F::Digest::filled(0)
    }
}

#[doc(hidden)]
impl<F: AnyHash> HashAll for Lanes<F> {
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests) {
        F::hash_all(self.backend, messages, digests);
    }
}

impl<F> Clone for Lanes<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Lanes<F> {}

impl<F: AnyHash> Default for Lanes<F> {
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
