//! Asks for the address of one line of input.

use std::time::Duration;

use addr_recover::{
    AskOptions, Backend, Damage, Estimate, EthereumSpace, Foreign, Hit, Kind, Ladder, Limits,
    NOISE, Outcome, ParseError, Question, Reading, Rung, Search, SearchError, SearchSpace, Version,
};

use super::climb::{self, Found, Keep, RungCost};
use super::ethereum::{self, Ethereum};
use super::other;
use super::report::{HitReport, KeySearch, Report, SECRET, Status};
use super::session::Session;
use super::shard::Shard;
use super::terminal::{CANCELLED, counted};

/// A line whose answer takes a search.
pub(crate) enum Open<'a> {
    Base58(Box<Base58<'a>>),
    Ethereum(Box<Ethereum<'a>>),
}

/// A version, its names, and the number of its candidates.
pub(crate) type Candidates = (Option<Version>, Vec<&'static str>, f64);

/// An address of Base58Check to search for.
pub(crate) struct Base58<'a> {
    session: &'a Session,
    pub(crate) question: addr_recover::Open<SearchSpace>,
    /// Why not to search.
    refusal: Option<String>,
    /// Whether to search on one thread, because the others have lines of their own.
    pub(crate) has_one_thread: bool,
}

impl Open<'_> {
    /// Why not to search.
    pub(crate) fn refusal(&self) -> Option<&String> {
        match self {
            Self::Base58(open) => open.refusal.as_ref(),
            Self::Ethereum(open) => open.refusal.as_ref(),
        }
    }

    /// The address that was read.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Base58(open) => open.question.text.clone(),
            Self::Ethereum(open) => open.question.text.clone(),
        }
    }

    pub(crate) fn estimate(&self) -> Estimate {
        match self {
            Self::Base58(open) => open.question.estimate,
            Self::Ethereum(open) => open.question.estimate,
        }
    }

    /// The nanoseconds per hash on each thread.
    pub(crate) fn measure(&self) -> f64 {
        match self {
            Self::Base58(open) => Search::new(&open.question.space).measure(),
            Self::Ethereum(open) => open.question.space.measure(),
        }
    }

    /// What is tried if nothing is found, with the nanoseconds per hash on each of some threads.
    /// None for Base58, whose search spaces take long to build.
    pub(crate) fn rungs(&self, speed: f64, threads: usize) -> Vec<RungCost> {
        match self {
            Self::Base58(_) => Vec::new(),
            Self::Ethereum(open) => {
                let mut limits = Limits::new();
                let cost = |rung: Rung<EthereumSpace>| RungCost {
                    name: rung.name,
                    candidates: rung.estimate.candidates,
                    expected_by_chance: rung.expected_by_chance,
                    time: rung.estimate.duration(speed, threads),
                    skipped: limits.admit(&rung).err(),
                };
                open.ladder().skip(1).map(cost).collect()
            }
        }
    }

    /// The kinds of addresses that the text may have been.
    pub(crate) fn kinds(&self) -> Vec<Candidates> {
        match self {
            Self::Base58(open) => {
                let of_version = |(version, names, count)| (Some(version), names, count);
                open.question.space.kinds().into_iter().map(of_version).collect()
            }
            Self::Ethereum(open) => {
                vec![(None, vec![ethereum::NAME], open.question.estimate.candidates)]
            }
        }
    }
}

impl Session {
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
        let line = report.line;
        let (report, open) = self.open(report, reading);
        match open {
            _ if reading.may_be_part_of_key() && reading.may_show() => {
                (Report { input: SECRET.to_owned().into(), read: None, ..report }, open)
            }
            _ if reading.may_show() => (report, open),
            _ if reading.left_out() > 0 => {
                let is_part = reading.may_be_part_of_key();
                let read = report.read.clone().filter(|_| !is_part);
                let left_out = reading.left_out();
                (Report { input: SECRET.to_owned().into(), read, left_out, ..report }, open)
            }
            None => (Report { input: SECRET.to_owned().into(), ..report }, None),
            Some(_) => (Self::secret(line), None),
        }
    }

    /// How the library is asked.
    pub(crate) fn options(&self) -> AskOptions {
        let mut options = AskOptions::default();
        options.damage = self.ask.damage();
        options.is_exact = self.search.is_exact();
        options.is_forced = self.search.force;
        if !self.ask.is_any_kind() {
            options.versions.clone_from(&self.versions);
        }
        options
    }

    fn open(&self, report: Report, reading: &Reading) -> (Report, Option<Open<'_>>) {
        let read = reading.addresses().next().unwrap_or_default();
        let question = match reading.question(&self.options()) {
            Ok(question) => question,
            Err(error) => {
                let nearest = || Some(self.nearest_other(&read, &report)?.reading(&read));
                return (nearest().unwrap_or_else(|| unanswered(report, &error)), None);
            }
        };
        let report = report.reading(&read);
        match question {
            Question::Answered(answer) if answer.network.is_some() => {
                (other::report(report, *answer, &self.ask), None)
            }
            Question::Ethereum(question) => self.of_ethereum(report, *question),
            // The kinds that were selected have no version.
            _ if self.versions.is_empty() => {
                let kinds = self.ask.kinds();
                let message = format!(
                    "this is not an address of {kinds} in a format that is repaired: \
                     `addr-recover kinds` lists those of Base58Check"
                );
                (report.with_error(Status::Malformed, message), None)
            }
            Question::Answered(answer) => {
                let found = answer.addresses.iter().filter_map(|found| Hit::of(&found.address));
                let found: Vec<Hit> = found.collect();
                (report.valid(self.hits(&found)), None)
            }
            Question::Base58(question) => self.of_base58(report, *question),
        }
    }

    /// What is known before the search for an address of Base58Check.
    fn of_base58(
        &self,
        report: Report,
        question: addr_recover::Open<SearchSpace>,
    ) -> (Report, Option<Open<'_>>) {
        let estimate = question.estimate;
        let expected = estimate.expected_by_chance;
        let mut report = report.with_estimate(&estimate);
        if estimate.candidates == 0.0 {
            let all = if self.ask.is_any_kind() { Kind::all_versions() } else { Vec::new() };
            let versions = if all.is_empty() { &self.versions } else { &all };
            report = report.without_candidates(question.has_length_of(versions));
        }
        let known = self.known_answers(&question.space);
        if !known.is_empty() {
            return (report.known(known), None);
        }
        let is_noise = !self.search.force && expected > NOISE;
        if is_noise && let Some(nearest) = self.nearest(&question.text, &report) {
            return (nearest, None);
        }
        let refusal = match question.hidden() {
            Some(characters) if is_noise => Some(hidden(characters, expected)),
            Some(_) if estimate.hashes == 0.0 && !self.search.force => {
                Some(HIDDEN_OF_OTHER.to_owned())
            }
            _ => is_noise.then(|| refusal(expected, &report)),
        };
        let part = self.search.shard.map(|shard| shard.part(&question.text, &self.ask));
        let backend = Some(Backend::detect().name().to_owned());
        let open = Base58 { session: self, question, refusal, has_one_thread: false };
        (Report { backend, part, ..report }, Some(Open::Base58(Box::new(open))))
    }

    /// The known addresses that fit, unless they are to be searched for.
    fn known_answers(&self, space: &SearchSpace) -> Vec<HitReport> {
        if self.search.force { Vec::new() } else { self.hits(&self.known.answers(space)) }
    }

    /// The answer with the known addresses nearest to a text.
    fn nearest(&self, text: &str, report: &Report) -> Option<Report> {
        let nearest = self.known.nearest(text).filter(|_| !self.search.force);
        let (distance, hits) = nearest?;
        Some(answer_of_nearest(report, distance, self.hits(&hits)))
    }

    /// The answer with the known addresses of other formats that are nearest to a text.
    pub(crate) fn nearest_other(&self, text: &str, report: &Report) -> Option<Report> {
        let nearest = self.known.nearest_others(text).filter(|_| !self.search.force);
        let (distance, found) = nearest?;
        let hits = found.into_iter().map(known_other).collect();
        Some(answer_of_nearest(report, distance, hits))
    }

    /// The known addresses that an Ethereum address may have been.
    pub(crate) fn known_of_ethereum(&self, space: &EthereumSpace) -> Vec<HitReport> {
        let known = self.known.others().filter(|address| space.allows(address));
        if self.search.force { Vec::new() } else { known.map(known_other).collect() }
    }

    fn hits(&self, hits: &[Hit]) -> Vec<HitReport> {
        hits.iter().map(|hit| HitReport::new(hit, self.known.contains(hit))).collect()
    }
}

/// The answer to a text that is no address, or one of which too much is damaged.
fn unanswered(report: Report, error: &ParseError) -> Report {
    match error {
        ParseError::Foreign(Foreign::Damaged { .. }) => report.refused(error.to_string()),
        _ => report.malformed(error),
    }
}

/// The answer with the nearest addresses on a list.
fn answer_of_nearest(report: &Report, distance: usize, hits: Vec<HitReport>) -> Report {
    let characters = counted(distance, "character");
    let verb = if distance == 1 { "differs" } else { "differ" };
    let note = format!("the nearest in the list of known addresses; {characters} {verb}");
    // Nothing that was assumed before.
    let report = Report { tried: Vec::new(), change: None, likelihood: 1.0, ..report.clone() };
    Report { note: Some(note), ..report }.known(hits)
}

/// A known address of another format than Base58Check.
fn known_other(address: &str) -> HitReport {
    let answer = Reading::of(address).ok().and_then(|reading| reading.corrected());
    let kinds = answer.and_then(|answer| answer.addresses.into_iter().next());
    let kinds = kinds.map_or(Vec::new(), |found| found.kinds);
    HitReport { kinds, known: true, ..HitReport::other(address, "") }
}

impl Base58<'_> {
    pub(crate) fn ladder(&self) -> Ladder<'static> {
        self.question.ladder(&self.session.options())
    }

    fn to_search<'s>(&self, space: &'s SearchSpace) -> Search<'s> {
        let mut search = Search::new(space);
        if let Some(Shard { index, count }) = self.session.search.shard {
            search = search.shard(index, count);
        }
        if self.has_one_thread { search.on_this_thread() } else { search }
    }
}

impl climb::Question for Base58<'_> {
    type Space = SearchSpace;

    fn search(
        &self,
        space: &SearchSpace,
        before: Outcome,
        keep: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, SearchError> {
        let search = self.to_search(space).cancel(&CANCELLED).progress(progress);
        match search.checkpoint(keep).resume(before)?.run() {
            Ok(outcome) => {
                let (hits, hashes) = (self.session.hits(&outcome.hits), outcome.hashes);
                let unfinished = Outcome { hits: Vec::new(), ..outcome };
                Ok(Found { hits, hashes, is_done: true, unfinished, ..Found::default() })
            }
            Err(SearchError::Cancelled(unfinished)) => {
                let hashes = unfinished.hashes;
                Ok(Found { hashes, unfinished: *unfinished, ..Found::default() })
            }
            Err(error) => Err(error),
        }
    }

    fn time(&self, space: &SearchSpace) -> Duration {
        let measure = || self.to_search(space).measure();
        // A measurement takes longer than most lines of a batch, so they share one.
        let is_shared = self.session.is_batch;
        let speed = if is_shared { *self.session.speed.get_or_init(measure) } else { measure() };
        let threads = if self.has_one_thread { 1 } else { rayon::current_num_threads() };
        space.estimate().duration(speed, threads)
    }

    fn known(&self, space: &SearchSpace) -> Vec<HitReport> {
        self.session.known_answers(space)
    }

    fn nearest(&self, report: &Report) -> Option<Report> {
        let nearest = || self.session.nearest(&self.question.text, report);
        if self.session.search.is_exact() { None } else { nearest() }
    }

    fn text(&self) -> Option<&str> {
        Some(&self.question.text)
    }

    fn options(&self, damage: &Damage, is_any_network: bool) -> String {
        self.session.ask.options_of(damage, is_any_network)
    }

    fn more_options(&self) -> String {
        self.session.ask.known_option()
    }
}

/// The message for a search whose answer would be noise.
pub(crate) fn refusal(expected: f64, report: &Report) -> String {
    let (_, nouns) = report.nouns();
    let instead = match &report.key {
        None => ", use --known",
        Some(KeySearch { address: None, .. }) => ", pass its address with --address",
        // That did not help.
        Some(_) => "",
    };
    format!(
        "the answer would be noise: about {} {nouns} fit by chance, and the checksum cannot tell \
         which of them was meant; describe less damage{instead}, or search with --force",
        rounded(expected)
    )
}

/// The message for a shortened text that begins or ends like no address.
const HIDDEN_OF_OTHER: &str = "no address of these kinds begins and ends like this shortened text; \
                               of another format, or of a key, nothing can find what is hidden: \
                               copy the whole text where it was shortened";

/// The message for an address of which too many characters are hidden.
fn hidden(characters: usize, expected: f64) -> String {
    format!(
        "about {characters} characters are hidden: some {} addresses fit, and no checksum can tell \
         which of them was meant; copy the whole address where it was shortened, or pass a list of \
         addresses with --known",
        rounded(expected)
    )
}

fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.0e}") }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::args::Settings;
    use super::super::bar::Bar;
    use super::super::climb::Ascent;
    use super::*;

    /// The search ends with its first unit, and everything after it is cancelled.
    #[test]
    fn the_search_is_kept_if_other_damage_is_cancelled() {
        let session = Session::new(Settings::default()).unwrap();
        let (report, open) = session.question(None, "3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72");
        let Some(Open::Base58(mut open)) = open else { panic!("not open") };
        let bar = Bar::of_steps(false);
        open.has_one_thread = true;
        let cancel = |_: &Outcome| CANCELLED.store(true, Ordering::Relaxed);
        let mut climb = Ascent::new(&*open, open.ladder(), report, false, &session.search, &bar);
        climb.keep = &cancel;
        let unfinished = climb.run().unwrap().1.unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        assert!(unfinished.hashes > 0);
        let again = |unfinished: &Outcome| panic!("searched again: {unfinished:?}");
        let search = Search::new(&open.question.space).checkpoint(&again);
        let outcome = search.resume(unfinished.clone()).unwrap().run().unwrap();
        assert_eq!(outcome.hashes, unfinished.hashes);
    }
}
