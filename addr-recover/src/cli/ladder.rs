//! Damage that nobody described, tried in order of cost and likelihood once a search has found
//! nothing.

use std::time::{Duration, Instant};

use addr_recover::{
    DOUBTFUL, Estimate, Hit, NOISE, Pattern, Search, SearchError, SearchSpace, Shard, Unfinished,
};
use indicatif::ProgressBar;

use super::Failure;
use super::ask::{Asker, Open};
use super::report::{HitReport, Next, Report, Tried};
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

/// Tries more damage until something is found, as long as the estimates stay within the budget and
/// the answer does not become doubtful. Returns `None` if cancelled.
pub(crate) fn climb(
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
        let time = step.duration(asker, threads);
        let is_left_out =
            time > budget.saturating_sub(begin.elapsed()) || expected + by_chance > DOUBTFUL;
        if known.is_empty() && is_left_out {
            // Nobody waits for a time that has no figure.
            if report.next.is_none() && by_chance <= NOISE && time < Duration::MAX {
                let options = step.options + &asker.known_option();
                report.next = Some(Next { options, seconds: time.as_secs_f64() });
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

    /// How long the search will take. The speed of short ones is not worth a measurement.
    fn duration(&self, asker: &Asker, threads: usize) -> Duration {
        let time = self.estimate.duration(asker.speed(), threads);
        if time < SHORT || self.estimate.expected_by_chance() > NOISE {
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
