//! The digest type for the traits of `digest` 0.10, which the crate `sumhash` also implements.
//!
//! ```
//! use sumhash512::digest_0_10::Sumhash512;
//! use sumhash512::digest_0_10::digest::Digest;
//!
//! let digest = Sumhash512::digest(b"MB");
//! assert_eq!(format!("{digest:x}")[..8], *"c1a359d3");
//! ```
//!
//! It wraps [`Sumhash512Core`], so a backend is chosen with
//! `Sumhash512::from_core(Sumhash512Core::new().with_backend(backend))`.

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
use crate::digest_traits::impl_core;
use crate::{BLOCK_BYTES, Block};

/// sumhash512 for the traits of `digest` 0.10.
pub type Sumhash512 = CoreWrapper<Sumhash512Core<'static>>;

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
