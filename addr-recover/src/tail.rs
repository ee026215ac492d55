//! Tests the last five places, whose digits follow from the checksum.

use std::collections::BTreeSet;

use hash_lanes::engine::Words;

use crate::alphabet::BASE;
use crate::dfa::{Dfa, Node};
use crate::edits::StateId;
use crate::number::{Natural, TAIL_PLACES};

/// A place with more choices than this is tested bit by bit, which takes at most six steps, instead
/// of one step per choice.
const LISTED_CHOICES: usize = 6;

/// The numbers that a tail can make: the smallest one, and what is added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The difference between the smallest number and the sum of each place's smallest digit. It is
    /// zero unless one place depends on another.
    offset: u32,
    /// What the digit choices of each place add, most significant first.
    steps: Vec<u32>,
}

impl Tail {
    /// Creates the tail that follows a state.
    pub(crate) fn new<N: Natural>(dfa: &Dfa<N>, state: StateId) -> Self {
        let smallest = dfa.numbers(Node { state, places: TAIL_PLACES, base: 0.into() }).first;
        let mut smallest_digits = 0;
        let mut steps = Vec::new();
        let mut states = BTreeSet::from([state]);
        for place in (0..TAIL_PLACES).rev() {
            let choices_here = states.iter().flat_map(|&state| dfa.digits(state));
            let (digits, next): (BTreeSet<usize>, _) = choices_here.unzip();
            states = next;
            let digits: Vec<usize> = digits.into_iter().collect();
            let weight = (BASE as u32).pow(place as u32);
            smallest_digits += digits[0] as u32 * weight;
            steps.extend(choices(&digits).iter().map(|choice| choice * weight));
        }
        Self { offset: smallest.low() as u32 - smallest_digits, steps }
    }

    /// What is left of a number above the smallest one without what the places can add: zero if
    /// they can make it. There are no false negatives.
    ///
    /// A step must be taken if the rest allows it, because all lower places together add less than
    /// one digit here. The minimum of the rest and the wrapped difference makes this choice without
    /// a branch. False positives are possible if a place allows more than two digits: two steps may
    /// add up to a digit that it does not allow.
    #[inline(always)]
    pub(crate) fn rest<W: Words<Word = u32>>(&self, token: W::Token, above: W) -> W {
        let mut rest = above + W::splat(token, self.offset);
        for &step in &self.steps {
            rest = rest.min(rest - W::splat(token, step));
        }
        rest
    }
}

/// The values to subtract, greatest first, that reduce each digit minus the smallest one to zero.
fn choices(digits: &[usize]) -> Vec<u32> {
    let smallest = digits[0];
    let span = digits[digits.len() - 1] - smallest;
    if digits.len() - 1 <= LISTED_CHOICES {
        digits[1..].iter().rev().map(|digit| (digit - smallest) as u32).collect()
    } else {
        (0..usize::BITS - span.leading_zeros()).rev().map(|bit| 1 << bit).collect()
    }
}

#[cfg(test)]
mod tests {

    use hash_lanes::engine::{Portable, Scalar};

    use super::*;
    use crate::alphabet::Alphabet;
    use crate::damage::{Case, Damage};
    use crate::pattern::Pattern;

    /// All numbers of the DFA.
    fn numbers(dfa: &Dfa) -> Vec<u32> {
        let mut nodes = vec![dfa.root().unwrap()];
        for _ in 0..TAIL_PLACES {
            nodes = nodes.into_iter().flat_map(|node| dfa.longer(node)).collect();
        }
        nodes.into_iter().map(|node| node.base.low() as u32).collect()
    }

    fn tail(text: &str, damage: Damage) -> (Tail, Vec<u32>) {
        let dfa = Dfa::new(&Pattern::short(text, damage), TAIL_PLACES, Alphabet::Bitcoin).unwrap();
        (Tail::new(&dfa, dfa.root().unwrap().state), numbers(&dfa))
    }

    fn may_make(tail: &Tail, above: u32) -> bool {
        tail.rest(Portable, Scalar(above)).0 == 0
    }

    #[test]
    fn a_tail_of_lost_case_allows_exactly_its_numbers() {
        for text in
            ["abcde", "a1c1e", "zzzzz", "1zzz1", "aaaa1", "1aaaa", "l1oi9", "11111", "1111n"]
        {
            let (tail, numbers) = tail(text, Damage::default());
            assert_eq!(tail.offset, 0, "{text}");
            for &number in &numbers {
                let above = number - numbers[0];
                assert!(may_make(&tail, above), "{text}");
                for wrong in [above.wrapping_sub(1), above.wrapping_add(1), above ^ (1 << 31)] {
                    let is_right = numbers.contains(&wrong.wrapping_add(numbers[0]));
                    assert_eq!(may_make(&tail, wrong), is_right, "{text}");
                }
            }
        }
    }

    #[test]
    fn no_tail_is_missed_where_more_digits_are_allowed() {
        for (text, damage) in [
            ("[7ZT]a[123456789]?b", Damage::default()),
            ("?1?11", Damage::default()),
            ("[1z]?[1z]1a", Damage::default()),
            ("aB1zZ", Damage { case: Case::Kept, typos: 1, ..Damage::default() }),
            ("aB1zZ", Damage { case: Case::Kept, swapped: 1, ..Damage::default() }),
            ("aB1z", Damage { case: Case::Kept, missing: 1, ..Damage::default() }),
        ] {
            let (tail, numbers) = tail(text, damage);
            for &number in &numbers {
                assert!(may_make(&tail, number - numbers[0]), "{text} {number}");
            }
            let is_passed = |i: &u32| may_make(&tail, i.wrapping_mul(0x9e37_79b1));
            let random_passes = (0..100_000).filter(is_passed).count();
            assert!(random_passes < 20_000, "{text}: {random_passes}");
        }
    }
}
