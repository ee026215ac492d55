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

use digest::consts::U64;
use digest::core_api::{
    AlgorithmName, Block as DigestBlock, BlockSizeUser, Buffer, BufferKindUser, CoreWrapper,
    FixedOutputCore, OutputSizeUser, Reset, UpdateCore,
};
use digest::{HashMarker, Output};
pub use digest_0_10 as digest;

use crate::BLOCK_BYTES;
use crate::core512::Sumhash512Core;
use crate::salted::SaltedSumhash512Core;

/// sumhash512 for the traits of `digest` 0.10.
#[cfg(feature = "statics")]
pub type Sumhash512 = CoreWrapper<Sumhash512Core<'static>>;

/// sumhash512 with a salt, for the traits of `digest` 0.10.
///
/// Construct it with `SaltedSumhash512::from_core`.
pub type SaltedSumhash512<'t> = CoreWrapper<SaltedSumhash512Core<'t>>;

/// The number of blocks copied into a buffer before they are hashed.
///
/// The copy is needed because a slice of `GenericArray` cannot be cast to a slice of arrays.
const COPIED_AT_ONCE: usize = 8;

/// Implements the traits for a core.
macro_rules! impl_traits {
    ($core:ident, $name:literal) => {
        impl HashMarker for $core<'_> {}

        impl AlgorithmName for $core<'_> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }

        impl BlockSizeUser for $core<'_> {
            type BlockSize = U64;
        }

        impl BufferKindUser for $core<'_> {
            type BufferKind = digest::block_buffer::Eager;
        }

        impl OutputSizeUser for $core<'_> {
            type OutputSize = U64;
        }

        impl UpdateCore for $core<'_> {
            #[inline]
            fn update_blocks(&mut self, blocks: &[DigestBlock<Self>]) {
                let mut copies = [[0; BLOCK_BYTES]; COPIED_AT_ONCE];
                for blocks in blocks.chunks(COPIED_AT_ONCE) {
                    for (copy, block) in copies.iter_mut().zip(blocks) {
                        copy.copy_from_slice(block);
                    }
                    self.update_blocks(&copies[..blocks.len()]);
                }
            }
        }

        impl FixedOutputCore for $core<'_> {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize(buffer.get_data()));
            }
        }

        impl Reset for $core<'_> {
            fn reset(&mut self) {
                self.reset();
            }
        }
    };
}
impl_traits!(Sumhash512Core, "Sumhash512");
impl_traits!(SaltedSumhash512Core, "SaltedSumhash512");
