//! Reads and hashes a batch of pieces together.
//!
//! A buffer has one row for each of sixteen pieces. A row holds a slice of its piece, so the buffer
//! has the same size whatever the piece length, and stays in cache from the read to the last hash.
//! SHA-1 takes the rows as they are, one piece per lane. For v2, the same rows are split into
//! blocks.

use std::mem;

use hash_lanes::Backend;
use merkle_lanes::NodeHasher;
use merkle_lanes::bep52::{BLOCK_BYTES, Bep52, Hash};
use sha1_multi::ManyHasher;

use super::handles::{Failed, Handles};
use crate::torrent::pieces::V2Piece;
use crate::verdict::{PieceVerdict, WrongHash};
use crate::{FileKind, Segment, Torrent, Version};

/// The maximum number of pieces in a batch: no backend has more lanes.
pub(super) const MAX_PIECES: usize = 16;

/// The length of a row in bytes.
///
/// On Zen 4 a v1 check of 512 MiB takes 142 ms with rows of 32 KiB, 130 ms with 64 KiB and 125 ms
/// with 128 KiB. Rows of 128 KiB no longer fit into the L2 cache of other CPUs.
const SLICE: usize = 4 * BLOCK_BYTES;

/// The maximum length of a row in bytes when v1 pieces are read sequentially. Up to this length a
/// row holds a whole piece, so that sixteen pieces are buffered and hashed together.
const MAX_ROW_BYTES: u64 = 16 << 20;

/// A piece being read.
pub(super) struct PieceReader<'a> {
    piece: u64,
    v1: Option<[u8; 20]>,
    v2: Option<V2Piece>,
    /// What has not been read yet.
    rest: Rest<'a>,
    /// The number of v2 bytes not hashed yet.
    v2_left: u64,
    leaves: Vec<Hash>,
    /// The number of leaves in the next batch that belong to this piece.
    leaves_due: usize,
    has_failed: bool,
}

struct Rest<'a> {
    segments: Box<dyn Iterator<Item = Segment> + 'a>,
    current: Option<Segment>,
}

/// The number of unused bytes after each row.
///
/// All rows are accessed at the same time. With a power of two as stride, equal offsets in all rows
/// would map to the same few cache sets. On Zen 4 a v1 check of 512 MiB with rows of 64 KiB takes
/// 168 ms without this gap and 130 ms with it. Neither a larger gap nor aligning the rows to cache
/// lines helps.
const GAP: usize = 64;

/// Rows of equal length.
struct Rows {
    bytes: Vec<u8>,
    row_bytes: usize,
}

impl Rows {
    fn new(count: usize, row_bytes: usize) -> Self {
        Self { bytes: vec![0; count * (row_bytes + GAP)], row_bytes }
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.row_bytes + GAP).map(|row| &row[..self.row_bytes])
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let row_bytes = self.row_bytes;
        self.bytes.chunks_exact_mut(row_bytes + GAP).map(move |row| &mut row[..row_bytes])
    }
}

/// A filled row.
struct Row {
    reader: usize,
    length: usize,
}

/// The result for a piece.
#[derive(Clone, Copy)]
pub(super) enum Judged {
    Verdict(PieceVerdict),
    /// The file has no piece layer: whether the SHA-1 is right, and the v2 hash of the piece.
    Part {
        v1: Option<bool>,
        hash: Hash,
    },
}

/// The pieces that a thread hashes together.
pub(super) struct PieceBatch<'a> {
    torrent: &'a Torrent,
    backend: Backend,
    sequential: bool,
    /// The number of bytes that are read before progress is reported, and the check can be
    /// cancelled.
    portion: usize,
    buffer: Rows,
    readers: Vec<PieceReader<'a>>,
    sha1: Option<ManyHasher>,
    /// The rows to be hashed next.
    rows: Vec<Row>,
}

impl<'a> PieceReader<'a> {
    pub(super) fn new(torrent: &'a Torrent, piece: u64) -> Self {
        let mut segments: Box<dyn Iterator<Item = Segment>> =
            Box::new(torrent.pieces().segments(piece));
        let v2 = torrent.v2_piece(piece);
        let v2_left = v2.map_or(0, |v2| v2.length);
        Self {
            piece,
            v1: torrent.pieces().hash(piece),
            v2,
            rest: Rest { current: segments.next(), segments },
            v2_left,
            leaves: Vec::with_capacity(v2_left.div_ceil(BLOCK_BYTES as u64) as usize),
            leaves_due: 0,
            has_failed: false,
        }
    }

    /// Whether the piece has been read as far as possible.
    fn is_read(&self) -> bool {
        self.has_failed || self.rest.current.is_none()
    }

    /// Fills a buffer up to the end of the piece, and returns the number of bytes.
    fn read(&mut self, torrent: &Torrent, handles: &mut Handles<'_>, buffer: &mut [u8]) -> usize {
        let mut filled = 0;
        while !self.has_failed
            && filled < buffer.len()
            && let Some(segment) = &mut self.rest.current
        {
            let room = &mut buffer[filled..];
            let count = room.len().min(usize::try_from(segment.length).unwrap_or(usize::MAX));
            let room = &mut room[..count];
            if *torrent.files()[segment.file].kind() == FileKind::Pad {
                room.fill(0);
            } else {
                self.has_failed = handles.read(segment.file, segment.offset, room).is_err();
            }
            filled += count;
            segment.offset += count as u64;
            segment.length -= count as u64;
            if segment.length == 0 {
                self.rest.current = self.rest.segments.next();
            }
        }
        filled
    }
}

impl<'a> PieceBatch<'a> {
    pub(super) fn new(
        torrent: &'a Torrent,
        backend: Backend,
        sequential: bool,
        portion: usize,
    ) -> Self {
        let has_v1 = torrent.version() != Version::V2;
        let whole =
            torrent.piece_length().min(MAX_ROW_BYTES).next_multiple_of(BLOCK_BYTES as u64) as usize;
        let row_bytes = if sequential && has_v1 { whole } else { whole.min(SLICE) };
        Self {
            torrent,
            backend,
            // v2 blocks fill the lanes whichever pieces they belong to.
            sequential: sequential || !has_v1,
            portion,
            buffer: Rows::new(MAX_PIECES, row_bytes),
            readers: Vec::new(),
            sha1: None,
            rows: Vec::with_capacity(MAX_PIECES),
        }
    }

    /// Starts over with other pieces, at most [`MAX_PIECES`].
    pub(super) fn begin(&mut self, readers: Vec<PieceReader<'a>>) {
        let has_v1 = readers.iter().any(|reader| reader.v1.is_some());
        self.sha1 = has_v1.then(|| ManyHasher::with_backend(self.backend, readers.len()));
        self.readers = readers;
    }

    /// Whether all pieces have been read as far as possible.
    pub(super) fn is_read(&self) -> bool {
        self.readers.iter().all(PieceReader::is_read)
    }

    /// Reads the next rows. `goes_on` gets the number of bytes since its last call, and returns
    /// `false` to end the reading.
    pub(super) fn read(
        &mut self,
        handles: &mut Handles<'_>,
        mut goes_on: impl FnMut(&mut Handles<'_>, usize) -> bool,
    ) {
        self.rows.clear();
        let mut rows = self.buffer.iter_mut();
        let mut unreported = 0;
        // Either all of a piece before the next one, or one row of each piece in turn.
        let max_rows = if self.sequential { MAX_PIECES } else { 1 };
        'pieces: for (index, reader) in self.readers.iter_mut().enumerate() {
            for _ in 0..max_rows {
                if reader.is_read() {
                    break;
                }
                let Some(row) = rows.next() else { break 'pieces };
                let (mut length, mut is_over) = (0, false);
                for portion in row.chunks_mut(self.portion) {
                    let bytes = reader.read(self.torrent, handles, portion);
                    length += bytes;
                    unreported += bytes;
                    is_over =
                        unreported >= self.portion && !goes_on(handles, mem::take(&mut unreported));
                    if is_over || reader.is_read() {
                        break;
                    }
                }
                self.rows.push(Row { reader: index, length });
                if is_over {
                    break 'pieces;
                }
            }
        }
        if unreported > 0 {
            goes_on(handles, unreported);
        }
    }

    /// Hashes the rows that were read.
    pub(super) fn hash(&mut self) {
        self.hash_v1();
        self.hash_v2();
    }

    fn hash_v1(&mut self) {
        let Some(sha1) = &mut self.sha1 else { return };
        // One row of each piece at a time: first all first rows, then all second rows, and so on.
        let mut is_hashed = [false; MAX_PIECES];
        loop {
            let mut parts: [&[u8]; MAX_PIECES] = [&[]; MAX_PIECES];
            let rows = self.buffer.iter().zip(&self.rows).zip(&mut is_hashed);
            for ((row, &Row { reader, length }), is_hashed) in rows {
                if !*is_hashed && parts[reader].is_empty() {
                    parts[reader] = &row[..length];
                    *is_hashed = true;
                }
            }
            let parts = &parts[..self.readers.len()];
            if parts.iter().all(|part| part.is_empty()) {
                return;
            }
            sha1.update_all(parts);
        }
    }

    fn hash_v2(&mut self) {
        let mut blocks: Vec<&[u8]> = Vec::new();
        for (row, &Row { reader, length }) in self.buffer.iter().zip(&self.rows) {
            let reader = &mut self.readers[reader];
            // The rest of the row is a pad, which is not part of v2.
            let own = length.min(usize::try_from(reader.v2_left).unwrap_or(usize::MAX));
            reader.v2_left -= own as u64;
            blocks.extend(row[..own].chunks(BLOCK_BYTES));
            reader.leaves_due += own.div_ceil(BLOCK_BYTES);
        }
        let mut leaves = vec![[0; 32]; blocks.len()];
        self.bep52().hash_leaves(&blocks, &mut leaves);
        let mut leaves = leaves.as_slice();
        for reader in &mut self.readers {
            let (own, others) = leaves.split_at(mem::take(&mut reader.leaves_due));
            reader.leaves.extend_from_slice(own);
            leaves = others;
        }
    }

    /// Passes the verdict on each piece to `judged`. All pieces must have been read as far as
    /// possible.
    pub(super) fn finish(&mut self, mut judged: impl FnMut(u64, Result<Judged, Failed>)) {
        let digests = self.sha1.take().map(ManyHasher::finalize);
        let roots = self.v2_verdicts();
        for (index, (reader, v2)) in self.readers.drain(..).zip(roots).enumerate() {
            let v1 = reader
                .v1
                .zip(digests.as_ref())
                .map(|(expected, digests)| digests[index] == expected);
            judged(
                reader.piece,
                match v2 {
                    _ if reader.has_failed => Err(Failed),
                    V2Verdict::Part(hash) => Ok(Judged::Part { v1, hash }),
                    V2Verdict::None => Ok(Judged::Verdict(judge(v1, None))),
                    V2Verdict::Known(is_right) => Ok(Judged::Verdict(judge(v1, Some(is_right)))),
                },
            );
        }
    }

    /// Whether the v2 hash of each piece is right, if it has one.
    fn v2_verdicts(&self) -> Vec<V2Verdict> {
        let bep52 = self.bep52();
        let height =
            (self.torrent.piece_length() / BLOCK_BYTES as u64).checked_ilog2().unwrap_or(0);
        // Trees of the same height are hashed together.
        let is_whole = |reader: &PieceReader<'_>| height > 0 && reader.leaves.len() == 1 << height;
        let mut leaves = Vec::new();
        for reader in self.readers.iter().filter(|reader| is_whole(reader)) {
            leaves.extend_from_slice(&reader.leaves);
        }
        let mut roots = vec![[0; 32]; leaves.len() >> height];
        if !roots.is_empty() {
            bep52.hash_subtrees(&leaves, height, &mut roots);
        }
        let mut roots = roots.into_iter();
        let verdict = |reader: &PieceReader<'_>| {
            let root = if is_whole(reader) { roots.next() } else { None };
            let Some(V2Piece { file, index, .. }) = reader.v2 else { return V2Verdict::None };
            let Some(hashes) = self.torrent.files()[file].hashes() else {
                return V2Verdict::Part(root.unwrap_or_else(|| {
                    // The last piece of a file of many is padded to the length of the others.
                    let mut leaves = reader.leaves.clone();
                    leaves.resize(1 << height, [0; 32]);
                    let mut root = [leaves[0]];
                    if height > 0 {
                        bep52.hash_subtrees(&leaves, height, &mut root);
                    }
                    root[0]
                }));
            };
            V2Verdict::Known(match root {
                Some(root) => hashes.hash_of_piece(index) == Ok(root),
                None => hashes.verify_blocks(&bep52, index, &reader.leaves).is_ok(),
            })
        };
        self.readers.iter().map(verdict).collect()
    }

    fn bep52(&self) -> Bep52 {
        Bep52::new().with_backend(self.backend)
    }
}

/// What is known of the v2 hash of a piece.
enum V2Verdict {
    /// The piece has none.
    None,
    /// Whether it is right.
    Known(bool),
    /// The hash that was found, of a file without a piece layer.
    Part(Hash),
}

/// The verdict on a piece, given whether each hash is right. A hash that the torrent does not have
/// is `None`.
pub(super) fn judge(v1: Option<bool>, v2: Option<bool>) -> PieceVerdict {
    match (v1, v2) {
        (Some(false), Some(true)) => PieceVerdict::Bad(WrongHash::OnlyV1),
        (Some(true), Some(false)) => PieceVerdict::Bad(WrongHash::OnlyV2),
        (Some(false), _) | (_, Some(false)) => PieceVerdict::Bad(WrongHash::All),
        _ => PieceVerdict::Good,
    }
}
