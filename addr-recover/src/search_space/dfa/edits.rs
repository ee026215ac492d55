//! A nondeterministic automaton over a damaged text: how much was read, and which edits that took.

use crate::pattern::Pattern;
use crate::pattern::alphabet::{Alphabet, BASE, DigitSet};

/// A position in the damaged text after some digits of the true one, and the edits that led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// The number of characters of the text that are accounted for.
    read: u8,
    typos: u8,
    /// The number of characters replaced by look-alikes, if it is limited.
    confused: u8,
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
            && self.confused <= other.confused
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
    /// The places of characters that each digit looks like, if their number is limited.
    looking_alike: [Places; BASE],
    max_confused: u8,
    /// How far beyond the next character a digit may be read.
    reach: usize,
}

impl<'a> Edits<'a> {
    pub(super) fn new(pattern: &'a Pattern, alphabet: Alphabet) -> Self {
        let places_of = |places: &[DigitSet]| {
            let mut places_of = [0; BASE];
            for (at, digits) in places.iter().enumerate() {
                digits.values(alphabet).for_each(|digit| places_of[digit] |= 1 << at);
            }
            places_of
        };
        let damage = pattern.damage();
        let reach = match (damage.swapped, damage.surplus) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        Self {
            pattern,
            allowing: places_of(pattern.places()),
            looking_alike: places_of(pattern.look_alikes()),
            max_confused: damage.look_alikes.max.unwrap_or(0),
            reach,
        }
    }

    /// The places that allow a digit, and those of its look-alikes, among those that determine
    /// where it leads from these positions. Digits with the same places lead to the same positions.
    pub(super) fn allowing(&self, positions: &[Position], digit: usize) -> [Places; 2] {
        let ahead: Places = (2 << self.reach) - 1;
        let relevant = positions.iter().fold(0, |places, position| places | ahead << position.read);
        [self.allowing[digit] & relevant, self.looking_alike[digit] & relevant]
    }

    /// The positions before the first digit.
    pub(super) fn start(&self) -> Vec<Position> {
        let start = Position {
            read: 0,
            typos: 0,
            confused: 0,
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
            // The position with the edits by which the digit became the character `at` of the
            // damaged text.
            let readings = |at: usize| {
                let has = |places: &[Places; BASE]| places[digit] >> at & 1 == 1;
                let is_same = has(&self.allowing);
                let is_alike = has(&self.looking_alike) && position.confused < self.max_confused;
                let is_typo = !is_same && at < length && position.typos < damage.typos;
                let confused = Position { confused: position.confused + 1, ..position };
                let mistyped = Position { typos: position.typos + 1, ..position };
                let readings = [(is_same, position), (is_alike, confused), (is_typo, mistyped)];
                readings.into_iter().filter_map(|(applies, position)| applies.then_some(position))
            };
            // The gap may hide more digits.
            if self.pattern.gap() == Some(read) && position.within_swap == 0 {
                next.push(position);
            }
            if damage.missing && !position.missing {
                next.push(Position { missing: true, ..position });
            }
            next.extend(readings(read).map(|reading| Position {
                read: position.read + 1 + position.within_swap,
                within_swap: 0,
                ..reading
            }));
            if position.swapped {
                continue;
            }
            for apart in 1..=self.reach {
                let surplus = apart == 2;
                if surplus && position.surplus {
                    continue;
                }
                next.extend(readings(read + apart).map(|reading| Position {
                    swapped: true,
                    surplus: position.surplus || surplus,
                    within_swap: apart as u8,
                    ..reading
                }));
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
