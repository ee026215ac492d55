//! The functions for messages of any length, and the value that carries a backend.

use hash_lanes::Lanes;

use crate::ripemd160::Ripemd160;

/// RIPEMD-160 on one backend: the functions of this crate as methods, for a backend other than the
/// default. It implements [`HashMany`](hash_lanes::HashMany). [`Hash160Lanes`](crate::Hash160Lanes)
/// is the same for HASH160.
///
/// ```
/// use ripemd_multi::Ripemd160Lanes;
///
/// let portable = Ripemd160Lanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), ripemd_multi::hash_many(["one", "two"]));
/// ```
pub type Ripemd160Lanes = Lanes<Ripemd160>;

hash_lanes::define_functions!("RIPEMD-160", "ripemd_multi", Ripemd160, Ripemd160Lanes, 20);

hash_lanes::impl_digest_many! {
    "ripemd" ripemd::Ripemd160 => ripemd::digest::Output<Self>, Ripemd160: Ripemd160Lanes;
    "ripemd-0_1" ripemd_0_1::Ripemd160 => ripemd_0_1::digest::Output<Self>,
        Ripemd160: Ripemd160Lanes;
}
