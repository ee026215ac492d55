// The examples in the README need the feature `blake2`.
#![cfg_attr(any(not(doctest), feature = "blake2"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod blake2;
mod costs;
mod functions;
pub mod hazmat;
mod params;
mod rounds;

pub use functions::*;
#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{
    Backend, BackendError, DigestMany, HashMany, Lanes, ManyHasher, Parts, Prefix,
};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use params::{Params, ParamsError};

/// The functions as the engine sees them.
pub mod engine {
    pub use crate::blake2::{Blake2b256, Blake2b512, Blake2s128, Blake2s256};
    pub use crate::rounds::Blake2;
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "blake2")]
    pub use blake2;
    #[cfg(feature = "blake2-0_10")]
    pub use blake2_0_10;
}
