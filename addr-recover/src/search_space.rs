//! Turns a pattern and the versions of its address into sets of numbers to search.
//!
//! See docs/search.md for how a search works.

pub(crate) mod dfa;
pub(crate) mod estimate;
mod number_set;
pub(crate) mod unit;

use crate::kind::{Kind, Version};
use crate::number::{CHECKSUMS, MAX_LENGTH, Number, prefix, weight};
use crate::pattern::ParseError;
use crate::pattern::Pattern;
use crate::pattern::alphabet::Alphabet;
use dfa::{Dfa, StateId};
use estimate::NOISE;
use number_set::NumberSet;

/// If more addresses than this are expected by chance on common networks, all are searched.
const MAX_COMMON_ONLY: f64 = 0.05;

/// Everything known about an address: its damaged text and its possible versions.
///
/// ```
/// use addr_recover::{Kind, Pattern, SearchSpace, Version};
///
/// let pattern: Pattern = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71".parse()?;
/// let any_network = SearchSpace::new(&pattern, &Kind::common_versions())?;
/// let bitcoin = SearchSpace::new(&pattern, &[Version::byte(0)])?;
/// // No other network has addresses that begin with 1.
/// assert_eq!(any_network.estimate().candidates(), bitcoin.estimate().candidates());
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchSpace {
    dfas: Vec<Dfa>,
    parts: Vec<Part>,
}

/// The texts of one length, version and number of leading `1`s, as one set of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The index of the DFA.
    dfa: usize,
    pub(crate) version: Version,
    pub(crate) leading_ones: usize,
    /// The state after the leading `1`s.
    pub(crate) root: StateId,
    /// The number of digits that follow them.
    pub(crate) places: usize,
    /// The smallest and the greatest legal number.
    pub(crate) bounds: (Number, Number),
    pub(crate) numbers: NumberSet,
}

impl Part {
    /// Whether `other` has longer numbers with the same version and number of leading zero bytes.
    fn is_followed_by(&self, other: &Self) -> bool {
        self.version == other.version
            && self.leading_ones == other.leading_ones
            && self.places < other.places
    }

    fn is(&self, other: &Self) -> bool {
        (self.version, self.leading_ones, self.places)
            == (other.version, other.leading_ones, other.places)
    }
}

impl SearchSpace {
    /// Builds the search space of a pattern for some versions.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if the damage is too complex.
    pub fn new(pattern: &Pattern, versions: &[Version]) -> Result<Self, ParseError> {
        let mut dfas = Vec::new();
        for alphabet in [Alphabet::Bitcoin, Alphabet::Ripple] {
            let mut versions = versions.iter().filter(|version| version.alphabet() == alphabet);
            let is_needed = versions.any(|&version| pattern.may_begin_like(version));
            if is_needed || alphabet == Alphabet::Bitcoin {
                for length in pattern.lengths(MAX_LENGTH) {
                    dfas.push(Dfa::new(pattern, length, alphabet)?);
                }
            }
        }
        Ok(Self::of_versions(dfas, versions))
    }

    /// The search space of these texts for some versions.
    fn of_versions(dfas: Vec<Dfa>, versions: &[Version]) -> Self {
        let mut versions = versions.to_vec();
        versions.sort_unstable();
        versions.dedup();
        let mut parts = Vec::new();
        for (at, dfa) in dfas.iter().enumerate() {
            for &version in versions.iter().filter(|version| version.alphabet() == dfa.alphabet()) {
                parts.extend(parts_of(dfa, version).map(|part| Part { dfa: at, ..part }));
            }
        }
        mark_shared_prefixes(&mut parts);
        Self { dfas, parts }
    }

    /// Builds the search space of a pattern for the common networks, or for all: if no common one
    /// has addresses like it, or if more than 0.05 of their addresses are expected by chance, which
    /// could hide the right one. If all would make the answer [`NOISE`], the common ones are kept.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if the damage is too complex.
    pub fn any_network(pattern: &Pattern) -> Result<Self, ParseError> {
        let common = Self::new(pattern, &Kind::common_versions())?;
        let by_chance = |space: &Self| space.candidates().as_f64() / CHECKSUMS.as_f64();
        if !common.parts.is_empty() && by_chance(&common) <= MAX_COMMON_ONLY {
            return Ok(common);
        }
        // Ripple, which has its own alphabet, is a common network.
        let all = Self::of_versions(common.dfas.clone(), &Kind::all_versions());
        let is_noise = by_chance(&all) > NOISE && by_chance(&common) <= NOISE;
        Ok(if is_noise && !common.parts.is_empty() { common } else { all })
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The number of candidates.
    pub(crate) fn candidates(&self) -> Number {
        self.parts.iter().map(|part| part.numbers.count).sum()
    }

    /// Whether there are candidates of other networks than the common ones.
    pub(crate) fn has_uncommon_versions(&self) -> bool {
        let common = Kind::common_versions();
        self.parts.iter().any(|part| !common.contains(&part.version))
    }

    pub(crate) fn dfa(&self, part: &Part) -> &Dfa {
        &self.dfas[part.dfa]
    }

    /// Whether a part, or an earlier one that it follows, has a number from `low` to `high`.
    pub(crate) fn has_up_to(&self, part: &Part, low: Number, high: Number) -> bool {
        let earlier =
            self.parts.iter().filter(|other| other.is_followed_by(part) || other.is(part));
        let mut overlaps =
            earlier.map(|other| (other, other.bounds.0.max(low), other.bounds.1.min(high)));
        overlaps.any(|(other, low, high)| {
            low <= high
                && self
                    .dfa(other)
                    .within(other.root, other.places, Number::ZERO, (low, high))
                    .is_some()
        })
    }

    /// Whether some candidate has this version.
    pub(crate) fn has_version(&self, version: Version) -> bool {
        self.parts.iter().any(|part| part.version == version)
    }

    /// Whether the damage allows a text, which need not be an address.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        self.dfas.iter().any(|dfa| dfa.spells(text))
    }

    /// The versions that the damage allows, with the names and the number of candidates of each.
    #[must_use]
    pub fn kinds(&self) -> Vec<(Version, Vec<&'static str>, f64)> {
        let mut kinds: Vec<(Version, Vec<&'static str>, f64)> = Vec::new();
        for part in &self.parts {
            let count = part.numbers.count.as_f64();
            match kinds.iter_mut().find(|(version, ..)| *version == part.version) {
                Some((.., sum)) => *sum += count,
                None => kinds.push((part.version, Kind::names(part.version).collect(), count)),
            }
        }
        kinds
    }
}

/// Marks parts that share a prefix as dense.
///
/// If the length is uncertain and a power of 58 lies within a prefix, the last numbers of one
/// length may share that prefix with the first numbers of the next. Such parts are searched like
/// those whose candidates share prefixes among themselves.
fn mark_shared_prefixes(parts: &mut [Part]) {
    for later in 0..parts.len() {
        for earlier in 0..parts.len() {
            let (last, first) = (parts[earlier].numbers.last, parts[later].numbers.first);
            if parts[earlier].is_followed_by(&parts[later]) && prefix(last) == prefix(first) {
                parts[earlier].numbers.dense = true;
                parts[later].numbers.dense = true;
            }
        }
    }
}

/// The parts of a DFA with this version.
///
/// Each leading zero byte is written as one `1`, and the rest as a number without leading zero
/// digits.
fn parts_of(dfa: &Dfa, version: Version) -> impl Iterator<Item = Part> {
    let bytes = version.address_bytes();
    let (first, last) = version.interval();
    let mut after_ones = dfa.root();
    // Leading zeros cannot reach into the checksum: the checksum of an all-zero message does not
    // begin with 0.
    (0..=bytes - 4)
        .map_while(move |ones| {
            let root = after_ones?;
            after_ones = dfa.next(root, 0);
            Some((ones, root))
        })
        .filter_map(move |(leading_ones, root)| {
            let places = dfa.length() - leading_ones;
            if places == 0 {
                return None;
            }
            let zeros = 8 * (bytes - 1 - leading_ones) as u32;
            let min = (Number::ONE << zeros).max(weight(places - 1));
            let max = ((Number::ONE << zeros) << 8_u32) - 1;
            let bounds = (first.max(min), last.min(max));
            let numbers = dfa.within(root, places, Number::ZERO, bounds)?;
            Some(Part { dfa: 0, version, leading_ones, root, places, bounds, numbers })
        })
}
