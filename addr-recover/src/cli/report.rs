//! The answer to one line: the JSON that the README and the schema describe.

use addr_recover::{DOUBTFUL, Estimate, Hit, ParseError};
use serde::{Deserialize, Serialize};

/// The version of the JSON objects: it changes when a field changes its meaning or goes.
pub(crate) const SCHEMA: u32 = 1;

/// The name and the text of the JSON Schema of everything that is printed as JSON.
pub(crate) const JSON_SCHEMA: (&str, &str) =
    ("addr-recover.v1.schema.json", include_str!("../../schema/addr-recover.v1.schema.json"));

/// Stands for a key, which is not repeated.
const SECRET: &str = "(not shown)";

/// The exit status of bad usage or input.
pub(crate) const MALFORMED: u8 = 2;

/// The exit status of a search that found nothing.
pub(crate) const NONE: u8 = 1;

/// The exit status of a search with several answers.
pub(crate) const SEVERAL: u8 = 3;

/// The exit status of a search that was refused.
pub(crate) const REFUSED: u8 = 4;

/// The outcome for one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The input is already an address.
    Valid,
    /// Exactly one address fits.
    Unique,
    /// No address fits.
    #[default]
    None,
    /// Several addresses fit, or one that may well fit by chance.
    Several,
    /// The answer would be noise.
    Refused,
    /// The input cannot be an address.
    Malformed,
}

impl Status {
    fn exit_code(self) -> u8 {
        match self {
            Self::Valid | Self::Unique => 0,
            Self::None => NONE,
            Self::Malformed => MALFORMED,
            Self::Several => SEVERAL,
            Self::Refused => REFUSED,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Unique => "unique",
            Self::None => "none",
            Self::Several => "several",
            Self::Refused => "refused",
            Self::Malformed => "malformed",
        }
    }

    fn of_count(hits: usize) -> Self {
        match hits {
            0 => Self::None,
            1 => Self::Unique,
            _ => Self::Several,
        }
    }
}

/// An address that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HitReport {
    pub(crate) address: String,
    /// None for other formats than Base58Check.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) version: Option<String>,
    pub(crate) kinds: Vec<String>,
    /// Whether it is in the list of known addresses.
    pub(crate) known: bool,
    /// The probability that it is the one meant; unknown without a checksum.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) probability: Option<f64>,
}

/// What was read as an address, if it differs from what was typed.
pub(crate) fn read(given: &str, address: &str) -> Option<String> {
    (address != given.trim()).then(|| address.to_owned())
}

/// Damage that nobody described, and that was tried because nothing was found without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tried {
    /// What it assumes, such as `one wrong character`.
    pub(crate) damage: String,
    /// The options that describe it.
    pub(crate) options: String,
    pub(crate) candidates: String,
}

/// Damage that was not tried, because it would have taken too long or too many addresses would have
/// fitted by chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Next {
    /// What it assumes, such as `one wrong character`.
    pub(crate) damage: String,
    pub(crate) options: String,
    /// The estimated time.
    pub(crate) seconds: f64,
    pub(crate) expected_by_chance: f64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ErrorReport {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) position: Option<usize>,
}

/// What only a search for a key has. The keys are printed as they are found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KeySearch {
    pub(crate) found: usize,
    /// The address that the key belongs to.
    pub(crate) address: Option<String>,
    /// The number of private keys that were compared with the address.
    pub(crate) secrets: u64,
}

/// The answer, in the order of the fields in the JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) schema: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) line: Option<usize>,
    pub(crate) input: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) read: Option<String>,
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
    /// What else there is to say, such as why no address fits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) note: Option<String>,
    /// The damage that was tried without being described. The hits have the last of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) tried: Vec<Tried>,
    /// If nothing was found, what to try next.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) next: Option<Next>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) error: Option<ErrorReport>,
    /// For a key, which has no JSON object.
    #[serde(skip)]
    pub(crate) key: Option<KeySearch>,
}

impl Report {
    pub(crate) fn exit_code(&self) -> u8 {
        self.status.exit_code()
    }

    /// The exit code of several reports: the first of 2, 4, 3, 1, 0 that any has.
    pub(crate) fn exit_code_of_all(all: &[Box<Self>]) -> u8 {
        let has = |code: &u8| all.iter().any(|report| report.exit_code() == *code);
        [MALFORMED, REFUSED, SEVERAL, NONE].into_iter().find(has).unwrap_or(0)
    }

    pub(crate) fn new(line: Option<usize>, input: &str, status: Status) -> Self {
        Self { schema: SCHEMA, line, input: input.to_owned(), status, ..Self::default() }
    }

    /// A report on a key, which it does not show.
    pub(crate) fn of_key(search: KeySearch) -> Self {
        Self { key: Some(search), ..Self::new(None, SECRET, Status::None) }
    }

    pub(crate) fn malformed(line: Option<usize>, input: &str, error: &ParseError) -> Self {
        let is_secret = matches!(error, ParseError::Foreign(foreign) if foreign.is_key());
        let input = if is_secret { SECRET } else { input };
        let error = ErrorReport { message: error.to_string(), position: error.position() };
        Self { error: Some(error), ..Self::new(line, input, Status::Malformed) }
    }

    pub(crate) fn valid(line: Option<usize>, input: &str, hit: &Hit, known: bool) -> Self {
        let hits = vec![HitReport::new(hit, known, Some(1.0))];
        Self { hits, ..Self::new(line, input, Status::Valid) }
    }

    /// The answer from the list of known addresses.
    pub(crate) fn from_known(
        line: Option<usize>,
        input: &str,
        estimate: &Estimate,
        hits: &[Hit],
    ) -> Self {
        let probability = Some(1.0 / hits.len() as f64);
        let hits: Vec<HitReport> =
            hits.iter().map(|hit| HitReport::new(hit, true, probability)).collect();
        let report = Self::new(line, input, Status::of_count(hits.len()));
        Self { hits, from_known: true, ..report }.with_estimate(estimate)
    }

    /// The same question, without an answer.
    pub(crate) fn refused(self, message: String) -> Self {
        let error = Some(ErrorReport { message, position: None });
        Self { status: Status::Refused, error, backend: None, note: None, ..self }
    }

    pub(crate) fn with_estimate(self, estimate: &Estimate) -> Self {
        Self {
            candidates: Some(estimate.candidates()),
            expected_by_chance: Some(estimate.expected_by_chance()),
            ..self
        }
    }

    /// How many addresses or keys were found.
    pub(crate) fn count(&self) -> usize {
        self.key.as_ref().map_or(self.hits.len(), |key| key.found)
    }

    /// What was searched for.
    pub(crate) fn noun(&self) -> &'static str {
        if self.key.is_some() { "key" } else { "address" }
    }

    /// Rates and sorts the hits once all are found, known ones first.
    pub(crate) fn concluded(mut self) -> Self {
        self.status = Status::of_count(self.count());
        if self.status == Status::Unique && self.doubt().is_some() {
            self.status = Status::Several;
        }
        if self.count() > 0 {
            self.note = None;
        }
        self.hits.sort_by(|a, b| (b.known, &a.address).cmp(&(a.known, &b.address)));
        if let Some(expected) = self.expected_by_chance.filter(|&expected| expected > 0.0) {
            let known = self.hits.iter().filter(|hit| hit.known).count();
            // A damaged address yields itself and a Poisson-distributed number of others, anything
            // else only the others. With even prior odds, Bayes' rule gives this probability.
            let of_each = 1.0 / (self.hits.len() as f64 + expected);
            for hit in &mut self.hits {
                hit.probability = Some(match (known, hit.known) {
                    (0, _) => of_each,
                    (_, false) => 0.0,
                    (known, true) => 1.0 / known as f64,
                });
            }
        }
        self
    }

    /// Whether the addresses found may fit by chance: they are from a search, or were repaired.
    pub(crate) fn is_searched(&self) -> bool {
        self.expected_by_chance.is_some() && !self.from_known && self.status != Status::Refused
    }

    /// How many addresses are expected by chance, if they make an answer uncertain.
    pub(crate) fn doubt(&self) -> Option<f64> {
        let is_known = self.hits.iter().any(|hit| hit.known);
        self.expected_by_chance.filter(|&expected| !is_known && expected >= DOUBTFUL)
    }
}

impl HitReport {
    pub(crate) fn new(hit: &Hit, known: bool, probability: Option<f64>) -> Self {
        Self {
            address: hit.address.clone(),
            version: Some(hit.version.to_string()),
            kinds: hit.kinds().map(str::to_owned).collect(),
            known,
            probability,
        }
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
