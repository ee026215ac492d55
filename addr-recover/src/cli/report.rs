//! The answer to one question: the JSON that `docs/reference.md` and the schema describe.

use std::fmt;

/// The outcome for one line.
pub(crate) use addr_recover::Verdict as Status;
use addr_recover::{
    Certainty, Change, Estimate, Evidence, KEY_KINDS, KeyFormat, ParseError, Repaired,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

/// The version of the JSON objects: it changes when a field changes its meaning or goes.
pub(crate) const SCHEMA: u32 = 1;

/// The name and the text of the JSON Schema of everything that is printed as JSON.
pub(crate) const JSON_SCHEMA: (&str, &str) =
    ("addr-recover.v1.schema.json", include_str!("../../schema/addr-recover.v1.schema.json"));

/// Stands for a key, which is not repeated.
pub(crate) const SECRET: &str = "(not shown)";

/// Errors repeat no more letters and digits: they may be a part of a key.
pub(crate) const MAX_SHOWN: usize = 38;

/// The part of a search that a report covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) index: usize,
    pub(crate) count: usize,
    /// The same for all parts of one search, and for no other.
    pub(crate) question: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.index, self.count)
    }
}

/// An address or a key that was found. It is wiped from memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HitReport {
    pub(crate) address: Zeroizing<String>,
    /// None for other formats than Base58Check.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) version: Option<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) known: bool,
    /// The probability that it is the one meant; unknown without a checksum.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) probability: Option<f64>,
}

/// Damage that nobody described, and that was tried because nothing was found without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tried {
    pub(crate) damage: String,
    pub(crate) options: String,
    pub(crate) candidates: String,
}

/// Damage that was not tried, because it would have taken too long or too many addresses would have
/// fitted by chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Next {
    pub(crate) damage: String,
    pub(crate) options: String,
    pub(crate) seconds: f64,
    pub(crate) expected_by_chance: f64,
}

/// What was wrong in the text, if that is a guess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangeReport {
    pub(crate) what: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ErrorReport {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) position: Option<usize>,
}

/// What only a search for a key has. There is no JSON of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KeySearch {
    pub(crate) address: Option<String>,
    pub(crate) secrets: u64,
    /// Whether what was found is the key of the address.
    pub(crate) is_proven: bool,
}

/// The answer, in the order of the fields in the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) schema: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) line: Option<usize>,
    /// It is wiped: it may be a key.
    pub(crate) input: Zeroizing<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) read: Option<String>,
    /// The number of letters and digits beside the address that may be a private key.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) left_out: usize,
    #[serde(serialize_with = "write_status", deserialize_with = "read_status")]
    pub(crate) status: Status,
    pub(crate) hits: Vec<HitReport>,
    /// Whether the list of known addresses answered, without a search.
    pub(crate) from_known: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) candidates: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) expected_by_chance: Option<f64>,
    pub(crate) hashes: u64,
    pub(crate) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) backend: Option<String>,
    /// `certain`, `likely` or `uncertain`: how sure the answer is, if something was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) certainty: Option<String>,
    /// The part of the search that this covers, if it is not all.
    #[serde(rename = "shard", skip_serializing_if = "Option::is_none", default)]
    pub(crate) part: Option<Part>,
    /// How likely it is that a damaged address has the damage that the answer assumes: 1 if it was
    /// described or is visible.
    #[serde(skip_serializing_if = "is_one", default = "one")]
    pub(crate) likelihood: f64,
    /// What was wrong, if that is assumed and a single address fits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) change: Option<ChangeReport>,
    /// What else there is to say, such as why no address fits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) note: Option<String>,
    /// The damage that was tried without being described. The hits have the last of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) tried: Vec<Tried>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) next: Option<Next>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) error: Option<ErrorReport>,
    #[serde(skip)]
    pub(crate) key: Option<KeySearch>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            schema: 0,
            line: None,
            input: Zeroizing::default(),
            read: None,
            left_out: 0,
            status: Status::default(),
            hits: Vec::new(),
            from_known: false,
            candidates: None,
            expected_by_chance: None,
            hashes: 0,
            seconds: 0.0,
            backend: None,
            certainty: None,
            part: None,
            likelihood: 1.0,
            change: None,
            note: None,
            tried: Vec::new(),
            next: None,
            error: None,
            key: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_one(likelihood: &f64) -> bool {
    *likelihood >= 1.0
}

fn write_status<S: Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.name())
}

fn read_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
    let name = String::deserialize(deserializer)?;
    let status = Status::ALL.into_iter().find(|it| it.name() == name);
    status.ok_or_else(|| D::Error::custom(format!("{name:?} is no status")))
}

impl Tried {
    /// What was tried, and the options that describe it.
    pub(crate) fn new(tried: &addr_recover::Tried, options: String) -> Self {
        let candidates = format!("{:.0}", tried.candidates);
        Self { damage: tried.in_words(), options, candidates }
    }
}

impl From<Change> for ChangeReport {
    fn from(Change { what, before, after, .. }: Change) -> Self {
        Self { what, before, after }
    }
}

impl Report {
    pub(crate) fn new(line: Option<usize>, input: &str) -> Self {
        Self { schema: SCHEMA, line, input: input.to_owned().into(), ..Self::default() }
    }

    /// The report on an address that was read, if it differs from what was typed.
    pub(crate) fn reading(mut self, address: &str) -> Self {
        self.read = (address != self.input.trim()).then(|| address.to_owned());
        self
    }

    /// An address that takes no search. If there is a note on it, it may be damaged unnoticed.
    pub(crate) fn valid(self, mut hits: Vec<HitReport>) -> Self {
        let probability = self.note.is_none().then_some(1.0);
        hits.iter_mut().for_each(|hit| hit.probability = probability);
        Self { status: Status::Valid, hits, ..self }
    }

    pub(crate) fn malformed(self, error: &ParseError) -> Self {
        let length = self.input.bytes().filter(u8::is_ascii_alphanumeric).count();
        let is_long = matches!(error, ParseError::Length { .. }) && length > MAX_SHOWN;
        let is_shown = !is_long && !error.may_be_key();
        let input = if is_shown { self.input } else { SECRET.to_owned().into() };
        let position = match *error {
            ParseError::SecondGap { position } => Some(position),
            _ => None,
        };
        let error = Some(ErrorReport { message: error.to_string(), position });
        Self { status: Status::Malformed, input, error, ..self }
    }

    /// The answer to a text that is no address, or one of which too much is damaged.
    pub(crate) fn unanswered(self, error: &ParseError) -> Self {
        match Status::of_error(error) {
            Status::Refused => self.refused(error.to_string()),
            _ => self.malformed(error),
        }
    }

    pub(crate) fn refused(self, message: String) -> Self {
        Self { backend: None, ..self.with_error(Status::Refused, message) }
    }

    pub(crate) fn with_error(self, status: Status, message: String) -> Self {
        let error = Some(ErrorReport { message, position: None });
        Self { status, error, ..self }
    }

    pub(crate) fn with_estimate(self, estimate: &Estimate) -> Self {
        let candidates = Some(format!("{:.0}", estimate.candidates));
        Self { candidates, expected_by_chance: Some(estimate.expected_by_chance), ..self }
    }

    /// What tells which of the keys found is the right one.
    pub(crate) fn what_tells(&self) -> &'static str {
        let is_of = |format: KeyFormat| {
            let names = || self.hits.iter().flat_map(|hit| &hit.kinds);
            names().any(|it| KEY_KINDS.iter().any(|kind| kind.format == format && kind.name == *it))
        };
        match () {
            () if is_of(KeyFormat::Encrypted) => "only its passphrase tells",
            () if is_of(KeyFormat::ExtendedPrivate) || is_of(KeyFormat::ExtendedPublic) => {
                "the addresses that a wallet derives tell"
            }
            () => "--address tells",
        }
    }

    /// What was searched for, one of it and several.
    pub(crate) fn nouns(&self) -> (&'static str, &'static str) {
        if self.key.is_some() { ("key", "keys") } else { ("address", "addresses") }
    }

    /// Whether what was found is the key of the address that was given.
    pub(crate) fn is_proven(&self) -> bool {
        self.key.as_ref().is_some_and(|key| key.is_proven)
    }

    /// Rates and sorts the hits once all are found, known ones first.
    pub(crate) fn concluded(mut self) -> Self {
        let evidence = self.evidence();
        let certainty = evidence.map(|it| it.certainty());
        // Other parts may have more.
        let is_part = self.part.is_some() && !self.is_proven();
        let certainty = if is_part { Some(Certainty::Uncertain) } else { certainty };
        self.status = Status::of_found(self.hits.len(), certainty);
        if self.hits.is_empty() {
            self.likelihood = 1.0;
        }
        self.certainty =
            evidence.filter(|_| self.part.is_none()).map(|it| it.certainty().name().to_owned());
        self.hits.sort_by(|a, b| (b.known, a.address.as_str()).cmp(&(a.known, b.address.as_str())));
        let known = self.hits.iter().filter(|hit| hit.known).count();
        let evidence = evidence.filter(|_| self.part.is_none());
        for hit in &mut self.hits {
            hit.probability = match (known, hit.known) {
                (0, _) => evidence.map(|it| it.probability()),
                (_, false) => Some(0.0),
                (known, true) => Some(1.0 / known as f64),
            };
        }
        self
    }

    /// What was found, beside what chance would find. `None` if nothing was found or searched, or
    /// if a known address fits.
    pub(crate) fn evidence(&self) -> Option<Evidence> {
        let is_known = self.from_known || self.hits.iter().any(|hit| hit.known);
        let (hits, likelihood) = (self.hits.len(), self.likelihood);
        let expected_by_chance = self.expected_by_chance.filter(|_| hits > 0 && !is_known)?;
        Some(Evidence { hits, expected_by_chance, likelihood })
    }

    /// Whether the addresses found may fit by chance: they are from a search, or were repaired.
    pub(crate) fn is_searched(&self) -> bool {
        self.expected_by_chance.is_some() && !self.from_known && self.status != Status::Refused
    }
}

impl HitReport {
    pub(crate) fn new(found: &Repaired) -> Self {
        let version = found.version.map(|it| it.to_string());
        let address = Zeroizing::new(found.address.clone());
        let (kinds, known) = (found.kinds.clone(), found.is_known);
        Self { address, version, kinds, known, probability: None }
    }

    /// A key.
    pub(crate) fn key(text: &str, kind: &str) -> Self {
        let (address, kinds) = (Zeroizing::new(text.to_owned()), vec![kind.to_owned()]);
        Self { address, version: None, kinds, known: false, probability: None }
    }

    /// `Bitcoin P2PKH, version 0`.
    pub(crate) fn description(&self) -> String {
        let kinds = match self.kinds.as_slice() {
            [] => "unknown network".to_owned(),
            [first, second, third, _, _, ..] => {
                format!("{first} (or {second}, {third} and {} others)", self.kinds.len() - 3)
            }
            kinds => kinds.join(" or "),
        };
        match &self.version {
            None => kinds,
            Some(version) if self.kinds.is_empty() => format!("version {version}, {kinds}"),
            Some(version) => format!("{kinds}, version {version}"),
        }
    }
}
