//! HMAC of many messages with one key, and the verification of many MACs.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::erase::{Erased, erase_outputs};
use crate::hash::Start;
use crate::hmac::{CHUNK, KeyStates, UnequalPairs, check_pairs, digest, hmac_many, key_states};
use crate::many::{Digests, hash_stream, into_slice, into_vec, store_rows};
use crate::stream::{HashFunction, RowOf, WordOf};
use crate::word::Array;

/// An HMAC key for many messages. Its two blocks are hashed once.
///
/// Dropping it overwrites the states that were computed from the key; moving it leaves no copy of
/// them. What hashing leaves on the heap is overwritten with the feature `zeroize`. The stack and
/// the registers are not.
#[derive(Clone)]
pub struct HmacKey<F: HashFunction> {
    backend: Backend,
    /// On the heap, so that moving the key does not copy them.
    states: Box<KeyStates<RowOf<F::Kernels>>>,
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
        let states = Box::new(key_states::<F>(backend, &[key.as_ref()])[0]);
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
        check_pairs(verify::<F, _, _, _>(messages, macs, |messages| Ok(self.hmac_many(messages))))
    }

    fn hash_all(&self, messages: impl Iterator<Item: AsRef<[u8]>>, macs: &mut dyn Digests) {
        let [inner, outer] = (*self.states)
            .each_ref()
            .map(|state| Start::ending(Some(state), block_bytes::<WordOf<F>>() as u64));
        let mut messages = messages.fuse();
        let mut number = 0;
        loop {
            let some: Vec<_> = messages.by_ref().take(CHUNK).collect();
            if some.is_empty() {
                return;
            }
            let mut rows = Erased::blank(some.len());
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
                    store_rows::<F>(macs, number + first, rows);
                },
            );
            number += some.len();
        }
    }
}

impl<F: HashFunction> Drop for HmacKey<F> {
    fn drop(&mut self) {
        for state in &mut *self.states {
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

/// Compares the HMAC of the `i`-th message with the `i`-th key with the `i`-th of `macs`, in
/// constant time: which of them are wrong.
///
/// # Errors
///
/// Returns an error if the numbers of keys, messages and MACs differ.
pub fn verify_hmac_many<F: HashFunction>(
    backend: Backend,
    keys: impl IntoIterator<Item: AsRef<[u8]>>,
    messages: impl IntoIterator<Item: AsRef<[u8]>>,
    macs: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Result<Result<(), WrongMacs>, UnequalPairs> {
    verify::<F, _, _, _>(messages, macs, |messages| {
        let mut result = Ok(());
        let computed = into_vec(messages, &F::Digest::filled(0), |messages, digests| {
            result = hmac_many::<F>(backend, keys, messages, digests);
        });
        result.map(|()| computed)
    })
}

/// Compares the MACs that `compute` returns for the messages with `macs`, in constant time.
fn verify<F: HashFunction, M: IntoIterator, A: IntoIterator<Item: AsRef<[u8]>>, C>(
    messages: M,
    macs: A,
    compute: C,
) -> Result<Result<(), WrongMacs>, UnequalPairs>
where
    C: FnOnce(WithMacs<'_, M::IntoIter, A::IntoIter>) -> Result<Vec<F::Digest>, UnequalPairs>,
{
    let (mut taken, mut has_ended) = (Vec::new(), Ok(()));
    let (messages, macs) = (messages.into_iter(), macs.into_iter());
    let with_macs = WithMacs { messages, macs, taken: &mut taken, has_ended: Some(&mut has_ended) };
    let computed = compute(with_macs);
    has_ended?;
    let mut computed = computed?;
    let pairs = computed.iter().zip(&taken).enumerate();
    // Only whether all bytes are equal is known here, which the caller learns anyway.
    let wrong = pairs.filter(|(_, (computed, mac))| {
        !bool::from(AsRef::<[u8]>::as_ref(*computed).ct_eq(mac.as_ref()))
    });
    let (wrong, count): (Vec<usize>, _) = (wrong.map(|(i, _)| i).collect(), taken.len());
    erase_outputs(&mut computed);
    Ok(if wrong.is_empty() { Ok(()) } else { Err(WrongMacs { wrong, count }) })
}

/// The messages, as far as there are MACs: an endless iterator of one of them must not be hashed
/// for ever.
struct WithMacs<'t, M, A: Iterator> {
    messages: M,
    macs: A,
    /// The MACs of the messages so far.
    taken: &'t mut Vec<A::Item>,
    /// Where to say whether both ended together; `None` once they have.
    has_ended: Option<&'t mut Result<(), UnequalPairs>>,
}

impl<M: Iterator, A: Iterator> Iterator for WithMacs<'_, M, A> {
    type Item = M::Item;

    fn next(&mut self) -> Option<M::Item> {
        let result = self.has_ended.take()?;
        let count = self.taken.len();
        match (self.messages.next(), self.macs.next()) {
            (Some(message), Some(mac)) => {
                self.taken.push(mac);
                self.has_ended = Some(result);
                return Some(message);
            }
            (None, None) => {}
            (None, Some(_)) => *result = Err(UnequalPairs::new(count, "messages", "MACs")),
            (Some(_), None) => *result = Err(UnequalPairs::new(count, "MACs", "messages")),
        }
        None
    }
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
