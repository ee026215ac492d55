//! Answers one line of input with a report.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::args::RunArgs;
use super::bar::Bar;
use super::checksum::checksum;
use super::report::{HitReport, ReadingReport, Report};
use super::settings::DamageArgs;
use super::{FORMAT, Failure, counted, is_cancelled, other, read_input, say, unsupported};
use addr_recover::{
    Backend, DOUBTFUL, Estimate, Hit, Kind, Known, Ladder, NOISE, Outcome, ParseError, Pattern,
    Progress, Rung, Search, SearchError, SearchSpace, Shard, Speed, Unfinished, Version,
    version_of,
};

/// With so many addresses expected by chance, a single hit is right once in five times.
pub(crate) const MAX_BY_CHANCE: f64 = 4.0;

/// The maximum number of hashes for damage that was not described: seconds.
const MAX_HASHES: f64 = (1_u64 << 28) as f64;

/// [`MAX_HASHES`] for a line of a batch.
const MAX_HASHES_OF_LINE: f64 = (1_u64 << 25) as f64;

/// The settings that all lines share.
pub(crate) struct Asker {
    pub(crate) damage: DamageArgs,
    versions: Vec<Version>,
    known: Option<Known>,
    known_file: Option<PathBuf>,
    force: bool,
    speed: OnceLock<Speed>,
    /// Whether to try damage that was not described.
    pub(crate) tries_more: bool,
    /// How long to try damage that takes more than `max_hashes`, for each address.
    pub(crate) budget: Option<Duration>,
    /// How many hashes undescribed damage of an address may take.
    pub(crate) max_hashes: f64,
    shard: Option<Shard>,
}

/// A line that has been read.
pub(crate) enum Asked {
    Answered(Box<Report>),
    /// The answer takes a search.
    Open(Box<Open>),
}

impl Asked {
    /// What was read in the line.
    pub(crate) fn reading(&self) -> &ReadingReport {
        match self {
            Self::Answered(report) => &report.reading,
            Self::Open(open) => &open.reading,
        }
    }
}

/// A line whose answer takes a search.
pub(crate) struct Open {
    line: Option<usize>,
    pub(crate) pattern: Pattern,
    reading: ReadingReport,
    untried_look_alike: Option<char>,
    note: Option<String>,
    pub(crate) space: SearchSpace,
    pub(crate) estimate: Estimate,
}

impl Open {
    /// The same line with the damage of a rung.
    pub(crate) fn on(&self, rung: Rung) -> Self {
        Self {
            line: self.line,
            pattern: self.pattern.clone(),
            reading: self.reading.clone(),
            untried_look_alike: None,
            note: self.note.clone(),
            estimate: rung.space.estimate(),
            space: rung.space,
        }
    }
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
            known_file: run.common.known.clone(),
            force: run.force,
            speed: OnceLock::new(),
            tries_more: !run.exact && run.shard.is_none(),
            budget: run.budget,
            max_hashes: MAX_HASHES,
            shard: run.shard,
        })
    }

    pub(crate) fn for_batch(self) -> Self {
        Self { max_hashes: MAX_HASHES_OF_LINE, ..self }
    }

    /// Reads an address, and builds its search space for the selected versions.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<(Pattern, SearchSpace), ParseError> {
        let pattern = Pattern::from_utf8(bytes, self.damage.damage())?;
        let space = self.space_of(&pattern)?;
        let may_be_foreign = self.damage.is_any_kind()
            && space.kinds().is_empty()
            && self.undamaged(&pattern).is_none();
        match pattern.foreign_instead().filter(|_| may_be_foreign) {
            Some(foreign) => Err(ParseError::Foreign(foreign)),
            None => Ok((pattern, space)),
        }
    }

    /// The search space for the selected versions: by default, those of common networks or, if none
    /// has such addresses, of all.
    fn space_of(&self, pattern: &Pattern) -> Result<SearchSpace, ParseError> {
        if self.damage.is_any_kind() {
            SearchSpace::any_network(pattern)
        } else {
            SearchSpace::new(pattern, &self.versions)
        }
    }

    /// The searches for the selected versions.
    pub(crate) fn ladder(&self, pattern: &Pattern) -> Result<Ladder, ParseError> {
        if self.damage.is_any_kind() {
            Ladder::any_network(pattern)
        } else {
            Ladder::new(pattern, &self.versions)
        }
    }

    /// Reads a line, and answers it if no search is needed.
    pub(crate) fn ask(&self, line: Option<usize>, bytes: &[u8]) -> Asked {
        let input = String::from_utf8_lossy(bytes).into_owned();
        let answered = |report| Asked::Answered(Box::new(self.tagged(report)));
        let (pattern, space) = match self.read(bytes) {
            Ok(read) => read,
            Err(error) => {
                let other = other::report(line, &input, &self.damage);
                return answered(other.unwrap_or_else(|| Report::malformed(line, &input, &error)));
            }
        };
        let reading = ReadingReport::of(&input, pattern.address(), pattern.homoglyphs());
        let answered = |report| answered(Report { reading: reading.clone(), ..report });
        if let Some(hit) = self.undamaged(&pattern).filter(|_| !self.force) {
            return answered(Report::valid(line, &input, &hit, self.is_known(&hit)));
        }
        let estimate = space.estimate();
        let known = self.known_answers(&space);
        if !known.is_empty() {
            return answered(Report::from_known(line, &input, &estimate, &known));
        }
        if !self.force && estimate.expected_by_chance() > NOISE {
            if let Some((distance, hits)) = self.nearest(&pattern) {
                let report = Report::from_known(line, &input, &estimate, &hits);
                return answered(Report { note: Some(nearest_note(distance)), ..report });
            }
            return answered(Report::refused(
                line,
                &input,
                &estimate,
                refusal(&pattern, &estimate),
            ));
        }
        Asked::Open(Box::new(Open {
            line,
            reading,
            untried_look_alike: pattern.untried_look_alike(),
            note: self.why_none(&pattern).or_else(|| self.groestlcoin(&pattern)),
            pattern,
            space,
            estimate,
        }))
    }

    /// Why no address of the selected kind fits, if it is because of its first character.
    fn why_none(&self, pattern: &Pattern) -> Option<String> {
        let [version] = self.versions.as_slice() else { return None };
        if pattern.may_begin_like(*version) {
            return None;
        }
        let names: Vec<&str> = Kind::names(*version).collect();
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        let characters: Vec<String> =
            version.first_characters().chars().map(String::from).collect();
        Some(format!("an address of {name} begins with {}", characters.join(" or ")))
    }

    /// What to say if nothing is found for what may be an address of Groestlcoin. Other networks
    /// have addresses that begin like it.
    fn groestlcoin(&self, pattern: &Pattern) -> Option<String> {
        let is_like_one = pattern.address().starts_with(['F', 'f']) && pattern.length() == 34;
        let reason = unsupported::reason("groestlcoin").filter(|_| is_like_one)?;
        self.damage.is_any_kind().then(|| format!("if this is an address of Groestlcoin: {reason}"))
    }

    /// Searches: on one thread if `single_threaded`, or else on all threads of the pool. Calls
    /// `keep` with the progress, at least every few seconds in a search that is not refused.
    pub(crate) fn search(
        &self,
        open: &Open,
        before: Unfinished,
        keep: &(dyn Fn(&Unfinished) + Sync),
        single_threaded: bool,
        bar: &Bar,
    ) -> Result<Searched, Failure> {
        let begin = Instant::now();
        let shard = self.shard_of(open.line);
        let run = self.run(&open.space, shard, before, keep, single_threaded, bar, None);
        let outcome = match run {
            Err(SearchError::Cancelled(unfinished)) => return Ok(Searched::Cancelled(*unfinished)),
            Err(SearchError::TooManyHits(max)) => {
                let message = SearchError::TooManyHits(max).to_string();
                let report =
                    Report::refused(open.line, open.pattern.as_str(), &open.estimate, message);
                let report = Report { reading: open.reading.clone(), ..report };
                return Ok(Searched::Done(Box::new(self.tagged(report))));
            }
            other => other?,
        };
        let hits =
            outcome.hits.iter().map(|hit| HitReport::new(hit, self.is_known(hit), None)).collect();
        let untried = open.untried_look_alike;
        let input = open.pattern.as_str();
        let report = Report::part(open.line, input, &open.estimate, untried, hits);
        let report = Report {
            reading: open.reading.clone(),
            note: open.note.clone(),
            hashes: outcome.hashes,
            seconds: begin.elapsed().as_secs_f64(),
            backend: Some(Backend::detect().name().to_owned()),
            ..report
        };
        let report = if self.shard.is_some() { self.tagged(report) } else { report.concluded() };
        Ok(Searched::Done(Box::new(report)))
    }

    /// Searches a space until a deadline, and draws its progress.
    #[expect(clippy::too_many_arguments, reason = "each is one of the search")]
    pub(crate) fn run(
        &self,
        space: &SearchSpace,
        shard: Shard,
        before: Unfinished,
        keep: &(dyn Fn(&Unfinished) + Sync),
        single_threaded: bool,
        bar: &Bar,
        deadline: Option<Instant>,
    ) -> Result<Outcome, SearchError> {
        let drawn = AtomicU64::new(before.hashes);
        let stop = AtomicBool::new(is_cancelled());
        // Threads may report out of order, but every hash is drawn once.
        let show = |progress: Progress| {
            let drawn_before = drawn.fetch_max(progress.hashes, Ordering::Relaxed);
            bar.add(progress.hashes.saturating_sub(drawn_before));
            if is_cancelled() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let search = Search::new(space)
            .cancel(&stop)
            .progress(&show)
            .checkpoint(keep)
            .shard(shard)
            .resume(before)?;
        if single_threaded { search.threads(NonZeroUsize::MIN).run() } else { search.run() }
    }

    /// How fast this machine hashes, measured once.
    pub(crate) fn speed(&self) -> Speed {
        *self.speed.get_or_init(|| Speed::measure(Backend::detect()))
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
        let is_named = || version.is_one_byte() || Kind::all_versions().contains(&version);
        let is_asked_for =
            self.versions.contains(&version) || (self.damage.is_any_kind() && is_named());
        Hit::of(pattern.address()).filter(|_| is_asked_for)
    }

    /// Whether known addresses answer, unless they are to be searched for.
    pub(crate) fn has_known(&self) -> bool {
        self.known.is_some() && !self.force
    }

    /// The known addresses nearest to a text, and in how many characters they differ, unless they
    /// are to be searched for.
    pub(crate) fn nearest(&self, pattern: &Pattern) -> Option<(usize, Vec<Hit>)> {
        self.known.as_ref().filter(|_| !self.force)?.nearest(pattern.address())
    }

    /// The known addresses that fit, unless they are to be searched for.
    pub(crate) fn known_answers(&self, space: &SearchSpace) -> Vec<Hit> {
        let known = self.known.as_ref().filter(|_| self.has_known());
        known.map_or(Vec::new(), |known| known.answers(space))
    }

    /// The options for the list of known addresses, after a space; empty if there is none.
    pub(crate) fn known_option(&self) -> String {
        let Some(file) = &self.known_file else { return String::new() };
        let file = file.display().to_string().replace('\'', r"'\''");
        format!(" --known '{file}'")
    }

    pub(crate) fn is_known(&self, hit: &Hit) -> bool {
        self.known.as_ref().is_some_and(|known| known.contains(hit))
    }
}

/// What to say about the known addresses nearest to a text.
pub(crate) fn nearest_note(distance: usize) -> String {
    format!("the nearest in the list of known addresses; {} differ", counted(distance, "character"))
}

/// The message for a search whose answer would be noise.
fn refusal(pattern: &Pattern, estimate: &Estimate) -> String {
    let by_chance = estimate.expected_by_chance();
    if let Some(hidden) = pattern.hidden() {
        let by_chance =
            if by_chance < 1e6 { format!("{by_chance:.0}") } else { format!("{by_chance:.0e}") };
        return format!(
            "about {hidden} characters are hidden: some {by_chance} addresses fit, and no checksum \
             can tell which of them was meant; copy the whole address where it was shortened, or \
             pass a list of addresses with --known"
        );
    }
    format!(
        "the answer would be noise: about {by_chance:.0} addresses fit by chance, and the checksum \
         cannot tell which of them was meant; describe less damage, use --known, or search with \
         --force"
    )
}

/// A warning for a search that is barely worthwhile.
pub(crate) fn doubt(estimate: &Estimate) -> Option<String> {
    let expected = estimate.expected_by_chance();
    (DOUBTFUL..=NOISE)
        .contains(&expected)
        .then(|| format!("{expected:.2} addresses are expected to fit by chance alone"))
}
