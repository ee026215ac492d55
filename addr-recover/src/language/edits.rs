//! What of a damaged text has been read, and which edits that took: a nondeterministic automaton.

use std::collections::BTreeMap;

use crate::alphabet::{BASE, DigitSet};
use crate::pattern::Pattern;

/// Where in the damaged text one is after some digits of the true one, and which edits led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// How many of the text's characters are accounted for.
    read: u8,
    typos: u8,
    /// Edits that happen once at most.
    missing: bool,
    surplus: bool,
    swapped: bool,
    /// The second of two swapped characters has been read, the first has not.
    within_swap: bool,
}

/// Digits that no place of the pattern tells apart.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) digits: DigitSet,
    /// One of them.
    pub(super) digit: usize,
}

/// The positions of a pattern and how digits lead from one to others.
#[derive(Debug)]
pub(super) struct Edits<'a> {
    pattern: &'a Pattern,
    classes: Vec<Class>,
}

impl<'a> Edits<'a> {
    pub(super) fn new(pattern: &'a Pattern) -> Self {
        let mut by_places: BTreeMap<Vec<bool>, DigitSet> = BTreeMap::new();
        for digit in 0..BASE {
            let allowed = pattern.places().iter().map(|digits| digits.contains(digit)).collect();
            by_places.entry(allowed).or_default().insert(digit);
        }
        let class = |digits: DigitSet| Some(Class { digits, digit: digits.values().next()? });
        Self { pattern, classes: by_places.into_values().filter_map(class).collect() }
    }

    pub(super) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Where all texts begin.
    pub(super) fn start(&self) -> Vec<Position> {
        let start = Position {
            read: 0,
            typos: 0,
            missing: false,
            surplus: false,
            swapped: false,
            within_swap: false,
        };
        self.closed(vec![start])
    }

    /// Where a digit leads from any of these positions, sorted.
    pub(super) fn step(&self, positions: &[Position], digit: usize) -> Vec<Position> {
        let places = self.pattern.places();
        let damage = self.pattern.damage();
        let mut next = Vec::new();
        for &position in positions {
            let read = usize::from(position.read);
            // The typos there are if the digit stands for the character `at` of the damaged text.
            let typos = |at: usize| match places.get(at) {
                Some(digits) if digits.contains(digit) => Some(position.typos),
                Some(_) if position.typos < damage.typos => Some(position.typos + 1),
                _ => None,
            };
            if damage.missing && !position.missing {
                next.push(Position { missing: true, ..position });
            }
            if let Some(typos) = typos(read) {
                let step = if position.within_swap { 2 } else { 1 };
                next.push(Position { read: position.read + step, typos, within_swap: false, ..position });
            }
            let may_swap = damage.swapped && !position.swapped;
            if let Some(typos) = typos(read + 1).filter(|_| may_swap) {
                next.push(Position { typos, swapped: true, within_swap: true, ..position });
            }
        }
        self.closed(next)
    }

    /// Whether a text may end at one of these positions.
    pub(super) fn accepts(&self, positions: &[Position]) -> bool {
        let length = self.pattern.places().len();
        positions.iter().any(|position| usize::from(position.read) == length && !position.within_swap)
    }

    /// The positions and those that skipping a surplus character leads to, sorted, each once.
    fn closed(&self, mut positions: Vec<Position>) -> Vec<Position> {
        if self.pattern.damage().surplus {
            let skips = |position: &Position| {
                let is_there = usize::from(position.read) < self.pattern.places().len();
                (is_there && !position.surplus && !position.within_swap).then_some(Position {
                    read: position.read + 1,
                    surplus: true,
                    ..*position
                })
            };
            let skipped: Vec<Position> = positions.iter().filter_map(skips).collect();
            positions.extend(skipped);
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}
