//! Searches on all cores, with progress, cancellation and resumption.
//!
//! See docs/search.md for how a search works.

pub(crate) mod walk;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sha256_multi::Backend;

use crate::format::{Format, Hit};
use crate::kind::Version;
use crate::search_space::{SearchSpace, Unit};
use walk::Worker;

/// How long to search before the time counts, because lists are made once.
const WARM_UP: Duration = Duration::from_millis(10);

/// How long to measure.
const MEASURED: Duration = Duration::from_millis(20);

/// The number of units to measure.
const SAMPLES: usize = 16;

/// The maximum number of hits.
pub(crate) const MAX_HITS: usize = 100_000;

/// An exhaustive search for the addresses or the keys that a search space allows.
#[derive(Clone)]
pub struct Search<'a, F: Format = Version> {
    space: &'a SearchSpace<F>,
    backend: Backend,
    is_on_this_thread: bool,
    cancel: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(u64) + Sync)>,
    checkpoint: Option<Callback<'a, Outcome<F>, ()>>,
    keep: Option<Callback<'a, Hit<F>, bool>>,
    /// The index from 1, and the number of shards.
    shard: (usize, usize),
    before: Outcome<F>,
}

type Callback<'a, T, O> = &'a (dyn Fn(&T) -> O + Sync);

/// The result of a search, or of the part of one that has ended. [`Search::resume`] continues it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<F: Format = Version> {
    /// Every address or key found; sorted once the search has ended. If empty then, no such address
    /// exists, unless only a [shard](Search::shard) was searched.
    pub hits: Vec<Hit<F>>,
    /// The number of double hashes: one for each prefix that some candidate has, or two if
    /// candidates of two lengths or units have it. For mini keys, the number of candidates.
    pub hashes: u64,
    /// The finished units of the search. Units are the same on every machine, but may differ
    /// between versions of this crate.
    pub done: BTreeSet<usize>,
}

/// Why a search ended without the whole answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError<F: Format = Version> {
    /// The flag given to [`Search::cancel`](crate::Search::cancel) was set. The search can be
    /// [resumed](crate::Search::resume).
    #[error("the search was cancelled")]
    Cancelled(Box<Outcome<F>>),

    /// There are more hits than this, which is the maximum.
    #[error("more than {0} fit: that is noise, not an answer")]
    TooManyHits(usize),

    /// The progress given to [`Search::resume`](crate::Search::resume) has units that the search
    /// space does not have, or addresses that it does not allow.
    #[error("cannot resume, because the saved progress is from another search: {0}")]
    OfAnotherSearch(&'static str),
}

impl<'a, F: Format> Search<'a, F> {
    /// Creates a search with the fastest backend of this machine, on the current `rayon` pool.
    #[must_use]
    pub fn new(space: &'a SearchSpace<F>) -> Self {
        Self {
            space,
            backend: Backend::detect(),
            is_on_this_thread: false,
            cancel: None,
            progress: None,
            checkpoint: None,
            keep: None,
            shard: (1, 1),
            before: Outcome::default(),
        }
    }

    /// Hashes with this backend.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Runs on the calling thread, not on the `rayon` pool.
    #[must_use]
    pub fn on_this_thread(mut self) -> Self {
        self.is_on_this_thread = true;
        self
    }

    /// Stops within milliseconds of this flag being set.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Reports the number of prefixes tried so far through a callback, from any thread. In total,
    /// there are about as many as [`Estimate::hashes`](crate::Estimate::hashes) says.
    #[must_use]
    pub fn progress(mut self, report: &'a (dyn Fn(u64) + Sync)) -> Self {
        self.progress = Some(report);
        self
    }

    /// Passes what [`resume`](Self::resume) needs to a callback after each finished unit of the
    /// search. A unit takes milliseconds, or about a 4096th of the search if that is longer.
    ///
    /// Calls come from any thread, one at a time, and block threads that finish a unit meanwhile.
    /// The progress holds all hits, so clone it at intervals, not in every call.
    #[must_use]
    pub fn checkpoint(mut self, keep: &'a (dyn Fn(&Outcome<F>) + Sync)) -> Self {
        self.checkpoint = Some(keep);
        self
    }

    /// Keeps only hits for which a callback returns `true`: those whose address is known, for
    /// example. It is called on any thread, as soon as a hit is found.
    ///
    /// All hits that are kept are in memory. If millions are expected by chance, use them in the
    /// callback, and return `false`.
    #[must_use]
    pub fn keep(mut self, keep: &'a (dyn Fn(&Hit<F>) -> bool + Sync)) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Searches only the units of one shard, with `index` from 1 to `count`. Together, all shards
    /// find what the whole search finds, with the same number of hashes.
    ///
    /// # Panics
    ///
    /// Panics unless `1 <= index && index <= count`.
    #[must_use]
    pub fn shard(mut self, index: usize, count: usize) -> Self {
        assert!((1..=count).contains(&index), "shard {index} of {count}");
        self.shard = (index, count);
        self
    }

    /// Continues an earlier search of the same search space and shard.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::OfAnotherSearch`] if `before` does not fit the search space.
    pub fn resume(mut self, before: Outcome<F>) -> Result<Self, SearchError<F>> {
        let is_hit = |hit: &Hit<F>| {
            Hit::of(&hit.text).as_ref() == Some(hit) && self.space.has(hit.format, &hit.text)
        };
        if !before.hits.iter().all(is_hit) {
            let what = "it contains an address that the search space does not allow";
            return Err(SearchError::OfAnotherSearch(what));
        }
        if before.done.last().is_some_and(|&last| last >= self.space.units().len()) {
            return Err(SearchError::OfAnotherSearch("it has more units than the search space"));
        }
        self.before = before;
        Ok(self)
    }

    /// Runs the search to its end.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Cancelled`] if the flag is set before the end, and
    /// [`SearchError::TooManyHits`] if there are more than 100,000 hits.
    pub fn run(&self) -> Result<Outcome<F>, SearchError<F>> {
        let run = Run {
            search: self,
            todo: self.todo(),
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            hashes: AtomicU64::new(self.before.hashes),
            result: Mutex::new(self.before.clone()),
        };
        if self.is_on_this_thread {
            run.work();
        } else {
            rayon::broadcast(|_| run.work());
        }
        run.outcome()
    }

    /// Measures the nanoseconds per hash on each thread, by searching parts of the search space for
    /// about 30 milliseconds: on all threads of the current `rayon` pool at once, which may share a
    /// core, or [on this thread](Self::on_this_thread). Zero if there is nothing to hash.
    ///
    /// The speed depends on the damage: prefixes collected one by one take longer.
    /// `examples/estimates.rs` compares estimates with the times of searches.
    ///
    /// Progress, checkpoints, cancellation and [`keep`](Self::keep) do not apply.
    #[must_use]
    pub fn measure(&self) -> f64 {
        if self.is_on_this_thread {
            return self.measure_here();
        }
        let times = rayon::broadcast(|_| self.measure_here());
        times.iter().sum::<f64>() / times.len() as f64
    }

    fn measure_here(&self) -> f64 {
        let units = self.todo();
        let stride = units.len().div_ceil(SAMPLES).max(1);
        // The middle of each part is more representative than its start.
        let samples = || units.iter().map(|&(_, unit)| unit).skip(stride / 2).step_by(stride);
        let (work, end) = (Cell::new(0), Cell::new(Instant::now() + WARM_UP));
        let count = |more| {
            work.set(work.get() + more);
            Instant::now() < end.get()
        };
        let mut worker = Worker::new(self, &|_| false, &count);
        let mut search_all = || samples().all(|unit| worker.search(unit).is_some());
        search_all();
        if work.take() == 0 {
            return 0.0;
        }
        let begin = Instant::now();
        end.set(begin + MEASURED);
        while begin.elapsed() < MEASURED {
            search_all();
        }
        begin.elapsed().as_nanos() as f64 / work.get().max(1) as f64
    }

    /// The units to search, with their indices.
    fn todo(&self) -> Vec<(usize, Unit<F::Number>)> {
        let (index, count) = self.shard;
        let is_todo = |at: usize| at % count == index - 1 && !self.before.done.contains(&at);
        self.space.units().into_iter().enumerate().filter(|&(at, _)| is_todo(at)).collect()
    }
}

impl<F: Format> Default for Outcome<F> {
    fn default() -> Self {
        Self { hits: Vec::new(), hashes: 0, done: BTreeSet::new() }
    }
}

/// What the threads of a search share.
struct Run<'s, 'a, F: Format> {
    search: &'s Search<'a, F>,
    todo: Vec<(usize, Unit<F::Number>)>,
    next: AtomicUsize,
    stop: AtomicBool,
    hashes: AtomicU64,
    result: Mutex<Outcome<F>>,
}

impl<F: Format> Run<'_, '_, F> {
    /// Searches units until there are no more.
    fn work(&self) {
        let count = |hashes| self.count(hashes);
        let keep = |hit: &Hit<F>| self.search.keep.is_none_or(|keep| keep(hit));
        let mut worker = Worker::new(self.search, &keep, &count);
        while self.should_continue() {
            let Some(&(at, unit)) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let Some(tally) = worker.search(unit) else { break };
            self.add(at, tally);
        }
    }

    fn should_continue(&self) -> bool {
        let is_cancelled = self.search.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
        !is_cancelled && !self.stop.load(Ordering::Relaxed)
    }

    /// Adds up and reports hashes. Returns whether to continue.
    fn count(&self, hashes: u64) -> bool {
        let hashes = self.hashes.fetch_add(hashes, Ordering::Relaxed) + hashes;
        if let Some(report) = self.search.progress {
            report(hashes);
        }
        self.should_continue()
    }

    fn add(&self, at: usize, (hits, hashes): (Vec<Hit<F>>, u64)) {
        let mut result = self.lock();
        result.hashes += hashes;
        result.hits.extend(hits);
        result.done.insert(at);
        if result.hits.len() > MAX_HITS {
            self.stop.store(true, Ordering::Relaxed);
        }
        if let Some(keep) = self.search.checkpoint {
            keep(&result);
        }
    }

    /// Ignores poisoning: units are added whole, and only a callback can panic after that.
    fn lock(&self) -> std::sync::MutexGuard<'_, Outcome<F>> {
        self.result.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn outcome(self) -> Result<Outcome<F>, SearchError<F>> {
        let mut result = self.lock().clone();
        result.hits.sort_unstable();
        result.hits.dedup();
        if result.hits.len() > MAX_HITS {
            return Err(SearchError::TooManyHits(MAX_HITS));
        }
        if result.done.len() < self.search.before.done.len() + self.todo.len() {
            return Err(SearchError::Cancelled(Box::new(result)));
        }
        Ok(result)
    }
}
