//! Damage that nobody described, tried in order of cost and likelihood once a search has found
//! nothing.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::{
    DOUBTFUL, Estimate, Hit, NOISE, Pattern, Search, SearchError, SearchSpace, Shard, Unfinished,
};
use indicatif::ProgressBar;

use super::Failure;
use super::ask::{Asker, Open, Searched};
use super::report::{HitReport, Next, Report, Status, Tried};
use super::rungs::{RUNGS, Rung};
use super::settings::DamageArgs;

/// Searches that take less time are not measured.
const SHORT: Duration = Duration::from_millis(50);

/// A rung that is ready to be searched.
struct Step {
    name: &'static str,
    options: String,
    space: SearchSpace,
    estimate: Estimate,
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
    let done = Mutex::new(before.done.clone());
    let keep = |unfinished: &Unfinished| {
        done.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&unfinished.done);
        keep(unfinished);
    };
    let report = match asker.search(open, before, &keep, single_threaded, bar)? {
        Searched::Done(report) if report.status == Status::None => *report,
        other => return Ok(other),
    };
    let hashes = report.hashes;
    Ok(match climb(asker, open, report, single_threaded, bar)? {
        Some(report) => Searched::Done(Box::new(report)),
        // The other damage is tried anew after that.
        None => Searched::Cancelled(Unfinished {
            hits: Vec::new(),
            hashes,
            done: done.into_inner().unwrap_or_else(PoisonError::into_inner),
        }),
    })
}

/// Tries more damage until something is found, as long as the estimates stay within the budget and
/// the answer does not become doubtful. The time of the estimates counts, too. Returns `None` if
/// cancelled.
fn climb(
    asker: &Asker,
    open: &Open,
    mut report: Report,
    single_threaded: bool,
    bar: &ProgressBar,
) -> Result<Option<Report>, Failure> {
    let Some(budget) = asker.budget else { return Ok(Some(report)) };
    let begin = Instant::now();
    let threads = if single_threaded { 1 } else { rayon::current_num_threads() };
    let mut expected = report.expected_by_chance.unwrap_or_default();
    let asked = asker.damage_for(&open.space);
    for rung in &RUNGS {
        let is_over = begin.elapsed() >= budget && report.next.is_some();
        if is_over && !asker.has_known() {
            break;
        }
        let damage = asked.with(rung, open.has_both_cases);
        let Some(step) = Step::new(open, rung, &damage).filter(|_| damage != asked) else {
            continue;
        };
        // Mostly, no other network has addresses that begin like this.
        if rung.any_kind && report.candidates == Some(step.estimate.candidates()) {
            continue;
        }
        let known = asker.known_answers(&step.space);
        let by_chance = step.estimate.expected_by_chance();
        let is_within_budget = || {
            let is_within = |time| time <= budget.saturating_sub(begin.elapsed());
            is_within(step.min_duration(asker, threads)) && is_within(step.duration(asker, threads))
        };
        if known.is_empty() && (expected + by_chance > DOUBTFUL || !is_within_budget()) {
            if report.next.is_none() && by_chance <= NOISE {
                let time = step.duration(asker, threads);
                // An infinite estimate is not worth suggesting.
                if time < Duration::MAX {
                    let options = step.options + &asker.known_option();
                    report.next = Some(Next { options, seconds: time.as_secs_f64() });
                }
            }
            continue;
        }
        report.from_known = !known.is_empty();
        let (hits, hashes) = if report.from_known {
            (known, 0)
        } else {
            expected += by_chance;
            report.expected_by_chance = Some(expected);
            match step.search(asker, single_threaded, bar)? {
                Some(found) => found,
                None => return Ok(None),
            }
        };
        report.hashes += hashes;
        report.tried.push(Tried {
            damage: step.name.to_owned(),
            options: step.options,
            candidates: step.estimate.candidates(),
        });
        if !hits.is_empty() {
            report.hits =
                hits.iter().map(|hit| HitReport::new(hit, asker.is_known(hit), None)).collect();
            report.next = None;
            break;
        }
    }
    report.seconds += begin.elapsed().as_secs_f64();
    Ok(Some(report.concluded()))
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

    /// The hits and the number of hashes; `None` if cancelled.
    fn search(
        &self,
        asker: &Asker,
        single_threaded: bool,
        bar: &ProgressBar,
    ) -> Result<Option<(Vec<Hit>, u64)>, Failure> {
        bar.inc_length(self.estimate.hashes() as u64);
        let whole = Unfinished::default();
        match asker.run(&self.space, Shard::WHOLE, whole, &|_| (), single_threaded, bar) {
            Err(SearchError::Cancelled(_)) => Ok(None),
            outcome => Ok(outcome.map(|found| Some((found.hits, found.hashes)))?),
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
