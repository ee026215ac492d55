//! Measures how fast a search is, by searching some of it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::Search;
use super::worker::Worker;
use crate::format::{Batch, Format};
use crate::search_space::estimate::Speed;

/// How long to search before the time counts, because tables are made once.
const WARM_UP: Duration = Duration::from_millis(10);

const MEASURED: Duration = Duration::from_millis(20);

/// The number of units to choose.
const SAMPLES: usize = 16;

impl<F: Format> Search<'_, F> {
    /// Measures the speed of this search, by searching parts of it for about 30 milliseconds: on
    /// all threads of the current `rayon` pool at once, which may share a core, or on this thread
    /// if [`threads`](Self::threads) is one. It depends on the damage: prefixes collected one by
    /// one, as for typos, take longer. `examples/estimates.rs` compares estimates with the times of
    /// searches.
    ///
    /// Progress, checkpoints, cancellation and [`keep`](Self::keep) do not apply.
    #[must_use]
    pub fn measure(&self) -> Speed {
        if self.threads.is_some_and(|threads| threads.get() == 1) {
            return self.measure_here();
        }
        let speeds = rayon::broadcast(|_| self.measure_here().nanoseconds());
        Speed::new(speeds.iter().sum::<f64>() / speeds.len() as f64)
    }

    fn measure_here(&self) -> Speed {
        let units = self.todo();
        let stride = units.len().div_ceil(SAMPLES).max(1);
        // From the middle of each part, which is more like the rest than its beginning is.
        let samples = || units.iter().map(|&(_, unit)| unit).skip(stride / 2).step_by(stride);
        let (work, end) = (Cell::new(0), Cell::new(Instant::now() + WARM_UP));
        let count = |more| {
            work.set(work.get() + more);
            Instant::now() < end.get()
        };
        let batch = F::Batch::new(self.backend);
        let mut worker = Worker::new(self.space, batch, &|_| false, &count);
        let mut search_all = || samples().all(|unit| worker.search(unit).is_ok());
        search_all();
        work.set(0);
        let begin = Instant::now();
        end.set(begin + MEASURED);
        while begin.elapsed() < MEASURED && !units.is_empty() {
            search_all();
        }
        match work.get() {
            0 => Speed::measure(self.backend),
            work => Speed::new(begin.elapsed().as_nanos() as f64 / work as f64),
        }
    }
}
