//! sumhash512 with a salt, block by block, without the digest traits.

use core::fmt;

use crate::core512::Sumhash512Core;
use crate::padding::{assert_partial, last_blocks};
use crate::table::Table;
use crate::{BLOCK_BYTES, Backend, Block, State};

/// The number of blocks salted into a buffer before they are hashed.
const SALTED_AT_ONCE: usize = 8;

/// sumhash512 with a salt, of a message given as whole blocks and a remainder.
///
/// A block of zeros is prepended to the message, and each block, padding included, is combined
/// with the salt by XOR. A salt of zeros is not the same as no salt.
#[derive(Clone)]
pub struct SaltedSumhash512Core<'t> {
    core: Sumhash512Core<'t>,
    salt: Block,
}

#[cfg(feature = "statics")]
impl SaltedSumhash512Core<'static> {
    /// Starts a message with the shared table.
    #[must_use]
    pub fn new(salt: &Block) -> Self {
        Self::start(Sumhash512Core::new(), salt)
    }
}

impl<'t> SaltedSumhash512Core<'t> {
    /// Starts a message with your own table.
    #[must_use]
    pub fn with_table(table: &'t Table, salt: &Block) -> Self {
        Self::start(Sumhash512Core::with_table(table), salt)
    }

    fn start(core: Sumhash512Core<'t>, salt: &Block) -> Self {
        let mut start = Self { core, salt: *salt };
        start.reset();
        start
    }

    /// Replaces the detected backend with `backend`.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.core.set_backend(backend);
        self
    }

    /// Hashes the next blocks of the message.
    pub fn update_blocks(&mut self, blocks: &[Block]) {
        let mut salted = [[0; BLOCK_BYTES]; SALTED_AT_ONCE];
        for blocks in blocks.chunks(SALTED_AT_ONCE) {
            let salted = &mut salted[..blocks.len()];
            salted.copy_from_slice(blocks);
            self.update_unsalted(salted);
        }
    }

    /// Salts the blocks and hashes them.
    fn update_unsalted(&mut self, blocks: &mut [Block]) {
        for block in &mut *blocks {
            for (byte, salt) in block.iter_mut().zip(&self.salt) {
                *byte ^= salt;
            }
        }
        self.core.update_blocks(blocks);
    }

    /// Returns the digest. `rest` is the end of the message, after the last whole block.
    ///
    /// # Panics
    ///
    /// Panics if `rest.len() >= 64`.
    #[track_caller]
    #[must_use]
    pub fn finalize(&self, rest: &[u8]) -> State {
        assert_partial(rest);
        let len = u128::from(self.core.blocks()) * BLOCK_BYTES as u128 + rest.len() as u128;
        let mut last = [[0; BLOCK_BYTES]; 2];
        let mut finished = self.clone();
        finished.update_unsalted(last_blocks(&mut last, rest, len));
        *finished.core.state()
    }

    /// Starts a new message with the same salt.
    pub fn reset(&mut self) {
        self.core.reset();
        self.update_unsalted(&mut [[0; BLOCK_BYTES]]);
    }

    /// The salt.
    #[must_use]
    pub fn salt(&self) -> &Block {
        &self.salt
    }

    #[cfg(all(feature = "statics", feature = "digest"))]
    pub(crate) fn core(&self) -> &Sumhash512Core<'t> {
        &self.core
    }

    /// Resumes from a saved state.
    #[cfg(all(feature = "statics", feature = "digest"))]
    pub(crate) fn from_parts(core: Sumhash512Core<'t>, salt: Block) -> Self {
        Self { core, salt }
    }
}

impl fmt::Debug for SaltedSumhash512Core<'_> {
    /// Omits the state and the salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaltedSumhash512Core { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl Drop for SaltedSumhash512Core<'_> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.salt);
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for SaltedSumhash512Core<'_> {}
