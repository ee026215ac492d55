//! Many messages at once by RustCrypto's digest types, for code that is generic over the type.

use alloc::vec::Vec;

use hash_lanes::engine::{HashAll, into_slice, into_vec};

/// Hashes many messages at once with RustCrypto's digest types, of both generations of `digest`.
///
/// This trait has no parameter, so generic types and implementations can require it:
///
/// ```
/// # #[cfg(all(feature = "sha256", feature = "sha1"))] {
/// use hashlanes::DigestMany;
/// use sha2::digest::{Digest, Output};
///
/// /// Blobs under their digests.
/// struct Store<D: Digest> {
///     blobs: Vec<(Output<D>, Vec<u8>)>,
/// }
///
/// impl<D: Digest + DigestMany<Output = Output<D>>> Store<D> {
///     fn new(blobs: Vec<Vec<u8>>) -> Self {
///         Self { blobs: D::digest_many(&blobs).into_iter().zip(blobs).collect() }
///     }
/// }
///
/// let store = Store::<sha2::Sha256>::new(vec![vec![1], vec![2, 3]]);
/// assert_eq!(store.blobs[1].0, sha2::Sha256::digest([2, 3]));
/// let store = Store::<sha1::Sha1>::new(vec![vec![1]]);
/// assert_eq!(store.blobs[0].0, sha1::Sha1::digest([1]));
/// # }
/// ```
///
/// So can implementations of a trait of yours:
///
/// ```
/// # #[cfg(feature = "sha256")] {
/// use hashlanes::DigestMany;
///
/// trait Fingerprints {
///     fn fingerprints(files: &[Vec<u8>]) -> Vec<Vec<u8>>;
/// }
///
/// impl<D: DigestMany> Fingerprints for D {
///     fn fingerprints(files: &[Vec<u8>]) -> Vec<Vec<u8>> {
///         D::digest_many(files).iter().map(|digest| digest.as_ref().to_vec()).collect()
///     }
/// }
///
/// assert_eq!(sha2::Sha256::fingerprints(&[vec![1]])[0].len(), 32);
/// # }
/// ```
///
/// The hash crates export another trait of this name,
/// [`hash_lanes::DigestMany<L>`](hash_lanes::DigestMany), for programs that depend on one of them
/// alone. Rust lets a crate implement another's trait for another's type only with a parameter of
/// its own. This crate depends on all hash crates, so its trait needs none. Import one of the two.
pub trait DigestMany: Sized {
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

/// Implements [`DigestMany`] for the types of each hash.
macro_rules! digest_many {
    ($(
        $feature:literal, $krate:ident, [$($path:tt)+], $Lanes:ident, $bytes:literal
        $(=> $new:ident $New:ident $(, $old:ident $Old:ident)?)?;
    )+) => {$($(
        #[cfg(feature = $feature)]
        impl DigestMany for crate::$krate::rustcrypto::$new::$New {
            type Output = crate::$krate::rustcrypto::$new::digest::Output<Self>;
            type Lanes = crate::$krate::$Lanes;
        }

        $(
            #[cfg(all(feature = $feature, feature = "digest-0_10"))]
            impl DigestMany for crate::$krate::rustcrypto::$old::$Old {
                type Output = crate::$krate::rustcrypto::$old::digest::Output<Self>;
                type Lanes = crate::$krate::$Lanes;
            }
        )?
    )?)+};
}

crate::each_hash!(digest_many);

#[cfg(feature = "sha1-checked")]
impl DigestMany for sha1_multi::rustcrypto::sha1_checked_0_10::Sha1 {
    type Output = sha1_multi::rustcrypto::sha1_checked_0_10::digest::Output<Self>;
    type Lanes = sha1_multi::checked::SafeLanes;
}

/// Of sumhash512, whose crate has the types itself.
macro_rules! sumhash {
    ($($cfg:meta, $Digest:ty => $Output:ty;)+) => {$(
        #[cfg($cfg)]
        impl DigestMany for $Digest {
            type Output = $Output;
            type Lanes = sumhash512::Sumhash512Lanes<'static>;
        }
    )+};
}

sumhash! {
    feature = "sumhash", sumhash512::Sumhash512 =>
        sumhash512::rustcrypto::digest::Output<Self>;
    all(feature = "sumhash", feature = "digest-0_10"), sumhash512::digest_0_10::Sumhash512 =>
        sumhash512::rustcrypto::digest_0_10::Output<Self>;
}
