//! Every legal prefix, once, in numeric order.

use crate::damaged::DamagedAddress;
use crate::interval::Interval;
use crate::number::{CHECKSUM_BITS, Number};
use crate::tail::{TAIL_PLACES, Tail};

/// Letters whose sums are added from a table instead of walked: 1,024 sums of 32 bytes fill a first-level cache.
const TABLE_LETTERS: usize = 10;

/// Letters chosen within one unit of work: some 65,000 prefixes, a few milliseconds, are soon cancelled and still cost much
/// more than handing out a unit.
const UNIT_LETTERS: usize = 16;

/// A walk over the choices of all ambiguous letters before the tail.
///
/// Such a choice leaves the numbers from `low` (the tail all least digits) to `low + span`, and two choices are so far apart
/// that they never share a prefix.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    legal: Interval,
    least: Number,
    /// What the greater digit of each letter adds, the most significant first.
    gaps: Vec<Number>,
    /// What all letters from a level on, tail included, can add; one more entry than `gaps`.
    spans: Vec<Number>,
    /// All sums of the last gaps, ascending.
    table: Vec<Number>,
    table_level: usize,
    unit_level: usize,
}

impl Walk {
    /// `None` when no number has the right count of leading zero bytes.
    pub(crate) fn new(damaged: &DamagedAddress, tail: &Tail) -> Option<Self> {
        let legal = Interval::of_leading_ones(damaged.leading_ones())?;
        let gaps: Vec<Number> =
            damaged.gaps().filter(|&(place, _)| place >= TAIL_PLACES).map(|(_, gap)| gap).collect();
        let mut spans = vec![Number::from(tail.span())];
        for &gap in gaps.iter().rev() {
            spans.push(spans[spans.len() - 1] + gap);
        }
        spans.reverse();
        let table_level = gaps.len().saturating_sub(TABLE_LETTERS);
        Some(Self {
            legal,
            least: damaged.least(),
            table: sums(&gaps[table_level..]),
            table_level,
            unit_level: gaps.len().saturating_sub(UNIT_LETTERS),
            gaps,
            spans,
        })
    }

    /// The number of parts that the walk can be cut into: one for each choice of the leading letters.
    pub(crate) fn units(&self) -> u32 {
        1 << self.unit_level
    }

    /// Visits the prefixes of one unit.
    ///
    /// `visit` gets a prefix and what is to be added to its checksum to have what the tail must add.
    pub(crate) fn unit(&self, unit: u32, visit: &mut impl FnMut(Number, i64)) {
        let leading = self.gaps[..self.unit_level].iter().rev().enumerate();
        let low =
            leading.filter(|(bit, _)| unit >> bit & 1 == 1).fold(self.least, |low, (_, &gap)| low + gap);
        self.node(self.unit_level, low, visit);
    }

    fn node(&self, level: usize, low: Number, visit: &mut impl FnMut(Number, i64)) {
        let high = low + self.spans[level];
        if !self.legal.meets(low, high) {
            return;
        }
        if level == self.table_level && self.legal.covers(low, high) {
            for &sum in &self.table {
                self.leaf(low + sum, visit);
            }
        } else if level == self.gaps.len() {
            self.leaf(low, &mut |prefix: Number, shift| {
                let least = prefix << CHECKSUM_BITS;
                if self.legal.meets(least, least + Number::from(u32::MAX)) {
                    visit(prefix, shift);
                }
            });
        } else {
            self.node(level + 1, low, visit);
            self.node(level + 1, low + self.gaps[level], visit);
        }
    }

    /// The prefixes that remain when all letters before the tail are chosen: one, or two when the tail can carry.
    #[inline]
    fn leaf(&self, low: Number, visit: &mut impl FnMut(Number, i64)) {
        let prefix = low >> CHECKSUM_BITS;
        let low = low.as_u32();
        visit(prefix, -i64::from(low));
        let tail_span = self.spans[self.gaps.len()].as_u32();
        if low.checked_add(tail_span).is_none() {
            visit(prefix + 1, (1 << CHECKSUM_BITS) - i64::from(low));
        }
    }
}

/// All sums of some of the gaps, in ascending order.
fn sums(gaps: &[Number]) -> Vec<Number> {
    let mut sums = vec![Number::ZERO];
    for &gap in gaps.iter().rev() {
        // The next gap exceeds all sums so far.
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        for sum in &mut sums[half..] {
            *sum += gap;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(text: &str) -> Vec<Number> {
        let damaged = DamagedAddress::parse(text).unwrap();
        let walk = Walk::new(&damaged, &Tail::new(&damaged)).unwrap();
        let mut prefixes = Vec::new();
        for unit in 0..walk.units() {
            walk.unit(unit, &mut |prefix, _| prefixes.push(prefix));
        }
        prefixes
    }

    #[test]
    fn every_prefix_comes_once_and_in_order() {
        // 17 letters before the tail: two units, tables in both.
        for text in
            ["1abcdefghjk1111111111mnpqrstu1zzzz", "1nzzzzzzzzz1111111111zzzzzzz19zzzz", "12abcdef3ghj"]
        {
            let text = format!("{text:1<34}");
            let prefixes = prefixes(&text);
            assert!(prefixes.is_sorted_by(|a, b| a < b), "{text}");
            assert!(!prefixes.is_empty(), "{text}");
        }
    }

    #[test]
    fn without_letters_there_is_one_prefix() {
        assert_eq!(prefixes("1211111111111111111111111111111111").len(), 1);
    }

    #[test]
    fn impossible_counts_of_leading_ones_have_no_walk() {
        for text in ["2111111111111111111111111111", "1111111111111111111111111111111111"] {
            let damaged = DamagedAddress::parse(text).unwrap();
            assert!(Walk::new(&damaged, &Tail::new(&damaged)).is_none());
        }
    }

    #[test]
    fn sums_ascend() {
        let gaps = [Number::new(100), Number::new(10), Number::new(1)];
        assert_eq!(sums(&gaps), [0u32, 1, 10, 11, 100, 101, 110, 111].map(Number::from));
        assert_eq!(sums(&[]), [Number::ZERO]);
    }
}
