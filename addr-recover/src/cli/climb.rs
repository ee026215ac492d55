//! Searches for what was described and, if nothing is found, for likely damage. Addresses and keys
//! are asked for in the same way.

use std::mem::take;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use addr_recover::{Climb, Damage, NOISE, Outcome, Rung, SearchError, Skipped};

use super::args::SearchArgs;
use super::bar::Bar;
use super::print;
use super::report::{Next, Report};
use super::terminal::{Failure, note};

/// How to search for what a text may have been.
pub(crate) trait Question {
    /// What a rung searches.
    type Space;
    /// What is found.
    type Hit;

    /// Before a search of more hashes, its time is estimated: seconds.
    const MAX_UNANNOUNCED: f64 = (1_u64 << 28) as f64;

    /// Continues a search, and calls `progress` with the number of hashes so far.
    fn search(
        &self,
        space: &Self::Space,
        before: Outcome,
        keep: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found<Self::Hit>, SearchError>;

    fn time(&self, space: &Self::Space) -> Duration;

    /// The known addresses that fit, which answer without a search.
    fn known(&self, _: &Self::Space) -> Vec<Self::Hit> {
        Vec::new()
    }

    /// The report on a search that was cancelled.
    fn unfinished(&self, report: Report, hits: Vec<Self::Hit>) -> Report;

    /// The report on the answer.
    fn reported(
        &self,
        report: Report,
        hits: Vec<Self::Hit>,
        climb: &Climb<'_, Self::Space>,
    ) -> Report;

    /// The options that describe damage, and that all networks are searched.
    fn options(&self, damage: &Damage, is_any_network: bool) -> String;

    /// The options to repeat in the next command besides those of a rung.
    fn more_options(&self) -> String;
}

/// What a rung of a ladder costs.
pub(crate) struct RungCost {
    pub(crate) name: &'static str,
    pub(crate) candidates: f64,
    pub(crate) expected_by_chance: f64,
    pub(crate) time: Duration,
    /// Why it is skipped.
    pub(crate) skipped: Option<Skipped>,
}

/// Takes what is needed to resume a search.
pub(crate) type Keep<'a> = &'a (dyn Fn(&Outcome) + Sync);

pub(crate) struct Found<Hit> {
    pub(crate) hits: Vec<Hit>,
    pub(crate) hashes: u64,
    /// The number of private keys that were compared with an address.
    pub(crate) secrets: u64,
    /// Whether the hits are those of the address that was given, which none is by chance.
    pub(crate) is_proof: bool,
    /// Whether it was not cancelled.
    pub(crate) is_done: bool,
    pub(crate) unfinished: Outcome,
}

impl<Hit> Default for Found<Hit> {
    fn default() -> Self {
        Self {
            hits: Vec::new(),
            hashes: 0,
            secrets: 0,
            is_proof: false,
            is_done: false,
            unfinished: Outcome::default(),
        }
    }
}

/// Searches for the answer to a question, as far as a [`Climb`] goes. What is tried does not depend
/// on the time it takes, unless there is a budget.
pub(crate) struct Ascent<'a, Q: Question> {
    question: &'a Q,
    climb: Climb<'a, Q::Space>,
    is_batch: bool,
    bar: &'a Bar,
    /// Called with the progress of the search that was described: after an interruption, other
    /// damage is tried again.
    pub(crate) keep: Keep<'a>,
    /// How far that search has come.
    pub(crate) unfinished: Outcome,
    /// The time left for rungs of more hashes than the maximum.
    budget: Duration,
    report: Report,
    hits: Vec<Q::Hit>,
}

impl<'a, Q: Question> Ascent<'a, Q> {
    /// `report` has what is known before the search.
    pub(crate) fn new(
        question: &'a Q,
        climb: Climb<'a, Q::Space>,
        report: Report,
        is_batch: bool,
        search: &SearchArgs,
        bar: &'a Bar,
    ) -> Self {
        Self {
            question,
            climb,
            is_batch,
            bar,
            keep: &|_| (),
            unfinished: Outcome::default(),
            budget: search.budget.unwrap_or_default(),
            report,
            hits: Vec::new(),
        }
    }

    /// Searches until something is found or there is nothing more to try. If cancelled, also
    /// returns how far the search that was described has come.
    pub(crate) fn run(mut self) -> Result<(Report, Option<Outcome>), Failure> {
        let begin = Instant::now();
        let outcome = self.climb();
        self.report.seconds = begin.elapsed().as_secs_f64();
        self.report.hashes = self.climb.hashes();
        // The address proves its key.
        let is_proven = self.report.is_proven();
        let by_chance = if is_proven { 0.0 } else { self.climb.expected_by_chance() };
        self.report.expected_by_chance = Some(by_chance);
        match outcome {
            Ok(()) => Ok((self.concluded(), None)),
            Err(SearchError::Cancelled(_)) => {
                let report = self.question.unfinished(self.report, self.hits);
                Ok((report, Some(self.unfinished)))
            }
            // More fit than an answer may have.
            Err(noise @ SearchError::TooManyHits(_)) => {
                Ok((self.report.refused(noise.to_string()), None))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Searches the rungs that the climb admits until one finds something.
    fn climb(&mut self) -> Result<(), SearchError> {
        while let Some(rung) = self.climb.advance() {
            if rung.is_as_written() {
                self.report.candidates = Some(format!("{:.0}", rung.estimate.candidates));
            } else if !rung.is_described {
                self.hits = self.question.known(&rung.space);
                if !self.hits.is_empty() {
                    self.climb.add(true, 0);
                    break;
                }
            }
            let (question, budget, mut is_long) = (self.question, self.budget, false);
            let may_take_long = |rung: &Rung<Q::Space>| {
                is_long = !budget.is_zero() && question.time(&rung.space) <= budget;
                is_long
            };
            if self.climb.admit(may_take_long) {
                let begin = Instant::now();
                self.attempt()?;
                if is_long {
                    self.budget = self.budget.saturating_sub(begin.elapsed());
                }
            }
        }
        Ok(())
    }

    /// Searches the rung that was reached, and draws its progress.
    fn attempt(&mut self) -> Result<(), SearchError> {
        let Some(rung) = self.climb.rung() else { return Ok(()) };
        let bar = self.bar;
        if rung.estimate.hashes > Q::MAX_UNANNOUNCED && !self.is_batch {
            let time = print::time(self.question.time(&rung.space).as_secs_f64());
            // Nobody asked for the others.
            let what = if rung.is_as_written() {
                "this".to_owned()
            } else {
                format!("nothing fits yet; trying {}", rung.name)
            };
            bar.suspend(|| note(&format!("note: {what} takes about {time}")));
        }
        let (mut before, mut keep): (_, Keep<'_>) = (Outcome::default(), &|_| ());
        if rung.is_described {
            (before, keep) = (take(&mut self.unfinished), self.keep);
        }
        bar.expect(rung.estimate.hashes);
        let drawn = AtomicU64::new(before.hashes);
        let progress = |hashes: u64| {
            // Threads may report out of order, but every hash is drawn once.
            bar.add(hashes.saturating_sub(drawn.fetch_max(hashes, Ordering::Relaxed)));
        };
        let found = self.question.search(&rung.space, before, keep, &progress)?;
        if rung.is_described {
            self.unfinished = found.unfinished;
        }
        self.hits = found.hits;
        if !found.is_done {
            return Err(SearchError::Cancelled(Box::default()));
        }
        if let Some(key) = &mut self.report.key {
            key.secrets += found.secrets;
            key.is_proven = found.is_proof;
        }
        self.climb.add(!self.hits.is_empty(), found.hashes);
        Ok(())
    }

    /// What to try next, with an estimate of the time that it takes.
    fn next(&self) -> Option<Next> {
        let rung = self.climb.next()?;
        let time = self.question.time(&rung.space);
        let expected = rung.estimate.expected_by_chance;
        let force = if expected > NOISE { " --force" } else { "" };
        let options = self.question.options(&rung.damage, rung.is_any_network);
        let more = self.question.more_options();
        // An infinite estimate is not worth suggesting.
        (time < Duration::MAX).then(|| Next {
            damage: rung.name.to_owned(),
            options: format!("{options}{force}{more}"),
            seconds: time.as_secs_f64(),
            expected_by_chance: expected,
        })
    }

    /// The report on the answer, and what to try next.
    fn concluded(mut self) -> Report {
        let (report, hits) = (take(&mut self.report), take(&mut self.hits));
        let report = self.question.reported(report, hits, &self.climb);
        let next = report.hits.is_empty().then(|| self.next()).flatten();
        Report { next, ..report }
    }
}
