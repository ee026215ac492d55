//! Tests the last five places, whose digits follow from the checksum.

use crate::number::{Natural, Number, SMALL_WEIGHTS, TAIL_PLACES};
use crate::search_space::dfa::{Dfa, Node, StateId};

/// A place with more choices than this is tested bit by bit, which takes at most six steps, instead
/// of one step per choice.
const LISTED_CHOICES: usize = 6;

/// The numbers that a tail can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The smallest of them.
    pub(crate) first: u32,
    /// The difference between the greatest and the smallest.
    pub(crate) span: u32,
    /// The difference between the smallest and the sum of each place's smallest digit. It is zero
    /// unless one place depends on another.
    pub(crate) offset: u32,
    /// What the digit choices of each place add, most significant first.
    pub(crate) steps: Vec<u32>,
}

impl Tail {
    /// Creates the tail that follows a state.
    pub(crate) fn new(dfa: &Dfa, state: StateId) -> Self {
        let numbers = dfa.numbers(Node { state, places: TAIL_PLACES, base: Number::ZERO });
        let first = numbers.first.low() as u32;
        let mut smallest_digits = 0;
        let mut steps = Vec::new();
        let mut states = vec![state];
        for place in (0..TAIL_PLACES).rev() {
            let mut digits = Vec::new();
            let mut next = Vec::new();
            for &state in &states {
                for (digit, to) in dfa.digits(state) {
                    digits.push(digit as u32);
                    next.push(to);
                }
            }
            for list in [&mut digits, &mut next] {
                list.sort_unstable();
                list.dedup();
            }
            states = next;
            let weight = SMALL_WEIGHTS[place] as u32;
            smallest_digits += digits[0] * weight;
            steps.extend(choices(&digits).map(|choice| choice * weight));
        }
        Self {
            first,
            span: numbers.last.low() as u32 - first,
            offset: first - smallest_digits,
            steps,
        }
    }

    /// Whether the places can add `rest` to the smallest digit of each. There are no false
    /// negatives.
    ///
    /// A step must be taken if the rest allows it, because all lower places together add less than
    /// one digit here. The minimum of the rest and the wrapped difference makes this choice without
    /// a branch. False positives are possible if a place allows more than two digits: two steps may
    /// add up to a digit that it does not allow.
    #[inline]
    pub(crate) fn may_make(&self, mut rest: u32) -> bool {
        for &step in &self.steps {
            rest = rest.min(rest.wrapping_sub(step));
        }
        rest == 0
    }
}

/// The values to subtract, greatest first, that reduce each digit minus the smallest one to zero.
fn choices(digits: &[u32]) -> impl Iterator<Item = u32> {
    let smallest = digits[0];
    let span = digits[digits.len() - 1] - smallest;
    let choices: Vec<u32> = if digits.len() - 1 <= LISTED_CHOICES {
        digits[1..].iter().rev().map(|digit| digit - smallest).collect()
    } else {
        (0..u32::BITS - span.leading_zeros()).rev().map(|bit| 1 << bit).collect()
    };
    choices.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use crate::pattern::alphabet::Alphabet;
    use crate::pattern::damage::{Case, Damage};

    /// All numbers of the DFA.
    fn numbers(dfa: &Dfa) -> Vec<u32> {
        let mut rests = vec![(dfa.root().unwrap().state, 0)];
        for _ in 0..TAIL_PLACES {
            rests = rests
                .into_iter()
                .flat_map(|(state, number)| {
                    dfa.digits(state).map(move |(digit, next)| (next, number * 58 + digit as u32))
                })
                .collect();
        }
        rests.into_iter().map(|(_, number)| number).collect()
    }

    fn tail(text: &str, damage: Damage) -> (Tail, Vec<u32>) {
        let dfa = Dfa::new(&Pattern::short(text, damage), TAIL_PLACES, Alphabet::Bitcoin).unwrap();
        (Tail::new(&dfa, dfa.root().unwrap().state), numbers(&dfa))
    }

    #[test]
    fn a_tail_of_lost_case_allows_exactly_its_numbers() {
        for text in
            ["abcde", "a1c1e", "zzzzz", "1zzz1", "aaaa1", "1aaaa", "l1oi9", "11111", "1111n"]
        {
            let (tail, numbers) = tail(text, Damage::default());
            assert_eq!((tail.first, tail.offset), (numbers[0], 0), "{text}");
            assert_eq!(tail.span, numbers[numbers.len() - 1] - numbers[0]);
            for &number in &numbers {
                let rest = number - tail.first;
                assert!(tail.may_make(rest), "{text}");
                for wrong in [rest.wrapping_sub(1), rest.wrapping_add(1), rest ^ (1 << 31)] {
                    let is_right = numbers.contains(&wrong.wrapping_add(tail.first));
                    assert_eq!(tail.may_make(wrong), is_right, "{text}");
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
            ("aB1zZ", Damage::default().case(Case::Kept).typos(1)),
            ("aB1zZ", Damage::default().case(Case::Kept).swapped(1)),
            ("aB1z", Damage::default().case(Case::Kept).missing(1)),
        ] {
            let (tail, numbers) = tail(text, damage);
            for &number in &numbers {
                assert!(tail.may_make(number - tail.first + tail.offset), "{text} {number}");
            }
            let random_passes =
                (0..100_000_u32).filter(|i| tail.may_make(i.wrapping_mul(0x9e37_79b1))).count();
            assert!(random_passes < 20_000, "{text}: {random_passes}");
        }
    }
}
