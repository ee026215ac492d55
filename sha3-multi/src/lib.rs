// The examples in the README need the feature `sha3`.
#![cfg_attr(any(not(doctest), feature = "sha3"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "what hashes whole messages needs the feature `alloc`")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod chains;
mod costs;
#[cfg(feature = "alloc")]
mod cshake;
#[cfg(feature = "alloc")]
mod fixed;
#[cfg(feature = "alloc")]
mod function;
mod functions;
pub mod hazmat;
mod hw;
mod jobs;
#[cfg(feature = "alloc")]
mod kt;
#[cfg(feature = "alloc")]
mod many_hasher;
mod rounds;
mod squeeze;
#[cfg(feature = "alloc")]
mod stream;
#[cfg(feature = "alloc")]
mod xof;
mod xof_array;
mod xof_lanes;
#[cfg(feature = "alloc")]
mod xof_many;
#[cfg(feature = "alloc")]
mod xof_prefix;

#[cfg(feature = "alloc")]
pub use fixed::*;
#[cfg(not(feature = "alloc"))]
pub use functions::*;
#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError, Parts};
#[cfg(feature = "alloc")]
pub use hash_lanes::{ChainError, ChainLayout, DigestMany, HashMany, Lanes, ManyHasher, Prefix};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
#[cfg(feature = "alloc")]
pub use kt::KtLanes;
#[cfg(feature = "alloc")]
pub use many_hasher::XofManyHasher;
#[cfg(feature = "alloc")]
pub use xof::XofReaders;
pub use xof_array::XofReaderArray;
pub use xof_lanes::XofLanes;
#[cfg(feature = "alloc")]
pub use xof_many::XofMany;
#[cfg(feature = "alloc")]
pub use xof_prefix::XofPrefix;

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha3")]
    pub use sha3;
    #[cfg(feature = "sha3-0_10")]
    pub use sha3_0_10;
}
