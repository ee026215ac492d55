//! Hashes whole messages into digests: the functions and traits that the hash crates offer.

use alloc::vec::Vec;
use core::iter::{Fuse, repeat_n};
use core::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{GROUP, InitialState, LaneHash, Messages, Row, Sink, Start, Starts};

/// A hash function that takes many messages at once, for code that is generic over the hash.
///
/// The values of the hash crates implement it, such as `sha256_multi::Sha256Lanes`. `OneByOne<D>`
/// (feature `digest`) implements it for any digest `D` of RustCrypto's traits.
///
/// ```
/// use hash_lanes::HashMany;
///
/// fn fingerprints<H: HashMany>(hash: H, files: &[Vec<u8>]) -> Vec<H::Output> {
///     hash.hash_many(files)
/// }
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
pub trait HashMany: Copy {
    /// The digest of one message.
    type Output: AsRef<[u8]> + Clone + Default + Eq;

    /// Hashes the `i`-th message into `digests[i]`. Borrowed messages save 1 ns each.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    fn hash_many_into<'m, I, M>(&self, messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item = &'m M>,
        M: AsRef<[u8]> + ?Sized + 'm;

    /// Returns the digest of each message.
    #[must_use]
    fn hash_many<I>(&self, messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item: AsRef<[u8]>>;
}

/// Any digest of RustCrypto's traits, for code that is generic over [`HashMany`]. It hashes one
/// message after another: `OneByOne::<blake2::Blake2s256>::default().hash_many(&messages)`.
#[cfg(feature = "digest")]
#[derive(Debug)]
pub struct OneByOne<D>(PhantomData<fn() -> D>);

/// [`OneByOne`](crate::OneByOne) for the traits of `digest` 0.10.
#[cfg(feature = "digest-0_10")]
#[derive(Debug)]
pub struct OneByOne0_10<D>(PhantomData<fn() -> D>);

/// Implements [`HashMany`] for one generation of the digest traits.
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
macro_rules! one_by_one {
    ($feature:literal, $digest:ident, $OneByOne:ident) => {
        #[cfg(feature = $feature)]
        impl<D> Default for $OneByOne<D> {
            fn default() -> Self {
                Self(PhantomData)
            }
        }

        // Derived, these would need a digest that is `Copy`.
        #[cfg(feature = $feature)]
        impl<D> Clone for $OneByOne<D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        #[cfg(feature = $feature)]
        impl<D> Copy for $OneByOne<D> {}

        #[cfg(feature = $feature)]
        impl<D: $digest::Digest> HashMany for $OneByOne<D> {
            type Output = $digest::Output<D>;

            #[track_caller]
            fn hash_many_into<'m, I, M>(&self, messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item = &'m M>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let (mut messages, count) = (messages.into_iter(), digests.len());
                check_hint(&messages, count);
                let mut written = 0;
                for (digest, message) in digests.iter_mut().zip(&mut messages) {
                    *digest = D::digest(message);
                    written += 1;
                }
                check_counts(written + messages.count(), count);
            }

            fn hash_many<I>(&self, messages: I) -> Vec<Self::Output>
            where
                I: IntoIterator<Item: AsRef<[u8]>>,
            {
                messages.into_iter().map(D::digest).collect()
            }
        }
    };
}
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest", digest, OneByOne);
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest-0_10", digest_0_10, OneByOne0_10);

/// Hashes the `i`-th message into `digests[i]`: `hash` hashes the messages into the sink.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn into_slice<I: IntoIterator, D: AsMut<[u8]>>(
    messages: I,
    digests: &mut [D],
    hash: impl FnOnce(I::IntoIter, &mut dyn Sink),
) {
    let messages = messages.into_iter();
    check_hint(&messages, digests.len());
    let mut slice = Slice { digests, finished: 0 };
    hash(messages, &mut slice);
    check_counts(slice.finished, slice.digests.len());
}

/// The digest of each message: `hash` hashes the messages into the sink.
pub fn into_vec<I: IntoIterator, D: AsMut<[u8]> + Clone + Default>(
    messages: I,
    hash: impl FnOnce(I::IntoIter, &mut dyn Sink),
) -> Vec<D> {
    let messages = messages.into_iter();
    let mut list = List(Vec::new());
    // A wrong hint costs a reallocation, not the process.
    let _ = list.0.try_reserve_exact(messages.size_hint().0);
    hash(messages, &mut list);
    list.0
}

/// The digests of messages in the caller's slice.
struct Slice<'d, D> {
    digests: &'d mut [D],
    finished: usize,
}

impl<D: AsMut<[u8]>> Sink for Slice<'_, D> {
    fn finished(&mut self, first: usize, rows: &[Row]) {
        self.finished += rows.len();
        // Messages without a digest are only counted.
        for (digest, row) in self.digests.iter_mut().skip(first).zip(rows) {
            store(digest, row);
        }
    }
}

/// The digests of a number of messages that is not known yet.
struct List<D>(Vec<D>);

impl<D: AsMut<[u8]> + Clone + Default> Sink for List<D> {
    fn finished(&mut self, first: usize, rows: &[Row]) {
        let end = first + rows.len();
        if self.0.len() < end {
            self.0.resize(end, D::default());
        }
        for (digest, row) in self.0[first..end].iter_mut().zip(rows) {
            store(digest, row);
        }
    }
}

#[inline]
fn store(digest: &mut impl AsMut<[u8]>, row: &Row) {
    let bytes = digest.as_mut();
    bytes.copy_from_slice(&row[..bytes.len()]);
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

/// Hashes borrowed messages that start from `initial`.
pub fn hash_borrowed<'m, H, const WORDS: usize, M>(
    backend: Backend,
    initial: &InitialState<WORDS>,
    messages: impl Iterator<Item = &'m M>,
    sink: &mut dyn Sink,
) where
    H: LaneHash<WORDS>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let mut messages = messages.map(|message| -> &[u8] { message.as_ref() }).fuse();
    if !hash_only::<H, WORDS, _>(backend, initial, &mut messages, sink) {
        let group = ArrayVec::new();
        H::hash_stream(backend, &mut Borrowed { group, messages, initial }, sink);
    }
}

/// Hashes the message of an iterator that has one. Otherwise it returns `false` and takes none.
#[inline]
fn hash_only<H, const WORDS: usize, I>(
    backend: Backend,
    initial: &InitialState<WORDS>,
    messages: &mut I,
    sink: &mut dyn Sink,
) -> bool
where
    H: LaneHash<WORDS>,
    I: Iterator<Item: AsRef<[u8]>>,
{
    let is_one = messages.size_hint() == (1, Some(1));
    if is_one && let Some(only) = messages.next() {
        sink.finished(0, &[H::hash_one(backend, initial.start(), only.as_ref())]);
        assert!(messages.next().is_none(), "the iterator yields more messages than its size hint");
    }
    is_one
}

/// Hashes messages that start from `initial`.
pub fn hash_many<H, const WORDS: usize, I>(
    backend: Backend,
    initial: &InitialState<WORDS>,
    messages: I,
    sink: &mut dyn Sink,
) where
    H: LaneHash<WORDS>,
    I: Iterator<Item: AsRef<[u8]>>,
{
    let mut messages = messages.fuse();
    if hash_only::<H, WORDS, _>(backend, initial, &mut messages, sink) {
        return;
    }
    if size_of::<I::Item>() <= MAX_INLINE_BYTES {
        hash_stream::<H, WORDS, _, ArrayVec<I::Item, GROUP>>(backend, initial, messages, sink);
    } else {
        hash_stream::<H, WORDS, _, Vec<I::Item>>(backend, initial, messages, sink);
    }
}

/// The maximum size of messages that are held on the stack, by value, while they are hashed.
const MAX_INLINE_BYTES: usize = 32;

#[inline(never)]
fn hash_stream<H, const WORDS: usize, I, C>(
    backend: Backend,
    initial: &InitialState<WORDS>,
    messages: Fuse<I>,
    sink: &mut dyn Sink,
) where
    H: LaneHash<WORDS>,
    I: Iterator<Item: AsRef<[u8]>>,
    C: Items<I::Item>,
{
    H::hash_stream(backend, &mut Whole { group: C::default(), messages, initial }, sink);
}

/// A list of a group of messages.
trait Items<T>: Default + AsRef<[T]> + Extend<T> {
    fn clear(&mut self);

    fn retain(&mut self, is_kept: impl FnMut() -> bool);

    /// Drops the items except item `i` if bit `i` of `kept` is set, and appends the next items.
    #[inline(always)]
    fn refill(&mut self, kept: u64, items: &mut impl Iterator<Item = T>) {
        if kept == 0 {
            self.clear();
        } else {
            let mut bits = kept;
            self.retain(|| {
                let is_kept = bits & 1 == 1;
                bits >>= 1;
                is_kept
            });
        }
        let room = GROUP - self.as_ref().len();
        self.extend(items.take(room));
    }
}

impl<T> Items<T> for ArrayVec<T, GROUP> {
    #[inline]
    fn retain(&mut self, mut is_kept: impl FnMut() -> bool) {
        ArrayVec::retain(self, |_| is_kept());
    }

    #[inline]
    fn clear(&mut self) {
        ArrayVec::clear(self);
    }
}

impl<T> Items<T> for Vec<T> {
    #[inline]
    fn retain(&mut self, mut is_kept: impl FnMut() -> bool) {
        Vec::retain(self, |_| is_kept());
    }

    #[inline]
    fn clear(&mut self) {
        Vec::clear(self);
    }
}

/// Whole messages that start from one state.
struct Whole<'i, C, I, const WORDS: usize> {
    group: C,
    messages: I,
    initial: &'i InitialState<WORDS>,
}

impl<C, I, const WORDS: usize> Messages<WORDS> for Whole<'_, C, I, WORDS>
where
    C: Items<I::Item>,
    I: Iterator<Item: AsRef<[u8]>>,
{
    fn next_group<'s>(
        &'s mut self,
        kept: u64,
        group: &mut ArrayVec<&'s [u8], GROUP>,
    ) -> Starts<'s, WORDS> {
        self.group.refill(kept, &mut self.messages);
        group.extend(self.group.as_ref().iter().map(AsRef::as_ref));
        Starts::One(self.initial.start())
    }
}

/// Borrowed whole messages that start from one state. Their slices need no items beside them, which
/// saves 1 ns a message (Zen 4).
struct Borrowed<'i, 'm, I, const WORDS: usize> {
    group: ArrayVec<&'m [u8], GROUP>,
    messages: I,
    initial: &'i InitialState<WORDS>,
}

impl<'m, I, const WORDS: usize> Messages<WORDS> for Borrowed<'_, 'm, I, WORDS>
where
    I: Iterator<Item = &'m [u8]>,
{
    fn next_group<'s>(
        &'s mut self,
        kept: u64,
        group: &mut ArrayVec<&'s [u8], GROUP>,
    ) -> Starts<'s, WORDS> {
        self.group.refill(kept, &mut self.messages);
        group.clone_from(&self.group);
        Starts::One(self.initial.start())
    }
}

/// Messages, or parts of some, each with its own start.
pub(crate) struct Parts<'m, I, const WORDS: usize> {
    starts: ArrayVec<Start<'m, WORDS>, GROUP>,
    bytes: ArrayVec<&'m [u8], GROUP>,
    messages: Fuse<I>,
}

impl<'m, I, const WORDS: usize> Parts<'m, I, WORDS>
where
    I: Iterator<Item = (Start<'m, WORDS>, &'m [u8])>,
{
    pub(crate) fn new(messages: I) -> Self {
        Self { starts: ArrayVec::new(), bytes: ArrayVec::new(), messages: messages.fuse() }
    }
}

impl<'m, I, const WORDS: usize> Messages<WORDS> for Parts<'m, I, WORDS>
where
    I: Iterator<Item = (Start<'m, WORDS>, &'m [u8])>,
{
    fn next_group<'s>(
        &'s mut self,
        kept: u64,
        group: &mut ArrayVec<&'s [u8], GROUP>,
    ) -> Starts<'s, WORDS> {
        self.starts.refill(kept, &mut core::iter::empty());
        self.bytes.refill(kept, &mut core::iter::empty());
        for (start, bytes) in self.messages.by_ref().take(self.bytes.remaining_capacity()) {
            self.starts.push(start);
            self.bytes.push(bytes);
        }
        group.extend(self.bytes.iter().copied());
        Starts::Each(&self.starts)
    }
}

impl<F: FnMut(usize, &[Row])> Sink for F {
    fn finished(&mut self, first: usize, rows: &[Row]) {
        self(first, rows);
    }
}

/// A kernel for both hashes of messages of one length that start from the IV: hashes `messages[i]`
/// into `rows[i]` and returns `true`, or returns `false` if it has none for their length.
pub type Fused = fn(backend: Backend, messages: &[&[u8]], rows: &mut [Row]) -> bool;

/// Hashes each digest of 32 bytes again, with `H`.
pub struct Again<'s, H, const WORDS: usize> {
    backend: Backend,
    fused: Fused,
    sink: &'s mut dyn Sink,
    /// The digests of messages that ended alone, and their numbers.
    rows: ArrayVec<Row, GROUP>,
    numbers: ArrayVec<usize, GROUP>,
    hash: PhantomData<H>,
}

impl<'s, H: LaneHash<WORDS>, const WORDS: usize> Again<'s, H, WORDS> {
    /// `hash` hashes messages once, and this passes the digests of their digests on.
    pub fn hash(
        backend: Backend,
        fused: Fused,
        sink: &'s mut dyn Sink,
        hash: impl FnOnce(&mut dyn Sink),
    ) {
        let mut again = Self {
            backend,
            fused,
            sink,
            rows: ArrayVec::new(),
            numbers: ArrayVec::new(),
            hash: PhantomData,
        };
        hash(&mut again);
        again.flush();
    }

    fn flush(&mut self) {
        let mut twice: ArrayVec<Row, GROUP> = ArrayVec::new();
        hash_rows::<H, WORDS>(self.backend, &self.rows, &mut twice);
        for (&number, row) in self.numbers.iter().zip(&twice) {
            self.sink.finished(number, &[*row]);
        }
        self.rows.clear();
        self.numbers.clear();
    }
}

impl<H: LaneHash<WORDS>, const WORDS: usize> Sink for Again<'_, H, WORDS> {
    fn hash_fixed(&mut self, backend: Backend, first: usize, messages: &[&[u8]]) -> bool {
        let mut rows: ArrayVec<Row, GROUP> = ArrayVec::new();
        rows.extend(repeat_n([0; 32], messages.len()));
        let is_hashed = (self.fused)(backend, messages, &mut rows);
        if is_hashed {
            self.sink.finished(first, &rows);
        }
        is_hashed
    }

    fn finished(&mut self, first: usize, rows: &[Row]) {
        if let [row] = rows {
            self.rows.push(*row);
            self.numbers.push(first);
            if self.rows.is_full() {
                self.flush();
            }
            return;
        }
        for (group, rows) in rows.chunks(GROUP).enumerate() {
            let mut twice: ArrayVec<Row, GROUP> = ArrayVec::new();
            hash_rows::<H, WORDS>(self.backend, rows, &mut twice);
            self.sink.finished(first + group * GROUP, &twice);
        }
    }
}

/// Hashes at most [`GROUP`] rows again.
fn hash_rows<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    rows: &[Row],
    twice: &mut ArrayVec<Row, GROUP>,
) {
    if let [row] = rows {
        return twice.push(H::hash_one(backend, Start::WHOLE, row));
    }
    let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    messages.extend(rows.iter().map(|row| &row[..]));
    twice.extend(repeat_n([0; 32], rows.len()));
    H::hash_32_bytes(backend, &messages, twice);
}

/// Hashes into digests of any type, for the implementations of a hash's traits.
pub trait ManyInto: Copy {
    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    fn many_into<'m, I, M, D>(self, messages: I, digests: &mut [D])
    where
        I: IntoIterator<Item = &'m M>,
        M: AsRef<[u8]> + ?Sized + 'm,
        D: AsMut<[u8]>;

    /// Returns the digest of each message.
    fn many<I, D>(self, messages: I) -> Vec<D>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
        D: AsMut<[u8]> + Clone + Default;
}

/// Implements [`HashMany`] for the value types of a hash crate, and defines its trait `DigestMany`
/// with implementations for RustCrypto's types.
///
/// Neither these types nor a trait of this crate would be the hash crate's own, so each has a
/// trait. Each type names the value that hashes for it, which implements [`ManyInto`].
#[doc(hidden)]
#[macro_export]
macro_rules! define_digest_many {
    (
        [$($(#[$attribute:meta])* $Value:ty => $ValueOutput:ty),+]
        $($feature:literal $Digest:ty => $Output:ty, $value:expr;)+
    ) => {
        $(
            $(#[$attribute])*
            impl $crate::HashMany for $Value {
                type Output = $ValueOutput;

                #[track_caller]
                fn hash_many_into<'m, I, M>(&self, messages: I, digests: &mut [Self::Output])
                where
                    I: IntoIterator<Item = &'m M>,
                    M: AsRef<[u8]> + ?Sized + 'm,
                {
                    $crate::engine::ManyInto::many_into(*self, messages, digests);
                }

                fn hash_many<I>(&self, messages: I) -> $crate::engine::alloc::vec::Vec<Self::Output>
                where
                    I: IntoIterator<Item: AsRef<[u8]>>,
                {
                    $crate::engine::ManyInto::many(*self, messages)
                }
            }
        )+

        /// Hashes many messages at once with RustCrypto's digest types.
        ///
        /// Import it with `as _` beside another hash's trait of this name. For code that is generic
        /// over the hash there is [`HashMany`](hash_lanes::HashMany).
        pub trait DigestMany: Sized {
            /// The digest of one message, of the type that `finalize` returns.
            type Output: Clone + Default;

            /// Hashes the `i`-th message into `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            fn digest_many_into<'m, I, M>(messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item = &'m M>,
                M: AsRef<[u8]> + ?Sized + 'm;

            /// Returns the digest of each message.
            #[must_use]
            fn digest_many<I>(messages: I) -> $crate::engine::alloc::vec::Vec<Self::Output>
            where
                I: IntoIterator<Item: AsRef<[u8]>>;
        }

        $(
            #[cfg(feature = $feature)]
            impl DigestMany for $Digest {
                type Output = $Output;

                #[track_caller]
                fn digest_many_into<'m, I, M>(messages: I, digests: &mut [Self::Output])
                where
                    I: IntoIterator<Item = &'m M>,
                    M: AsRef<[u8]> + ?Sized + 'm,
                {
                    $crate::engine::ManyInto::many_into($value, messages, digests);
                }

                fn digest_many<I>(messages: I) -> $crate::engine::alloc::vec::Vec<Self::Output>
                where
                    I: IntoIterator<Item: AsRef<[u8]>>,
                {
                    $crate::engine::ManyInto::many($value, messages)
                }
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
                $crate::engine::ManyInto::many(self, messages)
            }

            /// Hashes the `i`-th message into `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_many_into<'m, M: AsRef<[u8]> + ?Sized + 'm>(
                self,
                messages: impl IntoIterator<Item = &'m M>,
                digests: &mut [$Digest],
            ) {
                $crate::engine::ManyInto::many_into(self, messages, digests);
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

        #[doc(hidden)]
        impl $crate::engine::ManyInto for $Lanes {
            #[track_caller]
            fn many_into<'m, I, M, D>(self, messages: I, digests: &mut [D])
            where
                I: IntoIterator<Item = &'m M>,
                M: AsRef<[u8]> + ?Sized + 'm,
                D: AsMut<[u8]>,
            {
                let initial = $crate::engine::InitialState::of::<$Hash>();
                $crate::engine::into_slice(messages, digests, |messages, sink| {
                    $crate::engine::hash_borrowed::<$Hash, $words, _>(
                        self.backend, &initial, messages, sink,
                    );
                });
            }

            fn many<I, D>(self, messages: I) -> $crate::engine::alloc::vec::Vec<D>
            where
                I: IntoIterator<Item: AsRef<[u8]>>,
                D: AsMut<[u8]> + Clone + Default,
            {
                let initial = $crate::engine::InitialState::of::<$Hash>();
                $crate::engine::into_vec(messages, |messages, sink| {
                    $crate::engine::hash_many::<$Hash, $words, _>(
                        self.backend, &initial, messages, sink,
                    );
                })
            }
        }
    };
}
