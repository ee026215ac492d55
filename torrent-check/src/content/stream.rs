//! Reads a file once for all torrents that may have it: its root, and the pieces inside it.

use std::fs::File;

use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash, PieceLength};
use sha1_multi::ManyHasher;

use super::library::{CopyId, Library};
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
    /// Whether it is worth reading further pieces if the first one is bad.
    pub(crate) may_be_damaged: bool,
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
    is_dropped: bool,
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

/// Reads a file, once for its root and all cuts. Without a root to find, reading ends when the
/// first, the middle and the last piece are bad for every file that it may be.
pub(crate) fn stream(
    library: &Library<'_>,
    copy: CopyId,
    length: u64,
    wanted: &[Wanted<'_>],
    finds_root: bool,
    backend: Backend,
) -> Option<Streamed> {
    let mut file = library.open(copy)?;
    let length = file.metadata().ok()?.len().min(length);
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
                is_dropped: false,
            }),
        }
    }
    // The root does not depend on the length of a piece.
    let piece_length = PieceLength::try_from(16_u64 << 10).ok()?;
    let mut root =
        finds_root.then(|| FileHasher::new(Bep52::new().with_backend(backend), piece_length));
    let mut good: Vec<Vec<u64>> = vec![Vec::new(); wanted.len()];
    let mut samples = library.open(copy)?;
    let mut at = 0;
    let mut portion = |bytes: &[u8]| {
        if let Some(root) = &mut root {
            root.update(bytes);
        }
        for lane in lanes.iter_mut().filter(|lane| !lane.is_dropped) {
            lane.take(at, bytes, wanted, &mut good, &mut |lane: &Lane| {
                lane.has_good_sample(library, &mut samples, wanted, backend)
            });
        }
        at += bytes.len() as u64;
        let is_wanted = root.is_some() || lanes.iter().any(|lane| !lane.is_dropped);
        is_wanted.then_some(())
    };
    // Until the first pieces are known, no more is read than they need.
    let firsts = wanted.iter().map(|it| it.own.cut.bytes(0).end.min(length));
    let first = firsts.max().filter(|_| !finds_root).unwrap_or(0);
    let read = library.read(&mut file, 0..first, &mut portion);
    let read = read.and_then(|()| library.read(&mut file, first..length, &mut portion));
    if read.is_none() && library.is_cut() {
        return None;
    }
    let root = root.filter(|_| read.is_some()).and_then(|root| root.finish().pieces_root());
    Some(Streamed { root, good })
}

impl Lane {
    /// Hashes bytes of the file that begin at `at`.
    fn take(
        &mut self,
        at: u64,
        bytes: &[u8],
        wanted: &[Wanted<'_>],
        good: &mut [Vec<u64>],
        has_good_sample: &mut dyn FnMut(&Self) -> bool,
    ) {
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
            let is_first = self.nth == 0;
            self.nth += 1;
            let is_bad = self.files.iter().all(|&file| good[file].is_empty());
            if is_first && is_bad && !has_good_sample(self) {
                self.is_dropped = true;
                return;
            }
        }
    }

    /// Whether the middle or the last piece is good for one of the files.
    fn has_good_sample(
        &self,
        library: &Library<'_>,
        file: &mut File,
        wanted: &[Wanted<'_>],
        backend: Backend,
    ) -> bool {
        if !self.files.iter().any(|&file| wanted[file].may_be_damaged) {
            return false;
        }
        [self.count / 2, self.count - 1].into_iter().filter(|nth| *nth > 0).any(|nth| {
            let hash = hash_at(library, file, &self.cut, nth, self.count, backend);
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
    library: &Library<'_>,
    file: &mut File,
    cut: &Cut,
    nth: u64,
    count: u64,
    backend: Backend,
) -> Option<[u8; 20]> {
    let mut hasher = ManyHasher::with_backend(backend, 1);
    let (before, after) = cut.padding(nth, count);
    hash_zeros(&mut hasher, before);
    library.read(file, cut.bytes(nth), &mut |bytes| {
        hasher.update(0, bytes);
        Some(())
    })?;
    hash_zeros(&mut hasher, after);
    Some(hasher.finalize_one(0))
}
