//! The functions for messages of any length, and the value that carries a backend.

use hash_lanes::Lanes;

use crate::sha1::Sha1;

/// SHA-1 on one backend: the functions of this crate as methods, for a backend other than the
/// default. It implements [`HashMany`](hash_lanes::HashMany).
///
/// ```
/// use sha1_multi::Sha1Lanes;
///
/// let portable = Sha1Lanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), sha1_multi::hash_many(["one", "two"]));
/// ```
pub type Sha1Lanes = Lanes<Sha1>;

hash_lanes::define_functions!("SHA-1", "sha1_multi", Sha1, Sha1Lanes, 20);
hash_lanes::define_hmac!("SHA-1", "sha1_multi", Sha1, Sha1Lanes, 20);
hash_lanes::define_pbkdf2!("SHA-1", "sha1_multi", Sha1Lanes, 20);

hash_lanes::impl_digest_many! {
    "sha1" sha1::Sha1 => sha1::digest::Output<Self>, Sha1: Sha1Lanes;
    "sha1-0_10" sha1_0_10::Sha1 => sha1_0_10::digest::Output<Self>, Sha1: Sha1Lanes;
}
