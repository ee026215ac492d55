//! Counting the prefixes of a search space's candidates, which are the hashes that it takes,
//! without listing them.

use std::collections::HashMap;
use std::rc::Rc;

use super::dfa::{Dfa, StateId};
use super::{Part, SearchSpace};
use crate::number::{CHECKSUM_BITS, Number, TAIL_PLACES, prefix, weight};

/// What a count may take: so many heads and states looked at, some milliseconds.
const MAX_STEPS: u64 = 1 << 20;

/// The most heads that are looked at together: each state's once, and then found by halving.
const MAX_HEADS: u64 = 4096;

/// A count would take too long.
struct TooLong;

/// How many different prefixes the candidates of a search space have; `None` if counting them takes
/// long.
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
    /// Those of these numbers and of others, all of which are greater.
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
    /// The prefixes of the legal numbers that begin with `base`, where `state` with `places` digits
    /// to come was reached.
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
            // A tail reaches over one edge of a prefix at most.
            return Ok(self.dfa.within(state, places, base, self.part.bounds).map(|numbers| {
                let (first, last) = (prefix(numbers.first), prefix(numbers.last));
                Prefixes { count: 1 + u64::from(first != last), first, last }
            }));
        }
        let (dfa, place) = (self.dfa, places - 1);
        let mut sum: Option<Prefixes> = None;
        for (digit, next) in dfa.digits(state) {
            let later =
                self.node(next, place, base + Number::from(digit as u64) * weight(place))?;
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

/// The least and the greatest number of each head that follows a state, ascending.
fn heads(dfa: &Dfa, state: StateId, places: usize) -> Vec<(Number, Number)> {
    let mut heads = vec![(state, Number::ZERO)];
    for place in (TAIL_PLACES..places).rev() {
        let mut longer = Vec::new();
        for (state, head) in heads {
            let digits = dfa.digits(state);
            longer
                .extend(digits.map(|(digit, next)| {
                    (next, head + Number::from(digit as u64) * weight(place))
                }));
        }
        heads = longer;
    }
    let ends = |(state, head)| {
        let tail = dfa.numbers(state).shifted(head);
        (tail.first, tail.last)
    };
    heads.into_iter().map(ends).collect()
}

/// How many prefixes some numbers have when all are greater by the same, of which the lowest 32
/// bits decide it: a number that grows and shrinks by steps.
#[derive(Debug, Default)]
struct Steps {
    at_first: u64,
    /// From where on there is one more, ascending.
    up: Vec<u32>,
    /// From where on there is one fewer, ascending.
    down: Vec<u32>,
}

impl Steps {
    fn of(heads: &[(Number, Number)]) -> Self {
        let mut steps = Self { at_first: heads.len() as u64, ..Self::default() };
        // Within a head, an edge between prefixes makes one more. From a head to the next, none
        // makes one fewer.
        for &(first, last) in heads {
            steps.add_from(minus(last), minus(first));
        }
        for pair in heads.windows(2) {
            let ((_, last), (first, _)) = (pair[0], pair[1]);
            if first - last < Number::ONE << CHECKSUM_BITS {
                steps.take_from(minus(last), minus(first));
            }
        }
        steps.up.sort_unstable();
        steps.down.sort_unstable();
        steps
    }

    /// One more from `begin` to before `end`, which may lie behind 2^32 and so before the
    /// beginning; none if they are the same.
    fn add_from(&mut self, begin: u32, end: u32) {
        self.at_first += u64::from(begin > end);
        self.up.push(begin);
        self.down.push(end);
    }

    /// One fewer there.
    fn take_from(&mut self, begin: u32, end: u32) {
        self.at_first -= u64::from(begin > end);
        self.down.push(begin);
        self.up.push(end);
    }

    fn prefixes(&self, shift: u32) -> u64 {
        let passed = |steps: &[u32]| steps.partition_point(|&step| step <= shift) as u64;
        self.at_first + passed(&self.up) - passed(&self.down)
    }
}

/// The least shift that brings a number to an edge between prefixes.
fn minus(number: Number) -> u32 {
    number.as_u32().wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Version;

    /// What stands in for the count where there are too many.
    #[test]
    fn extents_are_right_within_a_hundredth_of_a_percent() {
        for text in ["1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", "18ryviovmwfyzhrzktjkqgycjkujoxh3k6"] {
            let space = SearchSpace::new(&text.parse().unwrap(), &[Version::byte(0)]).unwrap();
            let about: f64 = space.parts().iter().map(|part| part.numbers.prefixes()).sum();
            let counted = count(&space).unwrap() as f64;
            assert!((about / counted - 1.0).abs() < 1e-4, "{text}: {about} for {counted}");
        }
    }

    #[test]
    fn steps_are_those_of_numbers_that_are_shifted() {
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
