//! An address whose case is not to be trusted.

use std::str::FromStr;

use crate::alphabet::Digits;
use crate::error::ParseError;
use crate::number::{Number, weight};
use crate::verify;

/// The numbers of characters that an address of version 0 can have; the README says why.
pub(crate) const LENGTHS: std::ops::RangeInclusive<usize> = 26..=34;

/// A text that would be an address if its letters had the right case.
///
/// The case of the text given is ignored, so it may be all small letters, all capitals or a mixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedAddress {
    text: String,
    leading_ones: usize,
    /// All characters after the leading ones, the most significant first.
    digits: Vec<Digits>,
}

impl DamagedAddress {
    /// Reads 26 to 34 Base58 characters in any case.
    ///
    /// Nothing is trimmed: white space is a wrong character like any other.
    ///
    /// # Errors
    ///
    /// [`ParseError::Character`] for the first character that is no Base58 digit in either case, then
    /// [`ParseError::Length`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let digits = text
            .chars()
            .zip(1..)
            .map(|(found, position)| Digits::of(found).ok_or(ParseError::Character { found, position }))
            .collect::<Result<Vec<_>, _>>()?;
        if !LENGTHS.contains(&digits.len()) {
            return Err(ParseError::Length { given: digits.len() });
        }
        let leading_ones = text.chars().take_while(|&character| character == '1').count();
        Ok(Self { text: text.to_owned(), leading_ones, digits: digits[leading_ones..].to_vec() })
    }

    /// Reads bytes that may not be text at all, such as an argument from the command line.
    ///
    /// # Errors
    ///
    /// [`ParseError::NotUtf8`], then those of [`parse`](Self::parse).
    pub fn from_utf8(bytes: &[u8]) -> Result<Self, ParseError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = error.valid_up_to();
            ParseError::NotUtf8 { byte: bytes[before], position: before + 1 }
        })?;
        Self::parse(text)
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the text, in the case it was given in, is itself an address.
    pub fn is_intact(&self) -> bool {
        verify::is_valid(&self.text)
    }

    /// The number of `1`s that the text begins with: as many as its 25 bytes must have zero bytes in front.
    pub fn leading_ones(&self) -> usize {
        self.leading_ones
    }

    /// The number of letters that could be of either case.
    pub fn ambiguous_letters(&self) -> usize {
        self.digits.iter().filter(|digits| digits.is_ambiguous()).count()
    }

    /// The value of the spelling with the least digit in every place.
    pub(crate) fn least(&self) -> Number {
        self.digits
            .iter()
            .fold(Number::ZERO, |sum, digits| sum * Number::new(58) + Number::from(digits.least()))
    }

    /// The ambiguous places, the most significant first: which place it is, counted from 0 at the right, and
    /// what the greater digit adds to the number there.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (usize, Number)> {
        let places = (0..self.digits.len()).rev();
        places
            .zip(&self.digits)
            .filter(|(_, digits)| digits.is_ambiguous())
            .map(|(place, digits)| (place, Number::from(digits.gap()) * weight(place)))
    }

    /// The one spelling with this value, or `None` when there is none.
    pub(crate) fn spell(&self, number: Number) -> Option<String> {
        let mut rest = number.checked_sub(self.least())?;
        let mut gaps = self.gaps();
        let mut text = "1".repeat(self.leading_ones);
        for digits in &self.digits {
            let gap = if digits.is_ambiguous() { gaps.next() } else { None };
            match gap {
                // All lower places together add less than this gap, so there is no choice.
                Some((_, gap)) if rest >= gap => {
                    rest -= gap;
                    text.push(digits.greatest_character());
                }
                _ => text.push(digits.least_character()),
            }
        }
        (rest == 0).then_some(text)
    }
}

impl FromStr for DamagedAddress {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

    #[test]
    fn case_is_ignored() {
        let small = DamagedAddress::parse(SMALL).unwrap();
        let capital = DamagedAddress::parse(&SMALL.to_ascii_uppercase()).unwrap();
        assert_eq!(small.digits, capital.digits);
        assert_eq!(small.ambiguous_letters(), 23);
        assert_eq!(small.leading_ones(), 1);
    }

    #[test]
    fn every_spelling_is_found_by_its_value() {
        let damaged = DamagedAddress::parse("11111111111111111111aB1zLk").unwrap();
        let gaps: Vec<Number> = damaged.gaps().map(|(_, gap)| gap).collect();
        let mut spellings = Vec::new();
        for choice in 0..1u32 << gaps.len() {
            let chosen = (0..gaps.len()).filter(|bit| choice >> bit & 1 == 1);
            let number = chosen.fold(damaged.least(), |number, bit| number + gaps[bit]);
            spellings.push(damaged.spell(number).unwrap());
            assert!(damaged.spell(number + 1).is_none());
        }
        spellings.sort();
        spellings.dedup();
        assert_eq!(spellings.len(), 16);
        assert!(spellings.iter().all(|text| text.eq_ignore_ascii_case("11111111111111111111ab1zlk")));
        assert!(damaged.spell(damaged.least() - 1).is_none());
    }

    #[test]
    fn the_first_wrong_character_is_named_by_its_place_among_characters() {
        let error = |text: &str| DamagedAddress::parse(text).unwrap_err();
        assert_eq!(error("1lbcfr0"), ParseError::Character { found: '0', position: 7 });
        assert_eq!(error("1é!"), ParseError::Character { found: 'é', position: 2 });
        assert_eq!(error(" 1"), ParseError::Character { found: ' ', position: 1 });
        assert_eq!(error(&format!("{SMALL}\n")), ParseError::Character { found: '\n', position: 35 });
        assert_eq!(
            DamagedAddress::from_utf8(b"1ab\xff"),
            Err(ParseError::NotUtf8 { byte: 0xff, position: 4 })
        );
    }

    #[test]
    fn only_possible_lengths_are_taken() {
        for given in 0..=60 {
            let parsed = DamagedAddress::parse(&"1".repeat(given));
            if (26..=34).contains(&given) {
                assert!(parsed.is_ok());
            } else {
                assert_eq!(parsed, Err(ParseError::Length { given }));
            }
        }
    }
}
