//! A nondeterministic automaton over a damaged text: how much was read, and which edits that took.

use crate::alphabet::{Alphabet, Digits, characters};
use crate::pattern::Pattern;
use crate::pattern::damage::{BLOCK, Damage};

/// A position in the damaged text after some digits of the true one, and the edits that led there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// The place of the next character of the text.
    read: u16,
    /// How many there are of each [`Edit`].
    edits: [u8; EDITS],
    /// Within a swap, the second of the two characters has been read, and the first, at `read`, has
    /// not. This is the distance between them: 1, or 2 if a surplus character is in between; 0
    /// outside a swap.
    within_swap: u8,
}

impl Place {
    /// Whether it stands for a digit, and whether it looks like it.
    fn allows(&self, digit: usize) -> [bool; 2] {
        self.digits.map(|digits| digits >> digit & 1 == 1)
    }
}

/// The kinds of edits that are counted.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Typo,
    /// A character replaced by a look-alike, if their number is limited.
    Confused,
    Missing,
    Surplus,
    Swapped,
    /// A digit before the first character or after the last that was cut off.
    Cut,
}

const EDITS: usize = Edit::Cut as usize + 1;

impl Position {
    /// Whether it is at the same place as `other`, with no more edits.
    fn dominates(self, other: Self) -> bool {
        (self.read, self.within_swap) == (other.read, other.within_swap)
            && self.edits.iter().zip(other.edits).all(|(&count, other)| count <= other)
    }
}

/// A character of the text, or its end, in one of the orders in which its characters may be read.
#[derive(Debug, Default)]
struct Place {
    /// The digits that it stands for, and those that look like it, whose number is limited: one bit
    /// for each value.
    digits: [u64; 2],
    is_first: bool,
    /// The number of characters from here on.
    unread: usize,
    /// How many characters ahead there are hidden ones.
    gap: Option<usize>,
}

/// The positions of a pattern, and the transitions between them.
#[derive(Debug)]
pub(super) struct Edits {
    /// The characters and the end of each order.
    places: Vec<Place>,
    /// The maximum number of each kind of edit.
    max: [u8; EDITS],
    /// How far beyond the next character a digit may be read.
    reach: usize,
}

impl Edits {
    pub(super) fn new(pattern: &Pattern, alphabet: Alphabet) -> Self {
        let (damage, text) = (&pattern.damage, &pattern.places);
        let orders = if damage.blocks {
            orders_of_blocks(&text.digits)
        } else {
            vec![(0..pattern.length()).collect()]
        };
        let values = |digits: Digits| {
            let values = characters(digits).filter_map(|digit| alphabet.value(digit));
            values.fold(0, |all, value| all | 1 << value)
        };
        let mut places = Vec::new();
        for order in &orders {
            places.extend(order.iter().enumerate().map(|(at, &character)| Place {
                digits: text.digits[character].map(values),
                is_first: at == 0,
                unread: order.len() - at,
                gap: order[at..].iter().position(|&character| text.gap == Some(character)),
            }));
            places.push(Place::default());
        }
        let reach = match (damage.swapped, damage.surplus) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => 2,
        };
        let &Damage { typos, missing, surplus, swapped, cut, .. } = damage;
        let confused = damage.look_alikes.max.unwrap_or(0);
        Self { places, max: [typos, confused, missing, surplus, swapped, cut], reach }
    }

    /// The places that determine where a digit leads from some positions.
    pub(super) fn relevant(&self, positions: &[Position]) -> Vec<usize> {
        let ahead = |&position: &Position| {
            let read = usize::from(position.read);
            read..read + self.place(position).unread.min(self.reach + 1)
        };
        let mut relevant: Vec<usize> = positions.iter().flat_map(ahead).collect();
        relevant.sort_unstable();
        relevant.dedup();
        relevant
    }

    /// The relevant places that allow a digit, and whether each does as a look-alike. Digits with
    /// the same places lead to the same positions.
    pub(super) fn allowing(&self, relevant: &[usize], digit: usize) -> Vec<(usize, [bool; 2])> {
        let allowing = relevant.iter().map(|&at| (at, self.places[at].allows(digit)));
        allowing.filter(|(_, allows)| *allows != [false; 2]).collect()
    }

    /// The positions before the first of some digits.
    pub(super) fn start(&self, digits: usize) -> Vec<Position> {
        let begins = self.places.iter().zip(0..).filter(|(place, _)| place.is_first);
        let start = begins.map(|(_, read)| Position { read, ..Position::default() });
        self.closed(start.collect(), digits)
    }

    /// The positions that a digit leads to from any of these, sorted. `left` digits follow it.
    pub(super) fn step(&self, positions: &[Position], digit: usize, left: usize) -> Vec<Position> {
        let mut next = Vec::new();
        for &position in positions {
            let place = self.place(position);
            // The position with the edits by which the digit became the character so far ahead.
            let readings = |ahead: usize| {
                if ahead >= place.unread {
                    return [None; 3].into_iter().flatten();
                }
                let [is_same, is_alike] =
                    self.places[usize::from(position.read) + ahead].allows(digit);
                let confused = self.with(position, Edit::Confused);
                let mistyped = self.with(position, Edit::Typo);
                let readings = [
                    is_same.then_some(position),
                    confused.filter(|_| is_alike),
                    mistyped.filter(|_| !is_same),
                ];
                readings.into_iter().flatten()
            };
            // The gap may hide more digits.
            if place.gap == Some(0) && position.within_swap == 0 {
                next.push(position);
            }
            next.extend(self.with(position, Edit::Missing));
            next.extend(self.with(position, Edit::Cut).filter(|_| self.may_be_cut(position)));
            next.extend(readings(0).map(|reading| Position {
                read: position.read + 1 + u16::from(position.within_swap),
                within_swap: 0,
                ..reading
            }));
            // One swap ends before the next begins.
            let reach = if position.within_swap > 0 { 0 } else { self.reach };
            for apart in 1..=reach {
                let begun = readings(apart).filter_map(|reading| {
                    let swapped = self.with(reading, Edit::Swapped);
                    if apart == 2 { self.with(swapped?, Edit::Surplus) } else { swapped }
                });
                let within_swap = apart as u8;
                next.extend(begun.map(|begun| Position { within_swap, ..begun }));
            }
        }
        self.closed(next, left)
    }

    /// Whether a text may end at one of these positions.
    pub(super) fn accepts(&self, positions: &[Position]) -> bool {
        positions.iter().any(|&position| self.is_at_end(position))
    }

    fn is_at_end(&self, position: Position) -> bool {
        self.place(position).unread == 0 && position.within_swap == 0
    }

    fn place(&self, position: Position) -> &Place {
        &self.places[usize::from(position.read)]
    }

    /// The position with one more edit, unless there are as many as allowed.
    fn with(&self, mut position: Position, edit: Edit) -> Option<Position> {
        position.edits[edit as usize] += 1;
        (position.edits[edit as usize] <= self.max[edit as usize]).then_some(position)
    }

    /// Whether a digit may have been cut off here: before everything, or after it.
    fn may_be_cut(&self, position: Position) -> bool {
        self.place(position).is_first && position.within_swap == 0 || self.is_at_end(position)
    }

    /// Whether as many digits as are left can account for the rest of the text.
    fn fits(&self, position: Position, left: usize) -> bool {
        let more =
            |edit: Edit| usize::from(self.max[edit as usize] - position.edits[edit as usize]);
        let place = self.place(position);
        let unread = place.unread.saturating_sub(position.within_swap.into());
        unread <= left + more(Edit::Surplus)
            && (place.gap.is_some() || left <= unread + more(Edit::Missing) + more(Edit::Cut))
    }

    /// Adds the positions after skipping surplus characters, sorts them, and removes dominated ones
    /// and those that do not fit the number of digits left.
    fn closed(&self, mut positions: Vec<Position>, left: usize) -> Vec<Position> {
        let mut at = 0;
        while let Some(&position) = positions.get(at) {
            let exists = self.place(position).unread > 0;
            let surplus = self.with(position, Edit::Surplus);
            let surplus = surplus.filter(|_| exists && position.within_swap == 0);
            positions.extend(surplus.map(|it| Position { read: position.read + 1, ..it }));
            at += 1;
        }
        positions.retain(|&position| self.fits(position, left));
        positions.sort_unstable();
        // Positions at the same place are neighbours, those with fewer edits first.
        let mut kept: Vec<Position> = Vec::with_capacity(positions.len());
        for position in positions {
            let mut near = kept.iter().rev().take_while(|earlier| earlier.read == position.read);
            if !near.any(|earlier| earlier.dominates(position)) {
                kept.push(position);
            }
        }
        kept
    }
}

/// Longer texts, such as extended keys, are not written in blocks.
const MAX_IN_BLOCKS: usize = 64;

/// The orders in which the characters of a text that was copied in blocks may be read: as written,
/// with two blocks swapped, or without a block that repeats the one before. The last block may be
/// shorter.
fn orders_of_blocks(text: &[[Digits; 2]]) -> Vec<Vec<usize>> {
    let places: Vec<usize> = (0..text.len()).collect();
    if text.len() > MAX_IN_BLOCKS {
        return vec![places];
    }
    let blocks: Vec<&[usize]> = places.chunks(BLOCK).collect();
    let mut orders = vec![places.clone()];
    for later in 1..blocks.len() {
        for earlier in 0..later {
            let mut swapped = blocks.clone();
            swapped.swap(earlier, later);
            orders.push(swapped.concat());
        }
        let spelled = |block: usize| blocks[block].iter().map(|&place| text[place]);
        if spelled(later).eq(spelled(later - 1)) {
            let mut once = blocks.clone();
            once.remove(later);
            orders.push(once.concat());
        }
    }
    orders
}
