//! HMAC of many messages with one key, and the verification of many MACs.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::backend::Backend;
use crate::hash::Start;
use crate::hmac::{CHUNK, KeyStates, UnequalPairs, check_pairs, digest, key_states, take_pairs};
use crate::many::{Digests, hash_stream, into_slice, into_vec};
use crate::padding::block_bytes;
use crate::stream::{HashFunction, RowOf, WordOf};
use crate::word::Array;

/// An HMAC key for many messages. Its two blocks are hashed once.
///
/// Dropping it overwrites the states that were computed from the key, but not the temporary copies
/// that hashing left in memory.
#[derive(Clone)]
pub struct HmacKey<F: HashFunction> {
    backend: Backend,
    states: KeyStates<RowOf<F::Kernels>>,
    hash: PhantomData<fn() -> F>,
}

impl<F: HashFunction> HmacKey<F> {
    /// Hashes the key, which may have any length.
    #[must_use]
    pub fn new(key: impl AsRef<[u8]>) -> Self {
        Self::with_backend(Backend::detect(), key)
    }

    /// [`Self::new`] with the given backend.
    #[must_use]
    pub fn with_backend(backend: Backend, key: impl AsRef<[u8]>) -> Self {
        let states = key_states::<F>(backend, &[key.as_ref()])[0];
        Self { backend, states, hash: PhantomData }
    }

    /// Returns the MAC of each message.
    #[must_use]
    pub fn hmac_many(&self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<F::Digest> {
        into_vec(messages, &F::Digest::filled(0), |messages, macs| self.hash_all(messages, macs))
    }

    /// Writes the MAC of the `i`-th message to `macs[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `macs.len()` is not the number of messages.
    #[track_caller]
    pub fn hmac_many_into(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: &mut [F::Digest],
    ) {
        into_slice(messages, macs, |messages, macs| self.hash_all(messages, macs));
    }

    /// Compares the MAC of each message with the `i`-th of `macs`, in constant time.
    ///
    /// # Errors
    ///
    /// Returns which MACs are wrong. A truncated MAC is wrong.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of messages and MACs differ.
    #[track_caller]
    pub fn verify_many(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Result<(), WrongMacs> {
        verify_macs(&self.hmac_many(messages), macs)
    }

    fn hash_all(&self, messages: impl Iterator<Item: AsRef<[u8]>>, macs: &mut dyn Digests) {
        let [inner, outer] = self
            .states
            .each_ref()
            .map(|state| Start::ending(Some(state), block_bytes::<WordOf<F>>() as u64));
        let mut messages = messages.fuse();
        let mut number = 0;
        loop {
            let some: Vec<_> = messages.by_ref().take(CHUNK).collect();
            if some.is_empty() {
                return;
            }
            let mut rows = alloc::vec![Array::filled(0); some.len()];
            hash_stream::<F, _>(self.backend, inner, some.iter(), &mut |first: usize,
                                                                        some: &[RowOf<
                F::Kernels,
            >]| {
                rows[first..][..some.len()].copy_from_slice(some);
            });
            hash_stream::<F, _>(
                self.backend,
                outer,
                rows.iter().map(digest::<F>),
                &mut |first: usize, rows: &[RowOf<F::Kernels>]| {
                    for (number, row) in (number + first..).zip(rows) {
                        macs.store(number, row.elements());
                    }
                },
            );
            number += some.len();
        }
    }
}

impl<F: HashFunction> Drop for HmacKey<F> {
    fn drop(&mut self) {
        for state in &mut self.states {
            state.elements_mut().zeroize();
        }
    }
}

impl<F: HashFunction> fmt::Debug for HmacKey<F> {
    /// Omits the states: whoever knows them can compute MACs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey").field("backend", &self.backend).finish_non_exhaustive()
    }
}

/// Compares the `i`-th computed MAC with the `i`-th of `macs`, in constant time.
///
/// # Errors
///
/// Returns which MACs are wrong.
///
/// # Panics
///
/// Panics if the numbers of MACs differ.
#[track_caller]
pub fn verify_macs(
    computed: &[impl AsRef<[u8]>],
    macs: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Result<(), WrongMacs> {
    check_pairs(wrong_macs(computed, macs))
}

fn wrong_macs(
    computed: &[impl AsRef<[u8]>],
    macs: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Result<Result<(), WrongMacs>, UnequalPairs> {
    let mut wrong = Vec::new();
    let (mut numbered, mut macs) = (computed.iter().enumerate(), macs.into_iter());
    take_pairs(["messages", "MACs"], 0, &mut numbered, &mut macs, |(i, computed), mac| {
        // Only whether all bytes are equal is known here, which the caller learns anyway.
        if !bool::from(computed.as_ref().ct_eq(mac.as_ref())) {
            wrong.push(i);
        }
        true
    })?;
    let count = computed.len();
    Ok(if wrong.is_empty() { Ok(()) } else { Err(WrongMacs { wrong, count }) })
}

/// Some MACs are wrong. It names the messages, but not the bytes that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMacs {
    wrong: Vec<usize>,
    count: usize,
}

impl WrongMacs {
    /// The numbers of the messages whose MACs are wrong, from 0, in ascending order; at least one.
    #[must_use]
    pub fn messages(&self) -> &[usize] {
        &self.wrong
    }
}

impl fmt::Display for WrongMacs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, count) = (self.wrong.len(), self.count);
        write!(f, "{wrong} of {count} MACs are wrong, the first at index {}", self.wrong[0])
    }
}

impl Error for WrongMacs {}
