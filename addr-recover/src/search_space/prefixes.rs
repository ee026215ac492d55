//! Counts the prefixes of a search space, which are the hashes that a search takes, without listing
//! its candidates.

use std::collections::HashMap;
use std::rc::Rc;

use super::dfa::{Dfa, StateId};
use super::{Part, SearchSpace};
use crate::number::{CHECKSUM_BITS, Number, TAIL_PLACES, prefix, product};

/// The maximum number of heads and states that a count may visit: a few milliseconds.
const MAX_STEPS: u64 = 1 << 20;

/// The maximum number of heads that are summarised as steps: once per state, then by binary search.
const MAX_HEADS: u64 = 4096;

/// Counting would take too long.
struct TooLong;

/// The number of distinct prefixes in a search space; `None` if counting them would take too long.
pub(crate) fn count(space: &SearchSpace) -> Option<u64> {
    let mut steps_left = MAX_STEPS;
    let mut total = 0;
    for part in space.parts() {
        let dfa = space.dfa(part);
        let mut counter = Counter { dfa, part, states: HashMap::new(), steps_left };
        let Ok(found) = counter.node(part.root, part.places, Number::ZERO) else { return None };
        steps_left = counter.steps_left;
        total += found.map_or(0, |prefixes| prefixes.count);
    }
    Some(total - space.prefixes_of_two_parts())
}

/// The prefixes of some numbers.
#[derive(Clone, Copy, Debug)]
struct Prefixes {
    count: u64,
    first: Number,
    last: Number,
}

impl Prefixes {
    /// The union with the prefixes of greater numbers.
    fn followed_by(self, later: Self) -> Self {
        let common = u64::from(self.last == later.first);
        Self { count: self.count + later.count - common, first: self.first, last: later.last }
    }
}

/// A walk over the states of a part.
struct Counter<'a> {
    dfa: &'a Dfa,
    part: &'a Part,
    states: HashMap<StateId, Rc<Steps>>,
    steps_left: u64,
}

impl Counter<'_> {
    /// The prefixes of the legal numbers that begin with the digits of `base`, which lead to
    /// `state` and leave `places` digits.
    fn node(
        &mut self,
        state: StateId,
        places: usize,
        base: Number,
    ) -> Result<Option<Prefixes>, TooLong> {
        self.spend(1)?;
        let all = self.dfa.numbers(state).shifted(base);
        let (low, high) = self.part.bounds;
        if all.last < low || all.first > high {
            return Ok(None);
        }
        let is_inside = all.first >= low && all.last <= high;
        if is_inside && self.dfa.heads(state) <= MAX_HEADS {
            let count = self.steps(state, places)?.prefixes(base.as_u32());
            return Ok(Some(Prefixes { count, first: prefix(all.first), last: prefix(all.last) }));
        }
        if places <= TAIL_PLACES {
            // A tail crosses at most one boundary between prefixes.
            return Ok(self.dfa.within(state, places, base, self.part.bounds).map(|numbers| {
                let (first, last) = (prefix(numbers.first), prefix(numbers.last));
                Prefixes { count: 1 + u64::from(first != last), first, last }
            }));
        }
        let (dfa, place) = (self.dfa, places - 1);
        let mut sum: Option<Prefixes> = None;
        for (digit, next) in dfa.digits(state) {
            let later = self.node(next, place, base + product(digit, place))?;
            sum = match (sum, later) {
                (Some(sum), Some(later)) => Some(sum.followed_by(later)),
                (sum, later) => sum.or(later),
            };
        }
        Ok(sum)
    }

    fn steps(&mut self, state: StateId, places: usize) -> Result<Rc<Steps>, TooLong> {
        if let Some(steps) = self.states.get(&state) {
            return Ok(Rc::clone(steps));
        }
        self.spend(self.dfa.heads(state))?;
        let steps = Rc::new(Steps::of(&heads(self.dfa, state, places)));
        self.states.insert(state, Rc::clone(&steps));
        Ok(steps)
    }

    fn spend(&mut self, steps: u64) -> Result<(), TooLong> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(TooLong)?;
        Ok(())
    }
}

/// The smallest and the greatest number of each head that follows a state, ascending.
fn heads(dfa: &Dfa, state: StateId, places: usize) -> Vec<(Number, Number)> {
    let mut heads = Vec::new();
    append_heads(dfa, state, places, Number::ZERO, &mut heads);
    heads
}

fn append_heads(
    dfa: &Dfa,
    state: StateId,
    places: usize,
    base: Number,
    heads: &mut Vec<(Number, Number)>,
) {
    let mut append = |state, head| {
        let tail = dfa.numbers(state).shifted(head);
        heads.push((tail.first, tail.last));
    };
    if places <= TAIL_PLACES {
        append(state, base);
    } else if dfa.heads(state) == 1 {
        let (state, head) = dfa.only_head(state);
        append(state, base + head);
    } else {
        for (digit, next) in dfa.digits(state) {
            append_heads(dfa, next, places - 1, base + product(digit, places - 1), heads);
        }
    }
}

/// The number of prefixes of some numbers, as a step function of the shift that is added to all.
/// Only the lowest 32 bits of the shift matter.
#[derive(Debug, Default)]
struct Steps {
    /// The value before all steps.
    initial: u64,
    /// The shifts from which there is one more prefix, ascending.
    up: Vec<u32>,
    /// The shifts from which there is one fewer, ascending.
    down: Vec<u32>,
}

impl Steps {
    fn of(heads: &[(Number, Number)]) -> Self {
        let mut steps = Self { initial: heads.len() as u64, ..Self::default() };
        // A boundary between prefixes within a head adds one prefix. Adjacent heads without a
        // boundary between them share one.
        for &(first, last) in heads {
            steps.add_between(shift_to_boundary(last), shift_to_boundary(first));
        }
        for pair in heads.windows(2) {
            let ((_, last), (first, _)) = (pair[0], pair[1]);
            if first - last < Number::ONE << CHECKSUM_BITS {
                steps.remove_between(shift_to_boundary(last), shift_to_boundary(first));
            }
        }
        steps.up.sort_unstable();
        steps.down.sort_unstable();
        steps
    }

    /// Adds one from `begin` up to, but not including, `end`. If `end` is smaller, the range wraps
    /// around 2^32. If they are equal, it is empty.
    fn add_between(&mut self, begin: u32, end: u32) {
        self.initial += u64::from(begin > end);
        self.up.push(begin);
        self.down.push(end);
    }

    /// Removes one in the same range.
    fn remove_between(&mut self, begin: u32, end: u32) {
        self.initial -= u64::from(begin > end);
        self.down.push(begin);
        self.up.push(end);
    }

    fn prefixes(&self, shift: u32) -> u64 {
        let passed = |steps: &[u32]| steps.partition_point(|&step| step <= shift) as u64;
        self.initial + passed(&self.up) - passed(&self.down)
    }
}

/// The smallest shift that moves a number to the beginning of a prefix.
fn shift_to_boundary(number: Number) -> u32 {
    number.as_u32().wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Version;

    /// The approximation that replaces counts that would take too long.
    #[test]
    fn approximate_prefixes_are_right_within_a_hundredth_of_a_percent() {
        for text in ["1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", "18ryviovmwfyzhrzktjkqgycjkujoxh3k6"] {
            let space = SearchSpace::new(&text.parse().unwrap(), &[Version::byte(0)]).unwrap();
            let approximate: f64 = space.parts().iter().map(|part| part.numbers.prefixes()).sum();
            let exact = count(&space).unwrap() as f64;
            assert!((approximate / exact - 1.0).abs() < 1e-4, "{text}: {approximate} for {exact}");
        }
    }

    #[test]
    fn steps_count_the_prefixes_of_shifted_numbers() {
        let edge = 1_u64 << 32;
        for heads in [
            vec![(0, 0)],
            vec![(5, 5), (7, 900)],
            vec![(0, edge - 1), (edge, edge + 1)],
            vec![
                (3, edge - 2),
                (edge + 9, edge + 9),
                (5 * edge, 5 * edge + 77),
                (5 * edge + 78, 6 * edge - 7),
            ],
            vec![(1 << 31, (1 << 31) + 5), (3 << 31, (3 << 31) + 1)],
        ] {
            let wide: Vec<_> =
                heads.iter().map(|&(a, b): &(u64, u64)| (a.into(), b.into())).collect();
            let steps = Steps::of(&wide);
            let ends = heads.iter().flat_map(|&(first, last)| [first, last]);
            let shifts = ends.flat_map(|end| {
                [0, 1, u64::MAX].map(|by| (end.wrapping_add(by) as u32).wrapping_neg())
            });
            for shift in shifts.chain([0, 1, 1 << 31, u32::MAX]) {
                let prefixes = heads.iter().flat_map(|&(first, last)| {
                    [first, last].map(|number| (number + u64::from(shift)) >> 32)
                });
                let mut prefixes: Vec<u64> = prefixes.collect();
                prefixes.dedup();
                assert_eq!(steps.prefixes(shift), prefixes.len() as u64, "{heads:?} {shift}");
            }
        }
    }
}
