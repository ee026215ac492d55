//! Which numbers are addresses of version 0, checksum aside.

use crate::number::Number;

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) first: Number,
    pub(crate) last: Number,
}

impl Interval {
    /// The numbers whose 25 bytes begin with exactly `leading_ones` zero bytes.
    ///
    /// The version byte is one of those, so without a leading one there is no such number. Nor is there with 25:
    /// the number would be 0, and the checksum of 21 zero bytes is not 0.
    pub(crate) fn of_leading_ones(leading_ones: usize) -> Option<Self> {
        if !(1..25).contains(&leading_ones) {
            return None;
        }
        let first = Number::ONE << (8 * (24 - leading_ones));
        Some(Self { first, last: (first << 8u32) - 1 })
    }

    /// Whether any number from `low` to `high` is in the interval.
    pub(crate) fn meets(&self, low: Number, high: Number) -> bool {
        low <= self.last && high >= self.first
    }

    /// Whether all numbers from `low` to `high` are in the interval.
    pub(crate) fn covers(&self, low: Number, high: Number) -> bool {
        low >= self.first && high <= self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_have_the_right_zero_bytes() {
        for ones in 1..25 {
            let Interval { first, last } = Interval::of_leading_ones(ones).unwrap();
            for end in [first, last] {
                let bytes = end.to_be_bytes();
                assert!(bytes[..32 - 25 + ones].iter().all(|&byte| byte == 0));
                assert_ne!(bytes[32 - 25 + ones], 0);
            }
            assert_eq!((last + 1).leading_zeros() + 8, first.leading_zeros());
        }
        assert_eq!(Interval::of_leading_ones(0), None);
        assert_eq!(Interval::of_leading_ones(25), None);
    }

    #[test]
    fn meeting_and_covering() {
        let interval = Interval { first: Number::new(10), last: Number::new(20) };
        let meets = |low, high| interval.meets(Number::new(low), Number::new(high));
        let covers = |low, high| interval.covers(Number::new(low), Number::new(high));
        assert!(meets(0, 10) && meets(20, 30) && meets(0, 30) && meets(12, 13));
        assert!(!meets(0, 9) && !meets(21, 30));
        assert!(covers(10, 20) && !covers(9, 20) && !covers(10, 21));
    }
}
