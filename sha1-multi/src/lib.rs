// The examples in the README need the feature `sha1`.
#![cfg_attr(any(not(doctest), feature = "sha1"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "collision-detection")]
pub mod checked;
mod costs;
pub mod hazmat;
mod hw;
mod many;
mod rounds;
mod sha1;

#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError, DigestMany, HashMany, Parts, Rounds, WrongMacs};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use many::*;

/// SHA-1 as the engine sees it, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    #[cfg(feature = "collision-detection")]
    pub use crate::checked::{CheckedSha1, SafeSha1};
    pub use crate::sha1::Sha1;
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha1")]
    pub use sha1;
    #[cfg(feature = "sha1-0_10")]
    pub use sha1_0_10;
    #[cfg(feature = "sha1-checked-0_10")]
    pub use sha1_checked_0_10;
}
