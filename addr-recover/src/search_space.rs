//! Turns a pattern and the versions of its address into sets of numbers to search.
//!
//! See docs/search.md for how a search works.

pub(crate) mod dfa;
pub(crate) mod estimate;
pub(crate) mod number_set;
pub(crate) mod unit;

use std::fmt;

use crate::format::{Format, Hit};
use crate::kind::{Kind, Version};
use crate::number::Natural;
use crate::pattern::alphabet::Alphabet;
use crate::pattern::{ParseError, Pattern};
use dfa::{Dfa, Node};
use estimate::NOISE;
use number_set::NumberSet;

/// If more addresses than this are expected by chance on common networks, all are searched.
const MAX_COMMON_ONLY: f64 = 0.05;

/// Everything known about an address or a key: its damaged text, and its possible versions or kinds.
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
///
/// Keys are searched in the same way. What they may be is wiped when the space is dropped:
///
/// ```
/// use addr_recover::{Damage, KeyKind, Pattern, Search, SearchSpace};
///
/// // From the wiki of Bitcoin, with two unreadable characters.
/// let text = "5HueCGU8rMjxEXxiPuD?BDku4MkFqeZyd4dZ1jvhTVqvbTLv?TJ";
/// let pattern = Pattern::key(text, Damage::default())?;
/// let space = SearchSpace::new(&pattern, &KeyKind::matching("wif"))?;
/// let outcome = Search::new(&space).run()?;
/// assert_eq!(outcome.hits[0].text.as_str(), "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SearchSpace<F: Format = Version> {
    dfas: Vec<Dfa<F::Number>>,
    parts: Vec<Part<F>>,
}

/// The texts of one length, format and number of leading `1`s, as one set of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Part<F: Format = Version> {
    /// The index of the DFA.
    dfa: usize,
    pub(crate) format: F,
    pub(crate) leading_ones: usize,
    /// The texts after the leading `1`s.
    pub(crate) root: Node<F::Number>,
    /// The smallest and the greatest legal number.
    pub(crate) bounds: (F::Number, F::Number),
    pub(crate) numbers: NumberSet<F::Number>,
    /// How many are expected to be correct by chance.
    pub(crate) by_chance: f64,
}

impl<F: Format> SearchSpace<F> {
    /// Builds the search space of a pattern for some versions or kinds.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if the damage is too complex.
    pub fn new(pattern: &Pattern, formats: &[F]) -> Result<Self, ParseError> {
        let mut dfas = Vec::new();
        for alphabet in [Alphabet::Bitcoin, Alphabet::Ripple] {
            let formats = formats.iter().filter(|format| format.alphabet() == alphabet);
            for length in pattern.lengths(F::MAX_LENGTH) {
                if formats.clone().any(|format| format.is_possible(pattern, length)) {
                    dfas.push(Dfa::new(pattern, length, alphabet)?);
                }
            }
        }
        let mut formats = formats.to_vec();
        formats.sort_unstable();
        formats.dedup();
        Ok(Self::of(dfas, &formats))
    }

    /// The search space of these texts for some formats.
    pub(crate) fn of(dfas: Vec<Dfa<F::Number>>, formats: &[F]) -> Self {
        let mut parts = Vec::new();
        for (at, dfa) in dfas.iter().enumerate() {
            for &format in formats.iter().filter(|format| format.alphabet() == dfa.alphabet()) {
                parts.extend(parts_of(dfa, format).map(|part| Part { dfa: at, ..part }));
            }
        }
        Self { dfas, parts }
    }

    pub(crate) fn parts(&self) -> &[Part<F>] {
        &self.parts
    }

    pub(crate) fn dfa(&self, part: &Part<F>) -> &Dfa<F::Number> {
        &self.dfas[part.dfa]
    }

    /// Whether a hit is a candidate.
    pub(crate) fn has(&self, hit: &Hit<F>) -> bool {
        self.parts.iter().any(|part| part.format == hit.format) && self.allows(&hit.text)
    }

    /// Whether the damage allows a text, which need not be an address or a key.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        self.dfas.iter().any(|dfa| dfa.spells(text))
    }
}

impl<F: Format> Part<F> {
    /// The approximate number of hashes for some candidates of the part.
    pub(crate) fn hashes(&self, numbers: NumberSet<F::Number>) -> f64 {
        if self.format.has_checksum() { numbers.prefixes() } else { numbers.count.rounded() }
    }
}

impl<F: Format> Drop for SearchSpace<F> {
    fn drop(&mut self) {
        if F::IS_SECRET {
            self.dfas.iter_mut().for_each(Dfa::wipe);
            self.parts.iter_mut().for_each(|part| part.numbers.wipe());
        }
    }
}

impl<F: Format> fmt::Debug for SearchSpace<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchSpace").field("estimate", &self.estimate()).finish_non_exhaustive()
    }
}

impl SearchSpace {
    /// Builds the search space of a pattern for the common networks, or for all: if no common one
    /// has addresses like it, or if more than 0.05 of their addresses are expected by chance, which
    /// could hide the right one. If all would make the answer [`NOISE`], the common ones are kept.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if the damage is too complex.
    pub fn any_network(pattern: &Pattern) -> Result<Self, ParseError> {
        let common = Self::new(pattern, &Kind::common_versions())?;
        let by_chance = |space: &Self| space.estimate().expected_by_chance();
        if !common.parts.is_empty() && by_chance(&common) <= MAX_COMMON_ONLY {
            return Ok(common);
        }
        // Ripple, which has its own alphabet, is a common network.
        let all = Self::of(common.dfas.clone(), &Kind::all_versions());
        let is_noise = by_chance(&all) > NOISE && by_chance(&common) <= NOISE;
        Ok(if is_noise && !common.parts.is_empty() { common } else { all })
    }

    /// Whether there are candidates of other networks than the common ones.
    pub(crate) fn has_uncommon_versions(&self) -> bool {
        let common = Kind::common_versions();
        self.parts.iter().any(|part| !common.contains(&part.format))
    }

    /// The versions that the damage allows, with the names and the number of candidates of each.
    #[must_use]
    pub fn kinds(&self) -> Vec<(Version, Vec<&'static str>, f64)> {
        let mut kinds: Vec<(Version, Vec<&'static str>, f64)> = Vec::new();
        for part in &self.parts {
            let count = part.numbers.count.rounded();
            match kinds.iter_mut().find(|(version, ..)| *version == part.format) {
                Some((.., sum)) => *sum += count,
                None => kinds.push((part.format, Kind::names(part.format).collect(), count)),
            }
        }
        kinds
    }
}

/// The parts of a DFA with this format.
///
/// Each leading zero byte is written as one `1`, and the rest as a number without leading zero
/// digits.
fn parts_of<F: Format>(dfa: &Dfa<F::Number>, format: F) -> impl Iterator<Item = Part<F>> {
    let mut after_ones = dfa.root();
    (0..dfa.length())
        .map_while(move |ones| {
            let root = after_ones?;
            let next = dfa.next(root.state, 0);
            after_ones = next.map(|state| Node { state, places: root.places - 1, ..root });
            Some((ones, root))
        })
        .filter_map(move |(leading_ones, root)| {
            let bounds = format.bounds(dfa.length(), leading_ones)?;
            let numbers = dfa.within(root, bounds)?;
            let part = Part { dfa: 0, format, leading_ones, root, bounds, numbers, by_chance: 0.0 };
            Some(Part { by_chance: F::by_chance(dfa, &part), ..part })
        })
}
