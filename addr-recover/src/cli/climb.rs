//! Searches for what was described and, if nothing is found, for likely damage. Addresses and keys
//! are asked for in the same way.

use std::mem::take;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use addr_recover::{Certainty, Change, Ladder, Limits, NOISE, Outcome, Rung, SearchError, Skipped};

use super::args::SearchArgs;
use super::bar::Bar;
use super::report::{HitReport, Next, Report, Tried};
use super::{Failure, note, print};

/// How to search for what a text may have been.
pub(crate) trait Question {
    /// What a rung searches.
    type Space;

    /// Before a search of more hashes, its time is estimated: seconds.
    const MAX_UNANNOUNCED: f64 = (1_u64 << 28) as f64;

    /// Continues a search, and calls `progress` with the number of hashes so far.
    fn search(
        &self,
        space: &Self::Space,
        before: Outcome,
        keep: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, SearchError>;

    fn time(&self, space: &Self::Space) -> Duration;

    /// The known addresses that fit, which answer without a search.
    fn known(&self, _: &Self::Space) -> Vec<HitReport> {
        Vec::new()
    }

    /// The answer with the known addresses that are nearest to the text.
    fn nearest(&self, _: &Report) -> Option<Report> {
        None
    }

    /// What was wrong if a rung found this; `None` for keys, of which no part is shown.
    fn change(&self, _: &Rung<Self::Space>, _: &str) -> Option<Change> {
        None
    }

    /// The options that describe a rung.
    fn options(&self, rung: &Rung<Self::Space>) -> String;

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

#[derive(Default)]
pub(crate) struct Found {
    pub(crate) hits: Vec<HitReport>,
    pub(crate) hashes: u64,
    /// The number of private keys that were compared with an address.
    pub(crate) secrets: u64,
    /// Whether the hits are those of the address that was given, which none is by chance.
    pub(crate) is_proof: bool,
    /// Whether it was not cancelled.
    pub(crate) is_done: bool,
    pub(crate) unfinished: Outcome,
}

/// Tries more damage, as long as it takes few hashes and few addresses are expected by chance. What
/// is tried does not depend on the time it takes, unless there is a budget.
pub(crate) struct Climb<'a, Q: Question> {
    question: &'a Q,
    ladder: Ladder<'a, Q::Space>,
    is_batch: bool,
    bar: &'a Bar,
    /// Called with the progress of the search that was described: after an interruption, other
    /// damage is tried again.
    pub(crate) keep: Keep<'a>,
    /// How far that search has come.
    pub(crate) unfinished: Outcome,
    /// The time left for rungs of more hashes than the maximum.
    budget: Duration,
    /// What is worth trying, and what was counted: the odds count everything that was tried.
    limits: Limits,
    report: Report,
    /// The cheapest damage that was not tried.
    next: Option<Rung<Q::Space>>,
}

impl<'a, Q: Question> Climb<'a, Q> {
    /// `report` has what is known before the search.
    pub(crate) fn new(
        question: &'a Q,
        ladder: Ladder<'a, Q::Space>,
        report: Report,
        is_batch: bool,
        search: &SearchArgs,
        bar: &'a Bar,
    ) -> Self {
        Self {
            question,
            ladder,
            is_batch,
            bar,
            keep: &|_| (),
            unfinished: Outcome::default(),
            budget: search.budget.unwrap_or_default(),
            limits: if is_batch { Limits::of_line() } else { Limits::new() },
            report,
            next: None,
        }
    }

    /// Searches until something is found or there is nothing more to try. If cancelled, also
    /// returns how far the search that was described has come.
    pub(crate) fn run(mut self) -> Result<(Report, Option<Outcome>), Failure> {
        let begin = Instant::now();
        let outcome = self.climb();
        self.report.seconds = begin.elapsed().as_secs_f64();
        // The address proves its key.
        let by_chance =
            if self.report.is_proven() { 0.0 } else { self.limits.expected_by_chance() };
        self.report.expected_by_chance = Some(by_chance);
        match outcome {
            Ok(()) => Ok((self.concluded(), None)),
            Err(SearchError::Cancelled(_)) => Ok((self.report, Some(self.unfinished))),
            // More fit than an answer may have.
            Err(noise @ SearchError::TooManyHits(_)) => {
                Ok((self.report.refused(noise.to_string()), None))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tries the rungs of the ladder until one finds something. Skips those that take too many
    /// hashes, or that too many addresses would fit by chance.
    fn climb(&mut self) -> Result<(), SearchError> {
        while self.report.hits.is_empty()
            && let Some(rung) = self.ladder.next()
        {
            if rung.is_as_written() {
                self.report.candidates = Some(format!("{:.0}", rung.estimate.candidates));
            } else if !rung.is_described {
                let known = self.question.known(&rung.space);
                if !known.is_empty() {
                    self.report.from_known = true;
                    self.report.hits = known;
                    self.tried(&rung);
                    break;
                }
            }
            match self.limits.admit(&rung) {
                Ok(()) => self.attempt(&rung)?,
                Err(Skipped::Long)
                    if !self.budget.is_zero() && self.question.time(&rung.space) <= self.budget =>
                {
                    self.limits.add(&rung);
                    let begin = Instant::now();
                    self.attempt(&rung)?;
                    self.budget = self.budget.saturating_sub(begin.elapsed());
                }
                Err(_) => self.suggest(rung),
            }
        }
        Ok(())
    }

    /// Searches a rung, and draws its progress.
    fn attempt(&mut self, rung: &Rung<Q::Space>) -> Result<(), SearchError> {
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
        self.report.hits = found.hits;
        if !found.is_done {
            return Err(SearchError::Cancelled(Box::default()));
        }
        self.report.hashes += found.hashes;
        if let Some(key) = &mut self.report.key {
            key.secrets += found.secrets;
            key.is_proven = found.is_proof;
        }
        self.tried(rung);
        Ok(())
    }

    fn tried(&mut self, rung: &Rung<Q::Space>) {
        if !rung.is_as_written() {
            if let [hit] = &self.report.hits[..] {
                self.report.change = self.question.change(rung, &hit.address).map(Into::into);
            }
            self.report.likelihood = rung.likelihood;
            self.report.tried.push(Tried {
                damage: rung.name.to_owned(),
                options: self.question.options(rung),
                candidates: format!("{:.0}", rung.estimate.candidates),
            });
        }
    }

    /// Keeps a rung that was skipped, if it is the one to try next.
    fn suggest(&mut self, rung: Rung<Q::Space>) {
        if rung.is_next_before(self.next.as_ref()) {
            self.next = Some(rung);
        }
    }

    /// What to try next, with an estimate of the time that it takes.
    fn next(&self) -> Option<Next> {
        let rung = self.next.as_ref()?;
        let time = self.question.time(&rung.space);
        let expected = rung.estimate.expected_by_chance;
        let force = if expected > NOISE { " --force" } else { "" };
        let (options, more) = (self.question.options(rung), self.question.more_options());
        // An infinite estimate is not worth suggesting.
        (time < Duration::MAX).then(|| Next {
            damage: rung.name.to_owned(),
            options: format!("{options}{force}{more}"),
            seconds: time.as_secs_f64(),
            expected_by_chance: expected,
        })
    }

    /// The answer, which is the nearest known address if nothing certain was found.
    fn concluded(mut self) -> Report {
        let is_empty = self.report.hits.is_empty();
        let evidence = self.report.evidence();
        let is_certain =
            !is_empty && evidence.is_none_or(|it| it.certainty() < Certainty::Uncertain);
        if !is_certain && let Some(report) = self.question.nearest(&self.report) {
            return report;
        }
        self.report.next = is_empty.then(|| self.next()).flatten();
        self.report.concluded()
    }
}
