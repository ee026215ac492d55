//! Digest types for the traits of `digest` 0.10.
//!
//! ```
//! use sumhash512::digest_0_10::Sumhash512;
//! use sumhash512::digest_0_10::digest::Digest;
//!
//! let digest = Sumhash512::digest(b"MB");
//! assert_eq!(format!("{digest:x}")[..8], *"c1a359d3");
//! ```
//!
//! The types are wrappers around cores, so a backend is chosen with
//! `Sumhash512::from_core(Sumhash512Core::new().with_backend(backend))`.
//!
//! With a salt, or with your own [`Table`](crate::Table):
//!
//! ```
//! use sumhash512::digest_0_10::digest::core_api::CoreWrapper;
//! use sumhash512::digest_0_10::digest::{FixedOutput, Update};
//! use sumhash512::{SaltedSumhash512Core, Sumhash512Core, Table};
//!
//! let salted = CoreWrapper::from_core(SaltedSumhash512Core::new(&[7; 64]));
//! let digest = salted.chain(b"message").finalize_fixed();
//!
//! let table = Table::new();
//! let mut owning = CoreWrapper::from_core(Sumhash512Core::with_table(&table));
//! owning.update(b"message");
//! assert_ne!(owning.finalize_fixed(), digest);
//! ```

use core::fmt;

use digest::block_buffer::Eager;
use digest::consts::U64;
use digest::core_api::{
    AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, CoreWrapper,
    FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
};
use digest::generic_array::GenericArray;
use digest::{HashMarker, Output};
pub use digest_0_10 as digest;

use crate::core512::Sumhash512Core;
#[cfg(feature = "statics")]
use crate::core512::Sumhash512CtCore;
use crate::digest_traits::impl_core;
use crate::salted::SaltedSumhash512Core;
use crate::{BLOCK_BYTES, Block};

/// sumhash512 for the traits of `digest` 0.10.
#[cfg(feature = "statics")]
pub type Sumhash512 = CoreWrapper<Sumhash512Core<'static>>;

/// sumhash512 in constant time, for the traits of `digest` 0.10.
///
/// No branch and no address depends on a message. It computes the same digests as [`Sumhash512`].
#[cfg(feature = "statics")]
pub type Sumhash512Ct = CoreWrapper<Sumhash512CtCore>;

/// sumhash512 with a salt, for the traits of `digest` 0.10.
///
/// Construct it with `SaltedSumhash512::from_core`. It is in constant time if its core has
/// [`Table::constant_time`](crate::Table::constant_time).
pub type SaltedSumhash512<'t> = CoreWrapper<SaltedSumhash512Core<'t>>;

/// The number of blocks copied into a buffer before they are hashed.
///
/// The copy is needed because a slice of `GenericArray` cannot be cast to a slice of arrays.
const COPIED_AT_ONCE: usize = 8;

/// Calls `hash` with all blocks in order, as arrays.
#[inline]
fn hash_arrays(blocks: &[GenericArray<u8, U64>], mut hash: impl FnMut(&[Block])) {
    let mut copies = [[0; BLOCK_BYTES]; COPIED_AT_ONCE];
    for blocks in blocks.chunks(COPIED_AT_ONCE) {
        for (copy, block) in copies.iter_mut().zip(blocks) {
            copy.copy_from_slice(block);
        }
        hash(&copies[..blocks.len()]);
    }
}

impl_core!(Sumhash512Core<'_>; "Sumhash512");
#[cfg(feature = "statics")]
impl_core!(Sumhash512CtCore, field 0; "Sumhash512");
impl_core!(SaltedSumhash512Core<'_>; "SaltedSumhash512");
