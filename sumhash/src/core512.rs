//! sumhash512, block by block, without the digest traits.

use core::fmt;

use crate::Backend;
use crate::backend::Instructions;
use crate::table::{AnyLayout, Part, Table};
use crate::{BLOCK_BYTES, Block, State};

/// Length in bytes of the message length at the end of the last block.
const LENGTH_BYTES: usize = 16;

/// The number of blocks that are copied, with the salt, before they are hashed.
const SALTED_AT_ONCE: usize = 8;

/// sumhash512 of a message given as whole blocks and a remainder.
///
/// It buffers nothing. The digest types are built on it.
///
/// ```
/// use sumhash512::{Sumhash512Core, Sumhash512Lanes, Table};
///
/// let table = Table::new();
/// let message = [7; 150];
/// let (blocks, rest) = message.as_chunks();
/// let mut core = Sumhash512Core::with_table(&table);
/// core.update_blocks(blocks);
/// let digest = core.finalize(rest);
///
/// assert_eq!(Sumhash512Lanes::with_table(&table).hash_many([message]), [digest]);
/// ```
#[derive(Clone)]
pub struct Sumhash512Core<'t> {
    state: State,
    /// The number of blocks hashed so far, including the one that a salt puts before the message.
    blocks: u64,
    table: Source<'t>,
    instructions: Instructions,
    /// Combined with each block by XOR in the salted mode.
    salt: Option<Block>,
}

/// The table to look up sums in.
#[derive(Clone, Copy)]
pub(crate) enum Source<'t> {
    Shared,
    Table(&'t Table),
}

impl Source<'_> {
    /// The table for the next blocks, and the instructions to use with it.
    #[inline]
    pub(crate) fn get(
        &self,
        instructions: Instructions,
        blocks: usize,
    ) -> (&AnyLayout, Instructions) {
        match self {
            Self::Shared => crate::shared::table(instructions, blocks),
            Self::Table(table) => (&table.0, instructions),
        }
    }
}

impl Sumhash512Core<'static> {
    /// Starts a message with the shared table.
    #[must_use]
    pub fn new() -> Self {
        Self::start(Source::Shared, Instructions::detect())
    }
}

impl<'t> Sumhash512Core<'t> {
    /// Starts a message with your own table.
    #[must_use]
    pub fn with_table(table: &'t Table) -> Self {
        Self::start(Source::Table(table), Instructions::detect())
    }

    pub(crate) fn start(table: Source<'t>, instructions: Instructions) -> Self {
        Self { state: [0; BLOCK_BYTES], blocks: 0, table, instructions, salt: None }
    }

    /// Replaces the detected backend with `backend`.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.instructions = backend.into();
        self
    }

    /// Starts a new message in the salted mode of the specification: a block of zeros precedes the
    /// message and counts in its length, and every block, that one and the padding included, is
    /// combined with the salt by XOR. It is `New512(salt)` of go-sumhash.
    ///
    /// Nothing on Algorand's networks uses it. A salt of zeros is not the unsalted mode.
    ///
    /// ```
    /// use sumhash512::Sumhash512Core;
    ///
    /// let salted = Sumhash512Core::new().with_salt(&[7; 64]);
    /// assert_ne!(salted.finalize(b"MB"), Sumhash512Core::new().finalize(b"MB"));
    /// ```
    #[must_use]
    pub fn with_salt(mut self, salt: &Block) -> Self {
        self.salt = Some(*salt);
        self.reset();
        self
    }

    /// Hashes the next blocks of the message.
    #[inline]
    pub fn update_blocks(&mut self, blocks: &[Block]) {
        match self.salt {
            None => self.chain(blocks),
            Some(salt) => self.chain_salted(blocks, &salt),
        }
    }

    fn chain_salted(&mut self, blocks: &[Block], salt: &Block) {
        let mut salted = [[0; BLOCK_BYTES]; SALTED_AT_ONCE];
        for blocks in blocks.chunks(SALTED_AT_ONCE) {
            let salted = &mut salted[..blocks.len()];
            salted.copy_from_slice(blocks);
            for block in &mut *salted {
                for (byte, salt) in block.iter_mut().zip(salt) {
                    *byte ^= salt;
                }
            }
            self.chain(salted);
        }
    }

    #[inline]
    fn chain(&mut self, blocks: &[Block]) {
        let (table, instructions) = self.table.get(self.instructions, blocks.len());
        table.chain(&instructions, &mut self.state, blocks, self.blocks == 0);
        self.blocks += blocks.len() as u64;
    }

    /// Returns the digest. `rest` is the end of the message, after the last whole block.
    ///
    /// # Panics
    ///
    /// Panics if `rest.len() >= 64`.
    #[track_caller]
    #[must_use]
    pub fn finalize(&self, rest: &[u8]) -> State {
        assert!(
            rest.len() < BLOCK_BYTES,
            "`rest` is {} bytes long, but must be shorter than a block ({BLOCK_BYTES} bytes); pass \
             whole blocks to `update_blocks`",
            rest.len()
        );
        let mut last = [0; BLOCK_BYTES];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        let bytes = u128::from(self.blocks) * BLOCK_BYTES as u128 + rest.len() as u128;
        let length: [u8; LENGTH_BYTES] = (8 * bytes).to_le_bytes();
        let fits = rest.len() < BLOCK_BYTES - LENGTH_BYTES;
        if self.salt.is_some() {
            let mut padded = [last, [0; BLOCK_BYTES]];
            let padded = &mut padded[..if fits { 1 } else { 2 }];
            let start = padded.as_flattened().len() - LENGTH_BYTES;
            padded.as_flattened_mut()[start..].copy_from_slice(&length);
            let mut core = self.clone();
            core.update_blocks(padded);
            return core.state;
        }

        // Zeros add nothing. Their positions follow from the length of the message.
        let state: Part<'_> = (0, if self.blocks == 0 { &[] } else { &self.state });
        let last: Part<'_> = (BLOCK_BYTES, &last[..=rest.len()]);
        let significant = length.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
        let length: Part<'_> = (2 * BLOCK_BYTES - LENGTH_BYTES, &length[..significant]);

        let (table, instructions) = self.table.get(self.instructions, 1);
        if fits {
            table.sum(&instructions, &[state, last, length])
        } else {
            let state = table.sum(&instructions, &[state, last]);
            table.sum(&instructions, &[(0, &state), length])
        }
    }

    /// Starts a new message, with the same table and salt.
    pub fn reset(&mut self) {
        self.state = [0; BLOCK_BYTES];
        self.blocks = 0;
        if self.salt.is_some() {
            self.update_blocks(&[[0; BLOCK_BYTES]]);
        }
    }

    /// The state after the blocks so far.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Default for Sumhash512Core<'_> {
    fn default() -> Self {
        Self::start(Source::Shared, Instructions::detect())
    }
}

impl fmt::Debug for Sumhash512Core<'_> {
    /// Omits the state and the salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sumhash512Core { ... }")
    }
}
