//! Many messages at once by RustCrypto's digest types.

use alloc::vec::Vec;

use crate::many::{HashAll, into_slice, into_vec};

/// Hashes many messages at once with RustCrypto's digest types, of both generations of `digest`.
///
/// `sha2::Sha256` implements it if the crate `sha256-multi` is used, and so on for each hash crate.
/// All of them export this trait. `L` is a type of the hash crate. The compiler infers it, so code
/// that is generic over the hash leaves it open and is called like
/// `fingerprints::<sha2::Sha256, _>(&files)`:
///
/// ```
/// use hash_lanes::DigestMany;
///
/// fn fingerprints<D: DigestMany<L>, L>(files: &[Vec<u8>]) -> Vec<D::Output> {
///     D::digest_many(files)
/// }
/// ```
///
/// A generic type or an implementation cannot leave `L` open. The trait of the same name of the
/// crate `hashlanes` has no parameter: that crate depends on all hash crates, so it may implement a
/// trait of its own for RustCrypto's types.
///
/// To compare with the digests of `D: Digest`, require `D: DigestMany<L, Output = Output<D>>`.
///
/// RustCrypto is drafting a trait for the same purpose
/// ([traits#2478](https://github.com/RustCrypto/traits/issues/2478),
/// [traits#2479](https://github.com/RustCrypto/traits/pull/2479)). As drafted in August 2026, its
/// `MultiDigest` takes a number of messages that is known at compile time, all of one length: whole
/// blocks, then a tail. This trait has neither limit. What the draft was made for, a tag before
/// messages that are not copied, is [`Prefix`](crate::Prefix) here. Once it is released, the digest
/// types can implement it by themselves and need no `L`. `L` exists because of Rust's orphan rule:
/// a crate implements another's trait for another's type only if one of its own types takes part.
pub trait DigestMany<L>: Sized {
    /// The digest of one message, of the type that `finalize` returns.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy + Default + Eq;

    #[doc(hidden)]
    type Lanes: HashAll + Default;

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
        into_slice(messages, digests, |messages, digests| {
            Self::Lanes::default().hash_all(messages, digests);
        });
    }

    /// Returns the digest of each message.
    #[must_use]
    fn digest_many<I>(messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        into_vec(messages, &Self::Output::default(), |messages, digests| {
            Self::Lanes::default().hash_all(messages, digests);
        })
    }
}

/// Implements [`DigestMany`] for RustCrypto's types. Each names a type of the crate that marks it,
/// and the value that hashes for it.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_digest_many {
    ($($feature:literal $Digest:ty => $Output:ty, $Marker:ty: $Lanes:ty;)+) => {$(
        #[cfg(feature = $feature)]
        impl $crate::DigestMany<$Marker> for $Digest {
            type Output = $Output;
            type Lanes = $Lanes;
        }
    )+};
}
