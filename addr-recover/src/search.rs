//! The search over all cores.
//!
//! See docs/search.md for how a search works.

mod error;
mod hit;
mod known;
pub(crate) mod verify;
mod worker;

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use sha256_multi::Backend;

use crate::candidate_hasher::CandidateHasher;
use crate::search_space::SearchSpace;
use crate::search_space::unit::{Shard, Unit, units};
pub use error::SearchError;
pub use hit::Hit;
pub use known::Known;
use worker::{Tally, Worker};

/// An exhaustive search for the addresses that a search space allows.
///
/// ```
/// use addr_recover::{Kind, Pattern, SearchSpace, Search};
///
/// let pattern: Pattern = "1blogc9ln4opdcrunz3qo1ysa133e9agg8".parse()?;
/// let space = SearchSpace::new(&pattern, &Kind::all_versions())?;
/// let outcome = Search::new(&space).run()?;
/// assert_eq!(outcome.hits[0].address, "1BLogC9LN4oPDcruNz3qo1ysa133E9AGg8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Search<'a> {
    space: &'a SearchSpace,
    backend: Backend,
    threads: Option<NonZeroUsize>,
    cancel: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    shard: Shard,
    max_hits: usize,
    before: Unfinished,
}

/// All that a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Every address, sorted. When there is none, and the search was not of a
    /// [shard](Search::shard), there is no such address.
    pub hits: Vec<Hit>,
    /// How many prefixes were double-hashed: each that some candidate has, once.
    pub hashes: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How many prefixes have been hashed.
    pub hashes: u64,
    /// About how many there are.
    pub expected: f64,
}

/// What a cancelled search had done. It goes on with [`Search::resume`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// The addresses found so far.
    pub hits: Vec<Hit>,
    /// The prefixes hashed so far.
    pub hashes: u64,
    /// Which units of the search are done. Units are the same on every machine, and by version of
    /// this crate.
    pub done: Vec<Range<usize>>,
}

impl<'a> Search<'a> {
    /// A search with the best backend of this machine, on the threads of the current `rayon` pool.
    #[must_use]
    pub fn new(space: &'a SearchSpace) -> Self {
        Self {
            space,
            backend: Backend::detect(),
            threads: None,
            cancel: None,
            progress: None,
            shard: Shard::WHOLE,
            max_hits: 100_000,
            before: Unfinished::default(),
        }
    }

    /// Hashes with this backend.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Runs on this many threads of its own; with one, on the thread that calls.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Stops within milliseconds of this flag being set.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Calls `report` every now and then, from whichever thread.
    #[must_use]
    pub fn progress(mut self, report: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(report);
        self
    }

    /// Searches only the units of one shard. All shards together find what the whole search would,
    /// with as many hashes.
    #[must_use]
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// Gives up when there are more hits than this, instead of 100,000.
    #[must_use]
    pub fn max_hits(mut self, most: usize) -> Self {
        self.max_hits = most;
        self
    }

    /// Goes on with a search of the same search space and shard.
    ///
    /// # Errors
    ///
    /// [`SearchError::OfAnotherSearch`].
    pub fn resume(mut self, before: Unfinished) -> Result<Self, SearchError> {
        before.check(self.space).map_err(SearchError::OfAnotherSearch)?;
        self.before = before;
        Ok(self)
    }

    /// The hits one after another, searching on this thread as far as is needed for each. Within a
    /// unit they come in no order.
    ///
    /// Threads, progress, cancellation and the limit of hits do not apply.
    #[must_use]
    pub fn hits(&self) -> Hits<'a> {
        let mut todo = self.todo();
        todo.reverse();
        let worker = Worker::new(self.space, CandidateHasher::new(self.backend), &|_| true);
        let mut found = self.before.hits.clone();
        found.reverse();
        Hits { worker, todo, found }
    }

    /// Searches everything.
    ///
    /// # Errors
    ///
    /// [`SearchError::Cancelled`] when the flag was set before the end,
    /// [`SearchError::TooManyHits`], and [`SearchError::Threads`] when the threads could not be
    /// started.
    pub fn run(&self) -> Result<Outcome, SearchError> {
        let run = Run {
            search: self,
            todo: self.todo(),
            expected: self.space.estimate().hashes() / self.shard.count() as f64,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            hashes: AtomicU64::new(self.before.hashes),
            result: Mutex::new(self.before.clone()),
        };
        match self.threads.map(NonZeroUsize::get) {
            None => {
                rayon::broadcast(|_| run.work());
            }
            Some(1) => run.work(),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                pool.broadcast(|_| run.work());
            }
        }
        run.outcome()
    }

    /// The units to search, with their numbers.
    fn todo(&self) -> Vec<(usize, Unit)> {
        let is_done = |at: usize| self.before.done.iter().any(|done| done.contains(&at));
        let units = units(self.space).into_iter().enumerate();
        units.filter(|&(at, _)| self.shard.has(at) && !is_done(at)).collect()
    }
}

impl Unfinished {
    /// Whether a search of this search space can have left it.
    fn check(&self, space: &SearchSpace) -> Result<(), &'static str> {
        let is_hit = |hit: &Hit| {
            Hit::of(&hit.address).as_ref() == Some(hit)
                && space.has_version(hit.version)
                && space.allows(&hit.address)
        };
        if !self.hits.iter().all(is_hit) {
            return Err("it has an address that the search space does not allow");
        }
        let Some(last) = self.done.last() else { return Ok(()) };
        let are_apart = self.done.windows(2).all(|pair| pair[0].end < pair[1].start);
        if !are_apart || self.done.iter().any(Range::is_empty) {
            return Err("the units that are done are not in order");
        }
        if last.end > units(space).len() {
            return Err("it has more units than the search space");
        }
        Ok(())
    }
}

/// What the threads of a search share.
struct Run<'s, 'a> {
    search: &'s Search<'a>,
    todo: Vec<(usize, Unit)>,
    expected: f64,
    next: AtomicUsize,
    stop: AtomicBool,
    hashes: AtomicU64,
    result: Mutex<Unfinished>,
}

impl Run<'_, '_> {
    /// Searches units until there are no more.
    fn work(&self) {
        let go_on = |hashes| self.count(hashes);
        let mut worker =
            Worker::new(self.search.space, CandidateHasher::new(self.search.backend), &go_on);
        while self.go_on() {
            let Some(&(at, unit)) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let Ok(tally) = worker.search(unit) else { break };
            self.add(at, tally);
        }
    }

    fn go_on(&self) -> bool {
        let is_cancelled = self.search.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
        !is_cancelled && !self.stop.load(Ordering::Relaxed)
    }

    fn count(&self, hashes: u64) -> bool {
        let hashes = self.hashes.fetch_add(hashes, Ordering::Relaxed) + hashes;
        if let Some(report) = self.search.progress {
            report(Progress { hashes, expected: self.expected });
        }
        self.go_on()
    }

    fn add(&self, at: usize, tally: Tally) {
        let mut result = self.lock();
        result.hashes += tally.hashes;
        result.hits.extend(tally.hits);
        mark(&mut result.done, at);
        if result.hits.len() > self.search.max_hits {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// A thread that panics holds no lock.
    fn lock(&self) -> std::sync::MutexGuard<'_, Unfinished> {
        self.result.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn outcome(self) -> Result<Outcome, SearchError> {
        let done_before: usize = self.search.before.done.iter().map(Range::len).sum();
        let mut result = self.lock().clone();
        result.hits.sort_unstable();
        result.hits.dedup();
        if result.hits.len() > self.search.max_hits {
            return Err(SearchError::TooManyHits(self.search.max_hits));
        }
        if result.done.iter().map(Range::len).sum::<usize>() < self.todo.len() + done_before {
            return Err(SearchError::Cancelled(Box::new(result)));
        }
        Ok(Outcome { hits: result.hits, hashes: result.hashes })
    }
}

/// Adds a unit to sorted ranges.
fn mark(done: &mut Vec<Range<usize>>, unit: usize) {
    let at = done.partition_point(|range| range.end < unit);
    match done.get_mut(at) {
        Some(range) if range.end == unit => range.end += 1,
        Some(range) if range.start == unit + 1 => range.start = unit,
        _ => done.insert(at, unit..unit + 1),
    }
    if at + 1 < done.len() && done[at].end == done[at + 1].start {
        done[at].end = done[at + 1].end;
        done.remove(at + 1);
    }
}

/// See [`Search::hits`].
pub struct Hits<'a> {
    worker: Worker<'a>,
    /// The next unit is the last here.
    todo: Vec<(usize, Unit)>,
    found: Vec<Hit>,
}

impl Iterator for Hits<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        while self.found.is_empty() {
            let (_, unit) = self.todo.pop()?;
            self.found = self.worker.search(unit).unwrap_or_default().hits;
        }
        self.found.pop()
    }
}

impl fmt::Debug for Hits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hits").field("units_left", &self.todo.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("backend", &self.backend)
            .field("threads", &self.threads)
            .field("shard", &self.shard)
            .field("max_hits", &self.max_hits)
            .field("before", &self.before)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_done_are_few_ranges() {
        let mut done = Vec::new();
        for unit in [5, 7, 6, 0, 9, 8, 1, 3] {
            mark(&mut done, unit);
        }
        assert_eq!(done, [0..2, 3..4, 5..10]);
    }
}
