//! Represents all texts of one length that a pattern allows as a minimal DFA.
//!
//! Each text is one path through it, however many kinds of damage could have led to it. So nothing
//! is counted or searched twice.

mod edits;

use std::collections::HashMap;

use super::number_set::NumberSet;
use crate::number::{Number, SMALL_WEIGHTS, TAIL_PLACES, weight};
use crate::pattern::ParseError;
use crate::pattern::Pattern;
use crate::pattern::alphabet::BASE;
use edits::Edits;

/// The index of a state.
pub(crate) type StateId = u32;

/// The target of digits that no text has.
const DEAD: StateId = StateId::MAX;

/// The maximum number of states before they are merged: some ten megabytes, and more than any
/// damage needs that is feasible to search.
const MAX_STATES: usize = 40_000;

/// A state: the rests of texts that may follow some first digits.
#[derive(Clone, Debug)]
struct State {
    /// The state that each digit leads to.
    next: [StateId; BASE],
    /// The numbers that the rests make.
    numbers: NumberSet,
    /// The number of heads, which are rests without their tails; saturating.
    heads: u64,
    /// If there is only one head: the state that it leads to, and the number that it makes.
    only_head: (StateId, Number),
}

/// A set of texts of one length.
#[derive(Clone, Debug)]
pub(crate) struct Dfa {
    states: Vec<State>,
    /// The initial state; `None` if there are no texts.
    root: Option<StateId>,
    length: usize,
}

impl Dfa {
    /// Builds the DFA of the texts of this length that a pattern allows.
    pub(crate) fn new(pattern: &Pattern, length: usize) -> Result<Self, ParseError> {
        let edits = Edits::new(pattern);
        // The subset construction: one layer per number of digits.
        let mut layers = vec![vec![edits.start()]];
        let mut transitions: Vec<Vec<[StateId; BASE]>> = Vec::new();
        let mut total = 1;
        for layer in 0..length {
            let mut ids = HashMap::new();
            let mut next_layer = Vec::new();
            let mut rows = Vec::new();
            for subset in &layers[layer] {
                let mut row = [DEAD; BASE];
                let mut by_places = HashMap::new();
                for digit in 0..BASE {
                    row[digit] =
                        *by_places.entry(edits.allowing(subset, digit)).or_insert_with(|| {
                            let next = edits.step(subset, digit);
                            if next.is_empty() {
                                return DEAD;
                            }
                            *ids.entry(next).or_insert_with_key(|next: &Vec<_>| {
                                next_layer.push(next.clone());
                                next_layer.len() as StateId - 1
                            })
                        });
                }
                rows.push(row);
            }
            total += next_layer.len();
            if total > MAX_STATES {
                return Err(ParseError::TooComplex);
            }
            layers.push(next_layer);
            transitions.push(rows);
        }
        let accepted: Vec<bool> =
            layers[length].iter().map(|subset| edits.accepts(subset)).collect();
        Ok(Self::merged(&accepted, &transitions))
    }

    /// Minimises the DFA: merges states with the same rests, and removes those without any.
    fn merged(accepted: &[bool], transitions: &[Vec<[StateId; BASE]>]) -> Self {
        let accepting = State {
            next: [DEAD; BASE],
            numbers: NumberSet::ZERO,
            heads: 1,
            only_head: (0, Number::ZERO),
        };
        let mut states = vec![accepting];
        let mut merged: Vec<StateId> =
            accepted.iter().map(|&yes| if yes { 0 } else { DEAD }).collect();
        for (places, rows) in (1..).zip(transitions.iter().rev()) {
            let mut ids = HashMap::new();
            let mut now = Vec::new();
            for row in rows {
                let mut next = [DEAD; BASE];
                for digit in 0..BASE {
                    if row[digit] != DEAD {
                        next[digit] = merged[row[digit] as usize];
                    }
                }
                now.push(*ids.entry(next).or_insert_with(|| {
                    match State::new(next, places, &states) {
                        None => DEAD,
                        Some(state) => {
                            states.push(state);
                            states.len() as StateId - 1
                        }
                    }
                }));
            }
            merged = now;
        }
        let root = Some(merged[0]).filter(|&root| root != DEAD);
        Self { states, root, length: transitions.len() }
    }

    pub(crate) fn root(&self) -> Option<StateId> {
        self.root
    }

    /// The number of characters of every text.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn next(&self, state: StateId, digit: usize) -> Option<StateId> {
        Some(self.states[state as usize].next[digit]).filter(|&next| next != DEAD)
    }

    /// The digits that may follow a state, ascending, and the states that they lead to.
    pub(crate) fn digits(&self, state: StateId) -> impl Iterator<Item = (usize, StateId)> {
        let next = &self.states[state as usize].next;
        next.iter().copied().enumerate().filter(|&(_, next)| next != DEAD)
    }

    /// The numbers that the rests after a state make.
    pub(crate) fn numbers(&self, state: StateId) -> NumberSet {
        self.states[state as usize].numbers
    }

    /// The number of heads after a state.
    pub(crate) fn heads(&self, state: StateId) -> u64 {
        self.states[state as usize].heads
    }

    /// The state that the only head after a state leads to, and the number that it makes;
    /// meaningless if there are several heads.
    pub(crate) fn only_head(&self, state: StateId) -> (StateId, Number) {
        self.states[state as usize].only_head
    }

    /// Whether a state may be followed by exactly `places` digits that make `number`.
    pub(crate) fn accepts(&self, mut state: StateId, places: usize, mut number: u64) -> bool {
        for place in (0..places).rev() {
            let weight = SMALL_WEIGHTS[place];
            let digit = (number / weight) as usize;
            number %= weight;
            match (digit < BASE).then(|| self.next(state, digit)).flatten() {
                Some(next) => state = next,
                None => return false,
            }
        }
        true
    }

    /// The numbers from `low` to `high` that begin with the digits of `base`, which lead to `state`
    /// and leave `places` digits.
    pub(crate) fn within(
        &self,
        state: StateId,
        places: usize,
        base: Number,
        (low, high): (Number, Number),
    ) -> Option<NumberSet> {
        let all = self.numbers(state).shifted(base);
        if all.last < low || all.first > high {
            return None;
        }
        if all.first >= low && all.last <= high {
            return Some(all);
        }
        let place = places - 1;
        let parts = self.digits(state).filter_map(|(digit, next)| {
            self.within(next, place, base + Number::from(digit as u64) * weight(place), (low, high))
        });
        parts.reduce(|earlier, later| earlier.followed_by(later, place < TAIL_PLACES))
    }
}

impl State {
    /// Creates a state; `None` if it has no rests.
    fn new(next: [StateId; BASE], places: usize, states: &[Self]) -> Option<Self> {
        let place = places - 1;
        // `DEAD` is out of range.
        let target = |digit: usize| states.get(next[digit] as usize);
        let numbers = (0..BASE)
            .filter_map(|digit| {
                Some(target(digit)?.numbers.shifted(Number::from(digit as u64) * weight(place)))
            })
            .reduce(|earlier, later| earlier.followed_by(later, place < TAIL_PLACES))?;
        let (mut heads, mut only_head) = (1, (states.len() as StateId, Number::ZERO));
        if place >= TAIL_PLACES {
            heads = (0..BASE)
                .filter_map(target)
                .fold(0, |sum: u64, next| sum.saturating_add(next.heads));
            for digit in 0..BASE {
                if let Some(&Self { only_head: (state, head), .. }) = target(digit) {
                    only_head = (state, head + Number::from(digit as u64) * weight(place));
                }
            }
        }
        Some(Self { next, numbers, heads, only_head })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::alphabet::{DigitSet, character, value};
    use crate::pattern::damage::{Case, Damage, LookAlikes};

    /// The pattern of a text of any length.
    fn pattern(text: &str, damage: Damage) -> Pattern {
        Pattern::short(text, damage)
    }

    fn texts(dfa: &Dfa) -> Vec<String> {
        fn collect(dfa: &Dfa, state: StateId, text: &str, texts: &mut Vec<String>) {
            if text.len() == dfa.length() {
                texts.push(text.to_owned());
            }
            for (digit, next) in dfa.digits(state) {
                collect(dfa, next, &format!("{text}{}", character(digit)), texts);
            }
        }
        let mut texts = Vec::new();
        if let Some(root) = dfa.root() {
            collect(dfa, root, "", &mut texts);
        }
        texts
    }

    fn kept() -> Damage {
        Damage::default().case(Case::Kept)
    }

    fn sets(text: &str, damage: &Damage) -> Vec<DigitSet> {
        pattern(text, damage.clone()).places().to_vec()
    }

    /// Enumerates all texts by trying every edit on every list of sets, then every spelling.
    fn naive(text: &str, damage: &Damage, length: usize) -> Vec<String> {
        let mut forms = vec![sets(text, damage)];
        let extend = |forms: &mut Vec<Vec<DigitSet>>,
                      edit: &dyn Fn(&[DigitSet]) -> Vec<Vec<DigitSet>>| {
            let more: Vec<_> = forms.iter().flat_map(|form| edit(form)).collect();
            forms.extend(more);
        };
        if damage.surplus {
            extend(&mut forms, &|form| {
                (0..form.len()).map(|at| [&form[..at], &form[at + 1..]].concat()).collect()
            });
        }
        if damage.swapped {
            extend(&mut forms, &|form| {
                let swap = |at| {
                    let mut swapped = form.to_vec();
                    swapped.swap(at, at + 1);
                    swapped
                };
                (0..form.len().saturating_sub(1)).map(swap).collect()
            });
        }
        for _ in 0..damage.typos {
            extend(&mut forms, &|form| {
                let replace = |at| {
                    let mut replaced = form.to_vec();
                    replaced[at] = DigitSet::ALL;
                    replaced
                };
                (0..form.len()).map(replace).collect()
            });
        }
        if damage.missing {
            extend(&mut forms, &|form| {
                (0..=form.len())
                    .map(|at| [&form[..at], &[DigitSet::ALL], &form[at..]].concat())
                    .collect()
            });
        }
        let mut texts: Vec<String> = forms
            .iter()
            .filter(|form| form.len() == length)
            .flat_map(|form| {
                form.iter().fold(vec![String::new()], |texts, digits| {
                    let longer = |text: &String| {
                        let text = text.clone();
                        digits.values().map(move |digit| format!("{text}{}", character(digit)))
                    };
                    texts.iter().flat_map(longer).collect()
                })
            })
            .collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn texts_match_a_naive_enumeration() {
        for (text, damage) in [
            ("ab1", Damage::default()),
            ("ab1", kept()),
            ("[ab]?", kept()),
            ("aab", kept().missing(true)),
            ("aab", kept().surplus(true)),
            ("abba", kept().swapped(true)),
            ("aB", Damage::default().case(Case::Lost).swapped(true).surplus(true)),
            ("ab", kept().typos(1)),
            ("aab", kept().typos(2)),
            ("aab", kept().typos(1).surplus(true)),
            ("aa", kept().missing(true).surplus(true).swapped(true)),
            ("abc", kept().surplus(true).swapped(true)),
            ("abcd", kept().surplus(true).swapped(true)),
            ("abc", kept().surplus(true).swapped(true).typos(1)),
            ("ab", kept().missing(true).typos(1)),
            ("aba", kept().swapped(true).typos(1)),
            ("abc", kept().swapped(true).missing(true)),
            (
                "1l0",
                Damage::default().look_alikes(LookAlikes::everywhere("0oO,1IlLi")).surplus(true),
            ),
        ] {
            let given = sets(text, &damage).len();
            for length in given.saturating_sub(2)..given + 2 {
                let expected = naive(text, &damage, length);
                let dfa = Dfa::new(&pattern(text, damage.clone()), length).unwrap();
                assert_eq!(texts(&dfa), expected, "{text} {damage:?} {length}");
                let count = dfa.root().map_or(Number::ZERO, |root| dfa.numbers(root).count);
                assert_eq!(count, Number::from(expected.len() as u64));
            }
        }
    }

    fn number(text: &str) -> u64 {
        text.chars().fold(0, |sum, digit| sum * 58 + u64::from(value(digit).unwrap()))
    }

    #[test]
    fn number_sets_within_bounds_match_an_enumeration() {
        for (text, damage) in [
            ("aB9ha?zzbA", Damage::default()),
            ("1[1z]?[7ZT]11z2", kept()),
            ("19zzzzzz", kept().typos(1)),
            ("2abcdef", kept().missing(true)),
        ] {
            let length = sets(text, &damage).len() + usize::from(damage.missing);
            let dfa = Dfa::new(&pattern(text, damage), length).unwrap();
            let numbers: Vec<u64> = texts(&dfa).iter().map(|text| number(text)).collect();
            let root = dfa.root().unwrap();
            for bounds in [(0, 4), (1, 3), (2, 3), (3, 3)] {
                let at = |part: usize| numbers[part * (numbers.len() - 1) / 4];
                for nudge in [0, 1] {
                    let (low, high) = (at(bounds.0) + nudge, at(bounds.1) + nudge);
                    let inside: Vec<u64> =
                        numbers.iter().copied().filter(|n| (low..=high).contains(n)).collect();
                    let numbers = dfa.within(root, length, Number::ZERO, (low.into(), high.into()));
                    let Some(numbers) = numbers else {
                        assert!(inside.is_empty(), "{text}");
                        continue;
                    };
                    assert_eq!(numbers.count, Number::from(inside.len() as u64), "{text}");
                    assert_eq!(numbers.first, Number::from(inside[0]), "{text}");
                    assert_eq!(numbers.last, Number::from(inside[inside.len() - 1]), "{text}");
                    let reach =
                        inside.windows(2).map(|pair| (pair[1] - pair[0]).min(1 << 32)).sum::<u64>();
                    assert_eq!(numbers.reach, Number::from(reach + (1 << 32)), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_single_head_leads_to_its_tail() {
        let dfa = Dfa::new(&pattern("2ab3[45]zzzzz", kept()), 10).unwrap();
        let root = dfa.root().unwrap();
        assert_eq!(dfa.heads(root), 2);
        let dfa = Dfa::new(&pattern("2ab3[5]zz[yz]zz", kept()), 10).unwrap();
        let root = dfa.root().unwrap();
        assert_eq!(dfa.heads(root), 1);
        let (state, head) = dfa.only_head(root);
        assert_eq!(head, Number::from(number("2ab3511111")));
        assert!(dfa.accepts(state, TAIL_PLACES, number("zzyzz")));
        assert!(!dfa.accepts(state, TAIL_PLACES, number("zzxzz")));
    }

    #[test]
    fn only_numbers_of_the_texts_are_accepted() {
        let dfa = Dfa::new(&pattern("ab9?", Damage::default()), 4).unwrap();
        let root = dfa.root().unwrap();
        for (text, accepted) in [("aB9x", true), ("Ab91", true), ("ab8x", false), ("bB9x", false)] {
            assert_eq!(dfa.accepts(root, 4, number(text)), accepted, "{text}");
        }
        assert!(!dfa.accepts(root, 4, 58_u64.pow(4) + number("aB9x")));
    }

    #[test]
    fn excessive_damage_is_refused_instead_of_computed() {
        let damage = kept().typos(40).missing(true).surplus(true).swapped(true);
        let result = Dfa::new(&pattern("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", damage), 34);
        assert!(result.is_ok() || matches!(result, Err(ParseError::TooComplex)));
    }
}
