//! An address as one number: the 21-byte prefix, then the 32 bits of the checksum.

/// Wide enough for any Base58 string of 34 digits (below 2^200) without wrapping.
pub(crate) type Number = ethnum::U256;

/// The version byte and the payload: what the checksum is taken of.
pub(crate) type Prefix = [u8; 21];

pub(crate) const CHECKSUM_BITS: u32 = 32;

/// What a digit with the value 1 is worth in a place, counted from 0 at the right.
pub(crate) fn weight(place: usize) -> Number {
    (0..place).fold(Number::ONE, |weight, _| weight * Number::new(58))
}

/// The prefix of a number as the bytes to hash.
#[inline]
pub(crate) fn to_bytes(prefix: Number) -> Prefix {
    let wide = prefix.to_be_bytes();
    let mut bytes = [0; 21];
    bytes.copy_from_slice(&wide[wide.len() - 21..]);
    bytes
}

/// The number that a prefix and a checksum make together.
pub(crate) fn join(prefix: &Prefix, checksum: u32) -> Number {
    let mut wide = [0; 32];
    wide[32 - 21..].copy_from_slice(prefix);
    (Number::from_be_bytes(wide) << CHECKSUM_BITS) | Number::from(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_comes_apart_and_together_again() {
        let prefix: Prefix = std::array::from_fn(|i| u8::try_from(i * 11).unwrap());
        let number = join(&prefix, 0xfedc_ba98);
        assert_eq!(number & Number::from(u32::MAX), Number::new(0xfedc_ba98));
        assert_eq!(to_bytes(number >> CHECKSUM_BITS), prefix);
    }

    #[test]
    fn weights_are_powers_of_58() {
        assert_eq!(weight(0), Number::ONE);
        assert_eq!(weight(5), Number::new(656_356_768));
        assert!(weight(34) < Number::ONE << 200);
    }
}
