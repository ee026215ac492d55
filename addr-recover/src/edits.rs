//! The one edit automaton, for texts in any alphabet: what a damaged text may have been before some
//! characters were replaced, lost, added or swapped, in any order.
//!
//! [`Edits`] is the nondeterministic automaton: how much of the text was read, and which edits that
//! took. [`Layers`] is the deterministic one, in which each text is one path. Base58 has too many
//! texts to list, so a [DFA](crate::dfa) makes numbers of the paths. In alphabets with fewer
//! symbols, [`texts`] lists them with a symbol for whatever is unknown.

pub(crate) mod blocks;
mod layers;

use std::ops::RangeInclusive;

use zeroize::{Zeroize, Zeroizing};

use crate::alphabet::{ALL, Alphabet, Digits, characters};
use crate::damage::Damage;
use blocks::Order;
pub(crate) use layers::{Layers, StateId};

/// Symbols of an alphabet, one bit each.
pub(crate) type Symbols = u128;

/// The kinds of edits that are counted. Two other kinds of damage are none of them: the case of a
/// letter is in the symbols that its place stands for, and a doubled character is a surplus one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    Typo,
    /// A character replaced by a look-alike, if their number is limited.
    Confused,
    Missing,
    Surplus,
    /// Two neighbours, of which either may have been swapped before.
    Swapped,
    /// A symbol before the first character or after the last that was cut off.
    Cut,
}

const EDITS: usize = Edit::Cut as usize + 1;

/// The number of characters by which one may be read too early, which have a bit each.
const MAX_REACH: usize = 8;

/// A position in the damaged text after some symbols of the true one, and the edits that led there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The place of the first character of the text that has not been read.
    read: u16,
    /// How many there are of each [`Edit`].
    edits: [u8; EDITS],
    /// Which characters after that one have been read or left out, because of swaps: a bit each.
    ahead: u8,
}

impl Position {
    fn count(self, edit: Edit) -> u8 {
        self.edits[edit as usize]
    }

    /// Whether the character so far ahead has not been read.
    fn is_unread(self, ahead: usize) -> bool {
        ahead == 0 || self.ahead >> (ahead - 1) & 1 == 0
    }

    /// The position after the next character, which is read or left out.
    fn after_next(self) -> Self {
        let read = self.ahead.trailing_ones();
        let ahead = self.ahead.checked_shr(read + 1).unwrap_or(0);
        Self { read: self.read + 1 + read as u16, ahead, ..self }
    }

    /// The position after a character ahead was read or left out.
    fn after_ahead(self, ahead: usize) -> Self {
        Self { ahead: self.ahead | 1 << (ahead - 1), ..self }
    }
}

/// A character of the text, or its end, in one of the orders in which its characters may be read.
#[derive(Debug, Default)]
struct Place {
    /// The symbols that it stands for, and those that look like it, whose number is limited.
    symbols: [Symbols; 2],
    /// The number of characters before it.
    before: usize,
    /// The number of characters from here on.
    unread: usize,
    /// How many characters ahead there are hidden ones.
    gap: Option<usize>,
}

impl Place {
    /// Whether it stands for a symbol, and whether it looks like it.
    fn allows(&self, symbol: usize) -> [bool; 2] {
        self.symbols.map(|symbols| symbols >> symbol & 1 == 1)
    }
}

/// The positions of a text, and the transitions between them. What it spells is wiped when it is
/// dropped: it may be a key.
#[derive(Debug)]
pub(crate) struct Edits {
    /// The characters and the end of each order.
    places: Vec<Place>,
    /// The minimum and the maximum number of each kind of edit.
    min: [u8; EDITS],
    max: [u8; EDITS],
    /// What a symbol may be that is missing or that was replaced.
    other: Symbols,
    /// How far beyond the next character a symbol may be read.
    reach: usize,
}

impl Drop for Edits {
    fn drop(&mut self) {
        self.places.iter_mut().for_each(|place| place.symbols.zeroize());
    }
}

impl Edits {
    /// What a text allows, with these digits for each character. The symbols are values of digits
    /// in an alphabet.
    pub(crate) fn of(
        damage: &Damage,
        text: &[[Digits; 2]],
        gap: Option<usize>,
        alphabet: Alphabet,
    ) -> Self {
        let mut orders: Vec<Order> = vec![(0..text.len()).map(Some).collect()];
        if damage.blocks && text.len() <= MAX_IN_BLOCKS {
            orders.extend(blocks::swapped(text.len(), 0));
            orders.extend(blocks::once(text));
        }
        let values = |digits: Digits| {
            let values = characters(digits).filter_map(|digit| alphabet.value(digit));
            values.fold(0, |all, value| all | 1 << value)
        };
        let symbols = |at: usize| text[at].map(values);
        let &Damage { typos, missing, surplus, swapped, cut, .. } = damage;
        let confused = damage.look_alikes.max.unwrap_or(0);
        let counts = [
            (Edit::Typo, 0..=typos),
            (Edit::Confused, 0..=confused),
            (Edit::Missing, 0..=missing),
            (Edit::Surplus, 0..=surplus),
            (Edit::Swapped, 0..=swapped),
            (Edit::Cut, 0..=cut),
        ];
        Self::new(&orders, symbols, gap, &counts, values(ALL))
    }

    /// The automaton of a text that is read in some orders.
    fn new(
        orders: &[Order],
        symbols: impl Fn(usize) -> [Symbols; 2],
        gap: Option<usize>,
        counts: &[(Edit, RangeInclusive<u8>)],
        other: Symbols,
    ) -> Self {
        // A list that grows would leave copies behind.
        let mut places = Vec::with_capacity(orders.iter().map(|order| order.len() + 1).sum());
        for order in orders {
            places.extend(order.iter().enumerate().map(|(at, &character)| Place {
                symbols: character.map_or([other, 0], &symbols),
                before: at,
                unread: order.len() - at,
                gap: gap.and_then(|gap| order[at..].iter().position(|&it| it == Some(gap))),
            }));
            places.push(Place { before: order.len(), ..Place::default() });
        }
        let (mut min, mut max) = ([0; EDITS], [0; EDITS]);
        for (edit, count) in counts {
            (min[*edit as usize], max[*edit as usize]) = (*count.start(), *count.end());
        }
        let [surplus, swapped] =
            [Edit::Surplus, Edit::Swapped].map(|edit| usize::from(max[edit as usize]));
        let reach = if swapped == 0 { 0 } else { (swapped + surplus).min(MAX_REACH) };
        Self { places, min, max, other, reach }
    }

    /// Sets of symbols that lead to the same positions from some others, and to some at all.
    fn classes(&self, positions: &[Position]) -> Vec<Symbols> {
        let ahead = |&position: &Position| {
            let read = usize::from(position.read);
            read..read + self.place(position).unread.min(self.reach + 1)
        };
        let mut relevant: Vec<usize> = positions.iter().flat_map(ahead).collect();
        relevant.sort_unstable();
        relevant.dedup();
        let mut masks = Zeroizing::new(Vec::with_capacity(2 * relevant.len() + 1));
        masks.push(self.other);
        masks.extend(relevant.iter().flat_map(|&at| self.places[at].symbols));
        let all = masks.iter().fold(0, |all, mask| all | mask);
        let mut classes: Vec<Symbols> = Vec::with_capacity(all.count_ones() as usize);
        classes.push(all);
        for mask in &*masks {
            for at in 0..classes.len() {
                let (inside, outside) = (classes[at] & mask, classes[at] & !mask);
                if inside != 0 && outside != 0 {
                    classes[at] = inside;
                    classes.push(outside);
                }
            }
        }
        classes
    }

    /// The positions before the first of some symbols.
    fn start(&self, symbols: usize) -> Vec<Position> {
        let begins = self.places.iter().zip(0..).filter(|(place, _)| place.before == 0);
        let start = begins.map(|(_, read)| Position { read, ..Position::default() });
        self.closed(start.collect(), symbols)
    }

    /// The positions that a symbol leads to from any of these, sorted. `left` symbols follow it.
    fn step(&self, positions: &[Position], symbol: usize, left: usize) -> Vec<Position> {
        let is_other = self.other >> symbol & 1 == 1;
        let mut next = Vec::new();
        for &position in positions {
            let place = self.place(position);
            // The gap may hide more symbols.
            if place.gap == Some(0) && position.ahead == 0 {
                next.push(position);
            }
            if is_other {
                next.extend(self.with(position, Edit::Missing, 1));
                next.extend(self.cut(position));
            }
            let ahead = 0..place.unread.min(self.reach + 1);
            for ahead in ahead.filter(|&ahead| position.is_unread(ahead)) {
                let at = usize::from(position.read) + ahead;
                let [is_same, is_alike] = self.places[at].allows(symbol);
                let readings = [
                    is_same.then_some(position),
                    self.with(position, Edit::Confused, 1).filter(|_| is_alike),
                    self.with(position, Edit::Typo, 1).filter(|_| is_other && !is_same),
                ];
                for reading in readings.into_iter().flatten() {
                    self.extend(&mut next, reading, ahead);
                }
            }
        }
        self.closed(next, left)
    }

    /// Adds the positions after the character so far ahead. Those before it that have not been read
    /// are swapped with it, or were surplus.
    fn extend(&self, next: &mut Vec<Position>, position: Position, ahead: usize) {
        if ahead == 0 {
            return next.push(position.after_next());
        }
        let after = position.after_ahead(ahead);
        let between: Vec<usize> = (1..ahead).filter(|&it| position.is_unread(it)).collect();
        // One bit for each that is surplus. If the next one is, it is left out before.
        for surplus in 0..1_u32 << between.len() {
            let count = surplus.count_ones() as u8;
            let with = self.with(after, Edit::Swapped, 1 + between.len() as u8 - count);
            let with = with.and_then(|with| self.with(with, Edit::Surplus, count));
            let left_out = between.iter().enumerate().filter(|&(bit, _)| surplus >> bit & 1 == 1);
            next.extend(
                with.map(|with| left_out.fold(with, |with, (_, &ahead)| with.after_ahead(ahead))),
            );
        }
    }

    fn is_at_end(&self, position: Position) -> bool {
        let is_enough = position.edits.iter().zip(self.min).all(|(&count, min)| count >= min);
        self.place(position).unread == 0 && is_enough
    }

    fn place(&self, position: Position) -> &Place {
        &self.places[usize::from(position.read)]
    }

    /// The position with more edits, unless they are more than allowed.
    fn with(&self, mut position: Position, edit: Edit, more: u8) -> Option<Position> {
        let count = position.count(edit).checked_add(more)?;
        position.edits[edit as usize] = count;
        (count <= self.max[edit as usize]).then_some(position)
    }

    /// How many more edits there may be.
    fn more(&self, position: Position, edit: Edit) -> usize {
        usize::from(self.max[edit as usize] - position.count(edit))
    }

    /// The position after a symbol that was cut off. One that is further from the end was swapped
    /// with each character between, unless that one is surplus.
    fn cut(&self, position: Position) -> Option<Position> {
        let place = self.place(position);
        let ahead = position.ahead.count_ones() as usize;
        let surplus = usize::from(position.count(Edit::Surplus));
        let before = (place.before + ahead).saturating_sub(surplus);
        let after = (place.unread - ahead).saturating_sub(self.more(position, Edit::Surplus));
        let after = if place.unread == ahead { 0 } else { after.max(1) };
        let swaps = u8::try_from(before.min(after)).ok()?;
        self.with(position, Edit::Swapped, swaps).and_then(|it| self.with(it, Edit::Cut, 1))
    }

    /// Whether as many symbols as are left can account for the rest of the text.
    fn fits(&self, position: Position, left: usize) -> bool {
        let more = |edit: Edit| self.more(position, edit);
        let place = self.place(position);
        let unread = place.unread - position.ahead.count_ones() as usize;
        unread <= left + more(Edit::Surplus)
            && (place.gap.is_some() || left <= unread + more(Edit::Missing) + more(Edit::Cut))
    }

    /// Whether a position is at the same place as `other`, with no more edits, and with as many of
    /// those that are needed.
    fn dominates(&self, position: Position, other: Position) -> bool {
        let counts = position.edits.iter().zip(other.edits).zip(self.min);
        (position.read, position.ahead) == (other.read, other.ahead)
            && counts.into_iter().all(|((&own, other), min)| own <= other && own >= min.min(other))
    }

    /// Adds the positions after leaving out surplus characters, sorts them, and removes dominated
    /// ones and those that do not fit the number of symbols left.
    fn closed(&self, mut positions: Vec<Position>, left: usize) -> Vec<Position> {
        let mut at = 0;
        while let Some(&position) = positions.get(at) {
            // Within a swap, it would have been left out before.
            let exists = self.place(position).unread > 0 && position.ahead == 0;
            let surplus = self.with(position, Edit::Surplus, 1).filter(|_| exists);
            positions.extend(surplus.map(Position::after_next));
            at += 1;
        }
        positions.retain(|&position| self.fits(position, left));
        positions.sort_unstable();
        // Positions at the same place are neighbours, those with fewer edits first.
        let mut kept = 0;
        for at in 0..positions.len() {
            let position = positions[at];
            let near = positions[..kept].iter().rev();
            let mut near = near.take_while(|earlier| earlier.read == position.read);
            if !near.any(|&earlier| self.dominates(earlier, position)) {
                positions[kept] = position;
                kept += 1;
            }
        }
        positions.truncate(kept);
        positions
    }
}

/// Longer texts, such as extended keys, are not written in blocks.
const MAX_IN_BLOCKS: usize = 64;

/// The texts of some lengths that edits make of one, each once, in ascending order of each length.
/// `unknown` stands for what is missing or wrong. `None` if there are more than `max`.
pub(crate) fn texts<S: Copy + Ord + Zeroize>(
    text: &[S],
    unknown: S,
    counts: &[(Edit, RangeInclusive<u8>)],
    lengths: &[usize],
    max: usize,
) -> Option<Vec<Vec<S>>> {
    // Wiped, and it does not grow: it may be of a key.
    let mut symbols = Zeroizing::new(Vec::with_capacity(text.len() + 1));
    symbols.push(unknown);
    symbols.extend_from_slice(text);
    symbols.sort_unstable();
    symbols.dedup();
    if symbols.len() > Symbols::BITS as usize {
        return None;
    }
    let bit = |symbol: S| 1 << symbols.partition_point(|it| *it < symbol);
    let order = (0..text.len()).map(Some).collect();
    let edits = Edits::new(&[order], |at| [bit(text[at]), 0], None, counts, bit(unknown));
    let mut lengths = lengths.to_vec();
    lengths.dedup();
    let layers = lengths.into_iter().map(|length| Layers::new(&edits, length));
    let layers: Vec<Layers> = layers.collect::<Option<_>>()?;
    let count = layers.iter().map(Layers::count).fold(0, usize::saturating_add);
    if count > max {
        return None;
    }
    let mut texts = Vec::with_capacity(count);
    layers.iter().for_each(|it| it.append_texts(&symbols, &mut texts));
    Some(texts)
}

#[cfg(test)]
mod tests;
