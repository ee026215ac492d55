//! What a torrent says of the content of a file.

use alloc::vec;
use alloc::vec::Vec;

use super::{BLOCK_BYTES, Hash, PieceLength, append_layer};
use crate::fold::fold;
use crate::hasher::{NodeHasher, levels_above};
use crate::node::Node;

/// The pieces root of a file and the hashes of its pieces, which lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHashes {
    piece_length: PieceLength,
    length: u64,
    pieces_root: Option<Hash>,
    /// Empty unless the file is larger than a piece.
    piece_layer: Vec<Hash>,
}

/// Why a piece layer is not that of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// An empty file has no root, and every other has one.
    #[error("a file of {length} bytes {}", if *.length == 0 { "has no pieces root" } else { "needs a pieces root" })]
    Root {
        /// The length of the file, in bytes.
        length: u64,
    },
    /// The layer has not one hash for each piece; or not none, for a file that is not larger than a
    /// piece.
    #[error("a piece layer of {expected} bytes was expected, not of {got}")]
    WrongLength {
        /// How many bytes there should be, 32 for each hash.
        expected: u128,
        /// How many there are.
        got: usize,
    },
    /// The hashes lead to another root.
    #[error("the piece layer leads to another root than the pieces root")]
    WrongRoot,
}

/// Why data is not a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PieceError {
    /// The file has fewer pieces.
    #[error("there is no piece {index} in a file of {pieces}")]
    NoSuchPiece {
        /// The piece's index within the file.
        index: u64,
        /// How many pieces the file has.
        pieces: u64,
    },
    /// The data is longer or shorter than the piece.
    #[error("piece {index} has {expected} bytes, not {got}")]
    WrongLength {
        /// The piece's index within the file.
        index: u64,
        /// How many bytes it has.
        expected: u64,
        /// How many there are.
        got: usize,
    },
    /// There are more or fewer hashes than the piece has blocks.
    #[error("piece {index} has {expected} blocks, not {got}")]
    WrongBlocks {
        /// The piece's index within the file.
        index: u64,
        /// How many blocks it has.
        expected: u64,
        /// How many hashes there are.
        got: usize,
    },
    /// The data has another hash.
    #[error("piece {index} has another hash")]
    WrongHash {
        /// The piece's index within the file.
        index: u64,
    },
}

impl FileHashes {
    /// Hashes that belong together.
    pub(super) fn new(
        piece_length: PieceLength,
        length: u64,
        pieces_root: Option<Hash>,
        piece_layer: Vec<Hash>,
    ) -> Self {
        Self { piece_length, length, pieces_root, piece_layer }
    }

    /// What a torrent says of a file of `length` bytes: its `pieces root`, which an empty file has
    /// not, and its entry in `piece layers`, which is empty for a file that is not larger than
    /// a piece.
    ///
    /// # Errors
    ///
    /// If the layer does not lead to the root, so that no data can be right.
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

    /// How long the file is, in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// How long its pieces are.
    #[must_use]
    pub fn piece_length(&self) -> PieceLength {
        self.piece_length
    }

    /// The root of the file's tree. An empty file has none.
    #[must_use]
    pub fn pieces_root(&self) -> Option<Hash> {
        self.pieces_root
    }

    /// The hash of each piece; none for a file that is not larger than a piece.
    #[must_use]
    pub fn piece_layer(&self) -> &[Hash] {
        &self.piece_layer
    }

    /// How many pieces the file has: none when it is empty.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.length.div_ceil(self.piece_length.bytes())
    }

    /// How many bytes a piece has: as many as all, but for the last one.
    ///
    /// # Errors
    ///
    /// If there is no such piece.
    pub fn bytes_of_piece(&self, index: u64) -> Result<u64, PieceError> {
        let pieces = self.pieces();
        if index >= pieces {
            return Err(PieceError::NoSuchPiece { index, pieces });
        }
        Ok((self.length - index * self.piece_length.bytes()).min(self.piece_length.bytes()))
    }

    /// The hash of a piece: its entry in the piece layer, or the pieces root when it is all of the
    /// file.
    ///
    /// # Errors
    ///
    /// If there is no such piece.
    pub fn hash_of_piece(&self, index: u64) -> Result<Hash, PieceError> {
        let pieces = self.pieces();
        let hash = match self.piece_layer.as_slice() {
            [] if index == 0 => self.pieces_root,
            layer => usize::try_from(index).ok().and_then(|index| layer.get(index).copied()),
        };
        hash.ok_or(PieceError::NoSuchPiece { index, pieces })
    }

    /// Verifies pieces, given by their indices within the file and their data; the `i`-th result is
    /// that of the `i`-th piece. The blocks of all of them are hashed in one call.
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
        // Whole pieces first: they have trees of the same height, one for each lane.
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

    /// Verifies a piece by the hashes of its blocks, as [`hash_blocks`](super::hash_blocks) gives
    /// them: for data that is read and hashed in other portions than pieces.
    ///
    /// # Errors
    ///
    /// If the file has no such piece, or it has other blocks.
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

    /// The hash of a piece with these leaves, of which there is one.
    fn hash_of_leaves<H: NodeHasher<Node = Hash>>(&self, hasher: &H, leaves: &[Hash]) -> Hash {
        // Only in a file of more than one piece does a short piece get as high as the others.
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

/// The root that the piece layer of a file leads to, if it has any hash.
fn piece_layer_root<H>(hasher: &H, piece_length: PieceLength, layer: &[Hash]) -> Option<Hash>
where
    H: NodeHasher<Node = Hash>,
{
    let (level, levels) = (piece_length.level(), levels_above(layer.len() as u64));
    (!layer.is_empty()).then(|| fold(hasher, layer, level, level + levels))
}
