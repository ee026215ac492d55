//! What the library answers, in words, too.

use std::fmt;

use crate::change::Change;
use crate::climb::{Next, Tried};
use crate::evidence::Estimate;
use crate::evidence::{Certainty, Evidence, approximately};
use crate::format::Hit;
use crate::formats::ethereum;
use crate::kind::{Kind, Version};
use crate::known::KnownMatch;
use crate::parse_error::{Foreign, ParseError};

/// The address that a text may have been: see [`ask`](crate::ask).
///
/// `Display` says it in words, as the command-line tool and the page do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// All addresses that fit, sorted, known ones first.
    pub addresses: Vec<Repaired>,
    /// How the [list of known addresses](crate::AskOptions::known) answers, if it does.
    pub from_known: Option<KnownMatch>,
    /// The address that was read, without what is around it. `None` if it is better not repeated,
    /// because it may be a part of a private key.
    pub read: Option<String>,
    /// What was tried: the addresses that are expected by chance, among so many candidates. `None`
    /// if the text is an address already, or cannot be searched for.
    pub estimate: Option<Estimate>,
    /// Why nothing was searched.
    pub refusal: Option<Refusal>,
    /// The damage that is assumed although nobody described it and the text does not show it, such
    /// as `one wrong character`.
    pub damage: Option<&'static str>,
    /// What was wrong, if that is assumed and a single address fits.
    pub change: Option<Change>,
    /// How likely that damage is.
    pub likelihood: f64,
    /// What was restored, why damage may be unnoticed, or why no address is like the text.
    pub note: Option<String>,
    /// The short name of the network, unless the format is Base58Check.
    pub network: Option<&'static str>,
    /// The damage that was tried, in this order, the text as written first. The addresses have the
    /// last of it.
    pub tried: Vec<Tried>,
    /// What to try next, if nothing was found.
    pub next: Option<Next>,
    /// How many characters beside the address were left out, because they may be a private key.
    pub left_out: usize,
}

/// An address that a text may have been.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The address.
    pub address: String,
    /// Its version, if it is of Base58Check.
    pub version: Option<Version>,
    /// Its networks and formats, such as `Bitcoin P2PKH`; empty if no known network has it.
    pub kinds: Vec<String>,
    /// Whether it is in the [list of known addresses](crate::AskOptions::known).
    pub is_known: bool,
}

/// What an answer comes to.
///
/// A caller that wants one address accepts [`Valid`](Self::Valid) and [`Unique`](Self::Unique): an
/// intact address is not `Unique`, because nothing was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The text is already an address.
    Valid,
    /// Exactly one address fits, and the text is damaged.
    Unique,
    /// No address fits.
    #[default]
    None,
    /// Several addresses fit, or one that may well fit by chance.
    Several,
    /// The answer would be noise, or too much is damaged.
    Refused,
    /// The text cannot be an address.
    Malformed,
}

/// Why an address is not searched for. `Display` says it in words.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// More addresses would fit by chance than are [worth anything](crate::NOISE).
    #[error(
        "the answer would be noise: about {} {nouns} fit by chance, and the checksum cannot tell \
         which of them was meant; describe less damage",
        rounded(*by_chance)
    )]
    Noise {
        /// How many.
        by_chance: f64,
        /// What they are: `addresses` or `keys`.
        nouns: &'static str,
    },
    /// Too many characters of a shortened address are hidden.
    #[error(
        "about {characters} characters are hidden: some {} addresses fit, and no checksum can tell \
         which of them was meant; copy the whole address where it was shortened",
        rounded(*by_chance)
    )]
    Hidden {
        /// How many characters.
        characters: usize,
        /// How many addresses fit.
        by_chance: f64,
    },
    /// A shortened text is of another format.
    #[error(
        "no address of these kinds begins and ends like this shortened text; of another format, or \
         of a key, nothing can find what is hidden: copy the whole text where it was shortened"
    )]
    HiddenOfOther,
    /// A search for a key takes more than a month on this machine.
    #[error(
        "the search would take {}, for {unknown:.0} unknown characters; this machine tries {:.0} \
         in an hour, {:.0} in a day and {:.0} in a month; {}",
        about(*seconds), feasible[0], feasible[1], feasible[2],
        if *is_part { KANGAROO } else { "describe less damage" }
    )]
    Long {
        /// How long it takes.
        seconds: f64,
        /// How many characters are unknown.
        unknown: f64,
        /// How many unknown characters take an hour, a day, and a month.
        feasible: [f64; 3],
        /// Whether a part of hexadecimal digits is lost, so that no other damage can be described.
        is_part: bool,
    },
    /// More addresses were found than an answer may have.
    #[error("more than {max} fit: that is noise, not an answer")]
    TooMany {
        /// How many.
        max: usize,
    },
}

/// What helps if half a key is lost.
const KANGAROO: &str = "half a private key has no checksum, and nothing here can find the rest; if \
                        its beginning is lost and its public key is known, a kangaroo solver may";

/// Times are not shown beyond: a million years.
const MAX_SHOWN_SECONDS: f64 = 1e6 * 31_557_600.0;

fn about(seconds: f64) -> String {
    if seconds < MAX_SHOWN_SECONDS {
        return format!("about {}", time_in_words(seconds));
    }
    "more than a million years".to_owned()
}

/// A time as the tool shows it: `0.05 s`, `12 minutes`, `3 days`.
#[must_use]
pub fn time_in_words(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.2} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s if s < 6e7 => format!("{:.0} days", s / 86_400.0),
        s => format!("{:.0} years", s / 31_557_600.0),
    }
}

fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.0e}") }
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Valid, Self::Unique, Self::None, Self::Several, Self::Refused, Self::Malformed];

    /// That of what [`ask`](crate::ask) returns.
    #[must_use]
    pub fn of(answer: &Result<Answer, ParseError>) -> Self {
        match answer {
            Ok(answer) => answer.verdict(),
            Err(error) => Self::of_error(error),
        }
    }

    /// That of a text that is not asked for.
    #[must_use]
    pub fn of_error(error: &ParseError) -> Self {
        match error {
            ParseError::Foreign(Foreign::Damaged { .. }) => Self::Refused,
            _ => Self::Malformed,
        }
    }

    /// That of some addresses that were found. `certainty` is `None` if none of them can fit by
    /// chance.
    #[must_use]
    pub fn of_found(hits: usize, certainty: Option<Certainty>) -> Self {
        match hits {
            0 => Self::None,
            1 if certainty.is_none_or(|it| it < Certainty::Uncertain) => Self::Unique,
            _ => Self::Several,
        }
    }

    /// The exit status of the command-line tool.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Valid | Self::Unique => 0,
            Self::None => 1,
            Self::Malformed => 2,
            Self::Several => 3,
            Self::Refused => 4,
        }
    }

    /// One word: `valid`, `unique`, `none`, `several`, `refused` or `malformed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Unique => "unique",
            Self::None => "none",
            Self::Several => "several",
            Self::Refused => "refused",
            Self::Malformed => "malformed",
        }
    }
}

impl Answer {
    /// How sure the answer is. `None` if nothing was found, or nothing had to be, or if an address
    /// is known.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        if self.addresses.iter().any(|it| it.is_known) {
            return None;
        }
        let Estimate { expected_by_chance, .. } = self.estimate?;
        let (hits, likelihood) = (self.addresses.len(), self.likelihood);
        (hits > 0).then_some(Evidence { hits, expected_by_chance, likelihood })
    }

    /// What it comes to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let certainty = self.evidence().map(|it| it.certainty());
        match (self.estimate, self.from_known) {
            (None, None) => Verdict::Valid,
            _ if self.refusal.is_some() => Verdict::Refused,
            _ => Verdict::of_found(self.addresses.len(), certainty),
        }
    }

    pub(crate) fn of(addresses: Vec<Repaired>, estimate: Option<Estimate>) -> Self {
        Self {
            addresses,
            from_known: None,
            read: None,
            estimate,
            refusal: None,
            damage: None,
            change: None,
            likelihood: 1.0,
            note: None,
            network: None,
            tried: Vec::new(),
            next: None,
            left_out: 0,
        }
    }
}

/// One line for each address, and what it is worth; or why there is none, and what to try next.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Repaired { address, kinds, .. } in &self.addresses {
            let kinds =
                if kinds.is_empty() { "unknown network".into() } else { kinds.join(" or ") };
            writeln!(f, "{address} ({kinds})")?;
        }
        let mut parts = Vec::new();
        match self.verdict() {
            Verdict::Valid => parts.push("the text is already a valid address".to_owned()),
            Verdict::None => parts.push("not found".to_owned()),
            _ => {}
        }
        parts.extend(self.from_known.map(|_| FROM_KNOWN.to_owned()));
        parts.extend(self.refusal.map(|it| it.to_string()));
        parts.extend(self.evidence().map(|it| it.in_words("addresses")));
        let assumed = || self.damage.map(|it| format!("assumes {it}"));
        parts.extend(self.change.as_ref().map(Change::to_string).or_else(assumed));
        parts.extend(self.note.clone().filter(|_| self.change.is_none()));
        if self.addresses.is_empty() {
            parts.extend(tried_in_words(&self.tried));
        }
        parts.extend(self.next.as_ref().map(|next| next_in_words(next, "addresses")));
        if self.left_out > 0 {
            parts.push(left_out_in_words(self.left_out));
        }
        write!(f, "{}", parts.join("; "))
    }
}

/// Says that nothing was searched, because known addresses are the answer.
pub const FROM_KNOWN: &str = "found in the list of known addresses, without a search";

/// Says what was tried, if anything was.
pub(crate) fn tried_in_words(tried: &[Tried]) -> Option<String> {
    let of_each =
        |it: &Tried| format!("{} ({} candidates)", it.in_words(), approximately(it.candidates));
    let tried: Vec<String> = tried.iter().map(of_each).collect();
    (!tried.is_empty()).then(|| format!("tried {}", tried.join(", ")))
}

/// Says what to try next.
pub(crate) fn next_in_words(Next { name, estimate, .. }: &Next, nouns: &str) -> String {
    let (expected, hashes) = (estimate.expected_by_chance, approximately(estimate.hashes));
    format!("next: {name} ({hashes} hashes, {expected:.2} {nouns} fit by chance)")
}

/// Says that characters beside an address are left out.
#[must_use]
pub fn left_out_in_words(characters: usize) -> String {
    let characters = match characters {
        1 => "1 character".to_owned(),
        _ => format!("{characters} characters"),
    };
    format!(
        "{characters} beside the address are left out and not shown: they may be a private key, or \
         the name of a transaction"
    )
}

/// Why no address or key is like a text as it is written, if its length may be right or is wrong.
pub(crate) fn without_candidates(noun: &str, is_length: bool) -> String {
    if is_length {
        format!("the length is right, but no {noun} of these kinds begins like this text")
    } else {
        format!("no {noun} of these kinds has this length")
    }
}

impl Repaired {
    /// An address of Base58Check.
    #[must_use]
    pub fn of(hit: &Hit) -> Self {
        let kinds = Kind::names(hit.format).map(str::to_owned).collect();
        Self { address: hit.text.to_string(), version: Some(hit.format), kinds, is_known: false }
    }

    /// An address of Ethereum.
    pub(crate) fn of_ethereum(address: String) -> Self {
        let kinds = vec![ethereum::NAME.to_owned()];
        Self { address, version: None, kinds, is_known: false }
    }
}
