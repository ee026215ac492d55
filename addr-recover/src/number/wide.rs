//! Numbers wider than 256 bits: the bytes of a key and its checksum.

use std::cmp::Ordering;
use std::ops::{Add, Sub};
use std::sync::LazyLock;

use zeroize::{Zeroize, Zeroizing};

use super::Natural;
use crate::key::MAX_LENGTH;
use crate::pattern::alphabet::BASE;

/// Limbs of 64 bits: enough for 2^32 times the number of texts as long as an extended key.
const LIMBS: usize = 11;

static WEIGHTS: LazyLock<[Wide; MAX_LENGTH + 1]> = LazyLock::new(|| {
    let mut weights = [Wide::from(1); MAX_LENGTH + 1];
    for place in 1..weights.len() {
        weights[place] = weights[place - 1].times(BASE as u64);
    }
    weights
});

/// A number below 2^704.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The least significant first.
    limbs: [u64; LIMBS],
}

impl Wide {
    /// The number of these big-endian bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut limbs = [0; LIMBS];
        for (at, &byte) in bytes.iter().rev().enumerate() {
            limbs[at / 8] |= u64::from(byte) << (8 * (at % 8));
        }
        Self { limbs }
    }

    fn sum(mut self, limbs: &[u64; LIMBS], mut carry: u128) -> Self {
        for (limb, &more) in self.limbs.iter_mut().zip(limbs) {
            let sum = u128::from(*limb) + u128::from(more) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
        self
    }

    /// The number times `part` / 2^64, rounded down.
    pub(crate) fn fraction(self, part: u64) -> Self {
        let mut limbs = self.times(part).limbs;
        limbs.rotate_left(1);
        limbs[LIMBS - 1] = 0;
        Self { limbs }
    }

    /// The byte that is followed by `after` bytes.
    pub(crate) fn byte(&self, after: usize) -> u8 {
        (self.limbs[after / 8] >> (8 * (after % 8))) as u8
    }

    /// Appends the bytes that are followed by the four of the checksum, the most significant first.
    pub(crate) fn append_message(&self, length: usize, messages: &mut Vec<u8>) {
        messages.extend((4..4 + length).rev().map(|after| self.byte(after)));
    }
}

impl Natural for Wide {
    fn product(digit: usize, place: usize) -> Self {
        WEIGHTS[place].times(digit as u64)
    }

    fn times(mut self, by: u64) -> Self {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u128::from(*limb) * u128::from(by) + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
        self
    }

    fn low(self) -> u64 {
        self.limbs[0]
    }

    fn first_with_prefix(mut self) -> Self {
        self.limbs[0] &= !u64::from(u32::MAX);
        self
    }

    fn rounded(self) -> f64 {
        self.limbs.iter().rev().fold(0.0, |sum, &limb| sum * 2_f64.powi(64) + limb as f64)
    }

    fn digits(mut self) -> Zeroizing<Vec<u8>> {
        let mut digits = Zeroizing::new(Vec::with_capacity(MAX_LENGTH));
        while self != Self::from(0) {
            let mut rest = 0;
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

    fn wipe(&mut self) {
        self.zeroize();
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.sum(&other.limbs, 0)
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.sum(&other.limbs.map(|limb| !limb), 1)
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Wide {
    fn from(low: u64) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = low;
        Self { limbs }
    }
}

impl zeroize::DefaultIsZeroes for Wide {}

impl Default for Wide {
    fn default() -> Self {
        Self::from(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use crate::pattern::alphabet::Alphabet;

    /// bs58 is another implementation.
    #[test]
    fn digits_are_those_of_base58() {
        for length in [1_usize, 8, 9, 37, 38, 43, 82] {
            let bytes: Vec<u8> =
                (0..length as u8).map(|i| i.wrapping_mul(89).wrapping_add(3)).collect();
            let number = Wide::of_bytes(&bytes);
            let text = bs58::encode(&bytes).into_string();
            let digits = number.digits();
            let spelled = digits.iter().map(|&digit| Alphabet::Bitcoin.character(digit.into()));
            assert_eq!(spelled.collect::<String>(), text, "{length}");
            let places = digits.iter().rev().zip(0..);
            let sum = places.fold(Wide::from(0), |sum, (&digit, place)| {
                sum + Wide::product(digit.into(), place)
            });
            assert_eq!(sum, number);
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
        let (all, one) = (Number::MAX, Number::ONE);
        let wide = |number: Number| Wide::of_bytes(&number.to_be_bytes());
        for (a, b) in [(all >> 1_u32, one), (all >> 64_u32, all >> 65_u32), (one << 200_u32, one)] {
            let (sum, rest) = (wide(a) + wide(b), wide(a) - wide(b));
            assert_eq!((sum, rest), (wide(a + b), wide(a - b)));
            assert!(sum > rest && sum.rounded() == (a + b).as_f64());
        }
        let more = wide(all) + Wide::from(1);
        assert_eq!((more.low(), more.byte(32), more.byte(31)), (0, 1, 0));
    }
}
