//! The digest types, for both generations of the crate `digest`.

use core::fmt;
use core::marker::PhantomData;

#[cfg(feature = "digest")]
use ::digest::array::typenum::Unsigned;
#[cfg(not(feature = "digest"))]
use ::digest_0_10::typenum::Unsigned;

use crate::construction::{Compressor, SizeError, SumhashCore};

/// A [`SumhashCore`] with its sizes as types, for the block-level traits of both generations of
/// `digest`: digests of `OutputSize` bytes, and blocks of `BlockSize`, at most 255.
///
/// With the feature `digest-0_10`, `CoreWrapper::from_core` makes a hasher of it. For `digest`
/// 0.11, the macro `digest::buffer_fixed` defines one. Neither can start a message by itself,
/// because there is no default compressor.
///
/// ```
/// # #[cfg(feature = "digest-0_10")] {
/// use sumhash512::SizedCore;
/// use sumhash512::construction::{CompressMatrix, SumhashCore};
/// use sumhash512::digest_0_10::digest::consts::{U24, U8};
/// use sumhash512::digest_0_10::digest::core_api::CoreWrapper;
/// use sumhash512::digest_0_10::digest::{FixedOutput, Update};
///
/// let core = SumhashCore::new(CompressMatrix::new(1, 256, b"Algorand").unwrap()).unwrap();
/// let sized = SizedCore::<_, U8, U24>::new(core.clone()).unwrap();
/// let mut hasher = CoreWrapper::from_core(sized);
/// hasher.update(b"in ");
/// hasher.update(b"parts");
/// assert_eq!(hasher.finalize_fixed()[..], core.finalize(b"in parts"));
/// # }
/// ```
pub struct SizedCore<C, OutputSize, BlockSize> {
    core: SumhashCore<C>,
    sizes: PhantomData<(OutputSize, BlockSize)>,
}

impl<C: Compressor, OutputSize: Unsigned, BlockSize: Unsigned> SizedCore<C, OutputSize, BlockSize> {
    /// Gives a core the sizes that it has as types.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError::Types`] if the core has other sizes.
    pub fn new(core: SumhashCore<C>) -> Result<Self, SizeError> {
        let types = (OutputSize::USIZE, BlockSize::USIZE);
        let lengths = (core.output_len(), core.block_len());
        if types == lengths {
            Ok(Self { core, sizes: PhantomData })
        } else {
            Err(SizeError::Types { types, core: lengths })
        }
    }
}

impl<C: Clone, OutputSize, BlockSize> Clone for SizedCore<C, OutputSize, BlockSize> {
    fn clone(&self) -> Self {
        Self { core: self.core.clone(), sizes: PhantomData }
    }
}

impl<C, OutputSize, BlockSize> fmt::Debug for SizedCore<C, OutputSize, BlockSize> {
    /// Omits the state and the salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SizedCore { ... }")
    }
}

/// Implements the traits of one generation for a core. Their names are the same in both.
///
/// The calling module imports the traits. `$update` hashes that generation's slices of blocks, and
/// `$finalize` computes the digest of the rest of the message.
macro_rules! impl_core {
    (
        [$($generics:tt)*] $Core:ty, $name:literal, $OutputSize:ty, $BlockSize:ty,
        where [$($bounds:tt)*];
        $update:expr, $finalize:expr, $reset:expr
    ) => {
        impl<$($generics)*> HashMarker for $Core {}

        impl<$($generics)*> AlgorithmName for $Core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }

        impl<$($generics)*> BlockSizeUser for $Core
        where
            $($bounds)*
        {
            type BlockSize = $BlockSize;
        }

        impl<$($generics)*> BufferKindUser for $Core
        where
            $($bounds)*
        {
            type BufferKind = Eager;
        }

        impl<$($generics)*> OutputSizeUser for $Core
        where
            $($bounds)*
        {
            type OutputSize = $OutputSize;
        }

        impl<$($generics)*> UpdateCore for $Core
        where
            $($bounds)*
        {
            #[inline]
            fn update_blocks(&mut self, blocks: &[DigestBlock<Self>]) {
                ($update)(self, blocks);
            }
        }

        impl<$($generics)*> FixedOutputCore for $Core
        where
            $($bounds)*
        {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                out.copy_from_slice(&($finalize)(self, buffer.get_data()));
            }
        }

        impl<$($generics)*> Reset for $Core {
            fn reset(&mut self) {
                ($reset)(self);
            }
        }
    };
}

/// [`impl_core`] for sumhash512 and for other sizes, whose type parameters have these bounds.
macro_rules! impl_cores {
    ($OutputBounds:path, $BlockBounds:path, where [$($bounds:tt)*]) => {
        impl_core! {
            [] Sumhash512Core<'_>, "Sumhash512", U64, U64, where [];
            |core: &mut Self, blocks| hash_arrays(blocks, |blocks| core.update_blocks(blocks)),
            |core: &mut Self, rest: &[u8]| core.finalize(rest),
            |core: &mut Self| core.reset()
        }

        impl_core! {
            [C: Compressor, O: $OutputBounds + 'static, B: $BlockBounds + 'static]
            SizedCore<C, O, B>, "Sumhash", O, B, where [$($bounds)*];
            |core: &mut Self, blocks: &[DigestBlock<Self>]| {
                for block in blocks {
                    core.core.update_blocks(block);
                }
            },
            |core: &mut Self, rest: &[u8]| core.core.finalize(rest),
            |core: &mut Self| core.core.reset()
        }
    };
}

#[cfg(feature = "digest")]
pub(crate) mod digest_0_11 {
    use core::fmt;

    use digest::array::{Array, ArraySize};
    use digest::block_api::{
        AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, Eager,
        FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
    };
    use digest::block_buffer::BlockSizes;
    use digest::consts::U64;
    use digest::{HashMarker, Output};

    use super::SizedCore;
    use crate::construction::Compressor;
    use crate::core512::Sumhash512Core;
    use crate::{Backend, Block};

    digest::buffer_fixed!(
        /// A hasher for the traits of `digest` 0.11 with a core of your own: with your table, or
        /// a salt. Without one, it is [`Sumhash512`].
        ///
        /// ```
        /// use sumhash512::digest::Digest;
        /// use sumhash512::{Sumhash512, Sumhash512Core, Sumhash512With, Table};
        ///
        /// let table = Table::new();
        /// let mut hasher = Sumhash512With::from(Sumhash512Core::with_table(&table));
        /// hasher.update(b"MB");
        /// assert_eq!(hasher.finalize(), Sumhash512::digest(b"MB"));
        /// drop(table);
        /// ```
        pub struct Sumhash512With<'t>(Sumhash512Core<'t>);
        impl: BaseFixedTraits AlgorithmName Default Clone HashMarker Reset FixedOutputReset;
    );

    /// sumhash512 for the traits of `digest` 0.11.
    ///
    /// ```
    /// use sumhash512::Sumhash512;
    /// use sumhash512::digest::Digest;
    ///
    /// let digest = Sumhash512::new().chain_update(b"MB").finalize();
    /// assert_eq!(digest[..4], [0xc1, 0xa3, 0x59, 0xd3]);
    /// ```
    pub type Sumhash512 = Sumhash512With<'static>;

    impl<'t> From<Sumhash512Core<'t>> for Sumhash512With<'t> {
        /// Continues after the blocks that the core has hashed.
        fn from(core: Sumhash512Core<'t>) -> Self {
            Self { core, buffer: Buffer::<Sumhash512Core<'t>>::default() }
        }
    }

    impl Sumhash512With<'_> {
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

    impl_cores!(ArraySize, BlockSizes, where []);
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
// `digest` 0.10 has no other names for these types, which generic-array 0.14.9 deprecates.
#[allow(deprecated, reason = "the names are those that `digest` 0.10 needs")]
pub mod digest_0_10 {
    use core::fmt;

    pub use ::digest_0_10 as digest;
    use digest::block_buffer::Eager;
    use digest::consts::U64;
    use digest::core_api::{
        AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, CoreWrapper,
        FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
    };
    use digest::generic_array::{ArrayLength, GenericArray};
    use digest::typenum::{IsLess, Le, NonZero, U256};
    use digest::{HashMarker, Output};

    use super::SizedCore;
    use crate::construction::Compressor;
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

    impl_cores!(ArrayLength<u8>, ArrayLength<u8>, where [B: IsLess<U256>, Le<B, U256>: NonZero]);
}
