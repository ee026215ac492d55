//! Hashes whole messages into digests: the functions and traits that the hash crates offer.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::iter::{Take, repeat_with};

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::erase::{extend_outputs, outputs_of_hint};
use crate::hash::{GROUP, Group, Sink, Start, Starts};
use crate::schedule::Stream;
use crate::stream::{BlockHash, CompiledHash, HashFunction, RowOf, WordOf};
use crate::word::{Array, Word};

/// A hash function that takes many messages at once, for code that is generic over the hash.
///
/// The values of the hash crates implement it, such as `sha256_multi::Sha256Lanes`. So do functions
/// of one message, which hash one after another:
///
/// ```
/// use hash_lanes::HashMany;
///
/// fn fingerprints<H: HashMany>(hash: H, files: &[Vec<u8>]) -> Vec<H::Output> {
///     hash.hash_many(files)
/// }
///
/// use sha2::{Digest, Sha512};
/// let digests = fingerprints(|message: &[u8]| Sha512::digest(message), &[vec![1], vec![2]]);
/// assert_eq!(digests[1], Sha512::digest([2]));
/// ```
///
/// Code with one hash in mind calls the functions of its crate. Code that uses RustCrypto's types
/// calls [`DigestMany`](crate::DigestMany).
///
/// RustCrypto is drafting a trait for the same purpose
/// ([traits#2478](https://github.com/RustCrypto/traits/issues/2478),
/// [traits#2479](https://github.com/RustCrypto/traits/pull/2479)). Its maintainers ask for a
/// one-shot call with plain slices that panics on unequal counts. That is
/// [`hash_many_into`](Self::hash_many_into), which also takes other iterators than slices.
pub trait HashMany: HashAll {
    /// The digest of one message.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Clone + Eq;

    /// A digest of zeros: arrays of more than 32 bytes have no `Default`.
    fn zero_digest() -> Self::Output;

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    fn hash_many_into<I>(&self, messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        into_slice(messages, digests, |messages, digests| self.hash_all(messages, digests));
    }

    /// Returns the digest of each message.
    #[must_use]
    fn hash_many<I>(&self, messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        let zero = Self::zero_digest();
        into_vec(messages, &zero, |messages, digests| self.hash_all(messages, digests))
    }

    /// Returns the digest of each message of an iterator that may fail.
    ///
    /// # Errors
    ///
    /// Returns the first error. Nothing after it is hashed.
    fn try_hash_many<I, T, E>(&self, messages: I) -> Result<Vec<Self::Output>, E>
    where
        I: IntoIterator<Item = Result<T, E>>,
        T: AsRef<[u8]>,
    {
        let mut error = None;
        let messages = messages.into_iter().map_while(|message| match message {
            Ok(message) => Some(message),
            Err(first) => {
                error = Some(first);
                None
            }
        });
        let digests = self.hash_many(messages.fuse());
        error.map_or(Ok(digests), Err)
    }
}

/// Hashes into digests of any type, which the traits of the hash crates need.
pub trait HashAll: Copy {
    /// Hashes the messages.
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests);
}

impl<F, D> HashMany for F
where
    F: Fn(&[u8]) -> D + Copy,
    D: AsRef<[u8]> + AsMut<[u8]> + Clone + Default + Eq,
{
    type Output = D;

    fn zero_digest() -> D {
        D::default()
    }
}

impl<F, D> HashAll for F
where
    F: Fn(&[u8]) -> D + Copy,
    D: AsRef<[u8]>,
{
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests) {
        for (number, message) in messages.enumerate() {
            digests.store(number, self(message.as_ref()).as_ref());
        }
    }
}

/// Where digests go.
pub trait Digests {
    /// Takes the digest of message `number`. Each message is reported once, in no particular order.
    fn store(&mut self, number: usize, digest: &[u8]);

    /// Takes the digests at the beginning of each of some rows of `row_bytes` bytes, those of the
    /// messages from number `first` on.
    fn store_rows(&mut self, first: usize, rows: &[u8], row_bytes: usize);
}

/// Rows whose first bytes are digests.
pub struct RowsOf<'d>(pub &'d mut dyn Digests);

impl<const BYTES: usize> Sink<[u8; BYTES]> for RowsOf<'_> {
    fn finished(&mut self, first: usize, rows: &[[u8; BYTES]]) {
        self.0.store_rows(first, rows.as_flattened(), BYTES);
    }
}

impl<R, F: FnMut(usize, &[R])> Sink<R> for F {
    #[inline]
    fn finished(&mut self, first: usize, rows: &[R]) {
        self(first, rows);
    }
}

/// Hashes the `i`-th message into `digests[i]`, by `hash`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
#[inline]
pub fn into_slice<I: IntoIterator, D: AsMut<[u8]>>(
    messages: I,
    digests: &mut [D],
    hash: impl FnOnce(Take<I::IntoIter>, &mut dyn Digests),
) {
    let Ok(()) = try_into_slice(messages, digests, |messages, digests| {
        hash(messages, digests);
        Ok::<_, Infallible>(())
    });
}

/// [`into_slice`] if `hash` may fail.
///
/// # Errors
///
/// Returns the error of `hash`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
#[inline]
pub fn try_into_slice<I: IntoIterator, D: AsMut<[u8]>, E>(
    messages: I,
    digests: &mut [D],
    hash: impl FnOnce(Take<I::IntoIter>, &mut dyn Digests) -> Result<(), E>,
) -> Result<(), E> {
    let count = digests.len();
    let messages = counted(messages, count);
    let mut slice = Slice { digests, finished: 0 };
    hash(messages, &mut slice)?;
    check_counted(slice.finished, count);
    Ok(())
}

/// The messages for `digests` digests, at most one too many: that is enough to tell, and an endless
/// iterator must not be hashed for ever.
///
/// # Panics
///
/// Panics if the iterator knows that it does not yield `digests` messages.
#[track_caller]
#[inline]
pub fn counted<I: IntoIterator>(messages: I, digests: usize) -> Take<I::IntoIter> {
    let messages = messages.into_iter();
    check_hint(&messages, digests);
    messages.take(digests.saturating_add(1))
}

/// Panics unless [`counted`] yielded `digests` messages.
#[track_caller]
#[inline]
pub fn check_counted(messages: usize, digests: usize) {
    assert!(
        messages <= digests,
        "more than {digests} messages cannot be hashed into {digests} digests"
    );
    check_counts(messages, digests);
}

/// The digests of as many messages as are expected. Those of others are only counted.
struct Slice<'d, D> {
    digests: &'d mut [D],
    finished: usize,
}

impl<D: AsMut<[u8]>> Digests for Slice<'_, D> {
    fn store(&mut self, number: usize, bytes: &[u8]) {
        self.finished += 1;
        if let Some(digest) = self.digests.get_mut(number) {
            copy(bytes, digest);
        }
    }

    #[inline]
    fn store_rows(&mut self, first: usize, rows: &[u8], row_bytes: usize) {
        self.finished += rows.len() / row_bytes;
        let expected = self.digests.get_mut(first..).unwrap_or_default();
        copy_rows(rows, row_bytes, expected);
    }
}

/// The digest of each message, by `hash`. `zero` is any digest.
pub fn into_vec<I: IntoIterator, D: AsMut<[u8]> + Clone>(
    messages: I,
    zero: &D,
    hash: impl FnOnce(I::IntoIter, &mut dyn Digests),
) -> Vec<D> {
    let messages = messages.into_iter();
    let digests = outputs_of_hint(messages.size_hint().0);
    let mut list = List { digests, zero };
    hash(messages, &mut list);
    list.digests
}

/// The digests of any number of messages.
struct List<'z, D> {
    digests: Vec<D>,
    zero: &'z D,
}

impl<D: AsMut<[u8]> + Clone> Digests for List<'_, D> {
    fn store(&mut self, number: usize, bytes: &[u8]) {
        extend_outputs(&mut self.digests, number + 1, self.zero);
        copy(bytes, &mut self.digests[number]);
    }

    #[inline]
    fn store_rows(&mut self, first: usize, rows: &[u8], row_bytes: usize) {
        // Those before them may be reported later.
        extend_outputs(&mut self.digests, first + rows.len() / row_bytes, self.zero);
        copy_rows(rows, row_bytes, &mut self.digests[first..]);
    }
}

/// Copies the digests at the beginning of rows of `row_bytes` bytes.
#[inline]
fn copy_rows<D: AsMut<[u8]>>(rows: &[u8], row_bytes: usize, digests: &mut [D]) {
    let mut begin = 0;
    for digest in digests {
        let Some(row) = rows.get(begin..begin + row_bytes) else { return };
        copy(row, digest);
        begin += row_bytes;
    }
}

#[inline]
fn copy(bytes: &[u8], digest: &mut impl AsMut<[u8]>) {
    let digest = digest.as_mut();
    // If the digest is an array, a copy of constant size: a few moves, not a call.
    if let Some(bytes) = bytes.get(..digest.len()) {
        digest.copy_from_slice(bytes);
    } else {
        digest[..bytes.len()].copy_from_slice(bytes);
    }
}

/// Panics if the iterator knows that it does not yield `digests` messages.
#[track_caller]
#[inline]
pub fn check_hint(messages: &impl Iterator, digests: usize) {
    match messages.size_hint() {
        (least, _) if least > digests => check_counts(least, digests),
        (_, Some(most)) if most < digests => check_counts(most, digests),
        _ => {}
    }
}

/// Panics if `messages != digests`.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}

/// Hashes messages that all begin and end like `start` into digests.
#[inline]
pub fn hash_into<F: HashFunction>(
    backend: Backend,
    start: Start<'_, RowOf<F::Kernels>>,
    messages: impl Iterator<Item: AsRef<[u8]>>,
    digests: &mut dyn Digests,
) {
    hash_stream::<F, _>(
        backend,
        start,
        messages,
        &mut |first: usize, rows: &[RowOf<F::Kernels>]| store_rows::<F>(digests, first, rows),
    );
}

/// Reports the rows of messages that have ended.
#[inline]
pub(crate) fn store_rows<F: HashFunction>(
    digests: &mut dyn Digests,
    first: usize,
    rows: &[RowOf<F::Kernels>],
) {
    digests.store_rows(first, WordOf::<F>::bytes_of(rows), size_of::<RowOf<F::Kernels>>());
}

/// Hashes messages that all begin and end like `start`.
#[inline]
pub fn hash_stream<F, I>(
    backend: Backend,
    start: Start<'_, RowOf<F::Kernels>>,
    mut messages: I,
    sink: &mut dyn Sink<RowOf<F::Kernels>>,
) where
    F: HashFunction,
    I: Iterator<Item: AsRef<[u8]>>,
{
    let start = Start { state: start.state.or(F::initial()), ..start };
    let mut begin = [None, None];
    if messages.size_hint() == (1, Some(1)) {
        let Some(only) = messages.next() else { return };
        let Some(second) = messages.next() else {
            return sink.finished(0, &[F::Kernels::hash_one(backend, start, only.as_ref())]);
        };
        // The hint lied.
        begin = [Some(only), Some(second)];
    }
    hash_batch_of::<F, I>(backend, start, begin, messages, sink);
}

/// [`hash_stream`] of more messages than one, those of `begin` first.
// Inlined, its rows would be on the stack of callers while they hash others.
#[inline(never)]
fn hash_batch_of<F, I>(
    backend: Backend,
    start: Start<'_, RowOf<F::Kernels>>,
    begin: [Option<I::Item>; 2],
    messages: I,
    sink: &mut dyn Sink<RowOf<F::Kernels>>,
) where
    F: HashFunction,
    I: Iterator<Item: AsRef<[u8]>>,
{
    let mut stream = Stream::new(backend, BlockHash::new(sink));
    let hash = &mut |group: &Group<'_, _>| F::Kernels::hash_group(&mut stream, group);
    hash_messages(start, begin, messages, hash);
}

/// Calls `hash` for messages that all begin and end like `start`, those of `begin` first, group by
/// group. It returns which messages of the group the next one begins with, as bits.
pub fn hash_messages<R: Copy, I: Iterator<Item: AsRef<[u8]>>>(
    start: Start<'_, R>,
    begin: [Option<I::Item>; 2],
    messages: I,
    hash: &mut dyn FnMut(&Group<'_, R>) -> u64,
) {
    if size_of::<I::Item>() <= MAX_INLINE_BYTES {
        let held = &mut [const { None }; GROUP];
        hash_groups(start, begin, messages, held, |it| (None, it.as_ref()), hash);
    } else {
        let held = &mut Vec::from_iter(repeat_with(|| None).take(GROUP));
        hash_groups(start, begin, messages, held, |it| (None, it.as_ref()), hash);
    }
}

/// The maximum size of messages that are held on the stack, by value, while they are hashed.
const MAX_INLINE_BYTES: usize = 32;

/// Hashes messages, or parts of some, each with its own start.
// Inlined, its stream would be on the stack of callers while they hash others.
#[inline(never)]
pub(crate) fn hash_parts<'m, F: HashFunction>(
    backend: Backend,
    parts: impl Iterator<Item = (Start<'m, RowOf<F::Kernels>>, &'m [u8])>,
    sink: &mut dyn Sink<RowOf<F::Kernels>>,
) {
    let parts =
        parts.map(|(start, bytes)| (Start { state: start.state.or(F::initial()), ..start }, bytes));
    let mut stream = Stream::new(backend, BlockHash::new(sink));
    hash_begun(parts, &mut |group| F::Kernels::hash_group(&mut stream, group));
}

/// [`hash_messages`] for messages, or parts of some, each with its own start.
pub fn hash_begun<'m, R: Copy + 'm>(
    parts: impl Iterator<Item = (Start<'m, R>, &'m [u8])>,
    hash: &mut dyn FnMut(&Group<'_, R>) -> u64,
) {
    let held = &mut [const { None }; GROUP];
    hash_groups(Start::WHOLE, [None, None], parts, held, |it| (Some(it.0), it.1), hash);
}

/// Hashes items, those of `begin` first, group by group, and holds those of a group. `part` gives
/// the bytes of an item and how it begins and ends, `start` if that is `None`.
#[inline(never)]
fn hash_groups<R: Copy, T>(
    start: Start<'_, R>,
    begin: [Option<T>; 2],
    mut items: impl Iterator<Item = T>,
    held: &mut [Option<T>],
    part: impl for<'h> Fn(&'h T) -> (Option<Start<'h, R>>, &'h [u8]),
    hash: &mut dyn FnMut(&Group<'_, R>) -> u64,
) {
    in_groups(begin, &mut items, held, |items, first| {
        let mut starts: ArrayVec<Start<'_, R>, GROUP> = ArrayVec::new();
        let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
        for item in items {
            let Some(item) = item else { continue };
            let (start, bytes) = part(item);
            if let Some(start) = start {
                starts.push(start);
            }
            slices.push(bytes);
        }
        let starts = if starts.is_empty() { Starts::One(start) } else { Starts::Each(&starts) };
        hash(&Group { bytes: &slices, starts, first })
    });
}

/// Calls `hash(group, first)` for groups of at most [`GROUP`] items, of which only the last has
/// fewer. Item `i` of a group is number `first + i`, unless it was kept: `hash` returns the items
/// that the next group begins with, as bits. The items of `begin`, if there are any, are the first
/// ones. `next` is not called again once it returned `None`.
#[inline(always)]
pub fn in_groups<T>(
    begin: [Option<T>; 2],
    items: &mut impl Iterator<Item = T>,
    held: &mut [Option<T>],
    mut hash: impl FnMut(&[Option<T>], usize) -> u64,
) {
    let (mut count, mut first) = (0, 0);
    for item in begin.into_iter().flatten() {
        held[count] = Some(item);
        count += 1;
    }
    loop {
        while count < held.len()
            && let Some(item) = items.next()
        {
            held[count] = Some(item);
            count += 1;
        }
        if count == 0 {
            return;
        }
        let kept = hash(&held[..count], first);
        if count < GROUP {
            return;
        }
        first += count - kept.count_ones() as usize;
        count = move_to_front(held, kept);
    }
}

/// Moves item `i` to the front if bit `i` of `chosen` is set. Returns the number of chosen items,
/// which keep their order.
fn move_to_front<T>(items: &mut [T], mut chosen: u64) -> usize {
    let mut count = 0;
    while chosen > 0 {
        items.swap(count, chosen.trailing_zeros() as usize);
        chosen &= chosen - 1;
        count += 1;
    }
    count
}

/// Hashes each of the rows, complete messages, into itself.
pub fn hash_again<H: CompiledHash>(backend: Backend, rows: &mut [RowOf<H>]) {
    for rows in rows.chunks_mut(GROUP) {
        if let [row] = rows {
            *row = H::hash_one(backend, Start::WHOLE, row.elements());
        } else {
            // Not collected: moving the arrays would take 15 % of the time of two public keys.
            let mut copies: ArrayVec<RowOf<H>, GROUP> = ArrayVec::new();
            copies.try_extend_from_slice(rows).expect("at most a group");
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            messages.extend(copies.iter().map(|row| row.elements()));
            H::hash_rows(backend, &messages, rows);
        }
    }
}
