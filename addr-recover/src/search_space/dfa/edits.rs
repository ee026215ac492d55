//! A nondeterministic automaton over a damaged text: how much was read, and which edits that took.

use crate::pattern::Pattern;
use crate::pattern::alphabet::{Alphabet, BASE};

/// A position in the damaged text after some digits of the true one, and the edits that led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// The number of characters of the text that are accounted for.
    read: u8,
    typos: u8,
    /// Edits that happen at most once.
    missing: bool,
    surplus: bool,
    swapped: bool,
    /// Within a swap, the second of the two characters has been read, and the first, at `read`, has
    /// not. This is the distance between them: 1, or 2 if a surplus character is in between; 0
    /// outside a swap.
    within_swap: u8,
}

impl Position {
    /// Whether it is at the same place as `other`, with no more edits.
    fn dominates(self, other: Self) -> bool {
        (self.read, self.within_swap) == (other.read, other.within_swap)
            && self.typos <= other.typos
            && self.missing <= other.missing
            && self.surplus <= other.surplus
            && self.swapped <= other.swapped
    }
}

/// Places of the damaged text, one bit each: at most 112, those of an extended key with one
/// character more.
pub(super) type Places = u128;

/// The positions of a pattern, and the transitions between them.
#[derive(Debug)]
pub(super) struct Edits<'a> {
    pattern: &'a Pattern,
    /// The places that allow each digit.
    allowing: [Places; BASE],
    /// How far beyond the next character a digit may be read.
    reach: usize,
}

impl<'a> Edits<'a> {
    pub(super) fn new(pattern: &'a Pattern, alphabet: Alphabet) -> Self {
        let mut allowing = [0; BASE];
        for (at, digits) in pattern.places().iter().enumerate() {
            digits.values(alphabet).for_each(|digit| allowing[digit] |= 1 << at);
        }
        let damage = pattern.damage();
        let reach = match (damage.swapped, damage.surplus) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        Self { pattern, allowing, reach }
    }

    /// The places that allow a digit, among those that determine where it leads from these
    /// positions. Digits with the same places lead to the same positions.
    pub(super) fn allowing(&self, positions: &[Position], digit: usize) -> Places {
        let ahead: Places = (2 << self.reach) - 1;
        let relevant = positions.iter().fold(0, |places, position| places | ahead << position.read);
        self.allowing[digit] & relevant
    }

    /// The positions before the first digit.
    pub(super) fn start(&self) -> Vec<Position> {
        let start = Position {
            read: 0,
            typos: 0,
            missing: false,
            surplus: false,
            swapped: false,
            within_swap: 0,
        };
        self.closed(vec![start])
    }

    /// The positions that a digit leads to from any of these, sorted.
    pub(super) fn step(&self, positions: &[Position], digit: usize) -> Vec<Position> {
        let length = self.pattern.places().len();
        let damage = self.pattern.damage();
        let mut next = Vec::new();
        for &position in positions {
            let read = usize::from(position.read);
            // The number of typos if the digit became the character `at` of the damaged text.
            let typos = |at: usize| match self.allowing[digit] >> at & 1 {
                1 => Some(position.typos),
                _ if at < length && position.typos < damage.typos => Some(position.typos + 1),
                _ => None,
            };
            // The gap may hide more digits.
            if self.pattern.gap() == Some(read) && position.within_swap == 0 {
                next.push(position);
            }
            if damage.missing && !position.missing {
                next.push(Position { missing: true, ..position });
            }
            if let Some(typos) = typos(read) {
                let step = 1 + position.within_swap;
                next.push(Position {
                    read: position.read + step,
                    typos,
                    within_swap: 0,
                    ..position
                });
            }
            if position.swapped {
                continue;
            }
            for apart in 1..=self.reach {
                let surplus = apart == 2;
                let Some(typos) = typos(read + apart).filter(|_| !(surplus && position.surplus))
                else {
                    continue;
                };
                next.push(Position {
                    typos,
                    swapped: true,
                    surplus: position.surplus || surplus,
                    within_swap: apart as u8,
                    ..position
                });
            }
        }
        self.closed(next)
    }

    /// Whether a text may end at one of these positions.
    pub(super) fn accepts(&self, positions: &[Position]) -> bool {
        let length = self.pattern.places().len();
        positions
            .iter()
            .any(|position| usize::from(position.read) == length && position.within_swap == 0)
    }

    /// Adds the positions after skipping a surplus character, sorts them, and removes dominated
    /// ones.
    fn closed(&self, mut positions: Vec<Position>) -> Vec<Position> {
        if self.pattern.damage().surplus {
            let skips = |position: &Position| {
                let exists = usize::from(position.read) < self.pattern.places().len();
                (exists && !position.surplus && position.within_swap == 0).then_some(Position {
                    read: position.read + 1,
                    surplus: true,
                    ..*position
                })
            };
            let skipped: Vec<Position> = positions.iter().filter_map(skips).collect();
            positions.extend(skipped);
        }
        positions.sort_unstable();
        // Positions with fewer edits come first.
        let mut kept: Vec<Position> = Vec::with_capacity(positions.len());
        for position in positions {
            if !kept.iter().any(|earlier| earlier.dominates(position)) {
                kept.push(position);
            }
        }
        kept
    }
}
