//! Represents an address as one number: version and payload (the *prefix*), then the 32 bits of the
//! checksum.

use std::sync::LazyLock;

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

/// The number of digits in Base58.
const BASE: usize = 58;

static WEIGHTS: LazyLock<[Number; MAX_LENGTH + 1]> = LazyLock::new(|| {
    let mut weights = [Number::ONE; MAX_LENGTH + 1];
    for place in 1..weights.len() {
        weights[place] = weights[place - 1] * Number::new(BASE as u128);
    }
    weights
});

/// The value of a digit 1 in a place, counted from 0 at the right.
pub(crate) fn weight(place: usize) -> Number {
    WEIGHTS[place]
}

/// 68 KB, of which the search reads one row after another.
static PRODUCTS: LazyLock<[[Number; BASE]; MAX_LENGTH + 1]> = LazyLock::new(|| {
    std::array::from_fn(|place| {
        std::array::from_fn(|digit| Number::new(digit as u128) * weight(place))
    })
});

/// The value of a digit in a place, counted from 0 at the right. A search looks up most of them
/// many times.
#[inline]
pub(crate) fn product(digit: usize, place: usize) -> Number {
    PRODUCTS[place][digit]
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

/// The prefix of a number.
pub(crate) fn prefix(number: Number) -> Number {
    number >> CHECKSUM_BITS
}

/// The smallest number with the prefix of this one.
#[inline]
pub(crate) fn first_with_prefix(number: Number) -> Number {
    // A mask takes fewer instructions than a shift to the prefix and back.
    number & PREFIX_BITS
}

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
