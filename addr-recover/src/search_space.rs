//! A pattern and the versions that its address may have: the sets of numbers to search.
//!
//! See docs/search.md for how a search works.

pub(crate) mod dfa;
pub(crate) mod estimate;
mod number_set;
mod prefixes;
pub(crate) mod unit;

use crate::kind::{Kind, Version};
use crate::number::{MAX_LENGTH, Number, prefix, weight};
use crate::pattern::ParseError;
use crate::pattern::Pattern;
use crate::pattern::alphabet;
use dfa::{Dfa, StateId};
use number_set::NumberSet;

/// Everything that is known of an address: its damaged text, and which versions it may have.
///
/// ```
/// use addr_recover::{Kind, Pattern, SearchSpace, Version};
///
/// let pattern: Pattern = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71".parse()?;
/// let any_network = SearchSpace::new(&pattern, &Kind::all_versions())?;
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
    /// Which of the DFAs.
    dfa: usize,
    pub(crate) version: Version,
    pub(crate) leading_ones: usize,
    /// The state after the leading `1`s.
    pub(crate) root: StateId,
    /// How many digits follow them.
    pub(crate) places: usize,
    /// The least and the greatest legal number.
    pub(crate) bounds: (Number, Number),
    pub(crate) numbers: NumberSet,
}

impl Part {
    /// Whether the other has longer numbers of the same version and as many leading zero bytes.
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
    /// # Errors
    ///
    /// [`ParseError::TooComplex`].
    pub fn new(pattern: &Pattern, versions: &[Version]) -> Result<Self, ParseError> {
        let damage = pattern.damage();
        let given = pattern.length();
        let mut dfas = Vec::new();
        let longest = MAX_LENGTH.min(given + usize::from(damage.missing));
        for length in given - usize::from(damage.surplus)..=longest {
            dfas.push(Dfa::new(pattern, length)?);
        }
        let mut versions = versions.to_vec();
        versions.sort_unstable();
        versions.dedup();
        let mut parts = Vec::new();
        for (at, dfa) in dfas.iter().enumerate() {
            for &version in &versions {
                parts.extend(parts_of(dfa, version).map(|part| Part { dfa: at, ..part }));
            }
        }
        mark_shared_prefixes(&mut parts);
        Ok(Self { dfas, parts })
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn dfa(&self, part: &Part) -> &Dfa {
        &self.dfas[part.dfa]
    }

    /// Whether a part or those whose numbers come before its own have a number from `low` to
    /// `high`.
    pub(crate) fn has_up_to(&self, part: &Part, low: Number, high: Number) -> bool {
        let sooner = self.parts.iter().filter(|other| other.is_followed_by(part) || other.is(part));
        let mut overlaps =
            sooner.map(|other| (other, other.bounds.0.max(low), other.bounds.1.min(high)));
        overlaps.any(|(other, low, high)| {
            low <= high
                && self
                    .dfa(other)
                    .within(other.root, other.places, Number::ZERO, (low, high))
                    .is_some()
        })
    }

    /// How many prefixes have candidates of two lengths: the last of one and the first of the next
    /// that there is.
    pub(crate) fn prefixes_of_two_parts(&self) -> u64 {
        let is_shared = |later: &&Part| {
            let sooner = self.parts.iter().filter(|sooner| sooner.is_followed_by(later));
            let last =
                sooner.max_by_key(|sooner| sooner.places).map(|sooner| prefix(sooner.numbers.last));
            last == Some(prefix(later.numbers.first))
        };
        self.parts.iter().filter(is_shared).count() as u64
    }

    /// Whether some candidate has this version.
    pub(crate) fn has_version(&self, version: Version) -> bool {
        self.parts.iter().any(|part| part.version == version)
    }

    /// Whether a text, which need not be an address, is one that the damage allows.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        let spells = |dfa: &Dfa| {
            let mut state = dfa.root()?;
            for character in text.chars() {
                state = dfa.next(state, usize::from(alphabet::value(character)?))?;
            }
            Some(())
        };
        self.dfas.iter().any(|dfa| dfa.length() == text.len() && spells(dfa).is_some())
    }

    /// The names of the kinds that the damage allows, with how many candidates each has.
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

/// Where the length is in doubt, the last numbers of one length may have a prefix with the first
/// numbers of the next: the prefix that reaches over a power of 58. Such parts are searched like
/// those that share prefixes within.
fn mark_shared_prefixes(parts: &mut [Part]) {
    for later in 0..parts.len() {
        for sooner in 0..parts.len() {
            let (last, first) = (parts[sooner].numbers.last, parts[later].numbers.first);
            if parts[sooner].is_followed_by(&parts[later]) && prefix(last) == prefix(first) {
                parts[sooner].numbers.dense = true;
                parts[later].numbers.dense = true;
            }
        }
    }
}

/// The parts of a DFA whose numbers have this version.
///
/// Each leading zero byte is written as one `1`, and the rest as a number without a leading zero
/// digit.
fn parts_of(dfa: &Dfa, version: Version) -> impl Iterator<Item = Part> {
    let bytes = version.address_bytes();
    let (first, last) = version.interval();
    let mut after_ones = dfa.root();
    // With nothing but zeros before the checksum there is no room for more: the checksums of such
    // messages do not begin with 0.
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
            let least = (Number::ONE << zeros).max(weight(places - 1));
            let greatest = ((Number::ONE << zeros) << 8_u32) - 1;
            let bounds = (first.max(least), last.min(greatest));
            let numbers = dfa.within(root, places, Number::ZERO, bounds)?;
            Some(Part { dfa: 0, version, leading_ones, root, places, bounds, numbers })
        })
}
