//! Merkle trees of BitTorrent v2: [BEP 52](https://www.bittorrent.org/beps/bep_0052.html).
//!
//! A file is split into blocks of 16 KiB, whose hashes are the leaves of its tree. The root of the
//! tree is the file's `pieces root`. The level with one node per piece is the *piece layer*, which
//! allows pieces to be verified independently.
//!
//! ```
//! use merkle_lanes::bep52::{Bep52, FileHasher, FileHashes, PieceLength};
//!
//! let piece_length = PieceLength::new(32 << 10)?;
//! let content = vec![7; 100_000];
//!
//! // Creating a torrent:
//! let mut hasher = FileHasher::new(Bep52::new(), piece_length);
//! hasher.update(&content);
//! let made = hasher.finish();
//! let layer: Vec<u8> = made.piece_layer().concat();
//!
//! // Checking it: verify the piece layer before reading any data, then the pieces one by one.
//! let root = made.pieces_root();
//! let file = FileHashes::verified(&Bep52::new(), piece_length, 100_000, root, &layer)?;
//! assert_eq!(file.pieces(), 4);
//! let (first, last) = (&content[..32 << 10], &content[3 * (32 << 10)..]);
//! let results = file.verify_pieces(&Bep52::new(), &[(0, first), (3, last)]);
//! assert_eq!(results, [Ok(()), Ok(())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file_hasher;
mod file_hashes;

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;

pub use file_hasher::FileHasher;
pub use file_hashes::{FileHashes, LayerError, PieceError};

use crate::fold::fold;
use crate::hasher::{NodeHasher, Odd};
use crate::sha256::{self, Plain};
use crate::ssz::zero_hash;

/// The size of a block in bytes. The hash of a block is a leaf.
pub const BLOCK_BYTES: usize = 1 << 14;

/// A leaf, node or root.
pub type Hash = [u8; 32];

/// The trees of BitTorrent v2. A leaf is the SHA-256 of a block, a node the SHA-256 of its
/// children. Missing leaves are zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bep52 {
    backend: Backend,
}

sha256::constructors!(Bep52);

crate::hasher::hash_node!([] Bep52, Hash);

impl NodeHasher for Bep52 {
    type Node = Hash;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// The root of `2^level` zero leaves.
    ///
    /// # Panics
    ///
    /// Panics if `level` is greater than 63.
    #[track_caller]
    fn missing(&self, level: u32) -> Hash {
        zero_hash(level)
    }

    /// Zeros, as a placeholder: an empty file has no root.
    fn empty_root(&self) -> Hash {
        [0; 32]
    }

    /// Hashes blocks of [`BLOCK_BYTES`] each. Only the last block of a file may be shorter.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, blocks: &[M], leaves: &mut [Hash]) {
        Sha256Lanes::on(self.backend).hash_many_into(blocks, leaves);
    }

    sha256::levels!(Plain);
}

/// The `piece length` of a torrent: a power of two, at least the size of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceLength {
    /// The height of the piece layer above the leaves: log2 of the blocks per piece.
    height: u32,
}

/// The error for an invalid piece length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLengthError(pub u64);

error_messages!(PieceLengthError {
    Self(bytes) => "a piece length of {bytes} bytes is not a power of two of at least 16 KiB";
});

impl PieceLength {
    /// Creates a piece length from bytes.
    ///
    /// # Errors
    ///
    /// Returns [`PieceLengthError`] if `bytes` is not a power of two or is less than
    /// [`BLOCK_BYTES`].
    pub const fn new(bytes: u64) -> Result<Self, PieceLengthError> {
        if bytes.is_power_of_two() && bytes >= BLOCK_BYTES as u64 {
            Ok(Self { height: bytes.trailing_zeros() - BLOCK_BYTES.trailing_zeros() })
        } else {
            Err(PieceLengthError(bytes))
        }
    }

    /// The length in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        (BLOCK_BYTES as u64) << self.height
    }

    /// The number of blocks in a piece.
    #[must_use]
    pub const fn blocks(self) -> u64 {
        1 << self.height
    }

    /// The level of the piece layer; 0 for the leaves.
    #[must_use]
    pub const fn level(self) -> u32 {
        self.height
    }
}

impl TryFrom<u64> for PieceLength {
    type Error = PieceLengthError;

    fn try_from(bytes: u64) -> Result<Self, PieceLengthError> {
        Self::new(bytes)
    }
}

/// Hashes data that starts at a block boundary into leaves. If it ends within a block, that must be
/// the end of the file.
pub fn hash_blocks<H: NodeHasher<Node = Hash>>(hasher: &H, data: &[u8]) -> Vec<Hash> {
    let blocks: Vec<&[u8]> = data.chunks(BLOCK_BYTES).collect();
    let mut leaves = vec![[0; 32]; blocks.len()];
    hasher.hash_leaves(&blocks, &mut leaves);
    leaves
}

/// Appends the ancestor of each run of `2^height` nodes of a level. The last run may be shorter.
fn append_layer<H>(hasher: &H, nodes: &[Hash], level: u32, height: u32, layer: &mut Vec<Hash>)
where
    H: NodeHasher<Node = Hash>,
{
    if height == 0 {
        return layer.extend_from_slice(nodes);
    }
    let mut edge = nodes;
    if let Some(complete @ 1..) = nodes.len().checked_shr(height) {
        let (whole, rest) = nodes.split_at(complete << height);
        let before = layer.len();
        layer.resize(before + complete, [0; 32]);
        hasher.hash_subtrees(whole, height, &mut layer[before..]);
        edge = rest;
    }
    if !edge.is_empty() {
        layer.push(fold(hasher, edge, level, level + height));
    }
}
