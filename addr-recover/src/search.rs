//! The search over all cores.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sha256_multi::Backend;

use crate::batch::{Batch, Tally};
use crate::damaged::DamagedAddress;
use crate::error::SearchError;
use crate::tail::Tail;
use crate::verify;
use crate::walk::Walk;

/// An exhaustive search for the spellings of a damaged address that are addresses.
///
/// ```
/// use addr_recover::{DamagedAddress, Search};
///
/// let damaged: DamagedAddress = "1blogc9ln4opdcrunz3qo1ysa133e9agg8".parse()?;
/// let outcome = Search::new(&damaged).run()?;
/// assert_eq!(outcome.addresses, ["1BLogC9LN4oPDcruNz3qo1ysa133E9AGg8"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Search<'a> {
    damaged: &'a DamagedAddress,
    backend: Backend,
    threads: Option<NonZeroUsize>,
    cancel: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// All that a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Every spelling that is an address, sorted. When there is none, no address is spelled like the input.
    pub addresses: Vec<String>,
    /// How many 21-byte prefixes were double-hashed.
    pub hashes: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The parts of the search that are done.
    pub done: u32,
    /// All parts. They cover equally many spellings, though many of these may turn out to be no 25-byte numbers.
    pub total: u32,
}

impl<'a> Search<'a> {
    /// A search with the best backend of this machine, on the threads of the current `rayon` pool.
    pub fn new(damaged: &'a DamagedAddress) -> Self {
        Self { damaged, backend: Backend::detect(), threads: None, cancel: None, progress: None }
    }

    /// Hashes with this backend.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Runs on this many threads of its own.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Stops within milliseconds of this flag being set.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Calls `report` after each part of the search, from whichever thread has done it, so that a smaller number may
    /// come after a greater one.
    pub fn progress(mut self, report: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(report);
        self
    }

    /// Searches all spellings. This takes up to some 143 million hashes, a few seconds of one core with AVX-512.
    ///
    /// # Errors
    ///
    /// [`SearchError::Cancelled`] when the flag was set before the end: nothing is said about what was found until then,
    /// as it would not be the whole answer. [`SearchError::Threads`] when the threads could not be started.
    pub fn run(&self) -> Result<Outcome, SearchError> {
        match self.threads {
            None => self.run_here(),
            Some(threads) => rayon::ThreadPoolBuilder::new()
                .num_threads(threads.get())
                .build()?
                .install(|| self.run_here()),
        }
    }

    fn run_here(&self) -> Result<Outcome, SearchError> {
        let tail = Tail::new(self.damaged);
        let Some(walk) = Walk::new(self.damaged, &tail) else { return Ok(Outcome::default()) };
        let total = walk.units();
        let done = AtomicU32::new(0);
        let tally = (0..total)
            .into_par_iter()
            .try_fold(
                || Batch::new(self.backend, &tail),
                |mut batch, unit| {
                    if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                        return Err(SearchError::Cancelled);
                    }
                    walk.unit(unit, &mut |prefix, shift| batch.push(prefix, shift));
                    if let Some(report) = self.progress {
                        report(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
                    }
                    Ok(batch)
                },
            )
            .map(|batch| batch.map(Batch::finish))
            .try_reduce(Tally::default, |left, right| Ok(left.merge(right)))?;
        Ok(self.outcome(tally))
    }

    /// Spells the numbers found and keeps only what an independent decoding calls an address.
    fn outcome(&self, tally: Tally) -> Outcome {
        let mut addresses: Vec<String> = tally
            .numbers
            .into_iter()
            .filter_map(|number| self.damaged.spell(number))
            .filter(|address| verify::is_valid(address))
            .filter(|address| address.eq_ignore_ascii_case(self.damaged.as_str()))
            .collect();
        addresses.sort_unstable();
        addresses.dedup();
        Outcome { addresses, hashes: tally.hashes }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("damaged", &self.damaged)
            .field("backend", &self.backend)
            .field("threads", &self.threads)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
