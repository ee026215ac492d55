//! Digest types for the traits of `digest` 0.11.

use core::fmt;

use digest::array::Array;
use digest::block_api::{
    AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, Eager,
    FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
};
#[cfg(feature = "statics")]
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::U64;
#[cfg(feature = "statics")]
use digest::consts::{U8, U72, U136};
use digest::{HashMarker, Output};

use crate::core512::Sumhash512Core;
#[cfg(feature = "statics")]
use crate::core512::Sumhash512CtCore;
use crate::digest_traits::impl_core;
use crate::salted::SaltedSumhash512Core;
use crate::table::Table;
use crate::{Backend, Block};

#[cfg(feature = "statics")]
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

#[cfg(feature = "statics")]
digest::buffer_fixed!(
    /// sumhash512 in constant time, for the traits of `digest` 0.11.
    ///
    /// No branch and no address depends on a message. It computes the same digests as
    /// [`Sumhash512`], and all hashers in a process share one table.
    ///
    /// ```
    /// use sumhash512::Sumhash512Ct;
    /// use sumhash512::digest::Digest;
    ///
    /// let digest = Sumhash512Ct::new().chain_update(b"MB").finalize();
    /// assert_eq!(digest[..4], [0xc1, 0xa3, 0x59, 0xd3]);
    /// ```
    pub struct Sumhash512Ct(Sumhash512CtCore);
    impl: FixedHashTraits;
);

#[cfg(feature = "statics")]
digest::buffer_fixed!(
    /// sumhash512 with a salt, for the traits of `digest` 0.11.
    ///
    /// It does not implement `Default`, and therefore not `Digest`, because it needs a salt.
    ///
    /// ```
    /// use sumhash512::SaltedSumhash512;
    /// use sumhash512::digest::{FixedOutput, Update};
    ///
    /// let digest = SaltedSumhash512::new(&[7; 64]).chain(b"message").finalize_fixed();
    /// assert_ne!(digest, SaltedSumhash512::new(&[8; 64]).chain(b"message").finalize_fixed());
    /// ```
    pub struct SaltedSumhash512(SaltedSumhash512Core<'static>);
    impl: BaseFixedTraits AlgorithmName Clone HashMarker Reset FixedOutputReset SerializableState ZeroizeOnDrop;
);

digest::buffer_fixed!(
    /// [`Sumhash512`](crate::Sumhash512) with your own [`Table`].
    ///
    /// ```
    /// use sumhash512::digest::{FixedOutput, Update};
    /// use sumhash512::{Sumhash512With, Table};
    ///
    /// let table = Table::constant_time();
    /// let digest = Sumhash512With::new(&table).chain(b"MB").finalize_fixed();
    /// assert_eq!(digest[..4], [0xc1, 0xa3, 0x59, 0xd3]);
    /// ```
    pub struct Sumhash512With<'t>(Sumhash512Core<'t>);
    impl: BaseFixedTraits AlgorithmName Clone HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

digest::buffer_fixed!(
    /// [`SaltedSumhash512`](crate::SaltedSumhash512) with your own [`Table`].
    ///
    /// It is in constant time with [`Table::constant_time`].
    pub struct SaltedSumhash512With<'t>(SaltedSumhash512Core<'t>);
    impl: BaseFixedTraits AlgorithmName Clone HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

#[cfg(feature = "statics")]
impl SaltedSumhash512 {
    /// Starts a message with this salt.
    #[must_use]
    pub fn new(salt: &Block) -> Self {
        Self {
            core: SaltedSumhash512Core::new(salt),
            buffer: Buffer::<SaltedSumhash512Core<'_>>::default(),
        }
    }
}

impl<'t> Sumhash512With<'t> {
    /// Starts a message with this table.
    #[must_use]
    pub fn new(table: &'t Table) -> Self {
        Self {
            core: Sumhash512Core::with_table(table),
            buffer: Buffer::<Sumhash512Core<'_>>::default(),
        }
    }
}

impl<'t> SaltedSumhash512With<'t> {
    /// Starts a message with this table and salt.
    #[must_use]
    pub fn new(table: &'t Table, salt: &Block) -> Self {
        Self {
            core: SaltedSumhash512Core::with_table(table, salt),
            buffer: Buffer::<SaltedSumhash512Core<'_>>::default(),
        }
    }
}

/// Implements `with_backend` for digest types.
macro_rules! impl_with_backend {
    ($($(#[$condition:meta])? $digest:ty),+) => {
        $(
            $(#[$condition])?
            impl $digest {
                /// Replaces the detected backend with `backend`.
                #[must_use]
                pub fn with_backend(mut self, backend: Backend) -> Self {
                    self.core = self.core.with_backend(backend);
                    self
                }
            }
        )+
    };
}
impl_with_backend!(
    #[cfg(feature = "statics")]
    Sumhash512,
    #[cfg(feature = "statics")]
    Sumhash512Ct,
    #[cfg(feature = "statics")]
    SaltedSumhash512,
    Sumhash512With<'_>,
    SaltedSumhash512With<'_>
);

/// Calls `hash` with all blocks, as arrays.
#[inline]
fn hash_arrays(blocks: &[Array<u8, U64>], hash: impl FnOnce(&[Block])) {
    hash(Array::cast_slice_to_core(blocks));
}

impl_core!(Sumhash512Core<'_>; "Sumhash512");
#[cfg(feature = "statics")]
impl_core!(Sumhash512CtCore, field 0; "Sumhash512");
impl_core!(SaltedSumhash512Core<'_>; "SaltedSumhash512");

/// The maximum number of blocks in a state: 2^64 bytes.
#[cfg(feature = "statics")]
const MAX_BLOCKS: u64 = 1 << 58;

/// Saves a core as the state, followed by the number of blocks as a little-endian 64-bit integer.
#[cfg(feature = "statics")]
macro_rules! impl_serializable_state {
    ($core:ty $(, field $field:tt)?) => {
        impl SerializableState for $core {
            type SerializedStateSize = U72;

            fn serialize(&self) -> SerializedState<Self> {
                let core = &self $(.$field)?;
                Array::<u8, U64>(*core.state()).concat(Array::<u8, U8>(core.blocks().to_le_bytes()))
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (state, blocks) = serialized.split_ref::<U64>();
                let blocks = u64::from_le_bytes(blocks.0);
                // The state is zero before the first block.
                if blocks > MAX_BLOCKS || (blocks == 0 && state.0 != [0; 64]) {
                    return Err(DeserializeStateError);
                }
                let mut core = Self::new();
                core $(.$field)? .resume(state.0, blocks);
                Ok(core)
            }
        }
    };
}
#[cfg(feature = "statics")]
impl_serializable_state!(Sumhash512Core<'static>);
#[cfg(feature = "statics")]
impl_serializable_state!(Sumhash512CtCore, field 0);

/// The same, followed by the salt.
#[cfg(feature = "statics")]
impl SerializableState for SaltedSumhash512Core<'static> {
    type SerializedStateSize = U136;

    fn serialize(&self) -> SerializedState<Self> {
        self.core().serialize().concat(Array::<u8, U64>(*self.salt()))
    }

    fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (core, salt) = serialized.split_ref::<U72>();
        let core = Sumhash512Core::deserialize(core)?;
        // Every state includes the block of zeros before the message.
        if core.blocks() == 0 {
            return Err(DeserializeStateError);
        }
        Ok(Self::from_parts(core, salt.0))
    }
}
