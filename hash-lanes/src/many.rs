//! Hashes whole messages into digests: the functions and traits that the hash crates offer.

use alloc::vec::Vec;
use core::iter::Fuse;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{GROUP, Group, LaneHash, Row, Sink, Start, Starts};
use crate::stream::Stream;

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
/// Code with one hash in mind calls the functions of its crate, or `Sha256::digest_many` with the
/// crate's trait `DigestMany` in scope.
///
/// RustCrypto is drafting a trait for the same purpose
/// ([traits#2478](https://github.com/RustCrypto/traits/issues/2478),
/// [traits#2479](https://github.com/RustCrypto/traits/pull/2479)). Its maintainers ask for a
/// one-shot call with plain slices that panics on unequal counts. That is
/// [`hash_many_into`](Self::hash_many_into), which also takes other iterators than slices.
pub trait HashMany: HashAll {
    /// The digest of one message.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Clone + Default + Eq;

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
        let zero = Self::Output::default();
        into_vec(messages, &zero, |messages, digests| self.hash_all(messages, digests))
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
pub trait Digests: Sink {
    /// Takes the digest of message `number`. Each message is reported once, in no particular order.
    fn store(&mut self, number: usize, digest: &[u8]);
}

/// Passes on each digest by itself.
struct Each<F>(F);

impl<F: FnMut(usize, &[u8])> Sink for Each<F> {
    fn finished(&mut self, first: usize, rows: &[Row]) {
        for (number, row) in (first..).zip(rows) {
            self.0(number, row);
        }
    }
}

impl<F: FnMut(usize, &[u8])> Digests for Each<F> {
    fn store(&mut self, number: usize, digest: &[u8]) {
        self.0(number, digest);
    }
}

impl<F: FnMut(usize, &[Row])> Sink for F {
    fn finished(&mut self, first: usize, rows: &[Row]) {
        self(first, rows);
    }
}

/// Hashes the `i`-th message into `digests[i]`, by `hash`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn into_slice<I: IntoIterator, D: AsMut<[u8]>>(
    messages: I,
    digests: &mut [D],
    hash: impl FnOnce(I::IntoIter, &mut dyn Digests),
) {
    let messages = messages.into_iter();
    let (count, mut finished) = (digests.len(), 0);
    check_hint(&messages, count);
    let mut store = Each(|number: usize, bytes: &[u8]| {
        finished += 1;
        // Messages without a digest are only counted.
        if let Some(digest) = digests.get_mut(number) {
            copy(bytes, digest);
        }
    });
    hash(messages, &mut store);
    check_counts(finished, count);
}

/// The digest of each message, by `hash`. `zero` is any digest.
pub fn into_vec<I: IntoIterator, D: AsMut<[u8]> + Clone>(
    messages: I,
    zero: &D,
    hash: impl FnOnce(I::IntoIter, &mut dyn Digests),
) -> Vec<D> {
    let messages = messages.into_iter();
    let (expected, _) = messages.size_hint();
    let (mut digests, mut finished) = (Vec::new(), 0);
    // A wrong hint costs a reallocation, not the process.
    let _ = digests.try_reserve_exact(expected);
    let mut store = Each(|number: usize, bytes: &[u8]| {
        finished += 1;
        if let Some(digest) = digests.get_mut(number) {
            return copy(bytes, digest);
        }
        // Those before it are reported later.
        digests.resize(number, zero.clone());
        let mut digest = zero.clone();
        copy(bytes, &mut digest);
        digests.push(digest);
    });
    hash(messages, &mut store);
    digests.truncate(finished);
    digests
}

#[inline]
fn copy(bytes: &[u8], digest: &mut impl AsMut<[u8]>) {
    let digest = digest.as_mut();
    digest.copy_from_slice(&bytes[..digest.len()]);
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

/// Hashes messages that all begin and end like `start`.
pub fn hash_many<H, const WORDS: usize, I>(
    backend: Backend,
    start: Start<'_>,
    messages: I,
    sink: &mut dyn Sink,
) where
    H: LaneHash<WORDS>,
    I: Iterator<Item: AsRef<[u8]>>,
{
    let mut messages = messages.fuse();
    if messages.size_hint() == (1, Some(1))
        && let Some(only) = messages.next()
    {
        sink.finished(0, &[H::hash_one(backend, start, only.as_ref())]);
        assert!(messages.next().is_none(), "the iterator yields more messages than its size hint");
    } else if size_of::<I::Item>() <= MAX_INLINE_BYTES {
        hash_groups::<H, WORDS, ArrayVec<_, GROUP>, _, _>(
            backend,
            messages,
            AsRef::as_ref,
            &start,
            |start, _| Starts::One(*start),
            sink,
        );
    } else {
        hash_groups::<H, WORDS, Vec<_>, _, _>(
            backend,
            messages,
            AsRef::as_ref,
            &start,
            |start, _| Starts::One(*start),
            sink,
        );
    }
}

/// The maximum size of messages that are held on the stack, by value, while they are hashed.
const MAX_INLINE_BYTES: usize = 32;

/// Hashes messages, or parts of some, each with its own start.
pub(crate) fn hash_parts<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    parts: impl Iterator<Item = (Start<'m>, &'m [u8])>,
    sink: &mut dyn Sink,
) {
    hash_groups::<H, WORDS, ArrayVec<_, GROUP>, _, _>(
        backend,
        parts.fuse(),
        |(_, bytes)| bytes,
        &(),
        |(), parts| Starts::Each(parts),
        sink,
    );
}

/// Hashes the `bytes` of the items, group by group. `C` holds a group; `starts`, of `start` and a
/// group, is how these begin and end.
#[inline(never)]
fn hash_groups<H, const WORDS: usize, C, I, S>(
    backend: Backend,
    mut items: Fuse<I>,
    bytes: impl Fn(&I::Item) -> &[u8],
    start: &S,
    starts: impl for<'g> Fn(&'g S, &'g [I::Item]) -> Starts<'g>,
    sink: &mut dyn Sink,
) where
    H: LaneHash<WORDS>,
    C: Default + AsRef<[I::Item]> + Extend<I::Item> + IntoIterator<Item = I::Item>,
    I: Iterator,
{
    let mut stream = Stream::<H, WORDS>::new(backend);
    let (mut held, mut kept, mut first) = (C::default(), 0, 0);
    loop {
        refill(&mut held, kept, &mut items);
        let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
        slices.extend(held.as_ref().iter().map(&bytes));
        let group = Group { bytes: &slices, starts: starts(start, held.as_ref()), first };
        let is_hashed = kept == 0 && sink.hash_fixed(&group);
        kept = if is_hashed { 0 } else { H::hash_group(&mut stream, &group, sink) };
        if kept == 0 && slices.len() < GROUP {
            return;
        }
        first += slices.len() - kept.count_ones() as usize;
    }
}

/// Drops the items of a group except item `i` if bit `i` of `kept` is set, and appends the next
/// items.
#[inline(always)]
fn refill<C, T>(group: &mut C, mut kept: u64, items: &mut impl Iterator<Item = T>)
where
    C: Default + AsRef<[T]> + Extend<T> + IntoIterator<Item = T>,
{
    if kept == 0 {
        // Taking the items would copy a group of 64.
        *group = C::default();
    } else {
        let last = core::mem::take(group);
        group.extend(last.into_iter().filter(|_| {
            let is_kept = kept & 1 == 1;
            kept >>= 1;
            is_kept
        }));
    }
    let room = GROUP - group.as_ref().len();
    group.extend(items.take(room));
}

/// Hashes each of the rows, complete messages of 32 bytes, into itself.
pub fn hash_again<H: LaneHash<WORDS>, const WORDS: usize>(backend: Backend, rows: &mut [Row]) {
    for rows in rows.chunks_mut(GROUP) {
        if let [row] = rows {
            *row = H::hash_one(backend, Start::WHOLE, row);
        } else {
            // Not collected: moving the arrays would take 15 % of the time of two public keys.
            let mut copies: ArrayVec<Row, GROUP> = ArrayVec::new();
            copies.extend(rows.iter().copied());
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            messages.extend(copies.iter().map(|row| &row[..]));
            H::hash_32_bytes(backend, &messages, rows);
        }
    }
}

/// Defines the trait `DigestMany` of a hash crate, with implementations for RustCrypto's types.
/// Neither these types nor a trait of this crate would be the hash crate's own, so each has a trait.
/// Each type names the value that hashes for it.
#[doc(hidden)]
#[macro_export]
macro_rules! define_digest_many {
    ($($feature:literal $Digest:ty => $Output:ty, $Lanes:ty;)+) => {
        /// Hashes many messages at once with RustCrypto's digest types.
        ///
        /// Import it with `as _` beside another hash's trait of this name. For code that is generic
        /// over the hash there is [`HashMany`](hash_lanes::HashMany).
        pub trait DigestMany: Sized {
            /// The digest of one message, of the type that `finalize` returns.
            type Output: AsMut<[u8]> + Clone + Default;

            #[doc(hidden)]
            type Lanes: $crate::engine::HashAll + Default;

            /// Hashes the `i`-th message into `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            fn digest_many_into<I>(messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item: AsRef<[u8]>>,
            {
                $crate::engine::into_slice(messages, digests, |messages, digests| {
                    $crate::engine::HashAll::hash_all(Self::Lanes::default(), messages, digests);
                });
            }

            /// Returns the digest of each message.
            #[must_use]
            fn digest_many<I>(messages: I) -> $crate::engine::alloc::vec::Vec<Self::Output>
            where
                I: IntoIterator<Item: AsRef<[u8]>>,
            {
                $crate::engine::into_vec(messages, &Self::Output::default(), |messages, digests| {
                    $crate::engine::HashAll::hash_all(Self::Lanes::default(), messages, digests);
                })
            }
        }

        $(
            #[cfg(feature = $feature)]
            impl DigestMany for $Digest {
                type Output = $Output;
                type Lanes = $Lanes;
            }
        )+
    };
}

/// Defines the value type of a hash crate, with the methods that every hash has.
#[doc(hidden)]
#[macro_export]
macro_rules! define_lanes {
    ($(#[$attribute:meta])* $Lanes:ident: $Hash:ty, $words:literal, $Digest:ty) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Lanes {
            backend: $crate::Backend,
        }

        impl $Lanes {
            /// The hash on `backend`. `default()` is the hash on the default backend.
            #[must_use]
            pub const fn on(backend: $crate::Backend) -> Self {
                Self { backend }
            }

            /// The backend.
            #[must_use]
            pub const fn backend(self) -> $crate::Backend {
                self.backend
            }

            /// The digest of one message.
            #[must_use]
            pub fn hash(self, message: &[u8]) -> $Digest {
                use $crate::engine::{LaneHash, Start};
                <$Hash>::digest(&<$Hash>::hash_one(self.backend, Start::WHOLE, message))
            }

            /// Returns the digest of each message.
            #[must_use]
            pub fn hash_many(
                self,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> $crate::engine::alloc::vec::Vec<$Digest> {
                $crate::HashMany::hash_many(&self, messages)
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
                digests: &mut [$Digest],
            ) {
                $crate::HashMany::hash_many_into(&self, messages, digests);
            }

            /// A hasher of `count` messages that arrive in parts.
            ///
            /// # Panics
            ///
            /// Panics if the buffers of `count` messages do not fit into memory.
            #[track_caller]
            #[must_use]
            pub fn many_hasher(self, count: usize) -> ManyHasher {
                ManyHasher::with_backend(self.backend, count)
            }
        }

        impl $crate::HashMany for $Lanes {
            type Output = $Digest;
        }

        #[doc(hidden)]
        impl $crate::engine::HashAll for $Lanes {
            fn hash_all(
                self,
                messages: impl Iterator<Item: AsRef<[u8]>>,
                digests: &mut dyn $crate::engine::Digests,
            ) {
                let start = $crate::engine::Start::WHOLE;
                $crate::engine::hash_many::<$Hash, $words, _>(
                    self.backend, start, messages, digests,
                );
            }
        }
    };
}
