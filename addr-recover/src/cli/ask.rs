//! From one line of input to its report.

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
use super::{CANCELLED, FORMAT, Failure, read_input, say};

/// What all lines are asked with.
pub(crate) struct Asker {
    damage: DamageArgs,
    versions: Vec<Version>,
    known: Option<Known>,
    search_anyway: bool,
    force: bool,
    pub(crate) backend: Backend,
    shard: Option<Shard>,
}

/// A line, and how far its answer is.
pub(crate) enum Asked {
    Answered(Box<Report>),
    /// It has to be searched.
    Open(Box<Open>),
}

/// A search space that has to be searched.
pub(crate) struct Open {
    line: Option<usize>,
    input: String,
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
                    let (count, name) = (wrong.len(), file.display());
                    say(&format!(
                        "note: {count} lines of {name} are no addresses, the first is line {first}"
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

    /// Reads an address, and asks for the versions that were asked for.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<(Pattern, SearchSpace), ParseError> {
        let pattern = Pattern::from_utf8(bytes, self.damage.damage())?;
        let space = SearchSpace::new(&pattern, &self.versions)?;
        let may_be_foreign = self.damage.is_any_kind()
            && space.estimate().candidates_rounded() == 0.0
            && self.as_it_stands(&pattern).is_none();
        match pattern.foreign_instead().filter(|_| may_be_foreign) {
            Some(foreign) => Err(ParseError::Foreign(foreign)),
            None => Ok((pattern, space)),
        }
    }

    /// Reads a line, and answers it if that takes no search.
    pub(crate) fn ask(&self, line: Option<usize>, bytes: &[u8]) -> Asked {
        let input = String::from_utf8_lossy(bytes).into_owned();
        let answered = |report| Asked::Answered(Box::new(self.marked(report)));
        let (pattern, space) = match self.read(bytes) {
            Ok(read) => read,
            Err(error) => return answered(Report::malformed(line, &input, &error)),
        };
        if let Some(hit) = self.as_it_stands(&pattern).filter(|_| !self.search_anyway) {
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
        Asked::Open(Box::new(Open { line, input, untried_look_alike, space, estimate }))
    }

    /// Searches. `threads` of a search among many is one.
    pub(crate) fn search(
        &self,
        open: &Open,
        before: Unfinished,
        alone: bool,
        bar: &ProgressBar,
    ) -> Result<Searched, Failure> {
        let begin = Instant::now();
        let drawn = AtomicU64::new(before.hashes);
        // Threads overtake each other here, but what each adds is added once.
        let show = |progress: Progress| {
            let drawn_before = drawn.fetch_max(progress.hashes, Ordering::Relaxed);
            bar.inc(progress.hashes.saturating_sub(drawn_before));
        };
        let mut search = Search::new(&open.space)
            .backend(self.backend)
            .cancel(&CANCELLED)
            .progress(&show)
            .shard(self.shard_of(open.line))
            .resume(before)?;
        if alone {
            search = search.threads(std::num::NonZeroUsize::MIN);
        }
        let outcome = match search.run() {
            Err(SearchError::Cancelled(unfinished)) => return Ok(Searched::Cancelled(*unfinished)),
            Err(SearchError::TooManyHits(most)) => {
                let message = SearchError::TooManyHits(most).to_string();
                let report = Report::refused(open.line, &open.input, &open.estimate, message);
                return Ok(Searched::Done(Box::new(self.marked(report))));
            }
            other => other?,
        };
        let hits =
            outcome.hits.iter().map(|hit| HitReport::new(hit, self.is_known(hit), None)).collect();
        let untried = open.untried_look_alike;
        let report = Report::part(open.line, &open.input, &open.estimate, untried, hits);
        let report = Report {
            hashes: outcome.hashes,
            seconds: begin.elapsed().as_secs_f64(),
            backend: Some(self.backend.name().to_owned()),
            ..report
        };
        let report = if self.shard.is_some() { self.marked(report) } else { report.concluded() };
        Ok(Searched::Done(Box::new(report)))
    }

    /// A report with what `merge` has to know, if it is of a shard.
    fn marked(&self, report: Report) -> Report {
        let Some(shard) = self.shard else { return report };
        let asked = format!("{:?} {:?} {:?}", report.input, self.damage, self.versions);
        let space = Some(checksum(asked.as_bytes())[..16].to_owned());
        Report { shard: Some(shard.to_string()), format: Some(FORMAT.to_owned()), space, ..report }
    }

    /// Into how many parts the work is divided.
    pub(crate) fn shards(&self) -> f64 {
        self.shard.unwrap_or_default().count() as f64
    }

    /// The search spaces of a batch are dealt out like cards: most have a single unit, and the
    /// first shard would have them all.
    fn shard_of(&self, line: Option<usize>) -> Shard {
        self.shard.unwrap_or_default().rotated(line.unwrap_or(0))
    }

    /// The hit that the text is without any damage.
    pub(crate) fn as_it_stands(&self, pattern: &Pattern) -> Option<Hit> {
        let version = version_of(pattern.address())?;
        // An address of a network that has no name here is one, too; but not every 26 bytes are.
        let is_asked_for = self.versions.contains(&version)
            || (self.damage.is_any_kind() && version.is_one_byte());
        Hit::of(pattern.address()).filter(|_| is_asked_for)
    }

    /// What the list of known addresses answers.
    pub(crate) fn known_answers(&self, space: &SearchSpace) -> Vec<Hit> {
        self.known.as_ref().map_or(Vec::new(), |known| known.answers(space))
    }

    fn is_known(&self, hit: &Hit) -> bool {
        self.known.as_ref().is_some_and(|known| known.contains(hit))
    }
}

/// Why a search is not worth it.
fn refusal(estimate: &Estimate) -> String {
    format!(
        "the answer would be noise: about {:.0} addresses fit by chance, and nothing tells which was meant; describe less \
         damage, use --known, or search with --force",
        estimate.expected_by_chance()
    )
}

/// A warning for a search that is only just worth it.
pub(crate) fn doubt(estimate: &Estimate) -> Option<String> {
    let expected = estimate.expected_by_chance();
    (expected > DOUBTFUL && expected <= NOISE)
        .then(|| format!("{expected:.2} addresses are expected to fit by chance alone"))
}
