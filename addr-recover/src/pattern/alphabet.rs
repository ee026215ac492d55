//! The 58 digits of Base58, and sets of them.

const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The number of digits.
pub(crate) const BASE: usize = DIGITS.len();

/// The value of a digit. Case matters.
pub(crate) fn value(character: char) -> Option<u8> {
    let position = DIGITS.iter().position(|&digit| char::from(digit) == character)?;
    u8::try_from(position).ok()
}

/// The digit with this value.
pub(crate) fn character(value: usize) -> char {
    char::from(DIGITS[value])
}

/// The digits allowed in one place of an address: bit `v` is the digit with value `v`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DigitSet(u64);

impl DigitSet {
    pub(crate) const EMPTY: Self = Self(0);
    pub(crate) const ALL: Self = Self((1 << BASE) - 1);

    /// The digit that a character is. Case matters.
    pub(crate) fn exactly(character: char) -> Self {
        value(character).map_or(Self::EMPTY, |value| Self(1 << value))
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

    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The values of the digits, ascending.
    pub(crate) fn values(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..BASE).filter(move |&value| self.contains(value))
    }
}

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

    fn spelled(set: DigitSet) -> String {
        set.values().map(character).collect()
    }

    #[test]
    fn most_letters_have_two_spellings_in_either_case() {
        for letter in "abcdefghjkmnpqrstuvwxyz".chars() {
            let both = format!("{}{letter}", letter.to_ascii_uppercase());
            assert_eq!(spelled(DigitSet::in_either_case(letter)), both);
            assert_eq!(spelled(DigitSet::in_either_case(letter.to_ascii_uppercase())), both);
            assert_eq!(spelled(DigitSet::exactly(letter)), letter.to_string());
        }
    }

    #[test]
    fn numerals_and_letters_without_another_case_have_one_spelling() {
        for (given, meant) in
            [('i', "i"), ('I', "i"), ('o', "o"), ('O', "o"), ('l', "L"), ('L', "L")]
        {
            assert_eq!(spelled(DigitSet::in_either_case(given)), meant);
        }
        for digit in '1'..='9' {
            assert_eq!(spelled(DigitSet::in_either_case(digit)), digit.to_string());
        }
    }

    #[test]
    fn other_characters_have_none() {
        for other in ['0', ' ', '\n', '-', '@', '[', '`', '{', '\0', 'é', '\u{212a}', '１', 'а']
        {
            assert!(DigitSet::in_either_case(other).is_empty(), "{other:?}");
        }
        for other in ['0', 'I', 'O', 'l'] {
            assert!(DigitSet::exactly(other).is_empty(), "{other:?}");
        }
    }

    #[test]
    fn there_are_58_digits() {
        assert_eq!(DigitSet::ALL.len(), 58);
        assert!(DigitSet::ALL.values().eq(0..58));
        assert_eq!(DigitSet::ALL.values().map(character).filter_map(value).count(), 58);
    }
}
