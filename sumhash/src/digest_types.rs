//! The digest types, for both generations of the crate `digest`.

/// Implements the traits of one generation for the core. Their names are the same in both.
///
/// The calling module imports the traits and has a function `hash_arrays`, which converts that
/// generation's slices of blocks.
macro_rules! impl_core {
    () => {
        impl HashMarker for Sumhash512Core<'_> {}

        impl AlgorithmName for Sumhash512Core<'_> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("Sumhash512")
            }
        }

        impl BlockSizeUser for Sumhash512Core<'_> {
            type BlockSize = U64;
        }

        impl BufferKindUser for Sumhash512Core<'_> {
            type BufferKind = Eager;
        }

        impl OutputSizeUser for Sumhash512Core<'_> {
            type OutputSize = U64;
        }

        impl UpdateCore for Sumhash512Core<'_> {
            #[inline]
            fn update_blocks(&mut self, blocks: &[DigestBlock<Self>]) {
                hash_arrays(blocks, |blocks| self.update_blocks(blocks));
            }
        }

        impl FixedOutputCore for Sumhash512Core<'_> {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize(buffer.get_data()));
            }
        }

        impl Reset for Sumhash512Core<'_> {
            fn reset(&mut self) {
                self.reset();
            }
        }
    };
}

#[cfg(feature = "digest")]
pub(crate) mod digest_0_11 {
    use core::fmt;

    use digest::array::Array;
    use digest::block_api::{
        AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, Eager,
        FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
    };
    use digest::consts::U64;
    use digest::{HashMarker, Output};

    use crate::core512::Sumhash512Core;
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

    impl_core!();
}

/// The digest type for the traits of `digest` 0.10, which the crate `sumhash` also implements.
///
/// ```
/// use sumhash512::digest_0_10::Sumhash512;
/// use sumhash512::digest_0_10::digest::Digest;
///
/// let digest = Sumhash512::digest(b"MB");
/// assert_eq!(format!("{digest:x}")[..8], *"c1a359d3");
/// ```
///
/// It wraps [`Sumhash512Core`](crate::Sumhash512Core), so a backend is chosen with
/// `Sumhash512::from_core(Sumhash512Core::new().with_backend(backend))`.
#[cfg(feature = "digest-0_10")]
pub mod digest_0_10 {
    use core::fmt;

    pub use ::digest_0_10 as digest;
    use digest::block_buffer::Eager;
    use digest::consts::U64;
    use digest::core_api::{
        AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, CoreWrapper,
        FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
    };
    use digest::generic_array::GenericArray;
    use digest::{HashMarker, Output};

    use crate::core512::Sumhash512Core;
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

    impl_core!();
}
