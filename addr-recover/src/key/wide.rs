//! Numbers wider than 256 bits: the bytes of a key and its checksum.

use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::MAX_LENGTH;
use crate::number::Number;
use crate::pattern::alphabet::BASE;

/// Limbs of 64 bits: enough for the 82 bytes of an extended key.
pub(crate) const LIMBS: usize = 11;

static WEIGHTS: LazyLock<[Wide; MAX_LENGTH]> = LazyLock::new(|| {
    let mut weights = [Wide::ZERO.plus(1); MAX_LENGTH];
    for place in 1..weights.len() {
        weights[place] = Wide::ZERO.plus_product(BASE as u64, &weights[place - 1], LIMBS);
    }
    weights
});

/// The value of a digit 1 in a place, counted from 0 at the right.
#[inline]
pub(crate) fn weight(place: usize) -> &'static Wide {
    &WEIGHTS[place]
}

/// A number below 2^704.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    /// The least significant first.
    limbs: [u64; LIMBS],
}

impl Wide {
    pub(crate) const ZERO: Self = Self { limbs: [0; LIMBS] };

    /// The number of these big-endian bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut number = Self::ZERO;
        for (at, &byte) in bytes.iter().rev().enumerate() {
            number.limbs[at / 8] |= u64::from(byte) << (8 * (at % 8));
        }
        number
    }

    /// The digits in base 58, the most significant first.
    pub(crate) fn digits(mut self) -> Zeroizing<Vec<u8>> {
        let mut digits = Zeroizing::new(Vec::with_capacity(MAX_LENGTH));
        while self != Self::ZERO {
            let mut rest = 0_u128;
            for limb in self.limbs.iter_mut().rev() {
                let number = rest << 64 | u128::from(*limb);
                *limb = (number / BASE as u128) as u64;
                rest = number % BASE as u128;
            }
            digits.push(rest as u8);
        }
        digits.reverse();
        digits
    }

    /// The number of limbs that `bytes` bytes take.
    pub(crate) fn limbs_of(bytes: usize) -> usize {
        bytes.div_ceil(8)
    }

    /// `self + by`.
    #[inline]
    pub(crate) fn plus(mut self, by: u64) -> Self {
        let mut carry = by;
        for limb in &mut self.limbs {
            let (sum, has_carry) = limb.overflowing_add(carry);
            *limb = sum;
            carry = u64::from(has_carry);
            if !has_carry {
                break;
            }
        }
        self
    }

    /// `self + by`.
    pub(crate) fn plus_number(self, by: Number) -> Self {
        let (high, low) = by.into_words();
        let words = [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64];
        let mut limbs = [0; LIMBS];
        limbs[..words.len()].copy_from_slice(&words);
        self.plus_product(1, &Self { limbs }, LIMBS)
    }

    /// `self + digit * weight`, for numbers of `limbs` limbs.
    #[inline]
    pub(crate) fn plus_product(mut self, digit: u64, weight: &Self, limbs: usize) -> Self {
        let mut carry = 0;
        for (limb, &weight) in self.limbs.iter_mut().zip(&weight.limbs).take(limbs) {
            let sum = u128::from(digit) * u128::from(weight) + u128::from(*limb) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
        self
    }

    /// The lowest 64 bits.
    #[inline]
    pub(crate) fn low(&self) -> u64 {
        self.limbs[0]
    }

    /// The number without its lowest 32 bits, which are the checksum.
    #[inline]
    pub(crate) fn without_checksum(mut self) -> Self {
        self.limbs[0] &= !u64::from(u32::MAX);
        self
    }

    /// The byte that is followed by `after` bytes.
    #[inline]
    pub(crate) fn byte(&self, after: usize) -> u8 {
        (self.limbs[after / 8] >> (8 * (after % 8))) as u8
    }

    /// Appends the bytes that are followed by the four of the checksum, the most significant first.
    #[inline]
    pub(crate) fn append_message(&self, length: usize, messages: &mut Vec<u8>) {
        messages.extend((4..4 + length).rev().map(|after| self.byte(after)));
    }
}

impl zeroize::DefaultIsZeroes for Wide {}

impl Default for Wide {
    fn default() -> Self {
        Self::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// bs58 is another implementation.
    #[test]
    fn digits_are_those_of_base58() {
        for length in [1, 8, 9, 37, 38, 43, 82] {
            let bytes: Vec<u8> =
                (0..length as u8).map(|i| i.wrapping_mul(89).wrapping_add(3)).collect();
            let number = Wide::of_bytes(&bytes);
            let text = bs58::encode(&bytes).into_string();
            let values = text.chars().map(|c| crate::pattern::alphabet::Alphabet::Bitcoin.value(c));
            let digits = number.digits();
            assert!(values.eq(digits.iter().map(|&digit| Some(digit))), "{length}");

            let places = digits.iter().rev().zip(0..);
            let sum = places.fold(Wide::ZERO, |sum, (&digit, place)| {
                sum.plus_product(digit.into(), weight(place), Wide::limbs_of(length))
            });
            assert_eq!(sum, number);
            let mut again = Vec::new();
            if let Some(message_bytes) = length.checked_sub(4) {
                number.append_message(message_bytes, &mut again);
                assert_eq!(again, bytes[..message_bytes]);
            }
        }
    }

    #[test]
    fn sums_carry_into_the_next_limb() {
        let number = Wide::of_bytes(&[0xff; 16]).plus(1);
        let mut bytes = vec![0; 17];
        bytes[0] = 1;
        assert_eq!(number, Wide::of_bytes(&bytes));
        assert_eq!((number.low(), number.byte(16), number.byte(15)), (0, 1, 0));
    }
}
