//! Verifies a file against its root and piece layer in a torrent.

use alloc::vec;
use alloc::vec::Vec;

use super::{BLOCK_BYTES, Hash, PieceLength, append_layer};
use crate::fold::fold;
use crate::hasher::{Node, NodeHasher, levels_above};

/// The pieces root of a file, and the hashes of its pieces that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHashes {
    piece_length: PieceLength,
    length: u64,
    pieces_root: Option<Hash>,
    /// Empty unless the file is larger than a piece.
    piece_layer: Vec<Hash>,
}

/// The error for a piece layer that does not fit the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerError {
    /// An empty file must have no pieces root; every other file must have one.
    Root {
        /// The length of the file in bytes.
        length: u64,
    },
    /// The layer does not have one hash per piece. A file no larger than a piece has none.
    WrongLength {
        /// The expected length in bytes, 32 per hash.
        expected: u128,
        /// The actual length in bytes.
        got: usize,
    },
    /// The hashes lead to a different root.
    WrongRoot,
}

error_messages!(LayerError {
    Self::Root { length } => "a file of {length} bytes {} a pieces root",
        if *length == 0 { "cannot have" } else { "needs" };
    Self::WrongLength { expected, got } => "expected a piece layer of {expected} bytes, got {got}";
    Self::WrongRoot => "the piece layer does not lead to the pieces root";
});

/// The error for data that does not match a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PieceError {
    /// The piece index is out of range.
    NoSuchPiece {
        /// The index of the piece within the file.
        index: u64,
        /// The number of pieces in the file.
        pieces: u64,
    },
    /// The data is longer or shorter than the piece.
    WrongLength {
        /// The index of the piece within the file.
        index: u64,
        /// The length of the piece in bytes.
        expected: u64,
        /// The actual number of bytes.
        got: usize,
    },
    /// The number of hashes differs from the number of blocks in the piece.
    WrongBlocks {
        /// The index of the piece within the file.
        index: u64,
        /// The number of blocks in the piece.
        expected: u64,
        /// The actual number of hashes.
        got: usize,
    },
    /// The data has a different hash.
    WrongHash {
        /// The index of the piece within the file.
        index: u64,
    },
}

error_messages!(PieceError {
    Self::NoSuchPiece { index, pieces } =>
        "piece index {index} is out of range for a file of {pieces} pieces";
    Self::WrongLength { index, expected, got } => "piece {index} has {expected} bytes, not {got}";
    Self::WrongBlocks { index, expected, got } => "piece {index} has {expected} blocks, not {got}";
    Self::WrongHash { index } => "piece {index} has the wrong hash";
});

impl FileHashes {
    /// Stores hashes that are known to match.
    pub(super) fn new(
        piece_length: PieceLength,
        length: u64,
        pieces_root: Option<Hash>,
        piece_layer: Vec<Hash>,
    ) -> Self {
        Self { piece_length, length, pieces_root, piece_layer }
    }

    /// Verifies what a torrent says about a file of `length` bytes. `pieces_root` is `None` for an
    /// empty file. `piece_layer` is the entry in `piece layers`, empty for a file no larger than a
    /// piece.
    ///
    /// # Errors
    ///
    /// Returns [`LayerError::Root`] if the root is missing or superfluous,
    /// [`LayerError::WrongLength`] if the layer has the wrong length, and [`LayerError::WrongRoot`]
    /// if it does not lead to the root.
    pub fn verified<H: NodeHasher<Node = Hash>>(
        hasher: &H,
        piece_length: PieceLength,
        length: u64,
        pieces_root: Option<Hash>,
        piece_layer: &[u8],
    ) -> Result<Self, LayerError> {
        if pieces_root.is_none() != (length == 0) {
            return Err(LayerError::Root { length });
        }
        let (hashes, _) = Hash::from_bytes(piece_layer);
        let file = Self::new(piece_length, length, pieces_root, hashes.to_vec());
        let hashes_expected = if length > piece_length.bytes() { file.pieces() } else { 0 };
        let expected = 32 * u128::from(hashes_expected);
        if piece_layer.len() as u128 != expected {
            return Err(LayerError::WrongLength { expected, got: piece_layer.len() });
        }
        if let Some(root) = piece_layer_root(hasher, piece_length, hashes)
            && Some(root) != pieces_root
        {
            return Err(LayerError::WrongRoot);
        }
        Ok(file)
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The length of its pieces.
    #[must_use]
    pub fn piece_length(&self) -> PieceLength {
        self.piece_length
    }

    /// The root of the file's tree. An empty file has none.
    #[must_use]
    pub fn pieces_root(&self) -> Option<Hash> {
        self.pieces_root
    }

    /// The hash of each piece. Empty for a file no larger than a piece.
    #[must_use]
    pub fn piece_layer(&self) -> &[Hash] {
        &self.piece_layer
    }

    /// The number of pieces. An empty file has none.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.length.div_ceil(self.piece_length.bytes())
    }

    /// The length of a piece in bytes. Only the last piece can be shorter than the others.
    ///
    /// # Errors
    ///
    /// Returns [`PieceError::NoSuchPiece`] if `index >= self.pieces()`.
    pub fn bytes_of_piece(&self, index: u64) -> Result<u64, PieceError> {
        let pieces = self.pieces();
        if index >= pieces {
            return Err(PieceError::NoSuchPiece { index, pieces });
        }
        Ok((self.length - index * self.piece_length.bytes()).min(self.piece_length.bytes()))
    }

    /// The hash of a piece: its entry in the piece layer, or the pieces root if it is the whole
    /// file.
    ///
    /// # Errors
    ///
    /// Returns [`PieceError::NoSuchPiece`] if `index >= self.pieces()`.
    pub fn hash_of_piece(&self, index: u64) -> Result<Hash, PieceError> {
        let pieces = self.pieces();
        let hash = match self.piece_layer.as_slice() {
            [] if index == 0 => self.pieces_root,
            layer => usize::try_from(index).ok().and_then(|index| layer.get(index).copied()),
        };
        hash.ok_or(PieceError::NoSuchPiece { index, pieces })
    }

    /// Verifies pieces, given by their indices within the file and their data. The `i`-th result is
    /// for the `i`-th piece. The blocks of all pieces are hashed in one call.
    #[must_use = "each result says whether its piece is right"]
    pub fn verify_pieces<H, D>(
        &self,
        hasher: &H,
        pieces: &[(u64, D)],
    ) -> Vec<Result<(), PieceError>>
    where
        H: NodeHasher<Node = Hash>,
        D: AsRef<[u8]>,
    {
        let mut results: Vec<_> =
            pieces.iter().map(|(index, data)| self.check_data(*index, data.as_ref())).collect();
        let (mut whole, mut short) = (Vec::new(), Vec::new());
        for (i, (_, data)) in pieces.iter().enumerate() {
            if results[i].is_ok() {
                let is_whole = data.as_ref().len() as u64 == self.piece_length.bytes();
                if is_whole { &mut whole } else { &mut short }.push(i);
            }
        }
        // Whole pieces come first: their trees have the same height, which allows one per lane.
        let order = || whole.iter().chain(&short).copied();
        let blocks: Vec<&[u8]> =
            order().flat_map(|i| pieces[i].1.as_ref().chunks(BLOCK_BYTES)).collect();
        let mut leaves = vec![[0; 32]; blocks.len()];
        hasher.hash_leaves(&blocks, &mut leaves);

        let (whole_leaves, mut rest) =
            leaves.split_at(whole.len() * self.piece_length.blocks() as usize);
        let mut hashes = Vec::with_capacity(pieces.len());
        append_layer(hasher, whole_leaves, 0, self.piece_length.level(), &mut hashes);
        for &i in &short {
            let (leaves, others) = rest.split_at(pieces[i].1.as_ref().len().div_ceil(BLOCK_BYTES));
            hashes.push(self.hash_of_leaves(hasher, leaves));
            rest = others;
        }
        for (i, hash) in order().zip(hashes) {
            results[i] = self.check_hash(pieces[i].0, &hash);
        }
        results
    }

    /// Verifies a piece by the hashes of its blocks, as returned by
    /// [`hash_blocks`](super::hash_blocks). This is for data that is not read and hashed piece by
    /// piece.
    ///
    /// # Errors
    ///
    /// Returns [`PieceError::NoSuchPiece`] if `index >= self.pieces()`, [`PieceError::WrongBlocks`]
    /// if the number of hashes is wrong, and [`PieceError::WrongHash`] if they lead to a different
    /// hash.
    pub fn verify_blocks<H>(
        &self,
        hasher: &H,
        index: u64,
        leaves: &[Hash],
    ) -> Result<(), PieceError>
    where
        H: NodeHasher<Node = Hash>,
    {
        let expected = self.bytes_of_piece(index)?.div_ceil(BLOCK_BYTES as u64);
        if leaves.len() as u64 != expected {
            return Err(PieceError::WrongBlocks { index, expected, got: leaves.len() });
        }
        self.check_hash(index, &self.hash_of_leaves(hasher, leaves))
    }

    /// The hash of a piece with these leaves. There must be at least one.
    fn hash_of_leaves<H: NodeHasher<Node = Hash>>(&self, hasher: &H, leaves: &[Hash]) -> Hash {
        // A short piece gets the height of the others only if the file has more than one piece.
        let is_one_of_many = self.length > self.piece_length.bytes();
        let height = if is_one_of_many {
            self.piece_length.level()
        } else {
            levels_above(leaves.len() as u64)
        };
        fold(hasher, leaves, 0, height)
    }

    fn check_data(&self, index: u64, data: &[u8]) -> Result<(), PieceError> {
        let expected = self.bytes_of_piece(index)?;
        if data.len() as u64 != expected {
            return Err(PieceError::WrongLength { index, expected, got: data.len() });
        }
        Ok(())
    }

    fn check_hash(&self, index: u64, hash: &Hash) -> Result<(), PieceError> {
        if self.hash_of_piece(index)? == *hash {
            Ok(())
        } else {
            Err(PieceError::WrongHash { index })
        }
    }
}

/// The root that the piece layer leads to, or `None` if it is empty.
fn piece_layer_root<H>(hasher: &H, piece_length: PieceLength, layer: &[Hash]) -> Option<Hash>
where
    H: NodeHasher<Node = Hash>,
{
    let (level, levels) = (piece_length.level(), levels_above(layer.len() as u64));
    (!layer.is_empty()).then(|| fold(hasher, layer, level, level + levels))
}
