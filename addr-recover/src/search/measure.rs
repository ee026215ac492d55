//! Measures how fast a search is, by searching some of it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::Search;
use super::worker::Worker;
use crate::candidate_hasher::CandidateHasher;
use crate::search_space::estimate::Speed;
use crate::search_space::unit::Unit;

/// How long to search before the time counts: tables are made once.
const WARM_UP: Duration = Duration::from_millis(10);

const MEASURED: Duration = Duration::from_millis(20);

/// The number of units to choose from.
const SAMPLES: usize = 16;

impl Search<'_> {
    /// Measures the speed of this search on this thread, by searching parts of it for about 30
    /// milliseconds. It depends on the damage: prefixes collected one by one, as for typos, take
    /// longer. `examples/estimates.rs` compares estimates with the times of searches.
    ///
    /// Progress, checkpoints and cancellation do not apply.
    #[must_use]
    pub fn measure(&self) -> Speed {
        let units: Vec<Unit> = self.todo().into_iter().map(|(_, unit)| unit).collect();
        let stride = units.len().div_ceil(SAMPLES).max(1);
        // From the middle of each part, which is more like the rest than the begin is.
        let samples: Vec<Unit> = units.into_iter().skip(stride / 2).step_by(stride).collect();
        let (hashes, end) = (Cell::new(0), Cell::new(Instant::now() + WARM_UP));
        let count = |more: u64| {
            hashes.set(hashes.get() + more);
            Instant::now() < end.get()
        };
        let mut worker = Worker::new(self.space, CandidateHasher::new(self.backend), &count);
        let _ = samples.iter().try_for_each(|&unit| worker.search(unit).map(|_| ()));
        hashes.set(0);
        let begin = Instant::now();
        end.set(begin + MEASURED);
        while begin.elapsed() < MEASURED && !samples.is_empty() {
            let _ = samples.iter().try_for_each(|&unit| worker.search(unit).map(|_| ()));
        }
        match hashes.get() {
            0 => Speed::measure(self.backend),
            hashes => Speed::new(begin.elapsed().as_nanos() as f64 / hashes as f64),
        }
    }
}
