//! What is known of a set of numbers without listing them.

use crate::number::{CHECKSUMS, Number};

/// A set of numbers, none of them named but the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberSet {
    /// How many numbers there are.
    pub(crate) count: Number,
    /// How many numbers lie less than 2^32 above one of them, itself included.
    ///
    /// The 2^32nd part of it is how many prefixes they have: exactly that on average over all ways
    /// to shift the set, and for one of a million numbers within about a hundredth of a
    /// percent.
    pub(crate) reach: Number,
    pub(crate) first: Number,
    pub(crate) last: Number,
    /// Whether two of them with different heads (what stands before the tail) may have the same
    /// prefix.
    pub(crate) dense: bool,
}

impl NumberSet {
    /// The set that has only 0.
    pub(crate) const ZERO: Self = Self {
        count: Number::ONE,
        reach: CHECKSUMS,
        first: Number::ZERO,
        last: Number::ZERO,
        dense: false,
    };

    /// Each number greater by that much.
    pub(crate) fn shifted(self, by: Number) -> Self {
        Self { first: self.first + by, last: self.last + by, ..self }
    }

    /// This set and another, all of whose numbers are greater.
    pub(crate) fn followed_by(self, later: Self, in_tail: bool) -> Self {
        let gap = later.first - self.last;
        // From here to there both sets reach every number, whatever stands before and behind.
        let reached_twice = CHECKSUMS.saturating_sub(gap);
        Self {
            count: self.count + later.count,
            reach: self.reach + later.reach - reached_twice,
            first: self.first,
            last: later.last,
            dense: self.dense || later.dense || (!in_tail && reached_twice > 0),
        }
    }

    /// About how many prefixes the numbers have.
    pub(crate) fn prefixes(self) -> f64 {
        self.reach.as_f64() / CHECKSUMS.as_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(number: u64) -> NumberSet {
        NumberSet::ZERO.shifted(Number::from(number))
    }

    #[test]
    fn reach_is_the_union_of_what_each_number_reaches() {
        let far = one(5).followed_by(one(5 + (1 << 32)), false);
        assert_eq!((far.reach, far.dense), (Number::from(2_u64 << 32), false));
        let near = one(5).followed_by(one(12), false);
        assert_eq!((near.reach, near.dense), (Number::from((1_u64 << 32) + 7), true));
        assert!(!one(5).followed_by(one(12), true).dense);
        let three = near.followed_by(one(1 << 32), false);
        assert_eq!(three.reach, Number::from((2_u64 << 32) - 5));
        assert_eq!(
            (three.count, three.first, three.last),
            (Number::new(3), Number::new(5), CHECKSUMS)
        );
    }
}
