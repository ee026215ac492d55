//! The functions for messages of any length, and the values that carry a backend.

use hash_lanes::Lanes;

use crate::sha512::{Sha384, Sha512, Sha512_224, Sha512_256};

/// SHA-512 on one backend: the functions of this crate as methods, for a backend other than the
/// default. It implements [`HashMany`](hash_lanes::HashMany).
///
/// ```
/// use sha512_multi::Sha512Lanes;
///
/// let portable = Sha512Lanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), sha512_multi::hash_many(["one", "two"]));
///
/// // The seed of a BIP 39 mnemonic: 2048 rounds, and a salt of "mnemonic" and the passphrase.
/// let mnemonic = "abandon abandon abandon abandon abandon abandon abandon abandon abandon \
///                 abandon abandon about";
/// let seeds = portable.pbkdf2_many::<64>([mnemonic], ["mnemonicTREZOR"], 2048);
/// assert_eq!(seeds[0][..4], [0xc5, 0x52, 0x57, 0xc3]);
/// ```
pub type Sha512Lanes = Lanes<Sha512>;

hash_lanes::define_functions!("SHA-512", "sha512_multi", Sha512, Sha512Lanes, 64);
hash_lanes::define_hmac!("SHA-512", "sha512_multi", Sha512, Sha512Lanes, 64);
hash_lanes::define_pbkdf2!("SHA-512", "sha512_multi", Sha512Lanes, 64);
hash_lanes::define_chains!("SHA-512", "sha512_multi", Sha512Lanes, 64, 111);

/// The hashes that differ from SHA-512 only in the initial hash value and the length of digests: a
/// macro gets the name of each, its module, its value that carries a backend, its marker, and the
/// length of its digests. Also for the tests of the workspace.
#[doc(hidden)]
#[macro_export]
macro_rules! each_truncated {
    ($then:ident) => {
        $then! {
            "SHA-384", sha384, Sha384Lanes: Sha384, 48;
            "SHA-512/256", sha512_256, Sha512_256Lanes: Sha512_256, 32;
            "SHA-512/224", sha512_224, Sha512_224Lanes: Sha512_224, 28;
        }
    };
}

/// Defines the module of a hash with its functions, and its value that carries a backend.
macro_rules! truncated {
    ($($name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal;)+) => {$(
        #[doc = concat!(
            $name, ": SHA-512 with another initial hash value, and digests of ", $bytes, " bytes."
        )]
        pub mod $module {
            use super::{$Hash, $Lanes};

            hash_lanes::define_functions!(
                $name, concat!("sha512_multi::", stringify!($module)), $Hash, $Lanes, $bytes
            );
            hash_lanes::define_hmac!(
                $name, concat!("sha512_multi::", stringify!($module)), $Hash, $Lanes, $bytes
            );
        }

        #[doc = concat!($name, " on one backend: the functions of")]
        #[doc = concat!("[`", stringify!($module), "`] as methods.")]
        pub type $Lanes = Lanes<$Hash>;
    )+};
}

each_truncated!(truncated);

hash_lanes::impl_digest_many! {
    "sha2" sha2::Sha512 => sha2::digest::Output<Self>, Sha512: Sha512Lanes;
    "sha2" sha2::Sha384 => sha2::digest::Output<Self>, Sha384: Sha384Lanes;
    "sha2" sha2::Sha512_256 => sha2::digest::Output<Self>, Sha512_256: Sha512_256Lanes;
    "sha2" sha2::Sha512_224 => sha2::digest::Output<Self>, Sha512_224: Sha512_224Lanes;
    "sha2-0_10" sha2_0_10::Sha512 => sha2_0_10::digest::Output<Self>, Sha512: Sha512Lanes;
    "sha2-0_10" sha2_0_10::Sha384 => sha2_0_10::digest::Output<Self>, Sha384: Sha384Lanes;
    "sha2-0_10" sha2_0_10::Sha512_256 => sha2_0_10::digest::Output<Self>,
        Sha512_256: Sha512_256Lanes;
    "sha2-0_10" sha2_0_10::Sha512_224 => sha2_0_10::digest::Output<Self>,
        Sha512_224: Sha512_224Lanes;
}
