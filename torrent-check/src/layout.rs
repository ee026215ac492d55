//! The layout of v1 pieces: all files concatenated, and cut into pieces of equal length.

use std::ops::Range;

/// The v1 pieces: their hashes, and the parts of files in each.
///
/// Lengths and offsets are in bytes. Pieces and files are numbered from 0, files in the order of
/// [`Torrent::files`](crate::Torrent::files).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMap {
    piece_length: u64,
    hashes: Vec<[u8; 20]>,
    /// The offset of each file in the concatenation, followed by the total length.
    starts: Vec<u64>,
}

/// A part of a file that belongs to one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The file's index in [`Torrent::files`](crate::Torrent::files).
    pub file: usize,
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Length in bytes, at least 1.
    pub length: u64,
}

impl PieceMap {
    /// Lays out files of the given lengths, which add up to less than 2^63 bytes.
    ///
    /// # Errors
    ///
    /// Returns [`LayoutError`] if `hashes` does not have one hash per piece.
    pub(crate) fn new(
        piece_length: u64,
        lengths: impl Iterator<Item = u64>,
        hashes: &[u8],
    ) -> Result<Self, LayoutError> {
        let mut starts = vec![0];
        let mut total = 0;
        for length in lengths {
            total += length;
            starts.push(total);
        }
        let (hashes, rest) = hashes.as_chunks::<20>();
        if !rest.is_empty() {
            return Err(LayoutError::PartOfHash);
        }
        let (expected, got) = (total.div_ceil(piece_length), hashes.len() as u64);
        if expected != got {
            return Err(LayoutError::Count { expected, got });
        }
        Ok(Self { piece_length, hashes: hashes.to_vec(), starts })
    }

    /// The number of pieces.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.hashes.len() as u64
    }

    /// The SHA-1 of a piece.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.pieces()`.
    #[must_use]
    #[track_caller]
    pub fn hash(&self, piece: u64) -> [u8; 20] {
        self.assert_piece(piece);
        self.hashes[piece as usize]
    }

    /// The length of a piece in bytes. Only the last piece may be shorter than the others.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.pieces()`.
    #[must_use]
    #[track_caller]
    pub fn length(&self, piece: u64) -> u64 {
        let Range { start, end } = self.bytes_of(piece);
        end - start
    }

    /// The total length of all files in bytes, including padding: less than 2^63.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The parts of files in a piece, in order.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.pieces()`.
    #[track_caller]
    pub fn segments(&self, piece: u64) -> impl Iterator<Item = Segment> + '_ {
        let bytes = self.bytes_of(piece);
        // Empty files end where they begin, so this also skips those before the first segment.
        let first = self.starts[1..].partition_point(|&end| end <= bytes.start);
        let places = self.starts[first..].windows(2).zip(first..);
        places.take_while(move |(place, _)| place[0] < bytes.end).filter_map(
            move |(place, file)| {
                let (begin, end) = (place[0].max(bytes.start), place[1].min(bytes.end));
                (begin < end).then(|| Segment {
                    file,
                    offset: begin - place[0],
                    length: end - begin,
                })
            },
        )
    }

    /// The pieces that have bytes of a file; none if it is empty.
    ///
    /// # Panics
    ///
    /// Panics if `file` is not an index into [`Torrent::files`](crate::Torrent::files).
    #[must_use]
    #[track_caller]
    pub fn pieces_of(&self, file: usize) -> Range<u64> {
        let files = self.starts.len() - 1;
        assert!(file < files, "file index {file} is out of range: the torrent has {files} files");
        let (start, end) = (self.starts[file], self.starts[file + 1]);
        let first = start / self.piece_length;
        if start == end { first..first } else { first..end.div_ceil(self.piece_length) }
    }

    /// The bytes of a piece, as a range in the concatenation.
    #[track_caller]
    fn bytes_of(&self, piece: u64) -> Range<u64> {
        self.assert_piece(piece);
        let start = piece * self.piece_length;
        start..self.total().min(start + self.piece_length)
    }

    #[track_caller]
    fn assert_piece(&self, piece: u64) {
        let pieces = self.pieces();
        assert!(piece < pieces, "piece {piece} is out of range: the torrent has {pieces} pieces");
    }
}

/// Why the hashes do not match the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutError {
    /// Their length is not a multiple of 20 bytes.
    PartOfHash,
    /// The number of hashes is not the number of pieces.
    Count { expected: u64, got: u64 },
}
