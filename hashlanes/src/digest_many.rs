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

/// Implements [`DigestMany`] for types of one generation: the features, the crate of the types, the
/// crate of the lanes, then each type and its lanes.
macro_rules! digest_many {
    ($($cfg:meta, $krate:ident, $lanes:ident: $($Digest:ident $Lanes:ident),+;)+) => {$($(
        #[cfg($cfg)]
        impl DigestMany for $lanes::rustcrypto::$krate::$Digest {
            type Output = $lanes::rustcrypto::$krate::digest::Output<Self>;
            type Lanes = $lanes::$Lanes;
        }
    )+)+};
}

digest_many! {
    feature = "sha256", sha2, sha256_multi: Sha256 Sha256Lanes;
    feature = "sha512", sha2, sha512_multi:
        Sha512 Sha512Lanes, Sha384 Sha384Lanes, Sha512_256 Sha512_256Lanes;
    feature = "sha1", sha1, sha1_multi: Sha1 Sha1Lanes;
    feature = "ripemd", ripemd, ripemd_multi: Ripemd160 Ripemd160Lanes;
    feature = "sha3", sha3, sha3_multi:
        Keccak224 Keccak224Lanes, Keccak256 Keccak256Lanes, Keccak384 Keccak384Lanes,
        Keccak512 Keccak512Lanes, Sha3_224 Sha3_224Lanes, Sha3_256 Sha3_256Lanes,
        Sha3_384 Sha3_384Lanes, Sha3_512 Sha3_512Lanes;
    feature = "blake2", blake2, blake2_multi:
        Blake2s256 Blake2s256Lanes, Blake2s128 Blake2s128Lanes, Blake2b512 Blake2b512Lanes,
        Blake2b256 Blake2b256Lanes;
    all(feature = "sha256", feature = "digest-0_10"), sha2_0_10, sha256_multi: Sha256 Sha256Lanes;
    all(feature = "sha512", feature = "digest-0_10"), sha2_0_10, sha512_multi:
        Sha512 Sha512Lanes, Sha384 Sha384Lanes, Sha512_256 Sha512_256Lanes;
    all(feature = "sha1", feature = "digest-0_10"), sha1_0_10, sha1_multi: Sha1 Sha1Lanes;
    all(feature = "ripemd", feature = "digest-0_10"), ripemd_0_1, ripemd_multi:
        Ripemd160 Ripemd160Lanes;
    all(feature = "sha3", feature = "digest-0_10"), sha3_0_10, sha3_multi:
        Keccak224 Keccak224Lanes, Keccak256 Keccak256Lanes, Keccak384 Keccak384Lanes,
        Keccak512 Keccak512Lanes, Sha3_224 Sha3_224Lanes, Sha3_256 Sha3_256Lanes,
        Sha3_384 Sha3_384Lanes, Sha3_512 Sha3_512Lanes;
    all(feature = "blake2", feature = "digest-0_10"), blake2_0_10, blake2_multi:
        Blake2s256 Blake2s256Lanes, Blake2b512 Blake2b512Lanes;
}

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
