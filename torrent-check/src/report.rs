//! What a check has found.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::pieces::Pieces;
use crate::resume::{Resume, bitfield};
use crate::root::Content;
use crate::stamp::Stamp;
use crate::survey::{Found, Survey};
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{Segment, Torrent};

/// What a check has found: of every file, and of every piece.
pub struct Report<'t> {
    torrent: &'t Torrent,
    pieces: Pieces<'t>,
    content: Content,
    survey: Survey,
    began: SystemTime,
    before: Option<Resume>,
    verdicts: Vec<PieceVerdict>,
    files: Vec<FileReport>,
    is_cancelled: bool,
    bytes_checked: u64,
    bytes_in_holes: u64,
}

/// What was found at a file's place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileReport {
    /// What is said of it.
    pub verdict: FileVerdict,
    /// How long it is on disk, if it is there.
    pub found_length: Option<u64>,
    /// How many of the pieces with bytes of it are what.
    pub counts: Counts,
    /// Where files with its root have been found, beneath the content's folder, if that was [asked
    /// for](crate::Check::find_renamed) and this one is not good.
    pub found_as: Vec<PathBuf>,
}

/// Consecutive pieces of a file of which the same is to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// What: bad, missing or unverifiable.
    pub verdict: PieceVerdict,
    /// Which pieces.
    pub pieces: Range<u64>,
    /// Which bytes of the file they have.
    pub bytes: Range<u64>,
}

/// What a check knows in the end.
pub(crate) struct Outcome<'t> {
    pub(crate) torrent: &'t Torrent,
    pub(crate) pieces: Pieces<'t>,
    pub(crate) content: Content,
    pub(crate) survey: Survey,
    pub(crate) began: SystemTime,
    pub(crate) before: Option<Resume>,
    pub(crate) verdicts: Vec<PieceVerdict>,
    pub(crate) is_cancelled: bool,
    pub(crate) bytes_checked: u64,
    pub(crate) bytes_in_holes: u64,
}

impl<'t> Report<'t> {
    pub(crate) fn new(outcome: Outcome<'t>) -> Self {
        let Outcome { torrent, pieces, content, survey, began, before, mut verdicts, .. } = outcome;
        // What was read of a file that has changed is worth nothing.
        for (file, _) in survey.failures().filter(|(_, failure)| failure.is_of_all_pieces()) {
            let own = pieces.of_file(file);
            for verdict in &mut verdicts[own.start as usize..own.end as usize] {
                if matches!(
                    verdict,
                    PieceVerdict::Good | PieceVerdict::Trusted | PieceVerdict::Bad(_)
                ) {
                    *verdict = PieceVerdict::Unverifiable;
                }
            }
        }
        let mut files = Vec::with_capacity(torrent.files().len());
        for (file, described) in torrent.files().iter().enumerate() {
            let own = pieces.of_file(file);
            let counts = Counts::of(&verdicts[own.start as usize..own.end as usize]);
            files.push(FileReport {
                verdict: survey.verdict(file, described.length(), &counts),
                found_length: survey.stamp(file).map(|stamp| stamp.length),
                counts,
                found_as: Vec::new(),
            });
        }
        Self {
            torrent,
            pieces,
            content,
            survey,
            began,
            before,
            verdicts,
            files,
            is_cancelled: outcome.is_cancelled,
            bytes_checked: outcome.bytes_checked,
            bytes_in_holes: outcome.bytes_in_holes,
        }
    }

    /// Notes where a file has been found.
    pub(crate) fn set_found_as(&mut self, file: usize, places: Vec<PathBuf>) {
        self.files[file].found_as = places;
    }

    /// The torrent.
    #[must_use]
    pub fn torrent(&self) -> &'t Torrent {
        self.torrent
    }

    /// Where the content was looked for.
    #[must_use]
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Of each file of the torrent, in its order, what was found at its place.
    #[must_use]
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// What is said of each piece. Pieces of v1 are numbered through all files; where there is no
    /// v1, each file begins with a piece of its own.
    #[must_use]
    pub fn pieces(&self) -> &[PieceVerdict] {
        &self.verdicts
    }

    /// The pieces with bytes of a file.
    ///
    /// # Panics
    ///
    /// If the torrent has no such file.
    #[must_use]
    pub fn pieces_of(&self, file: usize) -> Range<u64> {
        self.pieces.of_file(file)
    }

    /// The parts of files that a piece consists of, without padding.
    ///
    /// # Panics
    ///
    /// If the torrent has no such piece.
    pub fn parts(&self, piece: u64) -> impl Iterator<Item = Segment> + '_ {
        self.pieces.data(piece)
    }

    /// The files because of which a piece cannot be verified.
    ///
    /// # Panics
    ///
    /// If the torrent has no such piece.
    pub fn causes(&self, piece: u64) -> impl Iterator<Item = usize> + '_ {
        let is_cause = |part: &Segment| {
            self.survey.bytes_there(part) < part.length || self.survey.failure(part.file).is_some()
        };
        self.parts(piece).filter(is_cause).map(|part| part.file)
    }

    /// What is wrong with a file because of which pieces cannot be verified: the verdict on it,
    /// also where it was looked at for the sake of others alone and its own verdict is
    /// [`FileVerdict::Skipped`].
    ///
    /// # Panics
    ///
    /// If the torrent has no such file.
    #[must_use]
    pub fn cause(&self, file: usize) -> FileVerdict {
        let length = self.torrent.files()[file].length();
        self.survey.verdict_if_asked_for(file, length, &self.files[file].counts)
    }

    /// How many pieces of the torrent are what.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.verdicts)
    }

    /// What is wrong with the pieces of a file, in their order.
    ///
    /// # Panics
    ///
    /// If the torrent has no such file.
    #[must_use]
    pub fn damage(&self, file: usize) -> Vec<Damage> {
        let mut damage: Vec<Damage> = Vec::new();
        for piece in self.pieces.of_file(file) {
            let verdict = self.verdicts[piece as usize];
            if !verdict.is_damage() {
                continue;
            }
            let bytes = self.pieces.bytes_of_file(piece, file);
            match damage.last_mut() {
                Some(last) if last.verdict == verdict && last.pieces.end == piece => {
                    last.pieces.end += 1;
                    last.bytes.end = bytes.end;
                }
                _ => damage.push(Damage { verdict, pieces: piece..piece + 1, bytes }),
            }
        }
        damage
    }

    /// Whether every file that was asked for is there and good, down to its length.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_fine = |file: &FileReport| {
            matches!(file.verdict, FileVerdict::Good | FileVerdict::Pad | FileVerdict::Skipped)
        };
        // Padding is in no file, but its pieces have hashes.
        let is_good =
            |verdict: &PieceVerdict| verdict.is_good() || *verdict == PieceVerdict::Skipped;
        self.files.iter().all(is_fine) && self.verdicts.iter().all(is_good)
    }

    /// Whether the check was cancelled before its end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// How many bytes were hashed, or known without reading them.
    #[must_use]
    pub fn bytes_checked(&self) -> u64 {
        self.bytes_checked
    }

    /// How many of them stand in holes and padding, and were not read.
    #[must_use]
    pub fn bytes_in_holes(&self) -> u64 {
        self.bytes_in_holes
    }

    /// A bit for each piece, set if it is good, in the order in which peers send them: the first
    /// one is the highest of the first byte.
    #[must_use]
    pub fn bitfield(&self) -> Vec<u8> {
        bitfield(self.verdicts.iter().map(|verdict| verdict.is_good()))
    }

    /// What the next check need not do again. Of pieces that were not checked now it says what the
    /// [earlier one](crate::Check::resume) said, if their files have not changed since, as far
    /// as they were looked at.
    #[must_use]
    pub fn resume(&self) -> Resume {
        let good = (0..).zip(&self.verdicts).map(|(piece, &verdict)| match verdict {
            PieceVerdict::Skipped | PieceVerdict::Unchecked => self.was_good(piece),
            _ => verdict.is_good(),
        });
        let stamps = (0..self.files.len()).map(|file| self.last_stamp(file).copied());
        Resume::new(self.torrent, good, stamps, self.began)
    }

    fn was_good(&self, piece: u64) -> bool {
        self.before.as_ref().is_some_and(|before| {
            let is_same = |part: Segment| {
                let stamp = before.stamp(part.file);
                stamp.is_some() && stamp == self.last_stamp(part.file)
            };
            before.was_good(piece) && self.parts(piece).all(is_same)
        })
    }

    /// A file's stamp from now, or from before if it was not looked at.
    fn last_stamp(&self, file: usize) -> Option<&Stamp> {
        match self.survey.found(file) {
            Found::Skipped => self.before.as_ref()?.stamp(file),
            _ if self.survey.failure(file).is_some() => None,
            _ => self.survey.stamp(file),
        }
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("torrent", self.torrent.name())
            .field("content", &self.content)
            .field("counts", &self.counts())
            .field("files", &self.files)
            .field("is_cancelled", &self.is_cancelled)
            .finish_non_exhaustive()
    }
}
