//! Represents a text as one number: what its checksum covers (the *prefix*), then the 32 bits of the
//! checksum.

pub(crate) mod wide;

use std::fmt::Debug;
use std::ops::{Add, Sub};
use std::sync::LazyLock;

use zeroize::Zeroizing;

use crate::pattern::alphabet::BASE;

/// An integer that is wide enough for all texts of a format, and for 2^32 times their number.
pub trait Natural:
    Copy + Ord + Debug + From<u64> + Add<Output = Self> + Sub<Output = Self> + Send + Sync
{
    /// The value of a digit in a place, counted from 0 at the right.
    fn product(digit: usize, place: usize) -> Self;

    /// The number, multiplied.
    fn times(self, by: u64) -> Self;

    /// The lowest 64 bits.
    fn low(self) -> u64;

    /// The smallest number with the prefix of this one.
    fn first_with_prefix(self) -> Self;

    /// The number, rounded.
    fn rounded(self) -> f64;

    /// The digits in base 58, the most significant first.
    fn digits(self) -> Zeroizing<Vec<u8>>;

    /// Wipes the number if it may be that of a secret.
    fn wipe(&mut self);
}

/// Wide enough for any Base58 string of [`MAX_LENGTH`] digits (below 2^211).
pub(crate) type Number = ethnum::U256;

/// The maximum number of characters in an address: 26 bytes, the first of which is not zero.
pub(crate) const MAX_LENGTH: usize = 36;

pub(crate) const CHECKSUM_BITS: u32 = 32;

/// The number of checksums, and so of numbers that share a prefix.
pub(crate) const CHECKSUMS: Number = Number::new(1 << CHECKSUM_BITS);

/// The bits of a number that are its prefix.
const PREFIX_BITS: Number = Number::from_words(u128::MAX, u128::MAX << CHECKSUM_BITS);

/// The number of places in the *tail*, whose digits follow from the checksum.
///
/// They cannot change the prefix, except by one carry: 58^5 is less than 2^32.
pub(crate) const TAIL_PLACES: usize = 5;

/// The value of a digit 1 in a place, counted from 0 at the right.
pub(crate) fn weight(place: usize) -> Number {
    Number::product(1, place)
}

/// 68 KB, of which the search reads one row after another.
static PRODUCTS: LazyLock<[[Number; BASE]; MAX_LENGTH + 1]> = LazyLock::new(|| {
    std::array::from_fn(|place| {
        let weight = Number::new(BASE as u128).pow(place as u32);
        std::array::from_fn(|digit| Number::new(digit as u128) * weight)
    })
});

impl Natural for Number {
    // A search looks up most of them many times.
    #[inline]
    fn product(digit: usize, place: usize) -> Self {
        PRODUCTS[place][digit]
    }

    fn times(self, by: u64) -> Self {
        self * Self::from(by)
    }

    #[inline]
    fn low(self) -> u64 {
        self.as_u64()
    }

    #[inline]
    fn first_with_prefix(self) -> Self {
        // A mask takes fewer instructions than a shift to the prefix and back.
        self & PREFIX_BITS
    }

    fn rounded(self) -> f64 {
        self.as_f64()
    }

    fn digits(mut self) -> Zeroizing<Vec<u8>> {
        let mut digits = Zeroizing::new(Vec::with_capacity(MAX_LENGTH));
        while self > 0 {
            digits.push((self % Self::new(BASE as u128)).as_u8());
            self /= Self::new(BASE as u128);
        }
        digits.reverse();
        digits
    }

    fn wipe(&mut self) {}
}

/// [`weight`] for the places whose weights fit into 64 bits.
pub(crate) const SMALL_WEIGHTS: [u64; 11] = {
    let mut weights = [1; 11];
    let mut place = 1;
    while place < weights.len() {
        weights[place] = weights[place - 1] * 58;
        place += 1;
    }
    weights
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_powers_of_58() {
        assert_eq!(weight(0), Number::ONE);
        assert_eq!(weight(5), Number::new(656_356_768));
        assert_eq!(Number::from(SMALL_WEIGHTS[10]), weight(10));
        assert!(weight(TAIL_PLACES) < CHECKSUMS && weight(TAIL_PLACES + 1) > CHECKSUMS);
        assert!(weight(MAX_LENGTH) < Number::ONE << 211);
    }

    #[test]
    fn no_address_is_longer() {
        assert!(weight(MAX_LENGTH - 1) < Number::ONE << 208);
        assert!(weight(MAX_LENGTH) > Number::ONE << 208);
    }
}
