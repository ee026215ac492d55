// The examples in the README need the feature `sha2`.
#![cfg_attr(any(not(doctest), feature = "sha2"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

mod constants;
mod costs;
pub mod hazmat;
mod hw;
mod many;
mod sha512;

#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{
    Backend, BackendError, ChainError, ChainLayout, DigestMany, HashMany, Parts, Rounds, WrongMacs,
};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use many::*;

/// The hashes as the engine sees them, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    pub use crate::sha512::{Sha384, Sha512, Sha512_224, Sha512_256};
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha2")]
    pub use sha2;
    #[cfg(feature = "sha2-0_10")]
    pub use sha2_0_10;
}
