//! The answer to one line: the JSON that the README describes.

use addr_recover::{Estimate, Hit, Odds, ParseError};
use serde::{Deserialize, Serialize};

/// The outcome for one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The input is already an address.
    Valid,
    /// Exactly one address fits.
    Unique,
    /// No address fits.
    None,
    /// Several addresses fit.
    Several,
    /// The answer would be noise.
    Refused,
    /// The input cannot be an address.
    Malformed,
    /// The answer of one shard.
    Part,
}

impl Status {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Valid | Self::Unique | Self::Part => 0,
            Self::None => 1,
            Self::Malformed => 2,
            Self::Several => 3,
            Self::Refused => 4,
        }
    }

    /// The exit code of a batch: the first of 2, 4, 3, 1, 0 that any line has.
    pub(crate) fn exit_code_of_all(all: impl Iterator<Item = Self>) -> u8 {
        let all: Vec<u8> = all.map(Self::exit_code).collect();
        [2, 4, 3, 1].into_iter().find(|code| all.contains(code)).unwrap_or(0)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Unique => "unique",
            Self::None => "none",
            Self::Several => "several",
            Self::Refused => "refused",
            Self::Malformed => "malformed",
            Self::Part => "part",
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
    pub(crate) version: String,
    pub(crate) kinds: Vec<String>,
    /// Whether it is in the list of known addresses.
    pub(crate) known: bool,
    /// The probability that it is the one meant; unknown while other shards may have more hits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) probability: Option<f64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ErrorReport {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) position: Option<usize>,
}

/// The last object of a shard's output, so that output that lacks something is not taken for
/// complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) status: EndStatus,
    pub(crate) shard: String,
    pub(crate) format: String,
    /// The number of reports.
    pub(crate) lines: usize,
    /// The number of addresses in all reports.
    pub(crate) hits: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndStatus {
    End,
}

/// The answer, in the order of the fields in the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) line: Option<usize>,
    pub(crate) input: String,
    /// The address in the input, if there is more in it.
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) likelihood_ratio: Option<f64>,
    pub(crate) hashes: u64,
    pub(crate) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) backend: Option<String>,
    /// If nothing was found, a character that was read only as a letter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) untried_look_alike: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) shard: Option<String>,
    /// For a shard, the program that wrote it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) format: Option<String>,
    /// For a shard, a checksum of the text, the damage and the versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) question: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) error: Option<ErrorReport>,
}

impl Report {
    fn new(line: Option<usize>, input: &str, status: Status) -> Self {
        Self {
            line,
            input: input.to_owned(),
            read: None,
            status,
            hits: Vec::new(),
            from_known: false,
            candidates: None,
            expected_by_chance: None,
            likelihood_ratio: None,
            hashes: 0,
            seconds: 0.0,
            backend: None,
            untried_look_alike: None,
            shard: None,
            format: None,
            question: None,
            error: None,
        }
    }

    pub(crate) fn malformed(line: Option<usize>, input: &str, error: &ParseError) -> Self {
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

    pub(crate) fn refused(
        line: Option<usize>,
        input: &str,
        estimate: &Estimate,
        message: String,
    ) -> Self {
        let error = Some(ErrorReport { message, position: None });
        Self { error, ..Self::new(line, input, Status::Refused) }.with_estimate(estimate)
    }

    /// The hits of a search; other shards may have more.
    pub(crate) fn part(
        line: Option<usize>,
        input: &str,
        estimate: &Estimate,
        untried_look_alike: Option<char>,
        hits: Vec<HitReport>,
    ) -> Self {
        let report = Self::new(line, input, Status::Part).with_estimate(estimate);
        Self { hits, untried_look_alike, ..report }
    }

    fn with_estimate(self, estimate: &Estimate) -> Self {
        Self {
            candidates: Some(estimate.candidates()),
            expected_by_chance: Some(estimate.expected_by_chance()),
            ..self
        }
    }

    /// Rates and sorts the hits once all are found, known ones first.
    pub(crate) fn concluded(mut self) -> Self {
        self.status = Status::of_count(self.hits.len());
        if !self.hits.is_empty() {
            self.untried_look_alike = None;
        }
        self.hits.sort_by(|a, b| (b.known, &a.address).cmp(&(a.known, &b.address)));
        if let Some(expected) = self.expected_by_chance.filter(|&expected| expected > 0.0) {
            let odds = Odds::new(self.hits.len(), expected);
            self.likelihood_ratio = Some(odds.likelihood_ratio());
            let known = self.hits.iter().filter(|hit| hit.known).count();
            for hit in &mut self.hits {
                hit.probability = Some(match (known, hit.known) {
                    (0, _) => odds.of_each_hit(),
                    (_, false) => 0.0,
                    (known, true) => 1.0 / known as f64,
                });
            }
        }
        self
    }
}

impl HitReport {
    pub(crate) fn new(hit: &Hit, known: bool, probability: Option<f64>) -> Self {
        Self {
            address: hit.address.clone(),
            version: hit.version.to_string(),
            kinds: hit.kinds().map(str::to_owned).collect(),
            known,
            probability,
        }
    }

    /// `Bitcoin P2PKH, version 0`.
    pub(crate) fn description(&self) -> String {
        match self.kinds.as_slice() {
            [] => format!("version {}, unknown network", self.version),
            kinds => format!("{}, version {}", kinds.join(" or "), self.version),
        }
    }
}
