//! The digest type for the traits of `digest` 0.11.

use core::fmt;

use digest::array::Array;
use digest::block_api::{
    AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, Eager,
    FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
};
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::{U8, U64, U72};
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
    impl: FixedHashTraits;
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

/// The maximum number of blocks in a state: 2^64 bytes.
const MAX_BLOCKS: u64 = 1 << 58;

/// The state, followed by the number of blocks as a little-endian 64-bit integer.
impl SerializableState for Sumhash512Core<'static> {
    type SerializedStateSize = U72;

    fn serialize(&self) -> SerializedState<Self> {
        Array::<u8, U64>(*self.state()).concat(Array::<u8, U8>(self.blocks().to_le_bytes()))
    }

    fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (state, blocks) = serialized.split_ref::<U64>();
        let blocks = u64::from_le_bytes(blocks.0);
        // The state is zero before the first block.
        if blocks > MAX_BLOCKS || (blocks == 0 && state.0 != [0; 64]) {
            return Err(DeserializeStateError);
        }
        let mut core = Self::new();
        core.resume(state.0, blocks);
        Ok(core)
    }
}
