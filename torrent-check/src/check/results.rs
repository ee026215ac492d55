//! The results of a check as a state for the next one, also while it runs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Segment;
use crate::content::survey::Survey;
use crate::state::stamp::Stamp;
use crate::state::{State, bitfield};
use crate::verdict::PieceVerdict;

/// The results of a check so far. Pieces without a verdict keep the result of the earlier
/// check, unless one of their files is known to have changed.
pub(crate) fn state(survey: &Survey<'_>, verdicts: &[PieceVerdict]) -> State {
    let (torrent, before, began) = (survey.torrent, survey.before, survey.began);
    // The stamp of a file from this check, or from the earlier one if it was not examined.
    let stamp = |file: usize| match survey.was_examined(file) {
        false => before?.stamp(file),
        true if survey.failure(file).is_some() => None,
        true => survey.stamp(file),
    };
    let was_good = |before: &State, piece: u64| {
        let is_same = |part: Segment| {
            let earlier = before.stamp(part.file).zip(stamp(part.file));
            earlier.is_some_and(|(earlier, now)| now.is_since(earlier, survey.trusts_modified))
        };
        before.was_good(piece) && torrent.parts(piece).all(is_same)
    };
    // Whether results of the earlier check are kept.
    let mut keeps = false;
    let mut is_good = |(piece, verdict): (u64, &PieceVerdict)| match verdict {
        PieceVerdict::Skipped | PieceVerdict::Unchecked => {
            let is_kept = before.is_some_and(|before| was_good(before, piece));
            keeps |= is_kept;
            is_kept
        }
        verdict => {
            keeps |= *verdict == PieceVerdict::Trusted;
            verdict.is_good()
        }
    };
    let good_pieces = bitfield((0..).zip(verdicts).map(&mut is_good));
    let oldest = before.filter(|_| keeps).map_or(began, |before| before.oldest().min(began));
    let settled = |file| {
        let is_settled = |stamp: &&Stamp| stamp.is_settled(began);
        stamp(file).filter(is_settled).filter(|_| survey.without_times(file).is_none()).copied()
    };
    let files = (0..torrent.files().len()).map(settled).collect();
    State::new(torrent, oldest, good_pieces, files)
}

/// Gets the results so far.
pub(crate) type Save<'a> = &'a (dyn Fn(&State) + Sync);

/// Passes on the results of all threads at intervals.
pub(crate) struct Saver<'a> {
    interval: Duration,
    save: Save<'a>,
    survey: &'a Survey<'a>,
    /// The results so far, and when they were last passed on.
    results: Mutex<(Vec<PieceVerdict>, Instant)>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(
        interval: Duration,
        save: Save<'a>,
        survey: &'a Survey<'a>,
        verdicts: Vec<PieceVerdict>,
    ) -> Self {
        Self { interval, save, survey, results: Mutex::new((verdicts, Instant::now())) }
    }

    /// Adds verdicts on pieces, and passes on all results if it is time.
    pub(crate) fn add(&self, verdicts: &[(u64, PieceVerdict)]) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, saved_at) = &mut *results;
        for &(piece, verdict) in verdicts {
            all[piece as usize] = verdict;
        }
        if saved_at.elapsed() >= self.interval {
            (self.save)(&state(self.survey, all));
            *saved_at = Instant::now();
        }
    }
}
