//! Numbers the pieces of v1, v2 and hybrid torrents uniformly.

use std::iter;
use std::ops::Range;

use crate::{FileKind, PieceMap, Segment, Torrent};

/// The pieces of a torrent, in the order in which peers number them.
///
/// In a v2 torrent each file starts a new piece, and the pieces of all files are numbered in order.
/// In a hybrid torrent, pads align the v1 pieces to the same boundaries, so every piece has both
/// hashes.
pub(crate) struct Pieces<'t> {
    torrent: &'t Torrent,
    /// For a v2-only torrent: the first piece of each file, followed by the number of pieces.
    firsts: Vec<u64>,
    /// For v1 and hybrid torrents: the offset of each file in the concatenation of all files.
    starts: Vec<u64>,
}

/// A piece in terms of v2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct V2Piece {
    pub(crate) file: usize,
    /// Its index within the file.
    pub(crate) index: u64,
    /// Its length in bytes, without pads.
    pub(crate) length: u64,
}

impl<'t> Pieces<'t> {
    pub(crate) fn new(torrent: &'t Torrent) -> Self {
        let (mut firsts, mut starts) = (Vec::new(), Vec::new());
        if torrent.v1().is_some() {
            let mut start = 0;
            for file in torrent.files() {
                starts.push(start);
                start += file.length();
            }
        } else {
            let mut first = 0;
            for file in torrent.files() {
                firsts.push(first);
                if file.pieces_root().is_some() {
                    first += file.length().div_ceil(torrent.piece_length());
                }
            }
            firsts.push(first);
        }
        Self { torrent, firsts, starts }
    }

    pub(crate) fn len(&self) -> u64 {
        self.torrent.v1().map_or_else(|| self.firsts.last().copied().unwrap_or(0), PieceMap::pieces)
    }

    /// The length of a piece in bytes, with pads.
    pub(crate) fn length(&self, piece: u64) -> u64 {
        match (self.torrent.v1(), self.v2(piece)) {
            (Some(v1), _) => v1.length(piece),
            (None, Some(v2)) => v2.length,
            (None, None) => 0,
        }
    }

    /// The parts of files in a piece, in order. None is empty.
    pub(crate) fn segments(&self, piece: u64) -> Box<dyn Iterator<Item = Segment> + 't> {
        match (self.torrent.v1(), self.v2(piece)) {
            (Some(v1), _) => Box::new(v1.segments(piece)),
            (None, Some(V2Piece { file, index, length })) => Box::new(iter::once(Segment {
                file,
                offset: index * self.torrent.piece_length(),
                length,
            })),
            (None, None) => Box::new(iter::empty()),
        }
    }

    /// The segments that are not pads.
    pub(crate) fn data(&self, piece: u64) -> impl Iterator<Item = Segment> + 't {
        let torrent = self.torrent;
        self.segments(piece)
            .filter(move |segment| *torrent.files()[segment.file].kind() == FileKind::Data)
    }

    /// Whether the piece has a v2 hash that only all pieces of its file together can verify.
    pub(crate) fn is_without_layer(&self, piece: u64) -> bool {
        self.v2(piece).is_some_and(|v2| self.is_whole_only(v2.file))
    }

    /// Whether a file has a pieces root, but no piece layer.
    pub(crate) fn is_whole_only(&self, file: usize) -> bool {
        let file = &self.torrent.files()[file];
        file.pieces_root().is_some() && file.hashes().is_none()
    }

    pub(crate) fn v1_hash(&self, piece: u64) -> Option<[u8; 20]> {
        self.torrent.v1().map(|v1| v1.hash(piece))
    }

    pub(crate) fn v2(&self, piece: u64) -> Option<V2Piece> {
        let (file, index) = match self.torrent.v1() {
            // The last file whose first piece is at or before this one. Earlier files with the same
            // first piece are empty.
            None => {
                let file = self.firsts.partition_point(|&first| first <= piece).checked_sub(1)?;
                (file, piece - self.firsts[file])
            }
            Some(v1) => {
                let first = v1.segments(piece).next()?;
                (first.file, first.offset / self.torrent.piece_length())
            }
        };
        let of_file = self.torrent.files().get(file)?;
        of_file.pieces_root()?;
        let rest = of_file.length().checked_sub(index * self.torrent.piece_length())?;
        let length = rest.min(self.torrent.piece_length());
        (length > 0).then_some(V2Piece { file, index, length })
    }

    /// The pieces that have bytes of a file.
    pub(crate) fn of_file(&self, file: usize) -> Range<u64> {
        self.torrent
            .v1()
            .map_or_else(|| self.firsts[file]..self.firsts[file + 1], |v1| v1.pieces_of(file))
    }

    /// The bytes of a file that are in one of its pieces, as a range in the file.
    pub(crate) fn bytes_of_file(&self, piece: u64, file: usize) -> Range<u64> {
        let (piece_length, length) =
            (self.torrent.piece_length(), self.torrent.files()[file].length());
        let (first, start) = match self.torrent.v1() {
            Some(_) => (0, self.starts[file]),
            None => (self.firsts[file], 0),
        };
        let begin = (piece - first) * piece_length;
        begin.saturating_sub(start)
            ..begin.saturating_add(piece_length).saturating_sub(start).min(length)
    }
}
