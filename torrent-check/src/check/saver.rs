//! Passes on results while a check runs, so that they survive if it is killed.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::state::State;
use crate::survey::Survey;
use crate::verdict::PieceVerdict;

/// Gets the results so far.
pub(super) type Save<'a> = &'a (dyn Fn(&State) + Sync);

/// Passes on the results of all threads at intervals.
pub(super) struct Saver<'a> {
    interval: Duration,
    save: Save<'a>,
    survey: &'a Survey<'a>,
    /// The results so far, and when they were last passed on.
    results: Mutex<(Vec<PieceVerdict>, Instant)>,
}

impl<'a> Saver<'a> {
    pub(super) fn new(
        interval: Duration,
        save: Save<'a>,
        survey: &'a Survey<'a>,
        verdicts: Vec<PieceVerdict>,
    ) -> Self {
        Self { interval, save, survey, results: Mutex::new((verdicts, Instant::now())) }
    }

    /// Adds verdicts on pieces, and passes on all results if it is time.
    pub(super) fn add(&self, verdicts: &[(u64, PieceVerdict)]) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, saved_at) = &mut *results;
        for &(piece, verdict) in verdicts {
            all[piece as usize] = verdict;
        }
        if saved_at.elapsed() >= self.interval {
            (self.save)(&State::new(self.survey, all));
            *saved_at = Instant::now();
        }
    }
}
