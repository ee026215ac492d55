//! Climbs the ladder of likely damage once a search has found nothing.

use std::mem::take;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::{Hit, NOISE, Rung, Search, SearchError, SearchSpace, Shard, Unfinished};
use indicatif::ProgressBar;

use super::Failure;
use super::ask::{Asker, Open, Searched};
use super::report::{HitReport, Next, Report, Status, Tried};

/// Searches that take less time are not measured.
const SHORT: Duration = Duration::from_millis(50);

/// Damage with more addresses expected by chance than this is not worth suggesting.
const MAX_SUGGESTED: f64 = 100.0;

/// Why there is no report.
enum Stop {
    Cancelled,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Searches, and tries more damage if nothing is found. The arguments are those of
/// [`Asker::search`].
pub(crate) fn search(
    asker: &Asker,
    open: &Open,
    before: Unfinished,
    keep: &(dyn Fn(&Unfinished) + Sync),
    single_threaded: bool,
    bar: &ProgressBar,
) -> Result<Searched, Failure> {
    let Some(budget) = asker.budget else {
        return asker.search(open, before, keep, single_threaded, bar);
    };
    let done = Mutex::new(before.done.clone());
    let keep = |unfinished: &Unfinished| {
        done.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&unfinished.done);
        keep(unfinished);
    };
    let mut unfinished = before;
    // After an interruption, the rest of the ladder is tried again.
    let as_asked =
        || match asker.search(open, take(&mut unfinished), &keep, single_threaded, bar)? {
            Searched::Done(report) => {
                let done = take(&mut *done.lock().unwrap_or_else(PoisonError::into_inner));
                unfinished = Unfinished { hits: Vec::new(), hashes: report.hashes, done };
                Ok(*report)
            }
            Searched::Cancelled(so_far) => {
                unfinished = so_far;
                Err(Stop::Cancelled)
            }
        };
    match climb(asker, open, budget, as_asked, single_threaded, bar) {
        Ok(report) => Ok(Searched::Done(Box::new(report))),
        Err(Stop::Cancelled) => Ok(Searched::Cancelled(unfinished)),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Climbs the ladder of a line. `as_asked` searches for what was described.
fn climb(
    asker: &Asker,
    open: &Open,
    budget: Duration,
    mut as_asked: impl FnMut() -> Result<Report, Stop>,
    single_threaded: bool,
    bar: &ProgressBar,
) -> Result<Report, Stop> {
    let mut ladder = asker.ladder(&open.pattern)?;
    let first = match ladder.next() {
        Some(rung) if !rung.is_described => {
            bar.inc_length(rung.space.estimate().hashes() as u64);
            let open = open.on(rung);
            match asker.search(&open, Unfinished::default(), &|_| (), single_threaded, bar)? {
                Searched::Done(report) => *report,
                Searched::Cancelled(_) => return Err(Stop::Cancelled),
            }
        }
        _ => as_asked()?,
    };
    if first.status != Status::None {
        return Ok(first);
    }
    let mut climb = Climb::new(asker, budget, first, single_threaded, bar);
    while let Some(rung) = ladder.next() {
        let has_found = if rung.is_described {
            let begin = Instant::now();
            let report = as_asked()?;
            climb.begin += begin.elapsed();
            if report.error.is_some() {
                return Ok(report);
            }
            climb.add(&rung, report)
        } else {
            climb.attempt(&rung)?
        };
        if has_found {
            break;
        }
        if climb.is_over() {
            ladder.skip_undescribed();
        }
    }
    Ok(climb.concluded())
}

/// Tries more damage, as long as the estimates stay within the budget and few addresses are
/// expected by chance. The time of the estimates counts, too.
struct Climb<'a> {
    asker: &'a Asker,
    budget: Duration,
    single_threaded: bool,
    bar: &'a ProgressBar,
    begin: Instant,
    /// The odds count everything that was tried.
    report: Report,
    expected: f64,
}

impl<'a> Climb<'a> {
    /// After a report that nothing was found.
    fn new(
        asker: &'a Asker,
        budget: Duration,
        report: Report,
        single_threaded: bool,
        bar: &'a ProgressBar,
    ) -> Self {
        Self {
            asker,
            budget,
            single_threaded,
            bar,
            begin: Instant::now(),
            expected: report.expected_by_chance.unwrap_or_default(),
            report,
        }
    }

    /// Whether no other rung can be tried.
    fn is_over(&self) -> bool {
        let is_spent = self.begin.elapsed() >= self.budget && self.report.next.is_some();
        is_spent && !self.asker.has_known()
    }

    /// Tries a rung, or skips it if it takes too long or too many addresses would fit by chance.
    /// Returns whether something was found.
    fn attempt(&mut self, rung: &Rung) -> Result<bool, Stop> {
        let asker = self.asker;
        let known = asker.known_answers(&rung.space);
        let is_doubtful = || self.expected + rung.expected_by_chance > asker.max_by_chance;
        if known.is_empty() && (is_doubtful() || !self.is_within_budget(&rung.space)) {
            self.suggest(rung);
            return Ok(false);
        }
        let options = asker.damage.options_of(rung);
        self.report.from_known = !known.is_empty();
        let hits = if self.report.from_known {
            known
        } else {
            self.expected += rung.expected_by_chance;
            self.search(&rung.space)?
        };
        self.report.tried.push(Tried {
            damage: rung.name.to_owned(),
            options,
            candidates: rung.space.estimate().candidates(),
        });
        self.report.hits =
            hits.iter().map(|hit| HitReport::new(hit, asker.is_known(hit), None)).collect();
        Ok(!hits.is_empty())
    }

    /// Keeps a rung that was skipped as what to try next: the first whose answer would not be noise
    /// or, if there is none, the first that few enough addresses fit by chance to look at them.
    fn suggest(&mut self, rung: &Rung) {
        let by_chance = rung.space.estimate().expected_by_chance();
        let is_noise = by_chance > NOISE;
        let is_better = self.report.next.as_ref().is_none_or(|next| next.is_noise() && !is_noise);
        if !is_better || by_chance > MAX_SUGGESTED {
            return;
        }
        let time = self.duration(&rung.space);
        // An infinite estimate is not worth suggesting.
        if time < Duration::MAX {
            let force = if is_noise { " --force" } else { "" };
            let known = self.asker.known_option();
            self.report.next = Some(Next {
                damage: rung.name.to_owned(),
                options: self.asker.damage.options_of(rung) + force + &known,
                seconds: time.as_secs_f64(),
                expected_by_chance: by_chance,
            });
        }
    }

    fn is_within_budget(&self, space: &SearchSpace) -> bool {
        let is_within = |time| time <= self.budget.saturating_sub(self.begin.elapsed());
        is_within(self.min_duration(space)) && is_within(self.duration(space))
    }

    /// How long the hashing alone will take.
    fn min_duration(&self, space: &SearchSpace) -> Duration {
        space.estimate().duration(self.asker.speed(), self.threads())
    }

    /// How long a search will take. The speed of short ones is not worth a measurement.
    fn duration(&self, space: &SearchSpace) -> Duration {
        let time = self.min_duration(space);
        if time < SHORT {
            return time;
        }
        let speed = Search::new(space).measure();
        space.estimate().duration(speed, self.threads())
    }

    fn threads(&self) -> usize {
        if self.single_threaded { 1 } else { rayon::current_num_threads() }
    }

    fn search(&mut self, space: &SearchSpace) -> Result<Vec<Hit>, Stop> {
        let Self { asker, single_threaded, bar, .. } = *self;
        bar.inc_length(space.estimate().hashes() as u64);
        let whole = Unfinished::default();
        match asker.run(space, Shard::WHOLE, whole, &|_| (), single_threaded, bar) {
            Err(SearchError::Cancelled(_)) => Err(Stop::Cancelled),
            outcome => {
                let outcome = outcome?;
                self.report.hashes += outcome.hashes;
                Ok(outcome.hits)
            }
        }
    }

    /// Adds the search that was described. Returns whether it found something.
    fn add(&mut self, rung: &Rung, described: Report) -> bool {
        self.expected += rung.expected_by_chance;
        let report = &mut self.report;
        report.hashes += described.hashes;
        report.seconds += described.seconds;
        report.hits = described.hits;
        report.tried.push(Tried {
            damage: rung.name.to_owned(),
            options: self.asker.damage.options_of(rung),
            candidates: described.candidates.unwrap_or_default(),
        });
        !report.hits.is_empty()
    }

    fn concluded(mut self) -> Report {
        self.report.seconds += self.begin.elapsed().as_secs_f64();
        self.report.expected_by_chance = Some(self.expected);
        if !self.report.hits.is_empty() {
            self.report.next = None;
        }
        self.report.concluded()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::CANCELLED;
    use super::super::args::RunArgs;
    use super::super::ask::Asked;
    use super::super::settings::DamageArgs;
    use super::*;

    /// The search ends with its first unit, and everything after it is cancelled.
    #[test]
    fn the_search_is_kept_if_other_damage_is_cancelled() {
        let run = RunArgs { budget: Some(Duration::from_secs(3600)), ..RunArgs::default() };
        let asker = Asker::new(DamageArgs::default(), &run).unwrap();
        let Asked::Open(open) = asker.ask(None, b"3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72") else {
            panic!("needs a search");
        };
        let cancel = |_: &Unfinished| CANCELLED.store(true, Ordering::Relaxed);
        let bar = ProgressBar::hidden();
        let searched = search(&asker, &open, Unfinished::default(), &cancel, true, &bar).unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        let Searched::Cancelled(unfinished) = searched else { panic!("not cancelled") };
        assert_eq!(unfinished.hashes as f64, open.estimate.hashes());
        let again = |unfinished: &Unfinished| panic!("searched again: {unfinished:?}");
        let outcome = asker.run(&open.space, Shard::WHOLE, unfinished.clone(), &again, true, &bar);
        assert_eq!(outcome.unwrap().hashes, unfinished.hashes);
    }
}
