//! Reads libtorrent's part files, in which qBittorrent and Deluge keep pieces of unwanted files.
//!
//! A piece of a wanted file may have bytes of an unwanted one, which has no file of its own. They
//! are in `.INFOHASH.parts` in the save path, beside the content. All numbers are big-endian and
//! have 32 bits: the number of pieces, the piece length, and for each piece the number of its slot,
//! or -1. After this header, which is padded to a multiple of 1024 bytes, each slot has the length
//! of a piece. Only the bytes of unwanted files are written there. The comment at the top of
//! libtorrent's [`part_file.cpp`] describes the format.
//!
//! [`part_file.cpp`]: https://github.com/arvidn/libtorrent/blob/RC_2_0/src/part_file.cpp

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::content::root::Root;
use crate::{PieceMap, Segment, Torrent};

/// A part file of a torrent.
pub(crate) struct Parts {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    length: u64,
    piece_length: u64,
    slots: Slots,
}

/// Where the pieces are in a part file.
#[derive(Debug, PartialEq, Eq)]
struct Slots {
    header_bytes: u64,
    by_piece: HashMap<u64, u64>,
}

impl Parts {
    /// Opens the part file beside the content or, if the content has no folder of its own, in it.
    pub(crate) fn open(torrent: &Torrent, root: &Root) -> Option<Self> {
        // A single file has no unwanted ones.
        if torrent.is_single_file() {
            return None;
        }
        // libtorrent 2 names the part file of a hybrid after the first bytes of the v2 hash.
        let hashes = [
            torrent.info_hash_v2().and_then(|hash| hash.first_chunk().copied()),
            torrent.info_hash_v1(),
        ];
        hashes.into_iter().flatten().find_map(|hash: [u8; 20]| {
            let name = format!(".{}.parts", hex::encode(hash));
            let (path, file) = root.open_near(Path::new(&name))?;
            Self::new(torrent, path, file)
        })
    }

    fn new(torrent: &Torrent, path: PathBuf, mut file: File) -> Option<Self> {
        let length = file.metadata().ok()?.len();
        let piece_length = torrent.piece_length();
        let slots = Slots::read(&mut file, length, torrent.pieces().count(), piece_length)?;
        Some(Self { path, file, length, piece_length, slots })
    }

    /// The offset in the part file of a part of a file that belongs to one piece, if it has it.
    pub(crate) fn offset(&self, pieces: &PieceMap, segment: &Segment) -> Option<u64> {
        let position = pieces.start_of(segment.file) + segment.offset;
        let slot = self.slots.by_piece.get(&(position / self.piece_length))?;
        let begin = slot.checked_mul(self.piece_length)? + self.slots.header_bytes;
        let begin = begin.checked_add(position % self.piece_length)?;
        (begin.checked_add(segment.length)? <= self.length).then_some(begin)
    }
}

impl Slots {
    /// Reads the header of a part file of `length` bytes.
    fn read(from: &mut impl Read, length: u64, pieces: u64, piece_length: u64) -> Option<Self> {
        let header_bytes = ((2 + pieces) * 4).next_multiple_of(1024);
        if length < header_bytes {
            return None;
        }
        let mut header = Vec::new();
        from.take(header_bytes).read_to_end(&mut header).ok()?;
        let mut numbers = header.as_chunks::<4>().0.iter().map(|bytes| u32::from_be_bytes(*bytes));
        let is_own =
            u64::from(numbers.next()?) == pieces && u64::from(numbers.next()?) == piece_length;
        let slots = (0..pieces).zip(numbers).map(|(piece, slot)| (piece, u64::from(slot)));
        let by_piece = slots.filter(|(_, slot)| *slot < pieces).collect();
        is_own.then_some(Self { header_bytes, by_piece })
    }
}
