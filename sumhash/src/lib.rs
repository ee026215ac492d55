// The README's examples need these features.
#![cfg_attr(
    any(not(doctest), all(feature = "statics", feature = "digest", feature = "digest-0_10")),
    doc = include_str!("../README.md")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(all(
    feature = "amx",
    target_arch = "x86_64",
    target_pointer_width = "64",
    target_os = "linux"
))]
mod amx;
mod backend;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod batch;
mod column;
mod compressor;
mod core512;
#[cfg(feature = "digest-0_10")]
pub mod digest_0_10;
#[cfg(feature = "digest")]
mod digest_0_11;
#[cfg(all(feature = "statics", any(feature = "digest", feature = "digest-0_10")))]
mod digest_many;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digest_traits;
mod hash;
mod many;
mod matrix;
mod padding;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod permute_batch;
mod salted;
#[cfg(feature = "statics")]
mod shared;
mod sizes;
mod table;

pub use backend::Backend;
pub use compressor::{CompressLookup, CompressMatrix, Compressor};
pub use core512::Sumhash512Core;
#[cfg(all(feature = "statics", any(feature = "digest", feature = "digest-0_10")))]
pub use core512::Sumhash512CtCore;
#[cfg(feature = "digest")]
pub use digest;
#[cfg(all(feature = "digest", feature = "statics"))]
pub use digest_0_11::{SaltedSumhash512, Sumhash512, Sumhash512Ct};
#[cfg(feature = "digest")]
pub use digest_0_11::{SaltedSumhash512With, Sumhash512With};
#[cfg(all(feature = "statics", any(feature = "digest", feature = "digest-0_10")))]
pub use digest_many::DigestMany;
#[cfg(all(feature = "statics", feature = "digest"))]
pub use digest_many::Sumhash512Many;
pub use hash::{hash, hash_salted};
pub use hash_lanes::{BackendError, HashMany};
#[cfg(feature = "statics")]
pub use many::{compress_many, compress_many_with, hash_many, hash_many_with};
pub use matrix::Matrix;
pub use salted::SaltedSumhash512Core;
pub use sizes::SizeError;
pub use table::Table;

/// Length in bytes of a sumhash512 block, state and digest.
pub const BLOCK_BYTES: usize = 64;

/// A message block, or a salt.
pub type Block = [u8; BLOCK_BYTES];

/// A state: eight little-endian words. The state after the last block is the digest.
pub type State = [u8; BLOCK_BYTES];
