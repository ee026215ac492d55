// The examples in the README need the feature `sha3`.
#![cfg_attr(any(not(doctest), feature = "sha3"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod chains;
mod costs;
mod cshake;
mod fixed;
mod function;
pub mod hazmat;
mod hw;
mod jobs;
mod kt;
mod many_hasher;
mod rounds;
mod stream;
mod xof;
mod xof_array;
mod xof_many;
mod xof_prefix;

pub use fixed::*;
#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{
    Backend, BackendError, ChainError, ChainLayout, DigestMany, HashMany, Lanes, ManyHasher, Parts,
    Prefix,
};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use kt::KtLanes;
pub use many_hasher::XofManyHasher;
pub use xof::{XofLanes, XofReaders};
pub use xof_array::XofReaderArray;
pub use xof_many::XofMany;
pub use xof_prefix::XofPrefix;

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha3")]
    pub use sha3;
    #[cfg(feature = "sha3-0_10")]
    pub use sha3_0_10;
}
