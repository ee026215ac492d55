//! The salted mode.

use core::fmt;

use crate::core512::Sumhash512Core;
use crate::padding::{bits, pad, padded_len};
use crate::table::Table;
use crate::{BLOCK_BYTES, Backend, Block, State};

/// How many blocks are salted before they are hashed.
const SALTED_AT_ONCE: usize = 8;

/// sumhash512 with a salt, of a message in whole blocks and a rest.
///
/// A block of zeros is put before the message, and each block, also of the padding, is combined
/// with the salt by exclusive or. A salt of zeros is not the same as no salt.
#[derive(Clone)]
pub struct SaltedSumhash512Core<'t> {
    core: Sumhash512Core<'t>,
    salt: Block,
}

#[cfg(feature = "statics")]
impl SaltedSumhash512Core<'static> {
    /// At the beginning of a message, with the table that all hashes share.
    #[must_use]
    pub fn new(salt: &Block) -> Self {
        Self::start(Sumhash512Core::new(), salt)
    }
}

impl<'t> SaltedSumhash512Core<'t> {
    /// At the beginning of a message, with a table of one's own.
    #[must_use]
    pub fn with_table(table: &'t Table, salt: &Block) -> Self {
        Self::start(Sumhash512Core::with_table(table), salt)
    }

    fn start(core: Sumhash512Core<'t>, salt: &Block) -> Self {
        let mut start = Self { core, salt: *salt };
        start.reset();
        start
    }

    /// The same with a backend of one's choice.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.set_backend(backend);
        self
    }

    pub(crate) fn set_backend(&mut self, backend: Backend) {
        self.core.set_backend(backend);
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

    /// The digest, after the message's last bytes.
    ///
    /// # Panics
    ///
    /// If `rest` is a whole block or more.
    #[track_caller]
    #[must_use]
    pub fn finalize(&self, rest: &[u8]) -> State {
        assert!(rest.len() < BLOCK_BYTES, "a rest of {} bytes has a whole block in it", rest.len());
        let mut last = [[0; BLOCK_BYTES]; 2];
        let last = &mut last[..padded_len(rest.len(), BLOCK_BYTES) / BLOCK_BYTES];
        let bytes = last.as_flattened_mut();
        bytes[..rest.len()].copy_from_slice(rest);
        pad(
            bytes,
            rest.len(),
            bits(u128::from(self.core.blocks()) * BLOCK_BYTES as u128 + rest.len() as u128),
        );

        let mut finished = self.clone();
        finished.update_unsalted(last);
        *finished.core.state()
    }

    /// Goes back to the beginning of a message.
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

    /// Goes on where another stood.
    #[cfg(all(feature = "statics", feature = "digest"))]
    pub(crate) fn from_parts(core: Sumhash512Core<'t>, salt: Block) -> Self {
        Self { core, salt }
    }
}

impl fmt::Debug for SaltedSumhash512Core<'_> {
    /// Without the state and the salt.
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
