//! Hashes the blocks of the data and of every level above.

use alloc::vec;
use alloc::vec::Vec;

use super::Parameters;
use super::hash::{BATCH, Digest, Salted};

/// The blocks of a level that are hashed together: more with several threads.
const HELD: usize = if cfg!(feature = "rayon") { 16 * BATCH } else { BATCH };

/// A block of a tree: digests end to end, and zeros after the last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeBlock<'b> {
    /// The level, from 0 above the data.
    pub level: usize,
    /// The number of the block in its level.
    pub index: u64,
    /// Its bytes.
    pub bytes: &'b [u8],
}

/// Hashes data that arrives in parts, block by block, up to the root.
#[derive(Clone, Debug)]
pub struct BlockHasher {
    parameters: Parameters,
    hash: Salted,
    /// The data, and the levels above.
    levels: Vec<Level>,
    data_len: u64,
}

/// The bytes of a level that are not hashed yet.
#[derive(Clone, Debug, Default)]
struct Level {
    bytes: Vec<u8>,
    /// The blocks before them.
    hashed: u64,
}

impl BlockHasher {
    pub(super) fn new(parameters: Parameters) -> Self {
        let (hash, levels) = (parameters.salted(), vec![Level::default()]);
        Self { parameters, hash, levels, data_len: 0 }
    }

    /// The bytes of data so far.
    #[must_use]
    pub const fn data_len(&self) -> u64 {
        self.data_len
    }

    /// The next bytes of the data. Passes each block of the tree that is full, and not the last one
    /// of its level so far, to `sink`.
    pub fn update(&mut self, mut bytes: &[u8], mut sink: impl FnMut(TreeBlock<'_>)) {
        self.data_len += bytes.len() as u64;
        let held = HELD * self.parameters.block_size;
        while !bytes.is_empty() {
            // Whole batches are hashed where they are.
            if self.levels[0].bytes.is_empty() && bytes.len() > held {
                let (batch, rest) = bytes.split_at(held);
                let digests = self.hash_blocks(batch);
                self.levels[0].hashed += HELD as u64;
                self.push(1, &digests, &mut sink);
                bytes = rest;
                continue;
            }
            if self.levels[0].bytes.len() == held {
                self.flush(0, &mut sink);
            }
            let room = held - self.levels[0].bytes.len();
            let (part, rest) = bytes.split_at(room.min(bytes.len()));
            self.levels[0].bytes.extend_from_slice(part);
            bytes = rest;
        }
    }

    /// The root, or `None` if there is no data. Passes the last blocks of the tree to `sink`.
    #[must_use]
    pub fn finalize(mut self, mut sink: impl FnMut(TreeBlock<'_>)) -> Option<Digest> {
        if self.data_len == 0 {
            return None;
        }
        let size = self.parameters.block_size;
        let mut level = 0;
        loop {
            let here = &mut self.levels[level];
            let blocks = here.bytes.len().div_ceil(size);
            here.bytes.resize(blocks * size, 0);
            if here.hashed == 0 && blocks == 1 {
                let bytes = core::mem::take(&mut here.bytes);
                if let Some(level) = level.checked_sub(1) {
                    sink(TreeBlock { level, index: 0, bytes: &bytes });
                }
                return Some(self.hash_blocks(&bytes)[0]);
            }
            self.flush(level, &mut sink);
            level += 1;
        }
    }

    fn hash_blocks(&self, bytes: &[u8]) -> Vec<Digest> {
        let size = self.parameters.block_size;
        let mut digests = vec![Digest::zeros(self.parameters.algorithm); bytes.len() / size];
        self.hash.hash(bytes, size, &mut digests);
        digests
    }

    /// Hashes the whole blocks that a level holds.
    fn flush(&mut self, level: usize, sink: &mut impl FnMut(TreeBlock<'_>)) {
        let size = self.parameters.block_size;
        let bytes = core::mem::take(&mut self.levels[level].bytes);
        if let Some(level_above_data) = level.checked_sub(1) {
            for (index, bytes) in (self.levels[level].hashed..).zip(bytes.chunks_exact(size)) {
                sink(TreeBlock { level: level_above_data, index, bytes });
            }
        }
        let digests = self.hash_blocks(&bytes);
        self.levels[level].hashed += digests.len() as u64;
        // The memory serves the next blocks.
        self.levels[level].bytes = bytes;
        self.levels[level].bytes.clear();
        self.push(level + 1, &digests, sink);
    }

    /// Adds digests to a level above the data. A full level is hashed when more come.
    fn push(&mut self, level: usize, digests: &[Digest], sink: &mut impl FnMut(TreeBlock<'_>)) {
        if self.levels.len() == level {
            self.levels.push(Level::default());
        }
        for digest in digests {
            if self.levels[level].bytes.len() == HELD * self.parameters.block_size {
                self.flush(level, sink);
            }
            self.levels[level].bytes.extend_from_slice(digest.as_bytes());
        }
    }
}
