//! Represents a text as one number: what its checksum covers (the *prefix*), then the 32 bits of
//! the checksum.

use std::fmt::Debug;
use std::ops::{Add, Sub};

use zeroize::{Zeroize, Zeroizing};

use crate::alphabet::{Alphabet, BASE, MAX_TEXT};

/// Wide enough for any Base58 string of [`MAX_LENGTH`] digits (below 2^211).
pub(crate) type Number = Limbs<4>;

/// Wide enough for 2^32 times the number of texts as long as an extended key.
pub(crate) type Wide = Limbs<11>;

/// The minimum number of characters in an address.
pub(crate) const MIN_LENGTH: usize = 26;

/// The maximum number of characters in an address: 26 bytes, the first of which is not zero.
pub(crate) const MAX_LENGTH: usize = 36;

/// The number of checksums, and so of numbers that share a prefix.
pub(crate) const CHECKSUMS: u64 = 1 << 32;

/// The number of places in the *tail*, whose digits follow from the checksum.
///
/// They cannot change the prefix, except by one carry: 58^5 is less than 2^32.
pub(crate) const TAIL_PLACES: usize = 5;

/// An integer that is wide enough for all texts of a format, and for 2^32 times their number.
pub trait Natural:
    Copy + Ord + Debug + From<u64> + Add<Output = Self> + Sub<Output = Self> + Zeroize + Send + Sync
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

    /// The text: some of the digit that is zero, then the digits of the number.
    fn text(self, zeros: usize, alphabet: Alphabet) -> Zeroizing<String>;
}

/// A number of some limbs of 64 bits, the most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limbs<const COUNT: usize>([u64; COUNT]);

impl<const COUNT: usize> Limbs<COUNT> {
    pub(crate) const ZERO: Self = Self([0; COUNT]);

    const WEIGHTS: [Self; MAX_TEXT + 1] = {
        let mut weights = [Self::ZERO; MAX_TEXT + 1];
        weights[0].0[COUNT - 1] = 1;
        let mut place = 1;
        while place < weights.len() {
            weights[place] = weights[place - 1].multiplied(BASE as u64);
            place += 1;
        }
        weights
    };

    /// All but the lowest 128 bits.
    #[inline]
    pub(crate) fn high(&self) -> &[u64] {
        &self.0[..COUNT - 2]
    }

    /// The number of these big-endian bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut number = Self::ZERO;
        for (at, &byte) in bytes.iter().rev().enumerate() {
            number.0[COUNT - 1 - at / 8] |= u64::from(byte) << (8 * (at % 8));
        }
        number
    }

    /// The smallest and the greatest number of `bytes` bytes, the first of which are `prefix`.
    pub(crate) fn with_prefix(prefix: &[u8], bytes: usize) -> (Self, Self) {
        let filled = |byte| {
            let mut all = prefix.to_vec();
            all.resize(bytes, byte);
            Self::of_bytes(&all)
        };
        (filled(0), filled(0xff))
    }

    /// The smallest and the greatest of these numbers that are written as some `1`s, one for each
    /// leading zero byte, and then some digits, the first of which is not zero.
    pub(crate) fn written(
        prefix: &[u8],
        bytes: usize,
        leading_ones: usize,
        digits: usize,
    ) -> Option<(Self, Self)> {
        // Leading zeros cannot reach into the checksum: that of zeros does not begin with zero.
        let significant = bytes.checked_sub(leading_ones).filter(|&left| left >= 4)?;
        let beyond = |bytes| Self::with_prefix(&[1], bytes + 1).0;
        let min = beyond(significant - 1).max(Self::product(1, digits.checked_sub(1)?));
        let max = beyond(significant).min(Self::product(1, digits)) - 1.into();
        let (first, last) = Self::with_prefix(prefix, bytes);
        Some((first.max(min), last.min(max))).filter(|(first, last)| first <= last)
    }

    /// The byte that is followed by `after` bytes.
    pub(crate) fn byte(&self, after: usize) -> u8 {
        (self.0[COUNT - 1 - after / 8] >> (8 * (after % 8))) as u8
    }

    /// The 32 bits that are followed by `after` times 32 bits.
    #[inline]
    pub(crate) fn word(&self, after: usize) -> u32 {
        (self.0[COUNT - 1 - after / 2] >> (32 * (after % 2))) as u32
    }

    /// Appends the bytes that are followed by the four of the checksum, the most significant first.
    pub(crate) fn append_message(&self, length: usize, messages: &mut Vec<u8>) {
        messages.extend((4..4 + length).rev().map(|after| self.byte(after)));
    }

    /// The number times `part` / 2^64, rounded down.
    pub(crate) fn fraction(self, part: u64) -> Self {
        let mut limbs = self.times(part).0;
        limbs.rotate_right(1);
        limbs[0] = 0;
        Self(limbs)
    }

    #[inline]
    const fn multiplied(mut self, by: u64) -> Self {
        let (mut carry, mut at) = (0, COUNT);
        while at > 0 {
            at -= 1;
            let product = self.0[at] as u128 * by as u128 + carry;
            self.0[at] = product as u64;
            carry = product >> 64;
        }
        self
    }

    #[inline]
    fn sum(mut self, other: [u64; COUNT], mut carry: u128) -> Self {
        for at in (0..COUNT).rev() {
            let sum = u128::from(self.0[at]) + u128::from(other[at]) + carry;
            self.0[at] = sum as u64;
            carry = sum >> 64;
        }
        self
    }
}

impl<const COUNT: usize> Natural for Limbs<COUNT> {
    #[inline]
    fn product(digit: usize, place: usize) -> Self {
        let weights = const { &Self::WEIGHTS };
        weights[place].multiplied(digit as u64)
    }

    fn times(self, by: u64) -> Self {
        self.multiplied(by)
    }

    #[inline]
    fn low(self) -> u64 {
        self.0[COUNT - 1]
    }

    #[inline]
    fn first_with_prefix(mut self) -> Self {
        self.0[COUNT - 1] &= !(CHECKSUMS - 1);
        self
    }

    fn rounded(self) -> f64 {
        self.0.iter().fold(0.0, |sum, &limb| sum * 2_f64.powi(64) + limb as f64)
    }

    fn text(self, zeros: usize, alphabet: Alphabet) -> Zeroizing<String> {
        let bytes = Zeroizing::new(self.0.map(u64::to_be_bytes));
        let bytes = bytes.as_flattened();
        let zero_bytes = bytes.iter().take_while(|&&byte| byte == 0).count();
        // Each leading zero byte is written as a digit.
        alphabet.encode(&bytes[zero_bytes - zeros..])
    }
}

impl<const COUNT: usize> Add for Limbs<COUNT> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.sum(other.0, 0)
    }
}

impl<const COUNT: usize> Sub for Limbs<COUNT> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.sum(other.0.map(|limb| !limb), 1)
    }
}

impl<const COUNT: usize> From<u64> for Limbs<COUNT> {
    #[inline]
    fn from(low: u64) -> Self {
        let mut number = Self::ZERO;
        number.0[COUNT - 1] = low;
        number
    }
}

impl<const COUNT: usize> Zeroize for Limbs<COUNT> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_digits_add_up() {
        for length in [1_usize, 8, 9, 37, 38, 43, 82] {
            let bytes: Vec<u8> =
                (0..length as u8).map(|i| i.wrapping_mul(89).wrapping_add(3)).collect();
            let number = Wide::of_bytes(&bytes);
            let text = number.text(0, Alphabet::Bitcoin);
            assert_eq!(*number.text(3, Alphabet::Bitcoin), format!("111{}", *text));
            let product = |(digit, place)| {
                Wide::product(Alphabet::Bitcoin.value(digit).unwrap().into(), place)
            };
            let sum = text.chars().rev().zip(0..).map(product).reduce(Add::add);
            assert_eq!(sum, Some(number), "{length}");
            let mut again = Vec::new();
            if let Some(message_bytes) = length.checked_sub(4) {
                number.append_message(message_bytes, &mut again);
                assert_eq!(again, bytes[..message_bytes]);
            }
        }
    }

    /// ethnum is another implementation.
    #[test]
    fn sums_carry() {
        use ethnum::U256;

        let (all, one) = (U256::MAX, U256::ONE);
        let ours = |number: U256| Number::of_bytes(&number.to_be_bytes());
        for (a, b) in [(all >> 1_u32, one), (all >> 64_u32, all >> 65_u32), (one << 200_u32, one)] {
            let (sum, rest) = (ours(a) + ours(b), ours(a) - ours(b));
            assert_eq!((sum, rest), (ours(a + b), ours(a - b)));
            assert!(sum > rest && sum.rounded() == (a + b).as_f64());
            assert_eq!(ours(b).times(u64::MAX), ours(b.wrapping_mul(U256::from(u64::MAX))));
        }
        let wide = |bytes: &[u8]| Wide::of_bytes(bytes);
        assert_eq!(wide(&[0xff; 32]) + 1.into(), wide(&[&[1][..], &[0; 32]].concat()));
    }

    #[test]
    fn no_address_is_longer() {
        let greatest = Number::of_bytes(&[0xff; 26]);
        assert!(Number::product(1, MAX_LENGTH - 1) < greatest);
        assert!(Number::product(1, MAX_LENGTH) > greatest);
        let weight = |place| Number::product(1, place);
        assert!(weight(TAIL_PLACES) < CHECKSUMS.into() && weight(6) > CHECKSUMS.into());
    }
}
