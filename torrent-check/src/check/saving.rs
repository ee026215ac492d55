//! Passes on results while a check runs, so that they survive if it is killed.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::results::Results;
use crate::resume::Resume;
use crate::verdict::PieceVerdict;

/// Where results go, and at what intervals.
#[derive(Clone, Copy)]
pub(super) struct Saver<'a> {
    pub(super) interval: Duration,
    pub(super) save: &'a (dyn Fn(&Resume) + Sync),
}

/// The results of all threads so far.
pub(super) struct Saving<'a> {
    saver: Saver<'a>,
    results: Results<'a, 'a>,
    state: Mutex<State>,
}

struct State {
    verdicts: Vec<PieceVerdict>,
    saved_at: Instant,
}

impl<'a> Saving<'a> {
    pub(super) fn new(
        saver: Saver<'a>,
        results: Results<'a, 'a>,
        verdicts: Vec<PieceVerdict>,
    ) -> Self {
        let state = Mutex::new(State { verdicts, saved_at: Instant::now() });
        Self { saver, results, state }
    }

    /// Adds verdicts on pieces, and passes on all results if it is time.
    pub(super) fn add(&self, verdicts: &[(u64, PieceVerdict)]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for &(piece, verdict) in verdicts {
            state.verdicts[piece as usize] = verdict;
        }
        if state.saved_at.elapsed() >= self.saver.interval {
            (self.saver.save)(&self.results.resume(&state.verdicts));
            state.saved_at = Instant::now();
        }
    }
}
