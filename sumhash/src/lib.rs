// The README's examples need this feature.
#![cfg_attr(any(not(doctest), feature = "digest"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod backend;
pub mod construction;
mod core512;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_types;
mod many;
mod matrix;
mod shared;
mod table;

pub use core512::Sumhash512Core;
#[cfg(feature = "digest")]
pub use digest;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
pub use digest_types::SizedCore;
#[cfg(feature = "digest-0_10")]
pub use digest_types::digest_0_10;
#[cfg(feature = "digest")]
pub use digest_types::digest_0_11::{Sumhash512, Sumhash512With};
pub use hash_lanes::{Backend, BackendError, DigestMany, HashMany};
pub use many::{Sumhash512Lanes, hash_many, hash_many_into};
pub use table::Table;

/// Length in bytes of a sumhash512 block, state and digest.
pub const BLOCK_BYTES: usize = 64;

/// A message block.
pub type Block = [u8; BLOCK_BYTES];

/// A state: eight little-endian words. The state after the last block is the digest.
pub type State = [u8; BLOCK_BYTES];

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "digest")]
    pub use digest;
    #[cfg(feature = "digest-0_10")]
    pub use digest_0_10;
}
