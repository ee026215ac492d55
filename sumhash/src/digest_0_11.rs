//! The digest type for the traits of `digest` 0.11.

use core::fmt;

use digest::array::Array;
use digest::block_api::{
    AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, Eager,
    FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
};
use digest::consts::U64;
use digest::{HashMarker, Output};

use crate::core512::Sumhash512Core;
use crate::digest_traits::impl_core;
use crate::{Backend, Block};

digest::buffer_fixed!(
    /// sumhash512 for the traits of `digest` 0.11.
    ///
    /// ```
    /// use sumhash512::Sumhash512;
    /// use sumhash512::digest::Digest;
    ///
    /// let digest = Sumhash512::new().chain_update(b"MB").finalize();
    /// assert_eq!(digest[..4], [0xc1, 0xa3, 0x59, 0xd3]);
    /// ```
    pub struct Sumhash512(Sumhash512Core<'static>);
    impl: BaseFixedTraits AlgorithmName Default Clone HashMarker Reset FixedOutputReset;
);

impl Sumhash512 {
    /// Replaces the detected backend with `backend`.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.core = self.core.with_backend(backend);
        self
    }
}

/// Calls `hash` with all blocks, as arrays.
#[inline]
fn hash_arrays(blocks: &[Array<u8, U64>], hash: impl FnOnce(&[Block])) {
    hash(Array::cast_slice_to_core(blocks));
}

impl_core!(Sumhash512Core<'_>; "Sumhash512");
