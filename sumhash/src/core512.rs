//! sumhash512, block by block, without the digest traits.

use core::fmt;

use crate::Backend;
use crate::backend::Instructions;
use crate::table::{AnyLayout, Part, Table};
use crate::{BLOCK_BYTES, Block, State};

/// Length in bytes of the message length at the end of the last block.
const LENGTH_BYTES: usize = 16;

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
    /// The number of blocks hashed so far.
    blocks: u64,
    table: Source<'t>,
    instructions: Instructions,
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
        Self { state: [0; BLOCK_BYTES], blocks: 0, table, instructions }
    }

    /// Replaces the detected backend with `backend`.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.instructions = backend.into();
        self
    }

    /// Hashes the next blocks of the message.
    #[inline]
    pub fn update_blocks(&mut self, blocks: &[Block]) {
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

        // Zeros add nothing. Their positions follow from the length of the message.
        let state: Part<'_> = (0, if self.blocks == 0 { &[] } else { &self.state });
        let last: Part<'_> = (BLOCK_BYTES, &last[..=rest.len()]);
        let significant = length.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
        let length: Part<'_> = (2 * BLOCK_BYTES - LENGTH_BYTES, &length[..significant]);

        let (table, instructions) = self.table.get(self.instructions, 1);
        if last.1.len() <= BLOCK_BYTES - LENGTH_BYTES {
            table.sum(&instructions, &[state, last, length])
        } else {
            let state = table.sum(&instructions, &[state, last]);
            table.sum(&instructions, &[(0, &state), length])
        }
    }

    /// Starts a new message.
    pub fn reset(&mut self) {
        self.state = [0; BLOCK_BYTES];
        self.blocks = 0;
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
    /// Omits the state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sumhash512Core { ... }")
    }
}
