//! Measures how fast a search is, by searching some of it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::Search;
use super::worker::Worker;
use crate::candidate_hasher::CandidateHasher;
use crate::search_space::estimate::Speed;
use crate::search_space::unit::Unit;

/// How long to search before the time counts, because tables are made once.
const WARM_UP: Duration = Duration::from_millis(10);

const MEASURED: Duration = Duration::from_millis(20);

/// The number of tasks to choose.
const SAMPLES: usize = 16;

impl Search<'_> {
    /// Measures the speed of this search, by searching parts of it for about 30 milliseconds: on
    /// all threads of the current `rayon` pool at once, which may share a core, or on this thread
    /// if [`threads`](Self::threads) is one. It depends on the damage: prefixes collected one by
    /// one, as for typos, take longer. `examples/estimates.rs` compares estimates with the times of
    /// searches.
    ///
    /// Progress, checkpoints and cancellation do not apply.
    #[must_use]
    pub fn measure(&self) -> Speed {
        if self.threads.is_some_and(|threads| threads.get() == 1) {
            return self.measure_here();
        }
        let speeds = rayon::broadcast(|_| self.measure_here().nanoseconds());
        Speed::new(speeds.iter().sum::<f64>() / speeds.len() as f64)
    }

    fn measure_here(&self) -> Speed {
        let units: Vec<Unit> = self.todo().into_iter().map(|(_, unit)| unit).collect();
        let meter = Meter::new();
        let count = |hashes| meter.count(hashes);
        let mut worker = Worker::new(self.space, CandidateHasher::new(self.backend), &count);
        let nanoseconds = meter.nanoseconds(&units, |unit| worker.search(unit).is_ok());
        nanoseconds.map_or_else(|| Speed::measure(self.backend), Speed::new)
    }
}

/// Measures how long a unit of work takes.
pub(crate) struct Meter {
    work: Cell<u64>,
    end: Cell<Instant>,
}

impl Meter {
    pub(crate) fn new() -> Self {
        Self { work: Cell::new(0), end: Cell::new(Instant::now()) }
    }

    /// Counts work that was done, and returns whether to go on.
    pub(crate) fn count(&self, more: u64) -> bool {
        self.work.set(self.work.get() + more);
        Instant::now() < self.end.get()
    }

    /// Nanoseconds per unit of work, from searching some tasks until [`count`](Self::count) says
    /// to stop. `search` returns whether it came to its end. `None` if there was no work.
    pub(crate) fn nanoseconds<T: Copy>(
        &self,
        tasks: &[T],
        mut search: impl FnMut(T) -> bool,
    ) -> Option<f64> {
        let stride = tasks.len().div_ceil(SAMPLES).max(1);
        // From the middle of each part, which is more like the rest than its beginning is.
        let samples: Vec<T> = tasks.iter().copied().skip(stride / 2).step_by(stride).collect();
        let mut search_all = || samples.iter().all(|&sample| search(sample));
        self.end.set(Instant::now() + WARM_UP);
        search_all();
        self.work.set(0);
        let begin = Instant::now();
        self.end.set(begin + MEASURED);
        while begin.elapsed() < MEASURED && !samples.is_empty() {
            search_all();
        }
        let work = self.work.get();
        (work > 0).then(|| begin.elapsed().as_nanos() as f64 / work as f64)
    }
}
