//! Hashes a file for a torrent, part by part.

use alloc::vec::Vec;

use super::{BLOCK_BYTES, FileHashes, Hash, PieceLength, append_layer, hash_blocks};
use crate::fold::fold;
use crate::hasher::{NodeHasher, levels_above};

/// The number of bytes buffered before hashing, to give every lane a block.
const BYTES_AT_ONCE: usize = 32 * BLOCK_BYTES;

/// The number of leaves buffered before hashing.
const LEAVES_AT_ONCE_LOG2: u32 = 12;

/// Computes the pieces root and the piece layer of a file incrementally.
///
/// Memory use is at most half a MiB of data, fewer than 8192 leaves, and the piece layer. For
/// pieces larger than 64 MiB, it also keeps one node per 64 MiB.
#[derive(Clone, Debug)]
pub struct FileHasher<H> {
    hasher: H,
    piece_length: PieceLength,
    length: u64,
    /// The last bytes, whose blocks have not been hashed.
    buffer: Vec<u8>,
    /// The hashes of the last blocks.
    leaves: Vec<Hash>,
    /// The nodes on level [`Self::subtree_height`] above all earlier leaves.
    subtrees: Vec<Hash>,
}

impl<H: NodeHasher<Node = Hash>> FileHasher<H> {
    /// Creates a hasher for an empty file. `hasher` is [`Bep52`](super::Bep52) or
    /// `Parallel(Bep52::new())`, which keeps several cores busy if each update has several MiB.
    pub const fn new(hasher: H, piece_length: PieceLength) -> Self {
        Self {
            hasher,
            piece_length,
            length: 0,
            buffer: Vec::new(),
            leaves: Vec::new(),
            subtrees: Vec::new(),
        }
    }

    /// Appends any number of bytes.
    pub fn update(&mut self, mut data: &[u8]) {
        self.length += data.len() as u64;
        if !self.buffer.is_empty() {
            let (now, later) = data.split_at(data.len().min(BYTES_AT_ONCE - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            data = later;
            if self.buffer.len() == BYTES_AT_ONCE {
                let buffer = core::mem::take(&mut self.buffer);
                self.append(&buffer);
                self.buffer = buffer;
                self.buffer.clear();
            }
        }
        // Whole batches are hashed in place, without copying.
        let (now, later) = data.split_at(data.len() - data.len() % BYTES_AT_ONCE);
        for now in now.chunks(BLOCK_BYTES << LEAVES_AT_ONCE_LOG2) {
            self.append(now);
        }
        self.buffer.extend_from_slice(later);
    }

    /// The number of bytes so far.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The hashes of the file with the bytes so far.
    #[must_use]
    pub fn finish(mut self) -> FileHashes {
        let buffer = core::mem::take(&mut self.buffer);
        self.append(&buffer);

        let (hasher, piece_length) = (&self.hasher, self.piece_length);
        let (height, top) = (self.subtree_height(), piece_length.level());
        let mut piece_layer = Vec::new();
        let pieces_root = if self.length == 0 {
            None
        } else if self.subtrees.is_empty() && self.length <= piece_length.bytes() {
            Some(fold(hasher, &self.leaves, 0, levels_above(self.leaves.len() as u64)))
        } else {
            append_layer(hasher, &self.leaves, 0, height, &mut self.subtrees);
            let nodes = if self.length <= piece_length.bytes() {
                &self.subtrees
            } else {
                append_layer(hasher, &self.subtrees, height, top - height, &mut piece_layer);
                &piece_layer
            };
            let level = if piece_layer.is_empty() { height } else { top };
            Some(fold(hasher, nodes, level, level + levels_above(nodes.len() as u64)))
        };
        FileHashes::new(piece_length, self.length, pieces_root, piece_layer)
    }

    /// The height of the subtrees that leaves are hashed into once there are enough of them.
    fn subtree_height(&self) -> u32 {
        self.piece_length.level().min(LEAVES_AT_ONCE_LOG2)
    }

    /// Hashes blocks. All of them are whole, except the last one of the file.
    fn append(&mut self, data: &[u8]) {
        self.leaves.extend(hash_blocks(&self.hasher, data));
        if self.leaves.len() >= 1 << LEAVES_AT_ONCE_LOG2 {
            let height = self.subtree_height();
            let whole = self.leaves.len() >> height << height;
            append_layer(&self.hasher, &self.leaves[..whole], 0, height, &mut self.subtrees);
            self.leaves.drain(..whole);
        }
    }
}
