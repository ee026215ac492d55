//! The 58 digits of Base58, and sets of them.

use zeroize::Zeroizing;

use crate::key;

/// The number of digits.
pub(crate) const BASE: usize = 58;

/// The order of the digits. Both alphabets have the same ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alphabet {
    #[default]
    Bitcoin,
    Ripple,
}

impl Alphabet {
    fn digits(self) -> &'static [u8; BASE] {
        match self {
            Self::Bitcoin => b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
            Self::Ripple => b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
        }
    }

    /// The value of a digit. Case matters.
    pub(crate) fn value(self, character: char) -> Option<u8> {
        let position = self.digits().iter().position(|&digit| char::from(digit) == character)?;
        u8::try_from(position).ok()
    }

    /// The text of some bytes.
    pub(crate) fn encode(self, bytes: &[u8]) -> Zeroizing<String> {
        Zeroizing::new(bs58::encode(bytes).with_alphabet(self.of_bs58()).into_string())
    }

    /// The bytes of a text in Base58Check, without their checksum; `None` if it is not correct.
    pub(crate) fn decode(self, text: &str) -> Option<Zeroizing<Vec<u8>>> {
        // Longer texts would take long.
        let text = Some(text).filter(|text| text.len() <= key::MAX_LENGTH)?;
        let mut message = Zeroizing::new(Vec::new());
        let decoder = bs58::decode(text).with_alphabet(self.of_bs58()).with_check(None);
        decoder.onto(&mut *message).ok()?;
        Some(message)
    }

    fn of_bs58(self) -> &'static bs58::Alphabet {
        match self {
            Self::Bitcoin => bs58::Alphabet::BITCOIN,
            Self::Ripple => bs58::Alphabet::RIPPLE,
        }
    }

    /// The digit with this value.
    pub(crate) fn character(self, value: usize) -> char {
        char::from(self.digits()[value])
    }
}

/// The digits allowed in one place of an address: bit `v` is the digit with value `v` in Bitcoin's
/// alphabet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DigitSet(u64);

impl DigitSet {
    pub(crate) const EMPTY: Self = Self(0);
    pub(crate) const ALL: Self = Self((1 << BASE) - 1);

    /// The digit that a character is. Case matters.
    pub(crate) fn exactly(character: char) -> Self {
        Alphabet::Bitcoin.value(character).map_or(Self::EMPTY, |value| Self(1 << value))
    }

    /// The digits, at most two, that equal a character except for its case.
    ///
    /// Only ASCII case is ignored. Some other letters have an ASCII lower case (the Kelvin sign),
    /// but they do not occur in addresses.
    pub(crate) fn in_either_case(character: char) -> Self {
        Self::exactly(character.to_ascii_uppercase())
            | Self::exactly(character.to_ascii_lowercase())
    }

    pub(crate) fn contains(self, value: usize) -> bool {
        self.0 >> value & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The digits that are not in `other`.
    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The characters of the digits, in Bitcoin's order.
    pub(crate) fn characters(self) -> impl Iterator<Item = char> {
        let values = (0..BASE).filter(move |&value| self.contains(value));
        values.map(|value| Alphabet::Bitcoin.character(value))
    }

    /// The values of the digits in an alphabet.
    pub(crate) fn values(self, alphabet: Alphabet) -> impl Iterator<Item = usize> {
        self.characters().filter_map(move |digit| alphabet.value(digit)).map(usize::from)
    }
}

impl zeroize::DefaultIsZeroes for DigitSet {}

impl std::ops::BitOr for DigitSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for DigitSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_58_digits_in_each_alphabet() {
        assert_eq!(DigitSet::ALL.len(), 58);
        for alphabet in [Alphabet::Bitcoin, Alphabet::Ripple] {
            for value in 0..58 {
                let digit = alphabet.character(value.into());
                assert_eq!(*alphabet.encode(&[value]), digit.to_string());
                assert_eq!(alphabet.value(digit), Some(value));
            }
            let mut values: Vec<usize> = DigitSet::ALL.values(alphabet).collect();
            values.sort_unstable();
            assert!(values.into_iter().eq(0..58));
        }
    }
}
