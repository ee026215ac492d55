//! Searches for what was described and, if nothing is found, for likely damage.

use std::mem::take;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use addr_recover::{Hit, NOISE, Progress, Rung, Search, SearchError, SearchSpace, Unfinished};

use super::ask::{Open, nearest_note};
use super::bar::Bar;
use super::report::{HitReport, Next, Report, Tried};
use super::session::Session;
use super::{Failure, is_cancelled};

/// With so many addresses expected by chance, a single hit is right once in five times.
pub(crate) const MAX_BY_CHANCE: f64 = 4.0;

/// The maximum number of hashes for damage that was not described: seconds.
const MAX_HASHES: f64 = (1_u64 << 28) as f64;

/// [`MAX_HASHES`] for a line of a batch.
const MAX_HASHES_OF_LINE: f64 = (1_u64 << 24) as f64;

/// The maximum number of hashes for a rung of a line of a batch, or [`MAX_TIMES`] those of the text
/// as written if that is more: there may be many lines, and most without an answer stay without one.
const MAX_HASHES_OF_RUNG: f64 = (1_u64 << 22) as f64;
const MAX_TIMES: f64 = 16.0;

/// Damage with more addresses expected by chance than this is not worth suggesting.
const MAX_SUGGESTED: f64 = 100.0;

/// How a search ended.
pub(crate) enum Searched {
    Done(Box<Report>),
    Cancelled(Unfinished),
}

/// Why a climb ended without an answer.
enum Stop {
    Cancelled,
    /// More addresses fit than an answer may have.
    Noise(String),
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Session {
    /// Searches: on one thread if `single_threaded`, or else on all threads of the pool. Tries more
    /// damage if nothing is found. Calls `keep` with the progress of the search that was described:
    /// after an interruption, other damage is tried again.
    pub(crate) fn climb(
        &self,
        open: &Open,
        before: Unfinished,
        keep: &(dyn Fn(&Unfinished) + Sync),
        single_threaded: bool,
        bar: &Bar,
    ) -> Result<Searched, Failure> {
        let begin = Instant::now();
        let mut climb = Climb {
            session: self,
            open,
            single_threaded,
            bar,
            keep,
            unfinished: before,
            deadline: self.search.budget.and_then(|budget| begin.checked_add(budget)),
            hashes_left: if self.is_batch { MAX_HASHES_OF_LINE } else { MAX_HASHES },
            max_hashes: f64::INFINITY,
            expected: open.estimate.expected_by_chance(),
            report: open.report(),
            skipped: Vec::new(),
            next: None,
        };
        let outcome =
            if self.search.exact { climb.asked(&open.space, true) } else { climb.climb() };
        climb.report.seconds = begin.elapsed().as_secs_f64();
        Ok(match outcome {
            Ok(()) => Searched::Done(Box::new(climb.concluded())),
            Err(Stop::Cancelled) => Searched::Cancelled(climb.unfinished),
            Err(Stop::Noise(message)) => Searched::Done(Box::new(open.report().refused(message))),
            Err(Stop::Failed(failure)) => return Err(failure),
        })
    }
}

/// Tries more damage, as long as it takes few hashes and few addresses are expected by chance. What
/// is tried does not depend on the time it takes, unless there is a budget.
struct Climb<'a> {
    session: &'a Session,
    open: &'a Open,
    single_threaded: bool,
    bar: &'a Bar,
    /// Called with the progress of the search that was described.
    keep: &'a (dyn Fn(&Unfinished) + Sync),
    /// How far that search has come.
    unfinished: Unfinished,
    /// When the budget is spent.
    deadline: Option<Instant>,
    hashes_left: f64,
    /// The maximum number of hashes for a rung.
    max_hashes: f64,
    /// The odds count everything that was tried.
    expected: f64,
    report: Report,
    /// What takes too many hashes, if there is a budget for it.
    skipped: Vec<Rung>,
    /// The cheapest damage that was not tried.
    next: Option<Rung>,
}

impl Climb<'_> {
    /// Tries the rungs of the ladder until one finds something.
    fn climb(&mut self) -> Result<(), Stop> {
        let mut ladder = self.session.ladder(&self.open.pattern)?;
        let mut is_first = true;
        self.expected = 0.0;
        while self.report.hits.is_empty() {
            // Rungs take time to build, too.
            if !is_first && self.is_spent() && ladder.skip_likely() {
                self.note("the budget ended before all likely damage was tried".to_owned());
            }
            let Some(rung) = ladder.next() else { return self.attempt_skipped() };
            if is_first {
                self.report.candidates = Some(rung.space.estimate().candidates());
                if self.session.is_batch {
                    let hashes = rung.space.estimate().hashes();
                    self.max_hashes = MAX_HASHES_OF_RUNG.max(MAX_TIMES * hashes);
                }
            }
            if is_first || rung.is_described {
                self.expected += rung.expected_by_chance;
                self.asked(&rung.space, rung.is_described)?;
                if !is_first {
                    self.tried(&rung);
                }
            } else {
                self.attempt(rung)?;
            }
            is_first = false;
        }
        Ok(())
    }

    /// Searches for what was described, or for the text as written. The budget is not for that.
    fn asked(&mut self, space: &SearchSpace, is_described: bool) -> Result<(), Stop> {
        let begin = Instant::now();
        let hits = self.run(space, is_described, None)?.unwrap_or_default();
        self.found(&hits);
        self.deadline = self.deadline.and_then(|it| it.checked_add(begin.elapsed()));
        Ok(())
    }

    /// Tries a rung, or skips it if it takes too many hashes or too many addresses would fit by
    /// chance.
    fn attempt(&mut self, rung: Rung) -> Result<(), Stop> {
        let known = self.session.known_answers(&rung.space);
        let hashes = rung.space.estimate().hashes();
        if !known.is_empty() {
            self.report.from_known = true;
            self.tried(&rung);
            self.found(&known);
        } else if self.is_doubtful(&rung) {
            self.suggest(rung);
        } else if hashes <= self.hashes_left.min(self.max_hashes) {
            self.hashes_left -= hashes;
            self.attempt_now(rung)?;
        } else if self.session.search.budget.is_some() {
            self.skipped.push(rung);
        } else {
            self.suggest(rung);
        }
        Ok(())
    }

    /// Tries what takes many hashes, the cheapest first.
    fn attempt_skipped(&mut self) -> Result<(), Stop> {
        let hashes = |rung: &Rung| rung.space.estimate().hashes();
        let mut skipped = take(&mut self.skipped);
        skipped.sort_by(|a, b| hashes(a).total_cmp(&hashes(b)));
        for rung in skipped {
            if self.is_doubtful(&rung) || self.is_spent() {
                self.suggest(rung);
            } else if self.report.hits.is_empty() {
                self.attempt_now(rung)?;
            }
        }
        Ok(())
    }

    /// Searches a rung until the budget is spent.
    fn attempt_now(&mut self, rung: Rung) -> Result<(), Stop> {
        match self.run(&rung.space, false, self.deadline)? {
            Some(hits) => {
                self.expected += rung.expected_by_chance;
                self.tried(&rung);
                self.found(&hits);
            }
            None => {
                self.note(format!("the budget ended the search for {}", rung.name));
                self.suggest(rung);
            }
        }
        Ok(())
    }

    /// Searches a space, and draws its progress. Returns `None` if the deadline has passed.
    fn run(
        &mut self,
        space: &SearchSpace,
        is_described: bool,
        deadline: Option<Instant>,
    ) -> Result<Option<Vec<Hit>>, Stop> {
        let (bar, mut before) = (self.bar, Unfinished::default());
        let mut keep: &(dyn Fn(&Unfinished) + Sync) = &|_| ();
        if is_described {
            (before, keep) = (take(&mut self.unfinished), self.keep);
        }
        bar.expect(space.estimate().hashes());
        let drawn = AtomicU64::new(before.hashes);
        let stop = AtomicBool::new(is_cancelled());
        let show = |progress: Progress| {
            bar.draw(&drawn, progress);
            if is_cancelled() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let search = self.on_threads(Search::new(space));
        let search = search.cancel(&stop).progress(&show).checkpoint(keep).resume(before)?;
        match search.run() {
            Ok(outcome) => {
                self.report.hashes += outcome.hashes;
                if is_described {
                    self.unfinished = Unfinished::complete(space, outcome.hashes);
                }
                Ok(Some(outcome.hits))
            }
            Err(SearchError::Cancelled(unfinished)) if is_cancelled() => {
                if is_described {
                    self.unfinished = *unfinished;
                }
                Err(Stop::Cancelled)
            }
            Err(SearchError::Cancelled(unfinished)) => {
                self.report.hashes += unfinished.hashes;
                Ok(None)
            }
            Err(error @ SearchError::TooManyHits(_)) => Err(Stop::Noise(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    fn on_threads<'s>(&self, search: Search<'s>) -> Search<'s> {
        if self.single_threaded { search.threads(NonZeroUsize::MIN) } else { search }
    }

    fn is_doubtful(&self, rung: &Rung) -> bool {
        self.expected + rung.expected_by_chance > MAX_BY_CHANCE
    }

    fn is_spent(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn note(&mut self, note: String) {
        self.report.note = Some(match self.report.note.take() {
            Some(before) => format!("{note}; {before}"),
            None => note,
        });
    }

    fn tried(&mut self, rung: &Rung) {
        self.report.tried.push(Tried {
            damage: rung.name.to_owned(),
            options: self.session.ask.damage.options_of(rung),
            candidates: rung.space.estimate().candidates(),
        });
    }

    fn found(&mut self, hits: &[Hit]) {
        let report = |hit| HitReport::new(hit, self.session.is_known(hit), None);
        self.report.hits = hits.iter().map(report).collect();
    }

    /// Keeps a rung that was skipped, if it is the one to try next: the cheapest whose answer would
    /// not be noise or, if all would be, the one that the fewest addresses fit by chance.
    fn suggest(&mut self, rung: Rung) {
        let rank = |rung: &Rung| {
            let estimate = rung.space.estimate();
            let by_chance = estimate.expected_by_chance();
            if by_chance > NOISE { (true, by_chance) } else { (false, estimate.hashes()) }
        };
        let is_better = self.next.as_ref().is_none_or(|next| rank(&rung) < rank(next));
        if is_better && rung.space.estimate().expected_by_chance() <= MAX_SUGGESTED {
            self.next = Some(rung);
        }
    }

    /// What to try next, with an estimate of the time that it takes.
    fn next(&self) -> Option<Next> {
        let rung = self.next.as_ref()?;
        let estimate = rung.space.estimate();
        let threads = if self.single_threaded { 1 } else { rayon::current_num_threads() };
        let search = self.on_threads(Search::new(&rung.space));
        // A measurement takes longer than most lines of a batch, so they share one.
        let speed = if self.session.is_batch {
            *self.session.speed.get_or_init(|| search.measure())
        } else {
            search.measure()
        };
        let time = estimate.duration(speed, threads);
        let by_chance = estimate.expected_by_chance();
        let force = if by_chance > NOISE { " --force" } else { "" };
        // An infinite estimate is not worth suggesting.
        (time < Duration::MAX).then(|| Next {
            damage: rung.name.to_owned(),
            options: self.session.ask.damage.options_of(rung)
                + force
                + &self.session.known_option(),
            seconds: time.as_secs_f64(),
            expected_by_chance: by_chance,
        })
    }

    fn concluded(mut self) -> Report {
        self.report.expected_by_chance = Some(self.expected);
        if !self.report.hits.is_empty() || self.session.search.exact {
            return self.report.concluded();
        }
        if let Some((distance, hits)) = self.session.nearest(&self.open.pattern) {
            self.found(&hits);
            self.report.from_known = true;
            self.report.tried.clear();
            return Report { note: Some(nearest_note(distance)), ..self.report.concluded() };
        }
        self.report.next = self.next();
        self.report.concluded()
    }
}

#[cfg(test)]
mod tests {
    use super::super::CANCELLED;
    use super::super::args::{AskArgs, RunArgs, SearchArgs};
    use super::super::ask::Asked;
    use super::*;

    /// The search ends with its first unit, and everything after it is cancelled.
    #[test]
    fn the_search_is_kept_if_other_damage_is_cancelled() {
        let session = Session::new(
            false,
            AskArgs::default(),
            SearchArgs::default(),
            RunArgs::default(),
            Vec::new(),
        )
        .unwrap();
        let Asked::Open(open) = session.question(None, b"3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72")
        else {
            panic!("needs a search");
        };
        let cancel = |_: &Unfinished| CANCELLED.store(true, Ordering::Relaxed);
        let bar = Bar::of_steps(true, 0.0);
        let searched = session.climb(&open, Unfinished::default(), &cancel, true, &bar).unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        let Searched::Cancelled(unfinished) = searched else { panic!("not cancelled") };
        assert!(unfinished.hashes > 0);
        let again = |unfinished: &Unfinished| panic!("searched again: {unfinished:?}");
        let search = Search::new(&open.space).checkpoint(&again);
        let outcome = search.resume(unfinished.clone()).unwrap().run().unwrap();
        assert_eq!(outcome.hashes, unfinished.hashes);
    }
}
