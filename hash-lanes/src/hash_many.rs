//! Many messages at once: a trait for generic code, and RustCrypto's digest types.

use alloc::vec::Vec;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::hash::LaneHash;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
use crate::many::{check_counts, exactly};
use crate::many::{hash_many, one_per_message};
use crate::message::{Hashing, InitialState};

/// A hash function that takes many messages at once, for code that is generic over the hash.
///
/// The marker types of the hash crates implement it, such as `sha256_multi::Sha256Lanes`.
/// `OneByOne<D>` (feature `digest`) implements it for any digest `D` of RustCrypto's traits.
///
/// ```
/// use hash_lanes::HashMany;
///
/// fn fingerprints<H: HashMany>(files: &[Vec<u8>]) -> Vec<H::Output> {
///     H::hash_many(files)
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
pub trait HashMany {
    /// The digest of one message.
    type Output: AsRef<[u8]> + Clone + Default + Eq;

    /// Hashes the `i`-th message into `digests[i]` with an explicit backend.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    fn hash_many_into_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm;

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    fn hash_many_into<'m, I, M>(messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        Self::hash_many_into_with(Backend::detect(), messages, digests);
    }

    /// Returns the digest of each message.
    ///
    /// # Panics
    ///
    /// Panics if the iterator's length is wrong, or if the digests do not fit into memory.
    #[track_caller]
    fn hash_many<'m, I, M>(messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        Self::hash_many_with(Backend::detect(), messages)
    }

    /// [`Self::hash_many`] with an explicit backend.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::hash_many`] does.
    #[track_caller]
    fn hash_many_with<'m, I, M>(backend: Backend, messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        collect_digests(messages, |messages, digests| {
            Self::hash_many_into_with(backend, messages, digests);
        })
    }
}

/// The digests that `hash_into` writes, one for each message.
///
/// # Panics
///
/// Panics if the digests do not fit into memory.
#[track_caller]
pub fn collect_digests<I, D: Clone + Default>(
    messages: I,
    hash_into: impl FnOnce(I::IntoIter, &mut [D]),
) -> Vec<D>
where
    I: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let messages = messages.into_iter();
    let mut digests = one_per_message(messages.len(), D::default(), "digests");
    hash_into(messages, &mut digests);
    digests
}

/// Any digest of RustCrypto's traits, for code that is generic over [`HashMany`]. It hashes one
/// message after another: `OneByOne::<blake2::Blake2s256>::hash_many(&messages)`.
#[cfg(feature = "digest")]
#[derive(Clone, Copy, Debug)]
pub struct OneByOne<D>(PhantomData<D>);

/// [`OneByOne`](crate::OneByOne) for the traits of `digest` 0.10.
#[cfg(feature = "digest-0_10")]
#[derive(Clone, Copy, Debug)]
pub struct OneByOne0_10<D>(PhantomData<D>);

/// Implements [`HashMany`] for one generation of the digest traits.
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
macro_rules! one_by_one {
    ($feature:literal, $digest:ident, $OneByOne:ident) => {
        #[cfg(feature = $feature)]
        impl<D: $digest::Digest> HashMany for $OneByOne<D> {
            type Output = $digest::Output<D>;

            #[track_caller]
            fn hash_many_into_with<'m, I, M>(_: Backend, messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let messages = messages.into_iter();
                check_counts(messages.len(), digests.len());
                for (message, digest) in exactly(messages, digests.len()).zip(digests) {
                    *digest = D::digest(message);
                }
            }
        }
    };
}
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest", digest, OneByOne);
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest-0_10", digest_0_10, OneByOne0_10);

/// [`HashMany::hash_many_into_with`] for any type of digest: hashes the `i`-th message into
/// `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[track_caller]
pub fn hash_many_into_with<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    messages: I,
    digests: &mut [D],
) where
    H: LaneHash<WORDS>,
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    let initial = InitialState::of::<H>();
    hash_many::<H, WORDS, _, _, _>(backend, initial, Hashing::Single, messages, digests);
}

/// Implements [`HashMany`] for the marker type of a hash crate, and defines its trait `DigestMany`
/// with implementations for RustCrypto's types.
///
/// Neither these types nor a trait of this crate would be the hash crate's own, so each has a
/// trait. Each type names the function that hashes for it, which has the signature of
/// [`HashMany::hash_many_into_with`] and is generic over the digest.
#[doc(hidden)]
#[macro_export]
macro_rules! define_digest_many {
    (
        $(#[$attribute:meta])* $Marker:ty => $MarkerOutput:ty, $hash_into:path;
        $($feature:literal $Digest:ty => $Output:ty, $digest_into:path;)+
    ) => {
        $(#[$attribute])*
        impl $crate::HashMany for $Marker {
            type Output = $MarkerOutput;

            #[track_caller]
            fn hash_many_into_with<'m, I, M>(
                backend: $crate::Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                $hash_into(backend, messages, digests);
            }
        }

        /// Hashes many messages at once with RustCrypto's digest types.
        ///
        /// Import it with `as _` beside another hash's trait of this name. For code that is generic
        /// over the hash there is [`HashMany`](hash_lanes::HashMany).
        pub trait DigestMany: Sized {
            /// The digest of one message, of the type that `finalize` returns.
            type Output: Clone + Default;

            /// Hashes the `i`-th message into `digests[i]` with an explicit backend.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: $crate::Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm;

            /// Hashes the `i`-th message into `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
            #[track_caller]
            fn digest_many_into<'m, I, M>(messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                Self::digest_many_into_with($crate::Backend::detect(), messages, digests);
            }

            /// Returns the digest of each message.
            ///
            /// # Panics
            ///
            /// Panics if the iterator's length is wrong, or if the digests do not fit into
            /// memory.
            #[track_caller]
            fn digest_many<'m, I, M>(messages: I) -> $crate::engine::alloc::vec::Vec<Self::Output>
            where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                Self::digest_many_with($crate::Backend::detect(), messages)
            }

            /// [`Self::digest_many`] with an explicit backend.
            ///
            /// # Panics
            ///
            /// Panics if [`Self::digest_many`] does.
            #[track_caller]
            fn digest_many_with<'m, I, M>(
                backend: $crate::Backend,
                messages: I,
            ) -> $crate::engine::alloc::vec::Vec<Self::Output>
            where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                $crate::engine::collect_digests(messages, |messages, digests| {
                    Self::digest_many_into_with(backend, messages, digests);
                })
            }
        }

        $(
            #[cfg(feature = $feature)]
            impl DigestMany for $Digest {
                type Output = $Output;

                #[track_caller]
                fn digest_many_into_with<'m, I, M>(
                    backend: $crate::Backend,
                    messages: I,
                    digests: &mut [Self::Output],
                ) where
                    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                    M: AsRef<[u8]> + ?Sized + 'm,
                {
                    $digest_into(backend, messages, digests);
                }
            }
        )+
    };
}
