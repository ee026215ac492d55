//! The 58 digits of Base58, and which of them a character may stand for once its case is lost.

const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The value of a digit, in its own case.
pub(crate) fn value(character: char) -> Option<u8> {
    let position = DIGITS.iter().position(|&digit| char::from(digit) == character)?;
    u8::try_from(position).ok()
}

/// The one or two digits that differ from a character at most in case.
///
/// Capitals come first in the alphabet, so `least` is the capital of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    least: u8,
    greatest: u8,
}

impl Digits {
    /// `None` when no digit looks like this character in either case.
    ///
    /// Only the case of ASCII is ignored: other alphabets have letters whose lower case is an ASCII letter
    /// (the Kelvin sign), and no address was ever written with them.
    pub(crate) fn of(character: char) -> Option<Self> {
        let capital = value(character.to_ascii_uppercase());
        let small = value(character.to_ascii_lowercase());
        Some(Self { least: capital.or(small)?, greatest: small.or(capital)? })
    }

    pub(crate) fn least(self) -> u8 {
        self.least
    }

    /// What choosing the greater digit adds to the value of the place: 0 (no choice), 24 or 25.
    pub(crate) fn gap(self) -> u8 {
        self.greatest - self.least
    }

    pub(crate) fn is_ambiguous(self) -> bool {
        self.gap() != 0
    }

    pub(crate) fn least_character(self) -> char {
        char::from(DIGITS[usize::from(self.least)])
    }

    pub(crate) fn greatest_character(self) -> char {
        char::from(DIGITS[usize::from(self.greatest)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(character: char) -> Option<(char, char)> {
        Digits::of(character).map(|digits| (digits.least_character(), digits.greatest_character()))
    }

    #[test]
    fn most_letters_have_two_spellings_whatever_the_case_given() {
        for character in "abcdefghjkmnpqrstuvwxyz".chars() {
            let both = (character.to_ascii_uppercase(), character);
            assert_eq!(spellings(character), Some(both));
            assert_eq!(spellings(character.to_ascii_uppercase()), Some(both));
        }
    }

    #[test]
    fn digits_and_the_letters_whose_other_case_is_missing_have_one() {
        for (given, meant) in [('i', 'i'), ('I', 'i'), ('o', 'o'), ('O', 'o'), ('l', 'L'), ('L', 'L')] {
            assert_eq!(spellings(given), Some((meant, meant)));
        }
        for character in '1'..='9' {
            assert_eq!(spellings(character), Some((character, character)));
        }
    }

    #[test]
    fn everything_else_has_none() {
        for character in ['0', ' ', '\n', '-', '@', '[', '`', '{', '\0', 'é', '\u{212a}', '１', 'а'] {
            assert_eq!(spellings(character), None, "{character:?}");
        }
    }

    /// [`Tail`](crate::tail::Tail) and `DamagedAddress::spell` choose greedily, which is right only while
    /// each gap exceeds the sum of all gaps below it.
    #[test]
    fn gaps_are_super_increasing() {
        let gaps = ('a'..='z').filter_map(Digits::of).map(Digits::gap).filter(|&gap| gap != 0);
        let (least, greatest) = (gaps.clone().min().unwrap(), gaps.max().unwrap());
        assert_eq!((least, greatest), (24, 25));
        assert!(f64::from(greatest) / 57.0 < f64::from(least));
    }
}
