//! How long a piece is.

use super::BLOCK_BYTES;

/// The `piece length` of a torrent: a power of two, and a block at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceLength {
    /// How many levels the piece layer is above the leaves: log2 of the blocks of a piece.
    height: u32,
}

/// A length that no piece has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a piece length of {0} bytes is no power of two from 16 KiB on")]
pub struct PieceLengthError(pub u64);

impl PieceLength {
    /// A length in bytes.
    ///
    /// # Errors
    ///
    /// If it is no power of two, or less than [`BLOCK_BYTES`].
    pub const fn new(bytes: u64) -> Result<Self, PieceLengthError> {
        if bytes.is_power_of_two() && bytes >= BLOCK_BYTES as u64 {
            Ok(Self { height: bytes.trailing_zeros() - BLOCK_BYTES.trailing_zeros() })
        } else {
            Err(PieceLengthError(bytes))
        }
    }

    /// In bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        (BLOCK_BYTES as u64) << self.height
    }

    /// How many blocks a piece has.
    #[must_use]
    pub const fn blocks(self) -> u64 {
        1 << self.height
    }

    /// The level of the piece layer; that of the leaves is 0.
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
