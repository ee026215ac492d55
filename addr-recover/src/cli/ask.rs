//! Reads one line of input, and answers it if that takes no search.

use super::report::{self, Report, Status};
use super::session::Session;
use super::{counted, other};
use addr_recover::{
    Backend, Estimate, Hit, Kind, Ladder, NOISE, ParseError, Pattern, SearchSpace, version_of,
};

/// A line that has been read.
pub(crate) enum Asked {
    Answered(Box<Report>),
    /// The answer takes a search.
    Open(Box<Open>),
}

/// A line whose answer takes a search.
pub(crate) struct Open {
    line: Option<usize>,
    pub(crate) pattern: Pattern,
    read: Option<String>,
    note: Option<String>,
    pub(crate) space: SearchSpace,
    pub(crate) estimate: Estimate,
}

impl Asked {
    /// What was read in the line.
    pub(crate) fn read(&self) -> Option<&String> {
        match self {
            Self::Answered(report) => report.read.as_ref(),
            Self::Open(open) => open.read.as_ref(),
        }
    }
}

impl Open {
    /// The report on a search that has not found anything yet.
    pub(crate) fn report(&self) -> Report {
        Report {
            read: self.read.clone(),
            note: self.note.clone(),
            backend: Some(Backend::detect().name().to_owned()),
            ..Report::new(self.line, self.pattern.as_str(), Status::None)
        }
        .with_estimate(&self.estimate)
    }
}

impl Session {
    /// Reads an address, and builds its search space for the selected versions: by default, those
    /// of common networks or, if none has such addresses, of all.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<(Pattern, SearchSpace), ParseError> {
        let pattern = Pattern::from_utf8(bytes, self.ask.damage.damage())?;
        if !self.ask.damage.is_any_kind() {
            let space = SearchSpace::new(&pattern, &self.versions)?;
            return Ok((pattern, space));
        }
        let space = SearchSpace::any_network(&pattern)?;
        let may_be_foreign = space.kinds().is_empty() && self.undamaged(&pattern).is_none();
        match pattern.foreign_instead().filter(|_| may_be_foreign) {
            Some(foreign) => Err(ParseError::Foreign(foreign)),
            None => Ok((pattern, space)),
        }
    }

    /// The searches for the selected versions.
    pub(crate) fn ladder(&self, pattern: &Pattern) -> Result<Ladder, ParseError> {
        if self.ask.damage.is_any_kind() {
            Ladder::any_network(pattern)
        } else {
            Ladder::new(pattern, &self.versions)
        }
    }

    /// Reads a line, and answers it if no search is needed.
    pub(crate) fn question(&self, line: Option<usize>, bytes: &[u8]) -> Asked {
        let input = String::from_utf8_lossy(bytes).into_owned();
        let (pattern, space) = match self.read(bytes) {
            Ok(read) => read,
            Err(error) => {
                let other = other::report(line, &input, &self.ask.damage);
                let report = other.unwrap_or_else(|| Report::malformed(line, &input, &error));
                return Asked::Answered(Box::new(report));
            }
        };
        let read = report::read(&input, pattern.address());
        let answered = |report| Asked::Answered(Box::new(Report { read: read.clone(), ..report }));
        if let Some(hit) = self.undamaged(&pattern).filter(|_| !self.search.force) {
            return answered(Report::valid(line, &input, &hit, self.is_known(&hit)));
        }
        let estimate = space.estimate();
        let known = self.known_answers(&space);
        if !known.is_empty() {
            return answered(Report::from_known(line, &input, &estimate, &known));
        }
        if !self.search.force && estimate.expected_by_chance() > NOISE {
            if let Some((distance, hits)) = self.nearest(&pattern) {
                let report = Report::from_known(line, &input, &estimate, &hits);
                return answered(Report { note: Some(nearest_note(distance)), ..report });
            }
            let report = Report::new(line, &input, Status::Refused).with_estimate(&estimate);
            let by_chance = estimate.expected_by_chance();
            let message = match pattern.hidden() {
                Some(characters) => hidden(characters, by_chance),
                None => refusal(by_chance, "address"),
            };
            return answered(report.refused(message));
        }
        let note = self.why_none(&pattern);
        Asked::Open(Box::new(Open { line, read, note, pattern, space, estimate }))
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

    /// The text as a hit, if it is a valid address already.
    pub(crate) fn undamaged(&self, pattern: &Pattern) -> Option<Hit> {
        let version = version_of(pattern.address())?;
        // Addresses of unknown networks count, too, but 26 bytes may pass the checksum by chance.
        let is_named = || version.is_one_byte() || Kind::all_versions().contains(&version);
        let is_asked_for =
            self.versions.contains(&version) || (self.ask.damage.is_any_kind() && is_named());
        Hit::of(pattern.address()).filter(|_| is_asked_for)
    }

    /// The known addresses nearest to a text, and in how many characters they differ, unless they
    /// are to be searched for.
    pub(crate) fn nearest(&self, pattern: &Pattern) -> Option<(usize, Vec<Hit>)> {
        self.known.as_ref().filter(|_| !self.search.force)?.nearest(pattern.address())
    }

    /// The known addresses that fit, unless they are to be searched for.
    pub(crate) fn known_answers(&self, space: &SearchSpace) -> Vec<Hit> {
        let known = self.known.as_ref().filter(|_| !self.search.force);
        known.map_or(Vec::new(), |known| known.answers(space))
    }

    /// The options for the list of known addresses, after a space; empty if there is none.
    pub(crate) fn known_option(&self) -> String {
        let Some(file) = &self.ask.known else { return String::new() };
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
pub(crate) fn refusal(expected: f64, noun: &str) -> String {
    let (nouns, instead) = match noun {
        "key" => ("keys", "pass its address with --address"),
        _ => ("addresses", "use --known"),
    };
    format!(
        "the answer would be noise: about {} {nouns} fit by chance, and the checksum cannot tell \
         which of them was meant; describe less damage, {instead}, or search with --force",
        rounded(expected)
    )
}

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
