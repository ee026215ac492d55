//! The functions of the family, each on any backend and in a module of its own.

use hash_lanes::Lanes;

#[allow(clippy::wildcard_imports, reason = "the functions of the list below")]
use crate::engine::*;

/// The functions: a macro gets the name of each, its module, its value that carries a backend, its
/// marker, and the length of its digests. Also for the tests and tools of the workspace.
#[doc(hidden)]
#[macro_export]
macro_rules! each_function {
    ($then:ident) => {
        $then! {
            "BLAKE2s-256", blake2s256, Blake2s256Lanes: Blake2s256, 32;
            "BLAKE2s-128", blake2s128, Blake2s128Lanes: Blake2s128, 16;
            "BLAKE2b-512", blake2b512, Blake2b512Lanes: Blake2b512, 64;
            "BLAKE2b-256", blake2b256, Blake2b256Lanes: Blake2b256, 32;
        }
    };
}

/// Defines a module with the functions of a hash, and the name of its value that carries a backend.
macro_rules! functions {
    ($($name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal;)+) => {$(
        #[doc = concat!($name, ": digests of ", stringify!($bytes), " bytes.")]
        pub mod $module {
            use alloc::vec::Vec;

            use crate::{$Lanes, Parts};

            #[doc = concat!("A hasher of many messages that arrive in parts, by ", $name, ".")]
            pub type ManyHasher = hash_lanes::ManyHasher<crate::engine::$Hash>;

            #[doc = concat!("The common prefix of many messages, hashed once by ", $name, ".")]
            ///
            /// ```
            #[doc = concat!("use blake2_multi::", stringify!($module), "::{Prefix, hash};")]
            ///
            /// let digests = Prefix::new(b"prefix").hash_many([("one", [1, 2]), ("two", [3, 4])]);
            /// assert_eq!(digests[1], hash(b"prefixtwo\x03\x04"));
            /// ```
            pub type Prefix = hash_lanes::Prefix<crate::engine::$Hash>;

            #[doc = concat!($name, " with a key, a salt or a personalization string.")]
            pub type Params = crate::Params<crate::engine::$Hash>;

            #[doc = concat!($name, " of one message.")]
            #[must_use]
            pub fn hash(message: impl AsRef<[u8]>) -> [u8; $bytes] {
                $Lanes::default().hash(message)
            }

            /// Returns the digest of each message. The messages may have different lengths, and may
            /// be owned or borrowed.
            ///
            /// ```
            #[doc = concat!("use blake2_multi::", stringify!($module), "::{hash, hash_many};")]
            ///
            /// let digests = hash_many(["one", "two", "three"]);
            /// assert_eq!(digests[2], hash(b"three"));
            /// ```
            #[must_use]
            pub fn hash_many(
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> Vec<[u8; $bytes]> {
                $Lanes::default().hash_many(messages)
            }

            /// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_many_into(
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
                digests: &mut [[u8; $bytes]],
            ) {
                $Lanes::default().hash_many_into(messages, digests);
            }

            /// Returns the digest of each message of an iterator that may fail.
            ///
            /// # Errors
            ///
            /// Returns the first error. Nothing after it is hashed.
            pub fn try_hash_many<T: AsRef<[u8]>, E>(
                messages: impl IntoIterator<Item = Result<T, E>>,
            ) -> Result<Vec<[u8; $bytes]>, E> {
                $Lanes::default().try_hash_many(messages)
            }

            /// Returns the digest of each message, whose parts are hashed one after the other.
            ///
            /// ```
            #[doc = concat!("use blake2_multi::", stringify!($module), "::{hash, hash_concat_many};")]
            ///
            /// let digests = hash_concat_many([("key 1", "slot"), ("key 2", "slot")]);
            /// assert_eq!(digests[1], hash(b"key 2slot"));
            /// ```
            #[must_use]
            pub fn hash_concat_many(
                messages: impl IntoIterator<Item: Parts>,
            ) -> Vec<[u8; $bytes]> {
                $Lanes::default().hash_concat_many(messages)
            }

            /// Hashes the `i`-th message into `digests[i]`; see [`hash_concat_many`].
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_concat_many_into(
                messages: impl IntoIterator<Item: Parts>,
                digests: &mut [[u8; $bytes]],
            ) {
                $Lanes::default().hash_concat_many_into(messages, digests);
            }
        }

        #[doc = concat!($name, " on one backend: the functions of [`", stringify!($module), "`] as")]
        /// methods, for a backend other than the default.
        pub type $Lanes = Lanes<$Hash>;
    )+};
}

each_function!(functions);

#[cfg(feature = "blake2-0_10")]
use blake2_0_10::digest::consts::{U16, U32};

hash_lanes::impl_digest_many! {
    "blake2" blake2::Blake2s256 => blake2::digest::Output<Self>, Blake2s256: Blake2s256Lanes;
    "blake2" blake2::Blake2s128 => blake2::digest::Output<Self>, Blake2s128: Blake2s128Lanes;
    "blake2" blake2::Blake2b512 => blake2::digest::Output<Self>, Blake2b512: Blake2b512Lanes;
    "blake2" blake2::Blake2b256 => blake2::digest::Output<Self>, Blake2b256: Blake2b256Lanes;
    "blake2-0_10" blake2_0_10::Blake2s256 => blake2_0_10::digest::Output<Self>,
        Blake2s256: Blake2s256Lanes;
    "blake2-0_10" blake2_0_10::Blake2s<U16> => blake2_0_10::digest::Output<Self>,
        Blake2s128: Blake2s128Lanes;
    "blake2-0_10" blake2_0_10::Blake2b512 => blake2_0_10::digest::Output<Self>,
        Blake2b512: Blake2b512Lanes;
    "blake2-0_10" blake2_0_10::Blake2b<U32> => blake2_0_10::digest::Output<Self>,
        Blake2b256: Blake2b256Lanes;
}
