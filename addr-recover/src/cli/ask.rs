//! Asks for the address of one line of input.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use addr_recover::{
    AddressSpace, Answer, AskOptions, Backend, Climb, Damage, Foreign, Known, Limits, Outcome,
    ParseError, Question, Reading, Refusal, Repaired, Rung, Search, SearchError, Selection,
};
use serde::{Deserialize, Serialize};

use super::args::SearchArgs;
use super::climb::{self, Found, Keep, RungCost};
use super::input;
use super::report::{HitReport, Report, SECRET, Status, Tried};
use super::settings::AskArgs;
use super::shard::Shard;
use super::terminal::{CANCELLED, Failure, counted, is_cancelled, note};

/// How lines are asked for: what they share. A resume file has it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Asker {
    /// Whether lines are those of a batch, which share a measurement and have lower limits.
    pub(super) is_batch: bool,
    pub(super) ask: AskArgs,
    pub(super) search: SearchArgs,
    #[serde(skip)]
    selection: Selection,
    #[serde(skip)]
    known: Known,
    /// The nanoseconds per hash of the first step that a line of a batch suggests.
    #[serde(skip)]
    speed: OnceLock<f64>,
}

/// A line whose answer takes a search.
pub(crate) struct Open<'a> {
    asker: &'a Asker,
    pub(crate) question: addr_recover::Open,
    /// Whether to search on one thread, because the others have lines of their own.
    pub(crate) has_one_thread: bool,
}

impl Asker {
    pub(crate) fn new(ask: AskArgs, search: SearchArgs) -> Self {
        Self { ask, search, ..Self::default() }
    }

    /// The same with everything that a resume file does not keep.
    pub(crate) fn prepared(self) -> Result<Self, Failure> {
        let known = self.ask.known.as_deref().map_or(Ok(Known::default()), known)?;
        Ok(Self { selection: self.ask.selection()?, known, ..self })
    }

    /// Reads a line. Returns the answer or, if that takes a search, what is known before it.
    pub(crate) fn question(&self, line: Option<usize>, text: &str) -> (Report, Option<Open<'_>>) {
        match Reading::of(text) {
            Ok(reading) => self.question_of(Report::new(line, text), &reading),
            Err(error) => (Report::new(line, text).malformed(&error), None),
        }
    }

    /// The answer to a line that may be a key, or a part of one.
    pub(crate) fn secret(line: Option<usize>) -> Report {
        Report::new(line, SECRET).malformed(&ParseError::Foreign(Foreign::PrivateKey))
    }

    /// [`question`](Self::question) of a text that was read. What may be a key is neither shown nor
    /// searched; an address beside it is. What may be a part of one, as long as an address, is
    /// searched.
    pub(crate) fn question_of(
        &self,
        report: Report,
        reading: &Reading,
    ) -> (Report, Option<Open<'_>>) {
        let is_part = reading.may_be_part_of_key();
        let (mut report, open) = self.open(report, reading);
        if is_part || !reading.may_show() {
            report.input = SECRET.to_owned().into();
            let is_read = !is_part && report.status != Status::Malformed;
            report.read = reading.addresses().next().filter(|_| is_read);
            report.left_out = reading.left_out();
        }
        (report, open)
    }

    /// How the library is asked.
    fn options(&self) -> AskOptions {
        let mut options = AskOptions::default();
        options.damage = self.ask.damage();
        options.is_exact = self.search.is_exact();
        options.is_forced = self.search.force;
        options.limits = if self.is_batch { Limits::of_line() } else { Limits::new() };
        options.selection.clone_from(&self.selection);
        options.known = self.known.clone();
        options
    }

    fn open(&self, report: Report, reading: &Reading) -> (Report, Option<Open<'_>>) {
        let read = reading.addresses().next().unwrap_or_default();
        match reading.question(&self.options()) {
            Err(error) if error.is_of_selection() => {
                (report.reading(&read).unanswered(&error), None)
            }
            Err(error) => (report.unanswered(&error), None),
            Ok(Question::Answered(answer)) => {
                // No options describe what a checksum restores.
                let report = reported(report.reading(&read), *answer, |_| String::new());
                (report, None)
            }
            Ok(Question::Open(question)) => self.before_search(report.reading(&read), *question),
        }
    }

    /// What is known before a search.
    fn before_search(
        &self,
        report: Report,
        question: addr_recover::Open,
    ) -> (Report, Option<Open<'_>>) {
        let is_base58 = matches!(question.space, AddressSpace::Base58(_));
        if !is_base58 && self.search.shard.is_some() {
            let message = "--shard does not divide the search for an Ethereum address: its answer \
                           would be noise if it took long";
            return (report.with_error(Status::Malformed, message.to_owned()), None);
        }
        let part = self.search.shard.map(|shard| shard.part(&question.text, &self.ask));
        let backend = Some(Backend::detect().name().to_owned());
        let note = question.note.clone();
        let report = Report { backend, part, note, ..report.with_estimate(&question.estimate) };
        (report, Some(Open { asker: self, question, has_one_thread: false }))
    }
}

/// The report on an answer. `options` are those of the command line that describe what was tried.
fn reported(
    report: Report,
    answer: Answer,
    options: impl Fn(&addr_recover::Tried) -> String,
) -> Report {
    let verdict = answer.verdict();
    let hits = answer.addresses.iter().map(HitReport::new).collect();
    let report = Report { note: answer.note, from_known: answer.from_known.is_some(), ..report };
    if verdict == Status::Valid {
        return report.valid(hits);
    }
    let report = match &answer.estimate {
        // A climb has said what it searched first.
        Some(estimate) if report.candidates.is_none() => report.with_estimate(estimate),
        _ => report,
    };
    let assumed = answer.tried.iter().filter(|it| !it.is_as_written());
    let tried = assumed.map(|it| Tried::new(it, options(it))).collect();
    let (likelihood, change) = (answer.likelihood, answer.change.map(Into::into));
    Report { hits, likelihood, change, tried, ..report }.concluded()
}

impl Open<'_> {
    /// Why not to search, and what else would help.
    pub(crate) fn refusal(&self) -> Option<String> {
        let refusal = self.question.refusal?;
        let instead = match refusal {
            Refusal::Hidden { .. } => ", or pass a list of addresses with --known",
            Refusal::Noise { .. } => ", use --known, or search with --force",
            _ => "",
        };
        Some(format!("{refusal}{instead}"))
    }

    /// What is tried if nothing is found, with the nanoseconds per hash on each of some threads.
    /// None for Base58, whose search spaces take long to build.
    pub(crate) fn rungs(&self, speed: f64, threads: usize) -> Vec<RungCost> {
        if matches!(self.question.space, AddressSpace::Base58(_)) {
            return Vec::new();
        }
        let mut limits = Limits::new();
        let cost = |rung: Rung<AddressSpace>| RungCost {
            name: rung.name,
            candidates: rung.estimate.candidates,
            expected_by_chance: rung.expected_by_chance,
            time: rung.estimate.duration(speed, threads),
            skipped: limits.admit(&rung).err(),
        };
        self.question.ladder().skip(1).map(cost).collect()
    }
}

impl climb::Question for Open<'_> {
    type Space = AddressSpace;
    type Hit = Repaired;

    fn search(
        &self,
        space: &AddressSpace,
        before: Outcome,
        keep: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found<Repaired>, SearchError> {
        let go_on = |hashes| {
            progress(hashes);
            !is_cancelled()
        };
        let (hits, hashes, unfinished) = match space {
            AddressSpace::Base58(space) => {
                let mut search = Search::new(space).cancel(&CANCELLED).progress(progress);
                if let Some(Shard { index, count }) = self.asker.search.shard {
                    search = search.shard(index, count);
                }
                if self.has_one_thread {
                    search = search.on_this_thread();
                }
                let outcome = match search.checkpoint(keep).resume(before)?.run() {
                    Err(SearchError::Cancelled(unfinished)) => {
                        let hashes = unfinished.hashes;
                        return Ok(Found { hashes, unfinished: *unfinished, ..Found::default() });
                    }
                    outcome => outcome?,
                };
                let found = outcome.hits.iter().map(Repaired::of).collect();
                (found, outcome.hashes, Outcome { hits: Vec::new(), ..outcome })
            }
            // Whatever else is searched takes seconds, and is begun again.
            _ => match space.search(&go_on) {
                Err(SearchError::Cancelled(_)) => return Ok(Found::default()),
                found => {
                    let (found, hashes) = found?;
                    (found, hashes, Outcome::default())
                }
            },
        };
        Ok(Found { hits, hashes, is_done: true, unfinished, ..Found::default() })
    }

    fn time(&self, space: &AddressSpace) -> Duration {
        let (speed, threads) = match space {
            AddressSpace::Base58(space) => {
                let search = Search::new(space);
                let search = if self.has_one_thread { search.on_this_thread() } else { search };
                // A measurement takes longer than most lines of a batch, so they share one.
                let speed = if self.asker.is_batch {
                    *self.asker.speed.get_or_init(|| search.measure())
                } else {
                    search.measure()
                };
                (speed, if self.has_one_thread { 1 } else { rayon::current_num_threads() })
            }
            _ => (space.measure(), rayon::current_num_threads()),
        };
        space.estimate().duration(speed, threads)
    }

    fn known(&self, space: &AddressSpace) -> Vec<Repaired> {
        self.question.known(space)
    }

    fn unfinished(&self, report: Report, _: Vec<Repaired>) -> Report {
        report
    }

    fn reported(
        &self,
        report: Report,
        hits: Vec<Repaired>,
        climb: &Climb<'_, AddressSpace>,
    ) -> Report {
        let options =
            |it: &addr_recover::Tried| self.asker.ask.options_of(&it.damage, it.is_any_network);
        reported(report, self.question.answer(hits, climb), options)
    }

    fn options(&self, damage: &Damage, is_any_network: bool) -> String {
        self.asker.ask.options_of(damage, is_any_network)
    }

    fn more_options(&self) -> String {
        self.asker.ask.known_option()
    }
}

/// Reads a list of known addresses. Names lines that have none.
fn known(file: &Path) -> Result<Known, Failure> {
    let text =
        input::read(file, input::MAX_FILE, "--known takes a file with one address per line")?;
    let (known, wrong) = Known::read(&text);
    if known.is_empty() {
        let name = file.display();
        return Err(format!("{name}: no valid address in it: expected one per line").into());
    }
    if let Some(first) = wrong.first() {
        let (lines, name) = (counted(wrong.len(), "line"), file.display());
        note(&format!("note: {name}: skipped {lines} without an address, first at line {first}"));
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::bar::Bar;
    use super::super::climb::Ascent;
    use super::*;

    /// The search ends with its first unit, and everything after it is cancelled.
    #[test]
    fn the_search_is_kept_if_other_damage_is_cancelled() {
        let asker = Asker::default().prepared().unwrap();
        let (report, open) = asker.question(None, "3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72");
        let mut open = open.unwrap();
        let AddressSpace::Base58(space) = open.question.space.clone() else { panic!("no search") };
        let bar = Bar::of_steps(false);
        open.has_one_thread = true;
        let cancel = |_: &Outcome| CANCELLED.store(true, Ordering::Relaxed);
        let steps = open.question.climb();
        let mut climb = Ascent::new(&open, steps, report, false, &asker.search, &bar);
        climb.keep = &cancel;
        let unfinished = climb.run().unwrap().1.unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        assert!(unfinished.hashes > 0);
        let again = |unfinished: &Outcome| panic!("searched again: {unfinished:?}");
        let search = Search::new(&space).checkpoint(&again);
        let outcome = search.resume(unfinished.clone()).unwrap().run().unwrap();
        assert_eq!(outcome.hashes, unfinished.hashes);
    }
}
