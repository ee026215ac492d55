//! Reads a file once for all torrents that may have it: its root, and the pieces inside it.

use std::collections::BTreeSet;

use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash, PieceLength};
use sha1_multi::ManyHasher;

use super::library::Reader;
use crate::Torrent;

/// The pieces of v1 that have bytes of one file alone, besides padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OwnPieces {
    /// The first piece, and the number of pieces.
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// Which bytes of the file they have. Files of equal length with equal cuts have their pieces
    /// at the same places.
    pub(crate) cut: Cut,
}

/// How pieces cut a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cut {
    piece_length: u64,
    /// Where the first piece begins and ends in the file, and where the last one ends.
    begin: u64,
    first_end: u64,
    end: u64,
    /// The padding before the first piece and after the last one.
    before: u64,
    after: u64,
}

impl OwnPieces {
    /// The pieces of a file, if it has any.
    pub(crate) fn of(torrent: &Torrent, file: usize) -> Option<Self> {
        let is_own = |piece: u64| torrent.parts(piece).all(|part| part.file == file);
        let pieces = torrent.pieces();
        let mut own = pieces.of_file(file);
        // Only the first and last pieces of a file may have bytes of others.
        if !own.is_empty() && !is_own(own.start) {
            own.start += 1;
        }
        if !own.is_empty() && !is_own(own.end - 1) {
            own.end -= 1;
        }
        if own.is_empty() {
            return None;
        }
        let (first, last) = (own.start, own.end - 1);
        // The padding before and after the file in a piece.
        let padding = |piece: u64| {
            let (mut around, mut is_after) = ((0, 0), false);
            for part in pieces.segments(piece) {
                match part.file == file {
                    true => is_after = true,
                    false if is_after => around.1 += part.length,
                    false => around.0 += part.length,
                }
            }
            around
        };
        let cut = Cut {
            piece_length: torrent.piece_length(),
            begin: pieces.bytes_of_file(first, file).start,
            first_end: pieces.bytes_of_file(first, file).end,
            end: pieces.bytes_of_file(last, file).end,
            before: padding(first).0,
            after: padding(last).1,
        };
        Some(Self { first, count: own.end - own.start, cut })
    }

    /// The pieces.
    pub(crate) fn all(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.count
    }

    /// Whether a piece is one of these.
    pub(crate) fn has(&self, piece: u64) -> bool {
        self.all().contains(&piece)
    }
}

impl Cut {
    /// The bytes of a piece, given by its place among those of the file.
    pub(crate) fn bytes(&self, nth: u64) -> std::ops::Range<u64> {
        let end = |nth: u64| (self.first_end + nth * self.piece_length).min(self.end);
        let begin = if nth == 0 { self.begin } else { end(nth - 1) };
        begin..end(nth)
    }

    /// The padding around a piece of `count`.
    pub(crate) fn padding(&self, nth: u64, count: u64) -> (u64, u64) {
        let before = if nth == 0 { self.before } else { 0 };
        (before, if nth + 1 == count { self.after } else { 0 })
    }
}

/// A file of a torrent of v1 that may be the one that is read.
pub(crate) struct Wanted<'t> {
    pub(crate) torrent: &'t Torrent,
    pub(crate) own: OwnPieces,
    /// Whether a piece is known to be good. Otherwise the first, the middle and the last piece are
    /// tested first.
    pub(crate) is_alike: bool,
}

/// What was found out about a file.
pub(crate) struct Streamed {
    /// Its root, if that was asked for.
    pub(crate) root: Option<Hash>,
    /// For each file that it may be, the pieces that are good. There are none if the first samples
    /// are bad.
    pub(crate) good: Vec<Vec<u64>>,
}

/// The pieces at one cut.
struct Lane {
    cut: Cut,
    count: u64,
    /// The files with that cut, as places among those that are wanted.
    files: Vec<usize>,
    hasher: ManyHasher,
    /// The piece that is being hashed, and how far the file was hashed.
    nth: u64,
    at: u64,
}

static ZEROS: [u8; 4096] = [0; 4096];

/// Hashes zeros.
pub(crate) fn hash_zeros(hasher: &mut ManyHasher, mut left: u64) {
    while left > 0 {
        let now = left.min(ZEROS.len() as u64);
        hasher.update(0, &ZEROS[..now as usize]);
        left -= now;
    }
}

/// Reads a file, once for its root and all cuts. Cuts of which the samples are bad for every file
/// are left out; without another cut or a root to find, nothing more is read.
pub(crate) fn stream(
    reader: &mut Reader<'_, '_>,
    length: u64,
    wanted: &[Wanted<'_>],
    finds_root: bool,
    backend: Backend,
) -> Option<Streamed> {
    let length = reader.length().min(length);
    let mut lanes: Vec<Lane> = Vec::new();
    for (nth, it) in wanted.iter().enumerate() {
        let is_same = |lane: &&mut Lane| (lane.cut, lane.count) == (it.own.cut, it.own.count);
        match lanes.iter_mut().find(is_same) {
            Some(lane) => lane.files.push(nth),
            None => lanes.push(Lane {
                cut: it.own.cut,
                count: it.own.count,
                files: vec![nth],
                hasher: ManyHasher::with_backend(backend, 1),
                nth: 0,
                at: 0,
            }),
        }
    }
    lanes.retain(|lane| lane.has_good_sample(reader, wanted, backend));
    // The root does not depend on the length of a piece.
    let piece_length = PieceLength::try_from(16_u64 << 10).ok()?;
    let mut root =
        finds_root.then(|| FileHasher::new(Bep52::new().with_backend(backend), piece_length));
    let mut good: Vec<Vec<u64>> = vec![Vec::new(); wanted.len()];
    if lanes.is_empty() && root.is_none() {
        return Some(Streamed { root: None, good });
    }
    let mut at = 0;
    let read = reader.read(0..length, &mut |bytes| {
        if let Some(root) = &mut root {
            root.update(bytes);
        }
        lanes.iter_mut().for_each(|lane| lane.take(at, bytes, wanted, &mut good));
        at += bytes.len() as u64;
        Some(())
    });
    let root = root.filter(|_| read.is_some()).and_then(|root| root.finish().pieces_root());
    (read.is_some() || !reader.is_cut()).then_some(Streamed { root, good })
}

impl Lane {
    /// Hashes bytes of the file that begin at `at`.
    fn take(&mut self, at: u64, bytes: &[u8], wanted: &[Wanted<'_>], good: &mut [Vec<u64>]) {
        let end = at + bytes.len() as u64;
        while self.nth < self.count {
            let own = self.cut.bytes(self.nth);
            let from = own.start.max(self.at).max(at);
            let to = own.end.min(end);
            if from >= to {
                return;
            }
            let (before, after) = self.cut.padding(self.nth, self.count);
            if from == own.start {
                hash_zeros(&mut self.hasher, before);
            }
            self.hasher.update(0, &bytes[(from - at) as usize..(to - at) as usize]);
            self.at = to;
            if to < own.end {
                return;
            }
            hash_zeros(&mut self.hasher, after);
            let hash = self.hasher.finalize_one(0);
            for &file in &self.files {
                let Wanted { torrent, own, .. } = &wanted[file];
                let piece = own.first + self.nth;
                if torrent.pieces().hash(piece) == Some(hash) {
                    good[file].push(piece);
                }
            }
            self.nth += 1;
        }
    }

    /// Whether the first, the middle or the last piece is good for one of the files.
    fn has_good_sample(
        &self,
        reader: &mut Reader<'_, '_>,
        wanted: &[Wanted<'_>],
        backend: Backend,
    ) -> bool {
        if self.files.iter().any(|&file| wanted[file].is_alike) {
            return true;
        }
        let nths: BTreeSet<u64> = [0, self.count / 2, self.count - 1].into();
        nths.into_iter().any(|nth| {
            let hash = hash_at(reader, &self.cut, nth, self.count, backend);
            hash.is_some_and(|hash| {
                self.files.iter().any(|&file| {
                    let Wanted { torrent, own, .. } = &wanted[file];
                    torrent.pieces().hash(own.first + nth) == Some(hash)
                })
            })
        })
    }
}

/// The SHA-1 of a piece inside a file.
pub(crate) fn hash_at(
    reader: &mut Reader<'_, '_>,
    cut: &Cut,
    nth: u64,
    count: u64,
    backend: Backend,
) -> Option<[u8; 20]> {
    let bytes = cut.bytes(nth);
    // What is close to the beginning is kept for what follows.
    if reader.is_close(&bytes) {
        _ = reader.head(bytes.end);
    }
    let mut hasher = ManyHasher::with_backend(backend, 1);
    let (before, after) = cut.padding(nth, count);
    hash_zeros(&mut hasher, before);
    reader.read(bytes, &mut |bytes| {
        hasher.update(0, bytes);
        Some(())
    })?;
    hash_zeros(&mut hasher, after);
    Some(hasher.finalize_one(0))
}
