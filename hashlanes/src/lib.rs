// The examples of the README need these features.
#![cfg_attr(
    any(not(doctest), all(feature = "sha256", feature = "sha1", feature = "merkle")),
    doc = include_str!("../README.md")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

// Inlined, so that one documentation has all pages, and its links work wherever it is.
#[doc(inline)]
pub use hash_lanes as lanes;
#[cfg(feature = "rayon")]
#[doc(inline)]
pub use hash_lanes::Parallel;
#[doc(inline)]
pub use hash_lanes::{Backend, BackendError};
#[cfg(feature = "merkle")]
#[doc(inline)]
pub use merkle_lanes as merkle;
#[cfg(feature = "ripemd")]
#[doc(inline)]
pub use ripemd_multi as ripemd;
#[cfg(feature = "sha1")]
#[doc(inline)]
pub use sha1_multi as sha1;
#[cfg(feature = "sha3")]
#[doc(inline)]
pub use sha3_multi as sha3;
#[cfg(feature = "sha256")]
#[doc(inline)]
pub use sha256_multi as sha256;
#[cfg(feature = "sha512")]
#[doc(inline)]
pub use sha512_multi as sha512;
#[cfg(feature = "slh-dsa")]
#[doc(inline)]
pub use slh_dsa_multi as slh_dsa;
#[cfg(feature = "sumhash")]
#[doc(inline)]
pub use sumhash512 as sumhash;

/// The traits for many messages: `use hashlanes::prelude::*;`.
pub mod prelude {
    #[doc(inline)]
    pub use hash_lanes::{DigestMany, HashMany};
}
