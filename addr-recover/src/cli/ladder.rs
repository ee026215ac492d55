//! Climbs the ladder of likely damage once a search has found nothing.

use std::mem::take;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::{Hit, NOISE, Pattern, Rung, Search, SearchError, Shard, Unfinished};

use super::ask::{Asker, MAX_BY_CHANCE, Open, Searched, nearest_note};
use super::bar::Bar;
use super::report::{HitReport, Next, Report, Status, Tried};
use super::{Failure, is_cancelled};

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
    bar: &Bar,
) -> Result<Searched, Failure> {
    if !asker.tries_more {
        return asker.search(open, before, keep, single_threaded, bar);
    }
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
    match climb(asker, open, as_asked, single_threaded, bar) {
        Ok(report) => Ok(Searched::Done(Box::new(report))),
        Err(Stop::Cancelled) => Ok(Searched::Cancelled(unfinished)),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Climbs the ladder of a line. `as_asked` searches for what was described.
fn climb(
    asker: &Asker,
    open: &Open,
    mut as_asked: impl FnMut() -> Result<Report, Stop>,
    single_threaded: bool,
    bar: &Bar,
) -> Result<Report, Stop> {
    let mut ladder = asker.ladder(&open.pattern)?;
    let first = match ladder.next() {
        Some(rung) if !rung.is_described => {
            bar.expect(rung.space.estimate().hashes());
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
    let mut climb = Climb {
        asker,
        single_threaded,
        bar,
        begin: Instant::now(),
        hashes_left: asker.max_hashes,
        expected: first.expected_by_chance.unwrap_or_default(),
        report: first,
        skipped: Vec::new(),
        next: None,
    };
    for rung in ladder {
        let has_found = if rung.is_described {
            let begin = Instant::now();
            let report = as_asked()?;
            climb.begin += begin.elapsed();
            if report.error.is_some() {
                return Ok(report);
            }
            climb.add(&rung, report)
        } else {
            climb.attempt(rung)?
        };
        if has_found {
            return Ok(climb.concluded(&open.pattern));
        }
    }
    climb.attempt_skipped()?;
    Ok(climb.concluded(&open.pattern))
}

/// Tries more damage, as long as it takes few hashes and few addresses are expected by chance. What
/// is tried does not depend on the time it takes, except for what `--budget` adds.
struct Climb<'a> {
    asker: &'a Asker,
    single_threaded: bool,
    bar: &'a Bar,
    begin: Instant,
    hashes_left: f64,
    /// The odds count everything that was tried.
    report: Report,
    expected: f64,
    /// What takes too many hashes, if there is a budget for it.
    skipped: Vec<Rung>,
    /// The cheapest damage that was not tried.
    next: Option<Rung>,
}

impl Climb<'_> {
    /// Tries a rung, or skips it if it takes too many hashes or too many addresses would fit by
    /// chance. Returns whether something was found.
    fn attempt(&mut self, rung: Rung) -> Result<bool, Stop> {
        let asker = self.asker;
        let known = asker.known_answers(&rung.space);
        self.report.from_known = !known.is_empty();
        if self.report.from_known {
            return Ok(self.found(&rung, &known));
        }
        let hashes = rung.space.estimate().hashes();
        let is_doubtful = self.expected + rung.expected_by_chance > MAX_BY_CHANCE;
        if is_doubtful || hashes > self.hashes_left {
            if asker.budget.is_some() && !is_doubtful {
                self.skipped.push(rung);
            } else {
                self.suggest(rung);
            }
            return Ok(false);
        }
        self.hashes_left -= hashes;
        match self.search(&rung, None)? {
            Some(hits) => Ok(self.found(&rung, &hits)),
            None => Err(Stop::Cancelled),
        }
    }

    /// Tries what takes many hashes, the cheapest first, until the budget is spent.
    fn attempt_skipped(&mut self) -> Result<(), Stop> {
        let Some(budget) = self.asker.budget else { return Ok(()) };
        let deadline = self.begin.checked_add(budget);
        let hashes = |rung: &Rung| rung.space.estimate().hashes();
        self.skipped.sort_by(|a, b| hashes(a).total_cmp(&hashes(b)));
        for rung in take(&mut self.skipped) {
            let is_doubtful = self.expected + rung.expected_by_chance > MAX_BY_CHANCE;
            let is_spent = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_doubtful || is_spent {
                self.suggest(rung);
                continue;
            }
            let Some(hits) = self.search(&rung, deadline)? else {
                let note = format!("the budget ended the search for {}", rung.name);
                self.report.note = Some(match self.report.note.take() {
                    Some(before) => format!("{note}; {before}"),
                    None => note,
                });
                self.suggest(rung);
                continue;
            };
            if self.found(&rung, &hits) {
                break;
            }
        }
        Ok(())
    }

    /// Adds a rung that was tried. Returns whether something was found.
    fn found(&mut self, rung: &Rung, hits: &[Hit]) -> bool {
        self.report.tried.push(Tried {
            damage: rung.name.to_owned(),
            options: self.asker.damage.options_of(rung),
            candidates: rung.space.estimate().candidates(),
        });
        let report = |hit| HitReport::new(hit, self.asker.is_known(hit), None);
        self.report.hits = hits.iter().map(report).collect();
        !hits.is_empty()
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
        let time = estimate.duration(self.asker.speed(), threads);
        let time = if time < SHORT {
            time
        } else {
            let search = Search::new(&rung.space);
            let alone = search.clone().threads(NonZeroUsize::MIN);
            let search = if self.single_threaded { alone } else { search };
            estimate.duration(search.measure(), threads)
        };
        let by_chance = estimate.expected_by_chance();
        let force = if by_chance > NOISE { " --force" } else { "" };
        // An infinite estimate is not worth suggesting.
        (time < Duration::MAX).then(|| Next {
            damage: rung.name.to_owned(),
            options: self.asker.damage.options_of(rung) + force + &self.asker.known_option(),
            seconds: time.as_secs_f64(),
            expected_by_chance: by_chance,
        })
    }

    /// Searches a rung. Returns `None` if the deadline has passed.
    fn search(&mut self, rung: &Rung, deadline: Option<Instant>) -> Result<Option<Vec<Hit>>, Stop> {
        let Self { asker, single_threaded, bar, .. } = *self;
        bar.expect(rung.space.estimate().hashes());
        let whole = Unfinished::default();
        let (space, shard) = (&rung.space, Shard::WHOLE);
        match asker.run(space, shard, whole, &|_| (), single_threaded, bar, deadline) {
            Err(SearchError::Cancelled(_)) if is_cancelled() => Err(Stop::Cancelled),
            Err(SearchError::Cancelled(unfinished)) => {
                self.report.hashes += unfinished.hashes;
                Ok(None)
            }
            outcome => {
                let outcome = outcome?;
                self.report.hashes += outcome.hashes;
                self.expected += rung.expected_by_chance;
                Ok(Some(outcome.hits))
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

    fn concluded(mut self, pattern: &Pattern) -> Report {
        let asker = self.asker;
        self.report.seconds += self.begin.elapsed().as_secs_f64();
        self.report.expected_by_chance = Some(self.expected);
        if !self.report.hits.is_empty() {
            return self.report.concluded();
        }
        if let Some((distance, hits)) = asker.nearest(pattern) {
            self.report.from_known = true;
            self.report.hits = hits.iter().map(|hit| HitReport::new(hit, true, None)).collect();
            self.report.tried.clear();
            return Report { note: Some(nearest_note(distance)), ..self.report.concluded() };
        }
        self.report.next = self.next();
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
        let asker = Asker::new(DamageArgs::default(), &RunArgs::default()).unwrap();
        let Asked::Open(open) = asker.ask(None, b"3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72") else {
            panic!("needs a search");
        };
        let cancel = |_: &Unfinished| CANCELLED.store(true, Ordering::Relaxed);
        let bar = Bar::of_steps(true, 0.0);
        let searched = search(&asker, &open, Unfinished::default(), &cancel, true, &bar).unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        let Searched::Cancelled(unfinished) = searched else { panic!("not cancelled") };
        assert_eq!(unfinished.hashes as f64, open.estimate.hashes());
        let again = |unfinished: &Unfinished| panic!("searched again: {unfinished:?}");
        let outcome =
            asker.run(&open.space, Shard::WHOLE, unfinished.clone(), &again, true, &bar, None);
        assert_eq!(outcome.unwrap().hashes, unfinished.hashes);
    }
}
