//! Answers one line of input with a report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use addr_recover::{
    Backend, DOUBTFUL, Estimate, Hit, Known, NOISE, ParseError, Pattern, Progress, Search,
    SearchError, SearchSpace, Shard, Unfinished, Version, version_of,
};
use indicatif::ProgressBar;

use super::args::RunArgs;
use super::checksum::checksum;
use super::report::{HitReport, Report};
use super::settings::DamageArgs;
use super::{CANCELLED, FORMAT, Failure, counted, read_input, say};

/// The settings that all lines share.
pub(crate) struct Asker {
    damage: DamageArgs,
    versions: Vec<Version>,
    known: Option<Known>,
    search_anyway: bool,
    force: bool,
    pub(crate) backend: Backend,
    shard: Option<Shard>,
}

/// A line that has been read.
pub(crate) enum Asked {
    Answered(Box<Report>),
    /// The answer takes a search.
    Open(Box<Open>),
}

impl Asked {
    /// The address in the line, if there is more in it.
    pub(crate) fn reading(&self) -> Option<&str> {
        match self {
            Self::Answered(report) => report.read.as_deref(),
            Self::Open(open) => open.read.as_deref(),
        }
    }
}

/// A line whose answer takes a search.
pub(crate) struct Open {
    line: Option<usize>,
    input: String,
    /// The address in the input, if there is more in it.
    read: Option<String>,
    untried_look_alike: Option<char>,
    pub(crate) space: SearchSpace,
    pub(crate) estimate: Estimate,
}

/// How a search ended.
pub(crate) enum Searched {
    Done(Box<Report>),
    Cancelled(Unfinished),
}

impl Asker {
    pub(crate) fn new(damage: DamageArgs, run: &RunArgs) -> Result<Self, Failure> {
        let known = match &run.common.known {
            None => None,
            Some(file) => {
                let bytes = read_input(file)?;
                let text = String::from_utf8_lossy(&bytes);
                let (known, wrong) = Known::read(&text);
                if let Some(first) = wrong.first().filter(|_| !run.common.quiet) {
                    let (lines, name) = (counted(wrong.len(), "line"), file.display());
                    say(&format!(
                        "note: {name}: skipped {lines} without an address, first at line {first}"
                    ));
                }
                Some(known)
            }
        };
        Ok(Self {
            versions: damage.versions()?,
            damage,
            known,
            search_anyway: run.search_anyway,
            force: run.force,
            backend: run.common.backend(),
            shard: run.shard,
        })
    }

    /// Reads an address, and builds its search space for the selected versions.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<(Pattern, SearchSpace), ParseError> {
        let pattern = Pattern::from_utf8(bytes, self.damage.damage())?;
        let space = SearchSpace::new(&pattern, &self.versions)?;
        let may_be_foreign = self.damage.is_any_kind()
            && space.estimate().candidates_rounded() == 0.0
            && self.undamaged(&pattern).is_none();
        match pattern.foreign_instead().filter(|_| may_be_foreign) {
            Some(foreign) => Err(ParseError::Foreign(foreign)),
            None => Ok((pattern, space)),
        }
    }

    /// Reads a line, and answers it if no search is needed.
    pub(crate) fn ask(&self, line: Option<usize>, bytes: &[u8]) -> Asked {
        let input = String::from_utf8_lossy(bytes).into_owned();
        let answered = |report| Asked::Answered(Box::new(self.tagged(report)));
        let (pattern, space) = match self.read(bytes) {
            Ok(read) => read,
            Err(error) => return answered(Report::malformed(line, &input, &error)),
        };
        let read = Some(pattern.address()).filter(|&address| address != input.trim());
        let read = read.map(str::to_owned);
        let answered = |report| answered(Report { read: read.clone(), ..report });
        if let Some(hit) = self.undamaged(&pattern).filter(|_| !self.search_anyway) {
            return answered(Report::valid(line, &input, &hit, self.is_known(&hit)));
        }
        let estimate = space.estimate();
        let known = if self.search_anyway { Vec::new() } else { self.known_answers(&space) };
        if !known.is_empty() {
            return answered(Report::from_known(line, &input, &estimate, &known));
        }
        if !self.force && estimate.expected_by_chance() > NOISE {
            return answered(Report::refused(line, &input, &estimate, refusal(&estimate)));
        }
        let untried_look_alike = pattern.untried_look_alike();
        Asked::Open(Box::new(Open { line, input, read, untried_look_alike, space, estimate }))
    }

    /// Searches: on one thread if `single_threaded`, or else on all threads of the pool. Calls
    /// `keep` with the progress, at least every few seconds in a search that is not refused.
    pub(crate) fn search(
        &self,
        open: &Open,
        before: Unfinished,
        keep: &(dyn Fn(&Unfinished) + Sync),
        single_threaded: bool,
        bar: &ProgressBar,
    ) -> Result<Searched, Failure> {
        let begin = Instant::now();
        let drawn = AtomicU64::new(before.hashes);
        // Threads may report out of order, but every hash is drawn once.
        let show = |progress: Progress| {
            let drawn_before = drawn.fetch_max(progress.hashes, Ordering::Relaxed);
            bar.inc(progress.hashes.saturating_sub(drawn_before));
        };
        let mut search = Search::new(&open.space)
            .backend(self.backend)
            .cancel(&CANCELLED)
            .progress(&show)
            .checkpoint(keep)
            .shard(self.shard_of(open.line))
            .resume(before)?;
        if single_threaded {
            search = search.threads(std::num::NonZeroUsize::MIN);
        }
        let outcome = match search.run() {
            Err(SearchError::Cancelled(unfinished)) => return Ok(Searched::Cancelled(*unfinished)),
            Err(SearchError::TooManyHits(max)) => {
                let message = SearchError::TooManyHits(max).to_string();
                let report = Report::refused(open.line, &open.input, &open.estimate, message);
                let report = Report { read: open.read.clone(), ..report };
                return Ok(Searched::Done(Box::new(self.tagged(report))));
            }
            other => other?,
        };
        let hits =
            outcome.hits.iter().map(|hit| HitReport::new(hit, self.is_known(hit), None)).collect();
        let untried = open.untried_look_alike;
        let report = Report::part(open.line, &open.input, &open.estimate, untried, hits);
        let report = Report {
            read: open.read.clone(),
            hashes: outcome.hashes,
            seconds: begin.elapsed().as_secs_f64(),
            backend: Some(self.backend.name().to_owned()),
            ..report
        };
        let report = if self.shard.is_some() { self.tagged(report) } else { report.concluded() };
        Ok(Searched::Done(Box::new(report)))
    }

    /// Adds what `merge` needs to know to the report of a shard.
    fn tagged(&self, report: Report) -> Report {
        let Some(shard) = self.shard else { return report };
        let asked = format!("{:?} {:?} {:?}", report.input, self.damage, self.versions);
        let question = Some(checksum(asked.as_bytes())[..16].to_owned());
        let (shard, format) = (Some(shard.to_string()), Some(FORMAT.to_owned()));
        Report { shard, format, question, ..report }
    }

    /// The number of parts that the work is divided into.
    pub(crate) fn shards(&self) -> f64 {
        self.shard.unwrap_or_default().count() as f64
    }

    /// Deals the lines of a batch out like cards. Most have a single unit, and the first shard
    /// would get them all.
    fn shard_of(&self, line: Option<usize>) -> Shard {
        self.shard.unwrap_or_default().rotated(line.unwrap_or(0))
    }

    /// The text as a hit, if it is a valid address already.
    pub(crate) fn undamaged(&self, pattern: &Pattern) -> Option<Hit> {
        let version = version_of(pattern.address())?;
        // Addresses of unknown networks count, too, but 26 bytes may pass the checksum by chance.
        let is_asked_for = self.versions.contains(&version)
            || (self.damage.is_any_kind() && version.is_one_byte());
        Hit::of(pattern.address()).filter(|_| is_asked_for)
    }

    /// The known addresses that fit.
    pub(crate) fn known_answers(&self, space: &SearchSpace) -> Vec<Hit> {
        self.known.as_ref().map_or(Vec::new(), |known| known.answers(space))
    }

    fn is_known(&self, hit: &Hit) -> bool {
        self.known.as_ref().is_some_and(|known| known.contains(hit))
    }
}

/// The message for a search whose answer would be noise.
fn refusal(estimate: &Estimate) -> String {
    format!(
        "the answer would be noise: about {:.0} addresses fit by chance, and the checksum cannot \
         tell which of them was meant; describe less damage, use --known, or search with --force",
        estimate.expected_by_chance()
    )
}

/// A warning for a search that is barely worthwhile.
pub(crate) fn doubt(estimate: &Estimate) -> Option<String> {
    let expected = estimate.expected_by_chance();
    (expected > DOUBTFUL && expected <= NOISE)
        .then(|| format!("{expected:.2} addresses are expected to fit by chance alone"))
}
