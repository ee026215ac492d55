//! Collects the results that the next check can reuse.

use std::time::SystemTime;

use crate::pieces::Pieces;
use crate::resume::Resume;
use crate::stamp::Stamp;
use crate::survey::{Found, Survey};
use crate::verdict::PieceVerdict;
use crate::{Segment, Torrent};

/// What results depend on besides the verdicts on pieces.
pub(crate) struct Results<'r, 't> {
    pub(crate) torrent: &'t Torrent,
    pub(crate) pieces: &'r Pieces<'t>,
    pub(crate) survey: &'r Survey,
    /// When the check began.
    pub(crate) began: SystemTime,
    /// The results of an earlier check.
    pub(crate) before: Option<&'r Resume>,
}

impl Results<'_, '_> {
    /// The results to reuse. Pieces without a verdict keep the earlier result, unless one of their
    /// files is known to have changed.
    pub(crate) fn resume(&self, verdicts: &[PieceVerdict]) -> Resume {
        let good = (0..).zip(verdicts).map(|(piece, &verdict)| match verdict {
            PieceVerdict::Skipped | PieceVerdict::Unchecked => self.was_good(piece),
            _ => verdict.is_good(),
        });
        let files = 0..self.torrent.files().len();
        let stamps = files.map(|file| self.last_stamp(file).copied());
        let before = self.before.filter(|_| {
            (0..).zip(verdicts).any(|(piece, verdict)| match verdict {
                PieceVerdict::Skipped | PieceVerdict::Unchecked => self.was_good(piece),
                verdict => *verdict == PieceVerdict::Trusted,
            })
        });
        let oldest = before.map_or(self.began, |before| before.oldest().min(self.began));
        Resume::new(self.torrent, good, stamps, self.began, oldest)
    }

    fn was_good(&self, piece: u64) -> bool {
        self.before.is_some_and(|before| {
            let is_same = |part: Segment| {
                let stamp = before.stamp(part.file);
                stamp.is_some() && stamp == self.last_stamp(part.file)
            };
            before.was_good(piece) && self.pieces.data(piece).all(is_same)
        })
    }

    /// The stamp of a file from this check, or from the earlier one if it was not examined.
    fn last_stamp(&self, file: usize) -> Option<&Stamp> {
        match self.survey.found(file) {
            Found::Skipped => self.before?.stamp(file),
            _ if self.survey.failure(file).is_some() => None,
            _ => self.survey.stamp(file),
        }
    }
}
