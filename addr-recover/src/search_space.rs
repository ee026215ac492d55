//! Turns a pattern and the versions of its address into sets of numbers to search.
//!
//! See docs/search.md for how a search works.

use std::fmt;
use std::iter::successors;

use crate::alphabet::Alphabet;
use crate::dfa::{Dfa, Node};
use crate::evidence::Estimate;
use crate::format::{Format, Hit};
use crate::kind::{Kind, Version};
use crate::number::{Natural, Number, TAIL_PLACES};
use crate::parse_error::ParseError;
use crate::pattern::Pattern;

/// If more addresses than this are expected by chance, an answer is noise, and a tool should refuse
/// to search.
pub const NOISE: f64 = 8.0;

/// The approximate minimum of hashes per unit, if the search has more: some 8 ms on a fast machine.
const MIN_HASHES: f64 = 262_144.0;

/// The approximate maximum of units per search.
const MAX_UNITS: f64 = 4096.0;

/// If more addresses than this are expected by chance on common networks, all are searched.
const MAX_COMMON_ONLY: f64 = 0.05;

/// Everything known about an address or a key: its damaged text, and its possible versions or
/// kinds.
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
/// let key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
/// assert_eq!(outcome.hits[0].text.as_str(), key);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SearchSpace<F: Format = Version> {
    dfas: Vec<Dfa<F::Number>>,
    pub(crate) parts: Vec<Part<F>>,
}

/// The texts of one length, format and number of leading `1`s, as one set of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<F: Format = Version> {
    /// The index of the DFA.
    pub(crate) dfa: usize,
    pub(crate) format: F,
    pub(crate) leading_ones: usize,
    /// The texts after the leading `1`s that make legal numbers.
    pub(crate) root: Node<F::Number>,
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
    ///
    /// Each leading zero byte is written as one `1`, and the rest as a number without leading zero
    /// digits.
    pub(crate) fn of(mut dfas: Vec<Dfa<F::Number>>, formats: &[F]) -> Self {
        let mut parts = Vec::new();
        for (at, dfa) in dfas.iter_mut().enumerate() {
            let after_one = |node: &Node<_>| dfa.after(*node, 0);
            let after_ones: Vec<_> = successors(dfa.root(), after_one).take(dfa.length).collect();
            let alphabet = dfa.alphabet;
            for &format in formats.iter().filter(|format| format.alphabet() == alphabet) {
                for (leading_ones, &node) in after_ones.iter().enumerate() {
                    let bounds = format.bounds(dfa.length, leading_ones);
                    if let Some(root) = bounds.and_then(|bounds| dfa.clip(node, bounds)) {
                        let by_chance = format.by_chance(dfa, root);
                        parts.push(Part { dfa: at, format, leading_ones, root, by_chance });
                    }
                }
            }
        }
        Self { dfas, parts }
    }

    /// Whether a text of some of the formats has a length that the pattern may have. If so and the
    /// space is empty, none of them begins like the pattern.
    #[must_use]
    pub fn has_length_of(pattern: &Pattern, formats: &[F]) -> bool {
        let is_length = |length: usize| {
            let has = |format: &F| (0..length).any(|ones| format.bounds(length, ones).is_some());
            formats.iter().any(has)
        };
        pattern.lengths(F::MAX_LENGTH).any(is_length)
    }

    /// Estimates what the search will cost, and what its answer will be worth.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        // By itself, `sum` makes a negative zero of nothing.
        let sum = |of: &dyn Fn(&Part<F>) -> f64| 0.0 + self.parts.iter().map(of).sum::<f64>();
        Estimate {
            candidates: sum(&|part| self.candidates(part)),
            hashes: sum(&|part| self.hashes(part, part.root)),
            expected_by_chance: self.by_chance(|_| true),
        }
    }

    /// How many hits of some formats are expected by chance.
    #[must_use]
    pub fn by_chance(&self, has: impl Fn(F) -> bool) -> f64 {
        let parts = self.parts.iter().filter(|part| has(part.format));
        // By itself, `sum` makes a negative zero of nothing.
        0.0 + parts.map(|part| part.by_chance).sum::<f64>()
    }

    pub(crate) fn dfa(&self, part: &Part<F>) -> &Dfa<F::Number> {
        &self.dfas[part.dfa]
    }

    /// The part with only those of its numbers that are within some bounds; `None` if there are
    /// none.
    pub(crate) fn clipped(
        &mut self,
        part: &Part<F>,
        bounds: (F::Number, F::Number),
    ) -> Option<Part<F>> {
        let dfa = &mut self.dfas[part.dfa];
        let root = dfa.clip(part.root, bounds)?;
        Some(Part { root, by_chance: part.format.by_chance(dfa, root), ..*part })
    }

    /// All units, in numeric order within each part. They are the same on every machine.
    pub(crate) fn units(&self) -> Vec<Unit<F::Number>> {
        let max_hashes = MIN_HASHES.max(self.estimate().hashes / MAX_UNITS);
        let mut units = Vec::new();
        for (part, Part { root, .. }) in self.parts.iter().enumerate() {
            self.append_units(Unit { part, node: *root }, max_hashes, &mut units);
        }
        units
    }

    fn append_units(
        &self,
        unit: Unit<F::Number>,
        max_hashes: f64,
        units: &mut Vec<Unit<F::Number>>,
    ) {
        let part = &self.parts[unit.part];
        // The last six places stay together: candidates that share a prefix rarely differ before
        // them.
        if self.hashes(part, unit.node) <= max_hashes || unit.node.places <= TAIL_PLACES + 1 {
            return units.push(unit);
        }
        for node in self.dfa(part).longer(unit.node) {
            self.append_units(Unit { node, ..unit }, max_hashes, units);
        }
    }

    /// The approximate number of hashes for the candidates of a node.
    pub(crate) fn hashes(&self, part: &Part<F>, node: Node<F::Number>) -> f64 {
        let numbers = self.dfa(part).numbers(node);
        if part.format.has_checksum() { numbers.prefixes() } else { numbers.count.rounded() }
    }

    /// The number of candidates in a part.
    pub(crate) fn candidates(&self, part: &Part<F>) -> f64 {
        self.dfa(part).numbers(part.root).count.rounded()
    }

    /// Whether an address or a key of some format is a candidate.
    pub(crate) fn has(&self, format: F, text: &str) -> bool {
        self.parts.iter().any(|part| part.format == format) && self.allows(text)
    }

    /// Whether the damage allows a text, which need not be an address or a key.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        self.dfas.iter().any(|dfa| dfa.spells(text))
    }
}

impl<F: Format> Drop for SearchSpace<F> {
    fn drop(&mut self) {
        if F::IS_SECRET {
            self.dfas.iter_mut().for_each(Dfa::wipe);
        }
    }
}

impl<F: Format> fmt::Debug for SearchSpace<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchSpace").field("estimate", &self.estimate()).finish_non_exhaustive()
    }
}

impl Hit {
    /// The hit for a pattern whose text is a valid address already. Two-byte versions that no
    /// supported network has do not count: their bytes may pass the checksum by chance.
    #[must_use]
    pub fn undamaged(pattern: &Pattern) -> Option<Self> {
        let is_named = |version| Kind::all_versions().contains(&version);
        Self::of(pattern.address()).filter(|hit| hit.format.is_one_byte() || is_named(hit.format))
    }
}

impl SearchSpace {
    /// Builds the search space of a pattern for the common networks, or for all: if no common one
    /// has addresses like it, or if more than 0.05 of their addresses are expected by chance, which
    /// could hide the right one. If all would make the answer [`NOISE`], the common ones are kept.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::Foreign`] if no address is like the text, but another format is, and
    /// [`ParseError::TooComplex`] if the damage is too complex.
    pub fn any_network(pattern: &Pattern) -> Result<Self, ParseError> {
        let common = Self::new(pattern, &Kind::common_versions())?;
        let by_chance = |space: &Self| space.estimate().expected_by_chance;
        if !common.parts.is_empty() && by_chance(&common) <= MAX_COMMON_ONLY {
            return Ok(common);
        }
        // Ripple, which has its own alphabet, is a common network.
        let all = Self::of(common.dfas.clone(), &Kind::all_versions());
        if all.parts.is_empty() && Hit::undamaged(pattern).is_none() {
            return pattern.foreign_instead().map_or(Ok(all), |it| Err(ParseError::Foreign(it)));
        }
        let is_noise = by_chance(&all) > NOISE && by_chance(&common) <= NOISE;
        Ok(if is_noise && !common.parts.is_empty() { common } else { all })
    }

    /// Whether all networks are searched, or none has addresses like the text.
    pub(crate) fn is_of_all_networks(&self) -> bool {
        let common = Kind::common_versions();
        self.parts.is_empty() || self.parts.iter().any(|it| !common.contains(&it.format))
    }

    /// The versions that the damage allows, with the names and the number of candidates of each.
    #[must_use]
    pub fn kinds(&self) -> Vec<(Version, Vec<&'static str>, f64)> {
        let mut kinds: Vec<(Version, Vec<&'static str>, f64)> = Vec::new();
        for part in &self.parts {
            let count = self.candidates(part);
            match kinds.iter_mut().find(|(version, ..)| *version == part.format) {
                Some((.., sum)) => *sum += count,
                None => kinds.push((part.format, Kind::names(part.format).collect(), count)),
            }
        }
        kinds
    }
}

/// The candidates of a part that share their first digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<N = Number> {
    /// The index of the part in the search space.
    pub(crate) part: usize,
    pub(crate) node: Node<N>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_units_is_bounded() {
        let text = "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaa????";
        let pattern = Pattern::parse(text).unwrap();
        let space = SearchSpace::new(&pattern, &Kind::common_versions()).unwrap();
        assert!(space.units().len() < 4 * MAX_UNITS as usize);
    }
}
