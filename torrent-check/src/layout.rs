//! Where the pieces of v1 are: all files one after another, cut into pieces of one length.

use std::ops::Range;

/// The pieces of v1: their hashes, and the parts of files that each consists of.
///
/// Everything is counted in bytes; pieces and files by their indices from 0, files in the order of
/// [`Torrent::files`](crate::Torrent::files).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMap {
    piece_length: u64,
    hashes: Vec<[u8; 20]>,
    /// Where each file begins, counted through all of them, and behind them where the last one
    /// ends.
    starts: Vec<u64>,
}

/// A part of a file, which is a piece or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The file's index in [`Torrent::files`](crate::Torrent::files).
    pub file: usize,
    /// Where the part begins within the file, in bytes.
    pub offset: u64,
    /// How many bytes it has: one at least.
    pub length: u64,
}

impl PieceMap {
    /// The pieces of files of these lengths, which add up to less than 2^63 bytes.
    ///
    /// # Errors
    ///
    /// If there are not as many hashes as pieces.
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

    /// How many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.hashes.len() as u64
    }

    /// The SHA-1 of a piece.
    ///
    /// # Panics
    ///
    /// If there is no such piece.
    #[must_use]
    #[track_caller]
    pub fn hash(&self, piece: u64) -> [u8; 20] {
        self.assert_piece(piece);
        self.hashes[piece as usize]
    }

    /// How many bytes a piece has: as many as all, but for the last one.
    ///
    /// # Panics
    ///
    /// If there is no such piece.
    #[must_use]
    #[track_caller]
    pub fn length(&self, piece: u64) -> u64 {
        let Range { start, end } = self.bytes_of(piece);
        end - start
    }

    /// How many bytes all files have together, padding included: less than 2^63.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The parts of files that a piece consists of, in their order.
    ///
    /// # Panics
    ///
    /// If there is no such piece.
    #[track_caller]
    pub fn segments(&self, piece: u64) -> impl Iterator<Item = Segment> + '_ {
        let bytes = self.bytes_of(piece);
        // Files without bytes end where they begin, so that they are passed over before the first
        // one, too.
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

    /// The pieces that have bytes of a file; none when it is empty.
    ///
    /// # Panics
    ///
    /// If there is no such file.
    #[must_use]
    #[track_caller]
    pub fn pieces_of(&self, file: usize) -> Range<u64> {
        let files = self.starts.len() - 1;
        assert!(file < files, "there is no file {file} of {files}");
        let (start, end) = (self.starts[file], self.starts[file + 1]);
        let first = start / self.piece_length;
        if start == end { first..first } else { first..end.div_ceil(self.piece_length) }
    }

    /// The bytes of a piece, counted through all files.
    #[track_caller]
    fn bytes_of(&self, piece: u64) -> Range<u64> {
        self.assert_piece(piece);
        let start = piece * self.piece_length;
        start..self.total().min(start + self.piece_length)
    }

    #[track_caller]
    fn assert_piece(&self, piece: u64) {
        assert!(piece < self.pieces(), "there is no piece {piece} of {}", self.pieces());
    }
}

/// Why hashes are not those of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutError {
    /// They end within one, which has 20 bytes.
    PartOfHash,
    /// There are more or fewer of them than pieces.
    Count { expected: u64, got: u64 },
}
