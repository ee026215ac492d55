//! The worker threads: each takes as many pieces as there are lanes, reads them slice by slice and
//! hashes the slices together.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use merkle_lanes::bep52::Bep52;

use super::handles::{Failed, Handles};
use super::holes::{Holes, ZeroPieces, is_hole};
use super::pace::Pace;
use super::piece_batch::{Judged, PieceBatch, PieceReader, judge};
use super::whole::Part;
use super::{Check, Progress};
use crate::Segment;
use crate::check::results::Saver;
use crate::content::root::Root;
use crate::content::survey::Survey;
use crate::verdict::{FileVerdict, PieceVerdict, WrongHash};

/// The work shared by all threads.
pub(super) struct Work<'a> {
    pub(super) check: &'a Check<'a, 'a>,
    pub(super) root: &'a Root,
    pub(super) survey: &'a Survey<'a>,
    /// The pieces to check.
    pub(super) due: &'a [u64],
    /// The index in `due` of the next piece to take.
    pub(super) next: AtomicUsize,
    /// The length of all pieces in `due`, in bytes.
    pub(super) total: u64,
    /// The number of bytes checked so far.
    pub(super) done: AtomicU64,
    /// The number of bad pieces so far.
    pub(super) bad: AtomicU64,
    pub(super) pace: &'a Pace,
    /// What saves results during the check.
    pub(super) saver: Option<&'a Saver<'a>>,
    /// Whether a piece was found that is not good.
    pub(super) is_damaged: AtomicBool,
    pub(super) sequential: bool,
    /// The number of pieces that a thread takes at a time.
    pub(super) batch_len: usize,
    /// The number of files that a thread keeps open.
    pub(super) open_files: usize,
}

/// The results of a thread.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) verdicts: Vec<(u64, PieceVerdict)>,
    /// The pieces of files without a piece layer. Their verdicts are still
    /// [`PieceVerdict::Unchecked`].
    pub(super) parts: Vec<Part>,
    pub(super) failures: Vec<(usize, FileVerdict)>,
    pub(super) bytes_in_holes: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.verdicts.extend(other.verdicts);
        self.parts.extend(other.parts);
        self.failures.extend(other.failures);
        self.bytes_in_holes += other.bytes_in_holes;
    }
}

impl Work<'_> {
    fn is_cancelled(&self) -> bool {
        self.check.is_cancelled() || self.check.fail_fast && self.is_damaged.load(Ordering::Relaxed)
    }

    /// Takes the next piece, if any is left.
    fn take(&self) -> Option<u64> {
        self.due.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// Counts checked bytes, and reports the progress.
    fn advance(&self, bytes: u64) {
        let bytes = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Some(progress) = self.check.progress {
            progress(Progress {
                bytes,
                total: self.total,
                bad_pieces: self.bad.load(Ordering::Relaxed),
                listed: 0,
                searched: 0,
            });
        }
    }
}

/// Checks pieces until none is left.
pub(super) fn run(work: &Work<'_>) -> Tally {
    Worker {
        work,
        handles: Handles::new(work.root, work.survey, work.open_files, work.saver.is_some()),
        holes: Holes::default(),
        zeros: ZeroPieces::default(),
        batch: PieceBatch::new(
            work.check.torrent,
            work.check.backend,
            work.sequential,
            work.pace.portion(),
        ),
        tally: Tally::default(),
        saved: 0,
    }
    .run()
}

struct Worker<'a> {
    work: &'a Work<'a>,
    handles: Handles<'a>,
    holes: Holes,
    zeros: ZeroPieces,
    batch: PieceBatch<'a>,
    tally: Tally,
    /// How many verdicts of the tally were passed on to be saved.
    saved: usize,
}

impl<'a> Worker<'a> {
    fn run(mut self) -> Tally {
        while !self.work.is_cancelled() {
            let pieces = self.take_pieces();
            if pieces.is_empty() {
                break;
            }
            self.batch.begin(pieces);
            let work = self.work;
            let goes_on = |handles: &mut Handles<'_>, bytes: usize| {
                work.advance(bytes as u64);
                // Padding is not read.
                let bytes_read = mem::take(&mut handles.bytes_read);
                work.pace.wait(bytes_read, || work.is_cancelled());
                !work.is_cancelled()
            };
            while !self.batch.is_read() && !work.is_cancelled() {
                self.batch.read(&mut self.handles, goes_on);
                self.batch.hash();
            }
            // If the check is cancelled after the last byte, the pieces still count.
            if self.batch.is_read() {
                let Self { batch, handles, holes, tally, .. } = &mut self;
                batch.finish(|piece, judged| note(work, handles, holes, tally, piece, judged));
                if let Some(saver) = work.saver {
                    saver.add(&self.tally.verdicts[self.saved..]);
                    self.saved = self.tally.verdicts.len();
                }
            }
        }
        self.tally.failures = self.handles.close();
        self.tally
    }

    /// Takes pieces until the batch is full or none is left. Pieces that need not be read are
    /// judged at once.
    fn take_pieces(&mut self) -> Vec<PieceReader<'a>> {
        let mut taken = Vec::with_capacity(self.work.batch_len);
        while taken.len() < self.work.batch_len && !self.work.is_cancelled() {
            let Some(piece) = self.work.take() else { break };
            if self.is_zeros(piece) {
                let length = self.work.check.torrent.pieces().length(piece);
                let judged = Ok(Judged::Verdict(self.judge_zeros(piece, length)));
                let Self { work, handles, holes, tally, .. } = self;
                note(work, handles, holes, tally, piece, judged);
                self.tally.bytes_in_holes += length;
                self.work.advance(length);
            } else {
                taken.push(PieceReader::new(self.work.check.torrent, piece));
            }
        }
        taken
    }

    /// Whether the piece consists of pads and holes, which are zeros.
    fn is_zeros(&mut self, piece: u64) -> bool {
        let Self { work, handles, .. } = self;
        // The hashes of all pieces are needed.
        let v2 = work.check.torrent.v2_piece(piece);
        if v2.is_some_and(|v2| work.check.torrent.files()[v2.file].lacks_layer()) {
            return false;
        }
        work.check.torrent.parts(piece).all(|segment| {
            work.survey.place(segment.file).is_some_and(|place| place.is_sparse)
                && handles
                    .get(segment.file)
                    .is_ok_and(|file| is_hole(file, segment.offset, segment.length))
        })
    }

    fn judge_zeros(&mut self, piece: u64, length: u64) -> PieceVerdict {
        let Self { work, zeros, .. } = self;
        let v1 = work
            .check
            .torrent
            .pieces()
            .hash(piece)
            .map(|hash| hash == zeros.v1(work.check.backend, length));
        let v2 = work.check.torrent.v2_piece(piece).and_then(|v2| {
            let hashes = work.check.torrent.files()[v2.file].hashes()?;
            Some(zeros.is_v2(
                &Bep52::new().with_backend(work.check.backend),
                hashes,
                v2.index,
                v2.length,
            ))
        });
        judge(v1, v2)
    }
}

fn note(
    work: &Work<'_>,
    handles: &mut Handles<'_>,
    holes: &mut Holes,
    tally: &mut Tally,
    piece: u64,
    judged: Result<Judged, Failed>,
) {
    // If a piece with a hole is not good, it was never fully written.
    let mut has_hole = || {
        work.check.torrent.parts(piece).any(|segment| {
            let Segment { file: index, offset, length } = segment;
            handles.get(index).is_ok_and(|file| holes.touch(index, file, offset, length))
        })
    };
    // A client writes the blocks of a piece to its part file before the piece is complete.
    let partial = || {
        let is_in_parts = |part: &Segment| work.survey.in_parts(part).is_some();
        work.check.torrent.parts(piece).any(|part| is_in_parts(&part)).then(|| {
            let is_missing = work.check.torrent.parts(piece).all(|part| is_in_parts(&part));
            if is_missing { PieceVerdict::Missing } else { PieceVerdict::Unverifiable }
        })
    };
    let (verdict, known) = match judged {
        Ok(Judged::Verdict(verdict)) => {
            let partial = if verdict.is_good() { None } else { partial() };
            let verdict = match (partial, verdict) {
                (Some(partial), _) => partial,
                (None, PieceVerdict::Bad(WrongHash::All)) if has_hole() => PieceVerdict::Missing,
                (None, verdict) => verdict,
            };
            (verdict, verdict)
        }
        Ok(Judged::Part { v1, hash }) => {
            let has_hole = v1 != Some(true) && has_hole();
            tally.parts.push(Part { piece, v1, hash, has_hole });
            // No v2 hash can make a piece good whose SHA-1 is wrong.
            let known = match v1 {
                Some(false) if has_hole => PieceVerdict::Missing,
                Some(false) => PieceVerdict::Bad(WrongHash::All),
                _ => PieceVerdict::Unchecked,
            };
            (PieceVerdict::Unchecked, known)
        }
        // The verdict on the file gives the reason.
        Err(Failed) => (PieceVerdict::Unverifiable, PieceVerdict::Unverifiable),
    };
    if matches!(known, PieceVerdict::Bad(_)) {
        work.bad.fetch_add(1, Ordering::Relaxed);
    }
    if known.is_damage() {
        work.is_damaged.store(true, Ordering::Relaxed);
    }
    tally.verdicts.push((piece, verdict));
}
