//! Splits a search into units, which are distributed to threads and machines, and can be resumed.

use super::dfa::StateId;
use super::{Part, SearchSpace};
use crate::number::{Number, TAIL_PLACES, product};

/// The approximate minimum of hashes per unit, if the search has more: some 8 ms on a fast machine.
const MIN_HASHES: f64 = 262_144.0;

/// The approximate maximum of units per search.
const MAX_UNITS: f64 = 4096.0;

/// The candidates of a part that share their first digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    /// The index of the part in the search space.
    pub(crate) part: usize,
    /// The state that the first digits lead to.
    pub(crate) state: StateId,
    /// The number of digits that follow.
    pub(crate) places: usize,
    /// The number that the first digits make, if only zeros follow.
    pub(crate) base: Number,
}

/// All units of a search space, in numeric order within each part. They are the same on every
/// machine.
pub(crate) fn units(space: &SearchSpace) -> Vec<Unit> {
    let hashes = space.estimate().hashes();
    let max_hashes = MIN_HASHES.max(hashes / MAX_UNITS);
    let mut units = Vec::new();
    for (at, part) in space.parts().iter().enumerate() {
        let whole = Unit { part: at, state: part.root, places: part.places, base: Number::ZERO };
        split(space, part, whole, max_hashes, &mut units);
    }
    units
}

fn split(space: &SearchSpace, part: &Part, unit: Unit, max_hashes: f64, units: &mut Vec<Unit>) {
    let dfa = space.dfa(part);
    let Some(numbers) = dfa.within(unit.state, unit.places, unit.base, part.bounds) else { return };
    // The last six places stay together: candidates that share a prefix rarely differ before them.
    if numbers.prefixes() <= max_hashes || unit.places <= TAIL_PLACES + 1 {
        units.push(unit);
        return;
    }
    let places = unit.places - 1;
    for (digit, state) in dfa.digits(unit.state) {
        let base = unit.base + product(digit, places);
        split(space, part, Unit { state, places, base, ..unit }, max_hashes, units);
    }
}

/// One of several machines or processes that share the units of a search.
///
/// ```
/// use addr_recover::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert_eq!((shard.index(), shard.count()), (2, 8));
/// # Ok::<(), addr_recover::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// Why a text is not a [`Shard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a shard is K/N with K from 1 to N, such as 2/8")]
pub struct ShardError;

impl Shard {
    /// The only shard of a search that is not split.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Creates shard `index`, counted from 1, of `count`.
    ///
    /// # Errors
    ///
    /// Returns [`ShardError`] if `index` is not in `1..=count`.
    pub fn new(index: usize, count: usize) -> Result<Self, ShardError> {
        if (1..=count).contains(&index) { Ok(Self { index, count }) } else { Err(ShardError) }
    }

    /// The index, counted from 1.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// The number of shards.
    #[must_use]
    pub fn count(self) -> usize {
        self.count
    }

    /// The shard `by` places further on, cyclically. If the shard is rotated by a different number
    /// for each search space, those with a single unit are dealt out like cards.
    #[must_use]
    pub fn rotated(self, by: usize) -> Self {
        Self { index: (self.index - 1 + by) % self.count + 1, ..self }
    }

    /// Whether a unit belongs to this shard.
    pub(crate) fn has(self, unit: usize) -> bool {
        unit % self.count == self.index - 1
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let number = |digits: &str| {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_plain).ok_or(ShardError)
        };
        Self::new(number(index)?, number(count)?)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Pattern};

    #[test]
    fn units_cover_all_candidates() {
        for text in [
            "18ryviovmwfyzhrzktjkqgycjkujoxh3k6",
            "1?lbcfr7s?htd9cgdqo3htmtkv8lk4znx7",
            "1lbcfr7sahtd9cgdqo3htmtkv8lk?znx71",
        ] {
            let space = SearchSpace::new(&text.parse().unwrap(), &Kind::common_versions()).unwrap();
            let units = units(&space);
            assert!(units.len() > 1, "{text}");
            let sets = units.iter().map(|unit| {
                let part = &space.parts()[unit.part];
                space.dfa(part).within(unit.state, unit.places, unit.base, part.bounds).unwrap()
            });
            let count: Number = sets.map(|numbers| numbers.count).sum();
            assert_eq!(count.to_string(), space.estimate().candidates(), "{text}");
        }
    }

    #[test]
    fn the_number_of_units_is_bounded() {
        let text = "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaa????";
        let pattern: Pattern = text.parse().unwrap();
        let space = SearchSpace::new(&pattern, &Kind::common_versions()).unwrap();
        assert!(units(&space).len() < 4 * MAX_UNITS as usize);
    }

    #[test]
    fn shards_parse_and_partition_the_units() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/3", "1/3/3", "+1/3", "1/ 3"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
        for unit in 0..30 {
            let shards = (1..=7).map(|index| Shard::new(index, 7).unwrap());
            assert_eq!(shards.clone().filter(|shard| shard.has(unit)).count(), 1);
            assert_eq!(shards.filter(|shard| shard.rotated(unit).has(0)).count(), 1);
        }
    }
}
