// The examples of the README need these features.
#![cfg_attr(
    any(
        not(doctest),
        all(feature = "std", feature = "sha256", feature = "sha1", feature = "merkle")
    ),
    doc = include_str!("../README.md")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod digest_many;
mod each_hash;

#[cfg(feature = "blake2")]
pub use blake2_multi as blake2;
pub use digest_many::DigestMany;
pub use hash_lanes as lanes;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError};
#[cfg(feature = "merkle")]
pub use merkle_lanes as merkle;
#[cfg(feature = "ripemd")]
pub use ripemd_multi as ripemd;
#[cfg(feature = "sha1")]
pub use sha1_multi as sha1;
#[cfg(feature = "sha3")]
pub use sha3_multi as sha3;
#[cfg(feature = "sha256")]
pub use sha256_multi as sha256;
#[cfg(feature = "sha512")]
pub use sha512_multi as sha512;
#[cfg(feature = "slh-dsa")]
pub use slh_dsa_multi as slh_dsa;
#[cfg(feature = "sumhash")]
pub use sumhash512 as sumhash;

/// The traits for many messages: `use hashlanes::prelude::*;`.
pub mod prelude {
    pub use crate::DigestMany;
    pub use hash_lanes::HashMany;
}
