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
            use crate::$Lanes;
            use crate::engine::$Hash;

            hash_lanes::define_functions!(
                $name, concat!("blake2_multi::", stringify!($module)), $Hash, $Lanes, $bytes
            );

            #[doc = concat!($name, " with a key, a salt or a personalization string.")]
            pub type Params = crate::Params<$Hash>;
        }

        #[doc = concat!($name, " on one backend: the functions of [`", stringify!($module), "`]")]
        /// as methods, for a backend other than the default.
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
