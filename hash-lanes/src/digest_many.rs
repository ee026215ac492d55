//! Many messages at once for the digest types that Rust programs already use.

use alloc::vec::Vec;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
use core::marker::PhantomData;

use crate::backend::Backend;

/// Hashing many messages at once with a digest type, such as `sha2::Sha256`.
///
/// `L` names who supplies the lanes. It is there because the digest type and this trait are both
/// foreign to the crate that joins them; the compiler finds it by itself:
///
/// ```
/// use hash_lanes::DigestMany;
///
/// fn fingerprints<D: DigestMany<L>, L>(files: &[Vec<u8>]) -> Vec<D::Output> {
///     D::digest_many(files)
/// }
/// ```
///
/// The crate that supplies the lanes has to be named somewhere, or it is not part of the program:
/// import the trait from there, `use sha256_multi::DigestMany`.
#[diagnostic::on_unimplemented(
    note = "name the crate that supplies the lanes, e.g. `use sha256_multi::DigestMany;`"
)]
pub trait DigestMany<L>: Sized {
    /// The digest of one message.
    type Output: AsRef<[u8]> + Clone + Default + Eq;

    /// Hashes each message with `backend` into the digest at its own place.
    ///
    /// # Panics
    ///
    /// If there are not as many digests as messages.
    fn digest_many_into_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm;

    /// Hashes each message into the digest at its own place.
    ///
    /// # Panics
    ///
    /// If there are not as many digests as messages.
    #[track_caller]
    fn digest_many_into<'m, I, M>(messages: I, digests: &mut [Self::Output])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        Self::digest_many_into_with(Backend::detect(), messages, digests);
    }

    /// The digest of each message.
    fn digest_many<'m, I, M>(messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        Self::digest_many_with(Backend::detect(), messages)
    }

    /// The digest of each message, by a backend of one's choice.
    fn digest_many_with<'m, I, M>(backend: Backend, messages: I) -> Vec<Self::Output>
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        let messages = messages.into_iter();
        let mut digests = alloc::vec![Self::Output::default(); messages.len()];
        Self::digest_many_into_with(backend, messages, &mut digests);
        digests
    }
}

/// Gives any digest of RustCrypto's traits [`DigestMany`], by hashing one message after another.
///
/// For code that is generic over `DigestMany` and meets a digest without lanes:
/// `OneByOne::<blake2::Blake2s256>::digest_many(&messages)`.
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
#[derive(Clone, Copy, Debug)]
pub struct OneByOne<D>(PhantomData<D>);

/// Implements [`DigestMany`] for [`OneByOne`] with one generation of the digest traits.
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
macro_rules! one_by_one {
    ($feature:literal, $digest:ident, $supplier:ident) => {
        #[cfg(feature = $feature)]
        #[doc = concat!("The supplier of [`OneByOne`]'s loop for `", stringify!($digest), "`.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $supplier {}

        #[cfg(feature = $feature)]
        impl<D: $digest::Digest> DigestMany<$supplier> for OneByOne<D> {
            type Output = $digest::Output<D>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                _: Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let messages = messages.into_iter();
                crate::many::check_counts(messages.len(), digests.len());
                for (message, digest) in messages.zip(digests) {
                    *digest = D::digest(message);
                }
            }
        }
    };
}
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest", digest, DigestLoop);
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
one_by_one!("digest-0_10", digest_0_10, DigestLoop0_10);
