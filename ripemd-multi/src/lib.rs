// The examples in the README need the feature `ripemd`.
#![cfg_attr(any(not(doctest), feature = "ripemd"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod constants;
mod costs;
pub mod hash160;
pub mod hazmat;
mod many;
mod ripemd160;
mod rounds;

#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError, DigestMany, HashMany, Parts};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use hash160::Hash160Lanes;
pub use many::*;

/// The hashes as the engine sees them, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    pub use crate::hash160::Hash160;
    pub use crate::ripemd160::Ripemd160;
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "ripemd")]
    pub use ripemd;
    #[cfg(feature = "ripemd-0_1")]
    pub use ripemd_0_1;
}
