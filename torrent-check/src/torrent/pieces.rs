//! The pieces of v1, v2 and hybrid torrents, numbered as peers number them.

use std::ops::Range;

use crate::{FileKind, Torrent};

/// The pieces of a torrent: the parts of files in each, and their SHA-1.
///
/// In v1 all files are concatenated, and cut into pieces of equal length. In v2 each file starts a
/// new piece. Hybrid torrents have padding between the files, so that both agree.
///
/// Lengths and offsets are in bytes. Pieces and files are numbered from 0, files in the order of
/// [`Torrent::files`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMap {
    piece_length: u64,
    count: u64,
    /// The SHA-1 of each piece, unless the torrent is v2 only.
    hashes: Vec<[u8; 20]>,
    /// The bytes of each file, numbered across all of them. In v2 the next file starts at the next
    /// multiple of the piece length.
    files: Vec<Range<u64>>,
}

/// A part of a file that belongs to one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The file's index in [`Torrent::files`].
    pub file: usize,
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Length in bytes, at least 1.
    pub length: u64,
}

impl PieceMap {
    /// Lays out v1 files of these lengths, which add up to less than 2^63 bytes.
    ///
    /// # Errors
    ///
    /// Returns a message if `hashes` does not have one hash per piece.
    pub(crate) fn v1(
        piece_length: u64,
        lengths: impl Iterator<Item = u64>,
        hashes: &[u8],
    ) -> Result<Self, String> {
        let map = Self::laid_out(piece_length, lengths, 1);
        let (bytes, (hashes, rest)) = (hashes.len(), hashes.as_chunks::<20>());
        if !rest.is_empty() {
            return Err(format!(
                "the length of `pieces` in bytes is {bytes}, which is not a multiple of 20"
            ));
        }
        let (expected, got) = (map.count, hashes.len() as u64);
        if expected != got {
            return Err(format!("`pieces` must have one hash per piece: {expected}, not {got}"));
        }
        Ok(Self { hashes: hashes.to_vec(), ..map })
    }

    /// Lays out v2 files of these lengths, which have at most [`MAX_PIECES`](crate::MAX_PIECES).
    pub(crate) fn v2(piece_length: u64, lengths: impl Iterator<Item = u64>) -> Self {
        Self::laid_out(piece_length, lengths, piece_length)
    }

    /// Lays out files each of which starts at a multiple of `alignment`.
    fn laid_out(piece_length: u64, lengths: impl Iterator<Item = u64>, alignment: u64) -> Self {
        let mut end: u64 = 0;
        let file = |length: u64| {
            let start = end.next_multiple_of(alignment);
            end = start + length;
            start..end
        };
        let files = lengths.map(file).collect();
        Self { piece_length, count: end.div_ceil(piece_length), hashes: Vec::new(), files }
    }

    /// The number of pieces.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The SHA-1 of a piece, unless the torrent is v2 only.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.count()`.
    #[must_use]
    #[track_caller]
    pub fn hash(&self, piece: u64) -> Option<[u8; 20]> {
        self.assert_piece(piece);
        self.hashes.get(piece as usize).copied()
    }

    /// The length of a piece in bytes, with padding. The last piece may be shorter than the others,
    /// and in v2 the last piece of each file.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.count()`.
    #[must_use]
    #[track_caller]
    pub fn length(&self, piece: u64) -> u64 {
        let Range { start, end } = self.bytes_of(piece);
        let files = self.files.partition_point(|file| file.start < end);
        self.files[..files].last().map_or(0, |last| last.end.min(end) - start)
    }

    /// The total length of all files of v1 in bytes, including padding: less than 2^63. In v2, the
    /// last pieces of files count as if they had the length of the others.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.files.last().map_or(0, |last| last.end)
    }

    /// The parts of files in a piece, in order, including padding.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.count()`.
    #[track_caller]
    pub fn segments(&self, piece: u64) -> impl Iterator<Item = Segment> + '_ {
        let bytes = self.bytes_of(piece);
        // Empty files end where they begin, so this also skips those before the first segment.
        let first = self.files.partition_point(|file| file.end <= bytes.start);
        let files = self.files[first..].iter().zip(first..);
        files.take_while(move |(own, _)| own.start < bytes.end).filter_map(move |(own, file)| {
            let (begin, end) = (own.start.max(bytes.start), own.end.min(bytes.end));
            let segment = Segment { file, offset: begin - own.start, length: end - begin };
            (begin < end).then_some(segment)
        })
    }

    /// The pieces that have bytes of a file; none if it is empty.
    ///
    /// # Panics
    ///
    /// Panics if `file` is not an index into [`Torrent::files`].
    #[must_use]
    #[track_caller]
    pub fn of_file(&self, file: usize) -> Range<u64> {
        let Range { start, end } = *self.bytes_of_whole(file);
        let first = start / self.piece_length;
        if start == end { first..first } else { first..end.div_ceil(self.piece_length) }
    }

    /// The position of a file in the pieces.
    pub(crate) fn start_of(&self, file: usize) -> u64 {
        self.bytes_of_whole(file).start
    }

    /// The bytes of a file that are in one of its pieces, as a range in the file.
    pub(crate) fn bytes_of_file(&self, piece: u64, file: usize) -> Range<u64> {
        let (piece, own) = (self.bytes_of(piece), self.bytes_of_whole(file));
        piece.start.saturating_sub(own.start)..piece.end.min(own.end) - own.start
    }

    /// The bytes of a piece, as if it were not shorter than the others.
    #[track_caller]
    fn bytes_of(&self, piece: u64) -> Range<u64> {
        self.assert_piece(piece);
        let start = piece * self.piece_length;
        start..start + self.piece_length
    }

    #[track_caller]
    fn bytes_of_whole(&self, file: usize) -> &Range<u64> {
        let files = self.files.len();
        assert!(file < files, "file index {file} is out of range: the torrent has {files} files");
        &self.files[file]
    }

    #[track_caller]
    fn assert_piece(&self, piece: u64) {
        let count = self.count;
        assert!(piece < count, "piece {piece} is out of range: the torrent has {count} pieces");
    }
}

/// A piece in terms of v2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct V2Piece {
    pub(crate) file: usize,
    /// Its index within the file.
    pub(crate) index: u64,
    /// Its length in bytes, without padding.
    pub(crate) length: u64,
}

impl Torrent {
    /// The parts of files in a piece, in order, without padding.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.pieces().count()`.
    #[track_caller]
    pub fn parts(&self, piece: u64) -> impl Iterator<Item = Segment> + '_ {
        let is_data = |part: &Segment| *self.files()[part.file].kind() == FileKind::Data;
        self.pieces().segments(piece).filter(is_data)
    }

    /// A piece in terms of v2, if the torrent has v2 hashes and the piece is not all padding.
    pub(crate) fn v2_piece(&self, piece: u64) -> Option<V2Piece> {
        // Other files in the piece are padding.
        let Segment { file, offset, length } = self.pieces().segments(piece).next()?;
        self.files()[file].pieces_root()?;
        Some(V2Piece { file, index: offset / self.piece_length(), length })
    }
}
