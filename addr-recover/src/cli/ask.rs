//! Asks for the address of one line of input.

use std::time::Duration;

use addr_recover::{
    Backend, Change, Foreign, Hit, Ladder, NOISE, Outcome, ParseError, Pattern, Reading, Rung,
    Search, SearchError, SearchSpace,
};

use super::climb::{Found, Keep, Question};
use super::report::{HitReport, KeySearch, Report, SECRET};
use super::session::Session;
use super::shard::Shard;
use super::{CANCELLED, counted, other};

/// A line whose answer takes a search.
pub(crate) struct Open<'a> {
    session: &'a Session,
    pub(crate) pattern: Pattern,
    pub(crate) space: SearchSpace,
    /// Why not to search.
    pub(crate) refusal: Option<String>,
    /// Whether to search on one thread, because the others have lines of their own.
    pub(crate) has_one_thread: bool,
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
    /// searched. What may be a part of one, as long as an address, is searched.
    pub(crate) fn question_of(
        &self,
        report: Report,
        reading: &Reading,
    ) -> (Report, Option<Open<'_>>) {
        let line = report.line;
        let (report, open) = self.open(report, reading);
        match open {
            _ if reading.may_be_part_of_key() && reading.may_show() => {
                (Report { input: SECRET.to_owned(), read: None, ..report }, open)
            }
            _ if reading.may_show() => (report, open),
            None => (Report { input: SECRET.to_owned(), ..report }, None),
            Some(_) => (Self::secret(line), None),
        }
    }

    fn open(&self, report: Report, reading: &Reading) -> (Report, Option<Open<'_>>) {
        let space = |pattern: Pattern| {
            let space = if self.ask.is_any_kind() {
                SearchSpace::any_network(&pattern)
            } else {
                SearchSpace::new(&pattern, &self.versions)
            };
            Ok((pattern, space?))
        };
        let (pattern, space) = match reading.pattern(self.ask.damage()).and_then(space) {
            Ok(read) => read,
            Err(error) => {
                let other = other::report(&report, reading, &self.ask);
                return (other.unwrap_or_else(|| report.malformed(&error)), None);
            }
        };
        let report = report.reading(pattern.address());
        if let Some(hit) = self.undamaged(&pattern).filter(|_| !self.search.force) {
            return (report.valid(self.hits(&[hit])), None);
        }
        let estimate = space.estimate();
        let expected = estimate.expected_by_chance;
        let report = report.with_estimate(&estimate);
        let known = self.known_answers(&space);
        if !known.is_empty() {
            return (report.known(known), None);
        }
        let is_noise = !self.search.force && expected > NOISE;
        if is_noise && let Some(nearest) = self.nearest(&pattern, &report) {
            return (nearest, None);
        }
        let refusal = match pattern.hidden() {
            Some(characters) if is_noise => Some(hidden(characters, expected)),
            Some(_) if estimate.hashes == 0.0 && !self.search.force => {
                Some(HIDDEN_OF_OTHER.to_owned())
            }
            _ => is_noise.then(|| refusal(expected, &report)),
        };
        let part = self.search.shard.map(|shard| shard.part(pattern.address(), &self.ask));
        let backend = Some(Backend::detect().name().to_owned());
        let (session, has_one_thread) = (self, false);
        let open = Open { session, pattern, space, refusal, has_one_thread };
        (Report { backend, part, ..report }, Some(open))
    }

    /// The text as a hit, if it is a valid address already.
    fn undamaged(&self, pattern: &Pattern) -> Option<Hit> {
        if self.ask.is_any_kind() {
            return Hit::undamaged(pattern);
        }
        Hit::of(pattern.address()).filter(|hit| self.versions.contains(&hit.format))
    }

    /// The known addresses that fit, unless they are to be searched for.
    fn known_answers(&self, space: &SearchSpace) -> Vec<HitReport> {
        if self.search.force { Vec::new() } else { self.hits(&self.known.answers(space)) }
    }

    /// The answer with the known addresses nearest to a text.
    fn nearest(&self, pattern: &Pattern, report: &Report) -> Option<Report> {
        let nearest = self.known.nearest(pattern.address()).filter(|_| !self.search.force);
        let (distance, hits) = nearest?;
        let note = Some(format!(
            "the nearest in the list of known addresses; {} differ",
            counted(distance, "character")
        ));
        Some(Report { note, tried: Vec::new(), ..report.clone() }.known(self.hits(&hits)))
    }

    fn hits(&self, hits: &[Hit]) -> Vec<HitReport> {
        hits.iter().map(|hit| HitReport::new(hit, self.known.contains(hit))).collect()
    }
}

impl Open<'_> {
    pub(crate) fn ladder(&self) -> Ladder<'static> {
        let Session { ask, search, versions, .. } = self.session;
        if search.is_exact() {
            let described = (self.space.clone(), self.space.estimate());
            return Ladder::exact(&ask.damage(), Some(described));
        }
        let selected = (!ask.is_any_kind()).then_some(&**versions);
        Ladder::new(&self.pattern, &self.space, selected)
    }

    fn to_search<'s>(&self, space: &'s SearchSpace) -> Search<'s> {
        let mut search = Search::new(space);
        if let Some(Shard { index, count }) = self.session.search.shard {
            search = search.shard(index, count);
        }
        if self.has_one_thread { search.on_this_thread() } else { search }
    }
}

impl Question for Open<'_> {
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
        let nearest = || self.session.nearest(&self.pattern, report);
        if self.session.search.is_exact() { None } else { nearest() }
    }

    fn change(&self, rung: &Rung, address: &str) -> Option<Change> {
        Some(rung.change(self.pattern.address(), address))
    }

    fn options(&self, rung: &Rung) -> String {
        self.session.ask.options_of(rung)
    }

    fn more_options(&self) -> String {
        let Some(file) = &self.session.ask.known else { return String::new() };
        let file = file.display().to_string().replace('\'', r"'\''");
        format!(" --known '{file}'")
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
    use super::super::climb::Climb;
    use super::*;

    /// The search ends with its first unit, and everything after it is cancelled.
    #[test]
    fn the_search_is_kept_if_other_damage_is_cancelled() {
        let session = Session::new(Settings::default()).unwrap();
        let (report, open) = session.question(None, "3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?72");
        let (mut open, bar) = (open.unwrap(), Bar::of_steps(false));
        open.has_one_thread = true;
        let cancel = |_: &Outcome| CANCELLED.store(true, Ordering::Relaxed);
        let mut climb = Climb::new(&open, open.ladder(), report, false, &session.search, &bar);
        climb.keep = &cancel;
        let unfinished = climb.run().unwrap().1.unwrap();
        CANCELLED.store(false, Ordering::Relaxed);
        assert!(unfinished.hashes > 0);
        let again = |unfinished: &Outcome| panic!("searched again: {unfinished:?}");
        let search = Search::new(&open.space).checkpoint(&again);
        let outcome = search.resume(unfinished.clone()).unwrap().run().unwrap();
        assert_eq!(outcome.hashes, unfinished.hashes);
    }
}
