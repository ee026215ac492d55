//! Piece lengths.

use super::BLOCK_BYTES;

/// The `piece length` of a torrent: a power of two, at least the size of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceLength {
    /// The height of the piece layer above the leaves: log2 of the blocks per piece.
    height: u32,
}

/// The error for an invalid piece length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a piece length of {0} bytes is not a power of two of at least 16 KiB")]
pub struct PieceLengthError(pub u64);

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
