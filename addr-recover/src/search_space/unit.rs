//! Splits a search into units, which are distributed to threads and machines, and can be resumed.

use super::SearchSpace;
use super::dfa::Node;
use crate::format::Format;
use crate::number::{Number, TAIL_PLACES};

/// The approximate minimum of hashes per unit, if the search has more: some 8 ms on a fast machine.
const MIN_HASHES: f64 = 262_144.0;

/// The approximate maximum of units per search.
const MAX_UNITS: f64 = 4096.0;

/// The candidates of a part that share their first digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<N = Number> {
    /// The index of the part in the search space.
    pub(crate) part: usize,
    pub(crate) node: Node<N>,
}

/// All units of a search space, in numeric order within each part. They are the same on every
/// machine.
pub(crate) fn units<F: Format>(space: &SearchSpace<F>) -> Vec<Unit<F::Number>> {
    let hashes = space.estimate().hashes();
    let max_hashes = MIN_HASHES.max(hashes / MAX_UNITS);
    let mut units = Vec::new();
    for (at, part) in space.parts.iter().enumerate() {
        split(space, Unit { part: at, node: part.root }, max_hashes, &mut units);
    }
    units
}

fn split<F: Format>(
    space: &SearchSpace<F>,
    unit: Unit<F::Number>,
    max_hashes: f64,
    units: &mut Vec<Unit<F::Number>>,
) {
    let part = &space.parts[unit.part];
    // The last six places stay together: candidates that share a prefix rarely differ before them.
    if space.hashes(part, unit.node) <= max_hashes || unit.node.places <= TAIL_PLACES + 1 {
        units.push(unit);
        return;
    }
    for node in space.dfa(part).longer(unit.node) {
        split(space, Unit { node, ..unit }, max_hashes, units);
    }
}

/// One of several threads or processes that share the units of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    pub(crate) count: usize,
}

impl Shard {
    /// The only shard of a search that is not split.
    pub(crate) const WHOLE: Self = Self { index: 1, count: 1 };

    /// Creates shard `index`, counted from 1, of `count`. `None` if there is no such shard.
    #[must_use]
    pub fn new(index: usize, count: usize) -> Option<Self> {
        (1..=count).contains(&index).then_some(Self { index, count })
    }

    /// Whether a unit belongs to this shard.
    pub(crate) fn has(self, unit: usize) -> bool {
        unit % self.count == self.index - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Pattern};

    #[test]
    fn the_number_of_units_is_bounded() {
        let text = "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaa????";
        let pattern = Pattern::parse(text).unwrap();
        let space = SearchSpace::new(&pattern, &Kind::common_versions()).unwrap();
        assert!(units(&space).len() < 4 * MAX_UNITS as usize);
    }
}
