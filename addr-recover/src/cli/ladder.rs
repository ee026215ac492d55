//! Damage that nobody described, tried in order of cost and likelihood once a search has found
//! nothing.

use std::mem::take;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::{
    DOUBTFUL, Estimate, Hit, NOISE, Pattern, Search, SearchError, SearchSpace, Shard, Unfinished,
};
use indicatif::ProgressBar;

use super::Failure;
use super::ask::{Asker, Open, Searched};
use super::report::{HitReport, Next, Report, Status, Tried};
use super::rungs::{AS_WRITTEN, LOST_CASE, RUNGS, Rung};
use super::settings::DamageArgs;

/// Searches that take less time are not measured.
const SHORT: Duration = Duration::from_millis(50);

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
    // The rest of the ladder is tried anew after an interruption.
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
    match answer(asker, open, budget, as_asked, single_threaded, bar) {
        Ok(report) => Ok(Searched::Done(Box::new(report))),
        Err(Stop::Cancelled) => Ok(Searched::Cancelled(unfinished)),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Searches the line as it was asked, before or after damage that is less likely to fit by chance,
/// and then tries more.
fn answer(
    asker: &Asker,
    open: &Open,
    budget: Duration,
    mut as_asked: impl FnMut() -> Result<Report, Stop>,
    single_threaded: bool,
    bar: &ProgressBar,
) -> Result<Report, Stop> {
    let first = match &open.kept {
        None => as_asked()?,
        Some(kept) => {
            bar.inc_length(kept.estimate.hashes() as u64);
            match asker.search(kept, Unfinished::default(), &|_| (), single_threaded, bar)? {
                Searched::Done(report) => *report,
                Searched::Cancelled(_) => return Err(Stop::Cancelled),
            }
        }
    };
    if first.status != Status::None {
        return Ok(first);
    }
    let mut climb = Climb::new(asker, open, budget, first, single_threaded, bar);
    if open.kept.is_none() {
        climb.rungs(f64::INFINITY)?;
        return Ok(climb.concluded());
    }
    if climb.rungs(open.estimate.expected_by_chance())? {
        return Ok(climb.concluded());
    }
    let begin = Instant::now();
    let lost_case = as_asked()?;
    climb.begin += begin.elapsed();
    if lost_case.error.is_some() {
        return Ok(lost_case);
    }
    if !climb.add(lost_case) {
        climb.postponed_rungs()?;
    }
    Ok(climb.concluded())
}

/// Tries more damage until something is found, as long as the estimates stay within the budget and
/// the answer does not become doubtful. The time of the estimates counts, too.
struct Climb<'a> {
    asker: &'a Asker,
    open: &'a Open,
    budget: Duration,
    single_threaded: bool,
    bar: &'a ProgressBar,
    begin: Instant,
    asked: DamageArgs,
    /// The odds count everything that was tried.
    report: Report,
    expected: f64,
    postponed: Vec<Step>,
}

impl<'a> Climb<'a> {
    /// After a report that nothing was found.
    fn new(
        asker: &'a Asker,
        open: &'a Open,
        budget: Duration,
        report: Report,
        single_threaded: bool,
        bar: &'a ProgressBar,
    ) -> Self {
        let first = open.kept.as_ref().map_or(&open.space, |kept| &kept.space);
        Self {
            asker,
            open,
            budget,
            single_threaded,
            bar,
            begin: Instant::now(),
            asked: asker.damage_for(first),
            expected: report.expected_by_chance.unwrap_or_default(),
            report,
            postponed: Vec::new(),
        }
    }

    /// Tries the rungs with less than `max` addresses expected by chance, and postpones the others.
    /// Returns whether something was found.
    fn rungs(&mut self, max: f64) -> Result<bool, Stop> {
        for rung in &RUNGS {
            let is_over = self.begin.elapsed() >= self.budget && self.report.next.is_some();
            if is_over && !self.asker.has_known() {
                break;
            }
            let Some(step) = self.step(rung) else { continue };
            if step.estimate.expected_by_chance() >= max {
                self.postponed.push(step);
            } else if self.attempt(step)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries the rungs that were postponed. Returns whether something was found.
    fn postponed_rungs(&mut self) -> Result<bool, Stop> {
        for step in take(&mut self.postponed) {
            if self.attempt(step)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The step of a rung, unless it has been asked for.
    fn step(&self, rung: &Rung) -> Option<Step> {
        let has_both_cases = self.open.has_both_cases;
        let damage = self.asked.with(rung, has_both_cases);
        if damage == self.asked.with(&AS_WRITTEN, has_both_cases) {
            return None;
        }
        let step = Step::new(self.open, rung, &damage)?;
        // Mostly, no other network has addresses that begin like this.
        let is_asked = step.estimate.candidates() == self.open.estimate.candidates();
        (!(rung.any_kind && is_asked)).then_some(step)
    }

    /// Tries a step, or skips it if it takes too long or would make the answer doubtful. Returns
    /// whether something was found.
    fn attempt(&mut self, step: Step) -> Result<bool, Stop> {
        let asker = self.asker;
        let threads = if self.single_threaded { 1 } else { rayon::current_num_threads() };
        let known = asker.known_answers(&step.space);
        let by_chance = step.estimate.expected_by_chance();
        let is_within_budget = || {
            let is_within = |time| time <= self.budget.saturating_sub(self.begin.elapsed());
            is_within(step.min_duration(asker, threads)) && is_within(step.duration(asker, threads))
        };
        let report = &mut self.report;
        if known.is_empty() && (self.expected + by_chance > DOUBTFUL || !is_within_budget()) {
            if report.next.is_none() && by_chance <= NOISE {
                let time = step.duration(asker, threads);
                // An infinite estimate is not worth suggesting.
                if time < Duration::MAX {
                    let options = step.options + &asker.known_option();
                    report.next = Some(Next { options, seconds: time.as_secs_f64() });
                }
            }
            return Ok(false);
        }
        report.from_known = !known.is_empty();
        let (hits, hashes) = if report.from_known {
            (known, 0)
        } else {
            self.expected += by_chance;
            step.search(asker, self.single_threaded, self.bar)?
        };
        report.hashes += hashes;
        report.tried.push(Tried {
            damage: step.name.to_owned(),
            options: step.options,
            candidates: step.estimate.candidates(),
        });
        report.hits =
            hits.iter().map(|hit| HitReport::new(hit, asker.is_known(hit), None)).collect();
        Ok(!hits.is_empty())
    }

    /// Adds the search of all cases. Returns whether it found something.
    fn add(&mut self, lost_case: Report) -> bool {
        self.expected += lost_case.expected_by_chance.unwrap_or_default();
        let report = &mut self.report;
        report.hashes += lost_case.hashes;
        report.seconds += lost_case.seconds;
        report.hits = lost_case.hits;
        report.tried.push(Tried {
            damage: LOST_CASE.to_owned(),
            options: self.asker.damage.with_lost_case().options(),
            candidates: lost_case.candidates.unwrap_or_default(),
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

/// A rung that is ready to be searched.
struct Step {
    name: &'static str,
    options: String,
    space: SearchSpace,
    estimate: Estimate,
}

impl Step {
    /// Builds the search space of a rung; `None` if it has no candidates.
    fn new(open: &Open, rung: &Rung, damage: &DamageArgs) -> Option<Self> {
        let pattern = Pattern::with_damage(&open.input, damage.damage()).ok()?;
        let space = SearchSpace::new(&pattern, &damage.versions().ok()?).ok()?;
        let estimate = space.estimate();
        let options = damage.options();
        (estimate.candidates_rounded() > 0.0).then_some(Self {
            name: rung.name,
            options,
            space,
            estimate,
        })
    }

    /// How long the hashing alone will take.
    fn min_duration(&self, asker: &Asker, threads: usize) -> Duration {
        self.estimate.duration(asker.speed(), threads)
    }

    /// How long the search will take. The speed of short ones is not worth a measurement.
    fn duration(&self, asker: &Asker, threads: usize) -> Duration {
        let time = self.min_duration(asker, threads);
        if time < SHORT {
            return time;
        }
        let speed = Search::new(&self.space).backend(asker.backend).measure();
        self.estimate.duration(speed, threads)
    }

    /// The hits and the number of hashes.
    fn search(
        &self,
        asker: &Asker,
        single_threaded: bool,
        bar: &ProgressBar,
    ) -> Result<(Vec<Hit>, u64), Stop> {
        bar.inc_length(self.estimate.hashes() as u64);
        let whole = Unfinished::default();
        match asker.run(&self.space, Shard::WHOLE, whole, &|_| (), single_threaded, bar) {
            Err(SearchError::Cancelled(_)) => Err(Stop::Cancelled),
            outcome => Ok(outcome.map(|found| (found.hits, found.hashes))?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::CANCELLED;
    use super::super::args::RunArgs;
    use super::super::ask::Asked;
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
