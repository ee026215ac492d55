//! HMAC (RFC 2104, FIPS 198-1) of many messages, each with its own key.

use alloc::vec::Vec;
use core::ptr;

use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::ending::Ending;
use crate::erase::Erased;
use crate::hash::{Start, may_suspect};
use crate::many::{Digests, hash_parts, store_rows};
use crate::stream::{EndingOf, HashFunction, RowOf, WordOf, digest_bytes};
use crate::word::{Array, Block};

/// The number of messages that are hashed together. More would keep the lanes full for longer if
/// their lengths differ, but take more memory.
pub(crate) const CHUNK: usize = 256;

/// The states after the first blocks of the inner and the outer hash, which contain only the key.
pub(crate) type KeyStates<R> = [R; 2];

/// Two iterators of which one yields fewer items.
#[derive(Clone, Copy, Debug)]
pub struct UnequalPairs {
    count: usize,
    /// What there are fewer and more of.
    fewer: &'static str,
    more: &'static str,
}

impl UnequalPairs {
    /// There are `count` of `fewer`, and more of `more`.
    pub(crate) const fn new(count: usize, fewer: &'static str, more: &'static str) -> Self {
        Self { count, fewer, more }
    }
}

/// The value of a function that takes pairs.
///
/// # Panics
///
/// Panics if one of the iterators yielded fewer items.
#[track_caller]
pub fn check_pairs<T>(result: Result<T, UnequalPairs>) -> T {
    match result {
        Ok(value) => value,
        Err(UnequalPairs { count, fewer, more }) => {
            panic!("there are more {more} than the {count} {fewer}")
        }
    }
}

/// The items of two iterators.
pub(crate) type TwoLists<A, B> = (Vec<<A as IntoIterator>::Item>, Vec<<B as IntoIterator>::Item>);

/// The items of two iterators, as far as both have some.
///
/// # Errors
///
/// Returns an error as soon as only one of them has more.
pub fn pairs<A: IntoIterator, B: IntoIterator>(
    firsts: &'static str,
    a: A,
    seconds: &'static str,
    b: B,
) -> Result<TwoLists<A, B>, UnequalPairs> {
    let (mut some_a, mut some_b) = (Vec::new(), Vec::new());
    take_pairs([firsts, seconds], 0, &mut a.into_iter(), &mut b.into_iter(), |a, b| {
        some_a.push(a);
        some_b.push(b);
        true
    })?;
    Ok((some_a, some_b))
}

/// Takes pairs, before which there were `first`, until there are no more or `push` returns `false`.
pub(crate) fn take_pairs<A, B>(
    [firsts, seconds]: [&'static str; 2],
    first: usize,
    a: &mut impl Iterator<Item = A>,
    b: &mut impl Iterator<Item = B>,
    mut push: impl FnMut(A, B) -> bool,
) -> Result<(), UnequalPairs> {
    let mut count = first;
    loop {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) => {
                count += 1;
                if !push(a, b) {
                    return Ok(());
                }
            }
            (None, None) => return Ok(()),
            (None, _) => return Err(UnequalPairs::new(count, firsts, seconds)),
            (_, None) => return Err(UnequalPairs::new(count, seconds, firsts)),
        }
    }
}

/// Computes the HMAC of the `i`-th message with the `i`-th key.
///
/// # Errors
///
/// Returns an error if the numbers of keys and messages differ.
pub fn hmac_many<F: HashFunction>(
    backend: Backend,
    keys: impl IntoIterator<Item: AsRef<[u8]>>,
    messages: impl Iterator<Item: AsRef<[u8]>>,
    macs: &mut dyn Digests,
) -> Result<(), UnequalPairs> {
    let (mut keys, mut messages) = (keys.into_iter().fuse(), messages.fuse());
    let mut first = 0;
    loop {
        let (mut some_keys, mut some_messages) = (Vec::new(), Vec::new());
        take_pairs(["keys", "messages"], first, &mut keys, &mut messages, |key, message| {
            some_keys.push(key);
            some_messages.push(message);
            some_keys.len() < CHUNK
        })?;
        if some_keys.is_empty() {
            return Ok(());
        }
        let keys = Keys::<F>::new(backend, &slices(&some_keys));
        store_rows::<F>(macs, first, &keys.authenticate(backend, &slices(&some_messages)));
        first += some_keys.len();
    }
}

/// The bytes of each item.
pub(crate) fn slices<T: AsRef<[u8]>>(items: &[T]) -> Vec<&[u8]> {
    items.iter().map(T::as_ref).collect()
}

/// The states of some keys.
pub(crate) struct Keys<F: HashFunction> {
    distinct: Erased<KeyStates<RowOf<F::Kernels>>>,
    /// For each key, its index in `distinct`.
    indices: Vec<usize>,
}

impl<F: HashFunction> Keys<F> {
    /// Hashes the block of each key. Consecutive keys that are one slice are hashed once.
    pub(crate) fn new(backend: Backend, keys: &[&[u8]]) -> Self {
        let mut distinct: Vec<&[u8]> = Vec::with_capacity(keys.len());
        let mut indices = Vec::with_capacity(keys.len());
        for &key in keys {
            // Compare addresses, not contents: a branch on a key would leak it.
            if !distinct.last().is_some_and(|&last| ptr::eq(last, key)) {
                distinct.push(key);
            }
            indices.push(distinct.len() - 1);
        }
        Self { distinct: key_states::<F>(backend, &distinct), indices }
    }

    /// The states of the `i`-th key.
    pub(crate) fn states(&self, i: usize) -> &KeyStates<RowOf<F::Kernels>> {
        &self.distinct[self.indices[i]]
    }

    /// The HMAC of each message with its key.
    pub(crate) fn authenticate(
        &self,
        backend: Backend,
        messages: &[&[u8]],
    ) -> Erased<RowOf<F::Kernels>> {
        let hash = |part: usize, messages: &[&[u8]]| {
            let parts = messages.iter().zip(&self.indices).map(|(bytes, &key)| {
                let state = Some(&self.distinct[key][part]);
                (Start::ending(state, block_bytes::<WordOf<F>>() as u64), *bytes)
            });
            rows_of_parts::<F>(backend, parts)
        };
        let inner = hash(0, messages);
        let digests: Vec<_> = inner.iter().map(digest::<F>).collect();
        hash(1, &digests)
    }
}

/// The digest at the beginning of a row.
pub(crate) fn digest<F: HashFunction>(row: &RowOf<F::Kernels>) -> &[u8] {
    &row.elements()[..digest_bytes::<F>()]
}

/// Hashes the block of each key (RFC 2104 §2): the key, or its digest if it is longer than a block,
/// with zeros appended, XOR ipad or opad.
pub(crate) fn key_states<F: HashFunction>(
    backend: Backend,
    keys: &[&[u8]],
) -> Erased<KeyStates<RowOf<F::Kernels>>> {
    // HMAC hashes a block that depends on the key alone, and an empty message may follow.
    const { assert!(EndingOf::<F>::ENDS_AFTER_BLOCKS, "the hash has keys of its own") }
    const { assert!(!may_suspect::<F::Kernels>(), "digests with marks are not those of HMAC") }
    let is_long = |key: &[u8]| key.len() > block_bytes::<WordOf<F>>();
    let long = keys.iter().filter(|key| is_long(key)).map(|&key| (Start::WHOLE, key));
    let digests = rows_of_parts::<F>(backend, long.collect::<Vec<_>>().into_iter());
    let mut digests = digests.iter().map(digest::<F>);
    let mut blocks: Erased<[Block<WordOf<F>>; 2]> = Erased::blank(keys.len());
    for (pads, key) in blocks.iter_mut().zip(keys) {
        let key = if is_long(key) { digests.next().unwrap_or(key) } else { key };
        *pads = [0x36, 0x5c].map(Array::filled);
        for pad in pads {
            for (byte, key) in pad.elements_mut().iter_mut().zip(key) {
                *byte ^= key;
            }
        }
    }
    let continuing = Start::continuing(None, 0);
    let parts = blocks.as_flattened().iter().map(|block| (continuing, block.elements()));
    Erased::copied(rows_of_parts::<F>(backend, parts).as_chunks().0)
}

/// Hashes messages, or parts of some.
fn rows_of_parts<'m, F: HashFunction>(
    backend: Backend,
    parts: impl ExactSizeIterator<Item = (Start<'m, RowOf<F::Kernels>>, &'m [u8])>,
) -> Erased<RowOf<F::Kernels>> {
    let mut rows = Erased::blank(parts.len());
    hash_parts::<F>(backend, parts, &mut |first: usize, some: &[RowOf<F::Kernels>]| {
        rows[first..][..some.len()].copy_from_slice(some);
    });
    rows
}
