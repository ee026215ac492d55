//! The last letters, which follow from the checksum.

use crate::damaged::DamagedAddress;

/// Places that cannot change the prefix except by one carry.
///
/// All that the letters of five places can add is at most 25 x (58^5 - 1) / 57, about 2^28.1 and so less than the 2^32 of
/// the checksum; the sixth place alone adds at least 24 x 58^5, more than three times 2^32.
pub(crate) const TAIL_PLACES: usize = 5;

/// The ambiguous places of the tail.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    /// What the greater digit adds, the most significant place first; 0 where there is no choice.
    gaps: [u32; TAIL_PLACES],
}

impl Tail {
    pub(crate) fn new(damaged: &DamagedAddress) -> Self {
        let mut gaps = [0; TAIL_PLACES];
        for (place, gap) in damaged.gaps().filter(|&(place, _)| place < TAIL_PLACES) {
            gaps[TAIL_PLACES - 1 - place] = gap.as_u32();
        }
        Self { gaps }
    }

    /// What the tail adds when every ambiguous letter of it has its greater digit.
    pub(crate) fn span(&self) -> u32 {
        self.gaps.iter().sum()
    }

    /// Whether some choice of the letters adds exactly this.
    ///
    /// A gap exceeds the sum of all smaller ones, so a place must take its greater digit when the rest allows it. The
    /// smaller of `rest` and the wrapped difference is that choice without a branch.
    #[inline]
    pub(crate) fn can_add(&self, amount: i64) -> bool {
        let Ok(mut rest) = u32::try_from(amount) else { return false };
        for gap in self.gaps {
            rest = rest.min(rest.wrapping_sub(gap));
        }
        rest == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(last_five: &str) -> Tail {
        Tail::new(&DamagedAddress::parse(&format!("1{last_five:a>32}")).unwrap())
    }

    #[test]
    fn exactly_the_sums_of_choices_can_be_added() {
        for last_five in ["abcde", "a1c1e", "zzzzz", "1zzz1", "aaaa1", "1aaaa", "l1oi9", "11111", "1111n"] {
            let tail = tail(last_five);
            let mut sums = vec![0i64];
            for gap in tail.gaps.into_iter().filter(|&gap| gap != 0) {
                sums.extend(sums.clone().into_iter().map(|sum| sum + i64::from(gap)));
            }
            assert_eq!(sums.len(), 1 << last_five.chars().filter(|c| !"l1oi9".contains(*c)).count());
            for sum in sums.clone() {
                for amount in [sum - 1, sum, sum + 1, sum + (1 << 32), sum - (1 << 32)] {
                    assert_eq!(tail.can_add(amount), sums.contains(&amount), "{last_five} {amount}");
                }
            }
            assert_eq!(i64::from(tail.span()), *sums.last().unwrap());
        }
    }

    #[test]
    fn a_tail_without_letters_adds_nothing() {
        let tail = tail("12345");
        assert_eq!(tail.span(), 0);
        assert!(tail.can_add(0));
        assert!(!tail.can_add(1) && !tail.can_add(-1) && !tail.can_add(1 << 32));
    }

    #[test]
    fn the_tail_is_as_long_as_it_can_be() {
        let span = tail("jjjjj").span();
        assert_eq!(u64::from(span), 25 * (58u64.pow(5) - 1) / 57);
        assert!(24 * 58u64.pow(5) > 3 * (1 << 32) + u64::from(span));
    }
}
