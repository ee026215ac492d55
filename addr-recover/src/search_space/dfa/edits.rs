//! A nondeterministic automaton over a damaged text: how much was read, and which edits that took.

use crate::pattern::Pattern;
use crate::pattern::alphabet::{Alphabet, BASE, DigitSet};
use crate::pattern::damage::{BLOCK, Damage};

/// A position in the damaged text after some digits of the true one, and the edits that led there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// The order in which the characters of the text are read.
    order: u8,
    /// The number of characters of the text that are accounted for.
    read: u8,
    /// How many there are of each [`Edit`].
    edits: [u8; EDITS],
    /// Within a swap, the second of the two characters has been read, and the first, at `read`, has
    /// not. This is the distance between them: 1, or 2 if a surplus character is in between; 0
    /// outside a swap.
    within_swap: u8,
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
        (self.order, self.read, self.within_swap) == (other.order, other.read, other.within_swap)
            && self.edits.iter().zip(other.edits).all(|(&count, other)| count <= other)
    }
}

/// Places of the damaged text, one bit each: at most 115, those of an extended key with some
/// characters more.
pub(super) type Places = u128;

/// An order in which the characters of the text may be read: as written, or by blocks.
#[derive(Debug)]
struct Order {
    /// The number of characters.
    length: usize,
    /// The places that allow each digit.
    allowing: [Places; BASE],
    /// The places of characters that each digit looks like, if their number is limited.
    looking_alike: [Places; BASE],
}

/// The positions of a pattern, and the transitions between them.
#[derive(Debug)]
pub(super) struct Edits<'a> {
    pattern: &'a Pattern,
    orders: Vec<Order>,
    /// The maximum number of each kind of edit.
    max: [u8; EDITS],
    /// How far beyond the next character a digit may be read.
    reach: usize,
}

impl<'a> Edits<'a> {
    /// The positions in texts of which the true one has `digits` digits.
    pub(super) fn new(pattern: &'a Pattern, digits: usize, alphabet: Alphabet) -> Self {
        let places_of = |places: &[DigitSet], order: &[usize]| {
            let mut places_of = [0; BASE];
            for (at, &place) in order.iter().enumerate() {
                places[place].values(alphabet).for_each(|digit| places_of[digit] |= 1 << at);
            }
            places_of
        };
        let damage = &pattern.damage;
        let reach = match (damage.swapped, damage.surplus) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => 2,
        };
        let orders = if damage.blocks {
            orders_of_blocks(&pattern.places.digits)
        } else {
            vec![(0..pattern.length()).collect()]
        };
        // Mostly, only those without a repeated block differ in length from the rest.
        let fits = |order: &&Vec<usize>| {
            order.len() <= digits + usize::from(damage.surplus)
                && (pattern.places.gap.is_some() || digits <= order.len() + damage.max_missing())
        };
        let orders = orders.iter().filter(fits).map(|order: &Vec<usize>| Order {
            length: order.len(),
            allowing: places_of(&pattern.places.digits, order),
            looking_alike: places_of(&pattern.places.look_alikes, order),
        });
        let &Damage { typos, missing, surplus, swapped, cut, .. } = damage;
        let confused = damage.look_alikes.max.unwrap_or(0);
        let max = [typos, confused, missing, surplus, swapped, cut];
        Self { pattern, orders: orders.collect(), max, reach }
    }

    /// The orders in which some positions are, and the places that determine where a digit leads
    /// from them. Most orders end after a few digits.
    pub(super) fn relevant(&self, positions: &[Position]) -> Vec<(usize, Places)> {
        let ahead: Places = (2 << self.reach) - 1;
        let mut relevant: Vec<(usize, Places)> = Vec::new();
        // Positions are sorted by their order.
        for position in positions {
            let (order, places) = (usize::from(position.order), ahead << position.read);
            match relevant.last_mut().filter(|(last, _)| *last == order) {
                Some((_, all)) => *all |= places,
                None => relevant.push((order, places)),
            }
        }
        relevant
    }

    /// The relevant places that allow a digit, and those of its look-alikes, of each order that has
    /// any. Digits with the same places lead to the same positions.
    pub(super) fn allowing(
        &self,
        relevant: &[(usize, Places)],
        digit: usize,
    ) -> Vec<(usize, [Places; 2])> {
        let allowing = relevant.iter().map(|&(order, relevant)| {
            let Order { allowing, looking_alike, .. } = &self.orders[order];
            (order, [allowing[digit] & relevant, looking_alike[digit] & relevant])
        });
        allowing.filter(|(_, places)| *places != [0, 0]).collect()
    }

    /// The positions before the first of some digits.
    pub(super) fn start(&self, digits: usize) -> Vec<Position> {
        let orders = 0..self.orders.len() as u8;
        let start = orders.map(|order| Position { order, ..Position::default() });
        self.closed(start.collect(), digits)
    }

    /// The positions that a digit leads to from any of these, sorted. `left` digits follow it.
    pub(super) fn step(&self, positions: &[Position], digit: usize, left: usize) -> Vec<Position> {
        let mut next = Vec::new();
        for &position in positions {
            let read = usize::from(position.read);
            let order = self.order(position);
            // The position with the edits by which the digit became the character `at` of the
            // damaged text.
            let readings = |at: usize| {
                let has = |places: &[Places; BASE]| places[digit] >> at & 1 == 1;
                let is_same = has(&order.allowing);
                let confused = self.with(position, Edit::Confused);
                let mistyped = self.with(position, Edit::Typo);
                let readings = [
                    is_same.then_some(position),
                    confused.filter(|_| has(&order.looking_alike)),
                    mistyped.filter(|_| !is_same && at < order.length),
                ];
                readings.into_iter().flatten()
            };
            // The gap may hide more digits.
            if self.pattern.places.gap == Some(read) && position.within_swap == 0 {
                next.push(position);
            }
            next.extend(self.with(position, Edit::Missing));
            next.extend(self.with(position, Edit::Cut).filter(|_| self.may_be_cut(position)));
            next.extend(readings(read).map(|reading| Position {
                read: position.read + 1 + position.within_swap,
                within_swap: 0,
                ..reading
            }));
            // One swap ends before the next begins.
            let reach = if position.within_swap > 0 { 0 } else { self.reach };
            for apart in 1..=reach {
                let begun = readings(read + apart).filter_map(|reading| {
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
        usize::from(position.read) == self.order(position).length && position.within_swap == 0
    }

    fn order(&self, position: Position) -> &Order {
        &self.orders[usize::from(position.order)]
    }

    /// The position with one more edit, unless there are as many as allowed.
    fn with(&self, mut position: Position, edit: Edit) -> Option<Position> {
        position.edits[edit as usize] += 1;
        (position.edits[edit as usize] <= self.max[edit as usize]).then_some(position)
    }

    /// Whether a digit may have been cut off here: before everything, or after it.
    fn may_be_cut(&self, position: Position) -> bool {
        (position.read, position.within_swap) == (0, 0) || self.is_at_end(position)
    }

    /// Whether as many digits as are left can account for the rest of the text.
    fn fits(&self, position: Position, left: usize) -> bool {
        let more =
            |edit: Edit| usize::from(self.max[edit as usize] - position.edits[edit as usize]);
        let read = usize::from(position.read);
        let length = self.order(position).length;
        let unread = length.saturating_sub(read + usize::from(position.within_swap));
        let may_hide_more = self.pattern.places.gap.is_some_and(|gap| read <= gap);
        unread <= left + more(Edit::Surplus)
            && (may_hide_more || left <= unread + more(Edit::Missing) + more(Edit::Cut))
    }

    /// Adds the positions after skipping surplus characters, sorts them, and removes dominated ones
    /// and those that do not fit the number of digits left.
    fn closed(&self, mut positions: Vec<Position>, left: usize) -> Vec<Position> {
        let mut at = 0;
        while let Some(&position) = positions.get(at) {
            let exists = usize::from(position.read) < self.order(position).length;
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
            let is_near = |earlier: &&Position| {
                (earlier.order, earlier.read) == (position.order, position.read)
            };
            let mut near = kept.iter().rev().take_while(is_near);
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
fn orders_of_blocks(text: &[DigitSet]) -> Vec<Vec<usize>> {
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
