//! Parses a damaged address: what each character may stand for, and what else may have happened.

pub(crate) mod alphabet;
pub(crate) mod damage;
mod error;
mod foreign;
mod keys;
mod plain;
mod reading;
mod windows;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::key;
use crate::kind::Version;
use crate::number::MAX_LENGTH;
use alphabet::DigitSet;
use damage::{Case, Damage};
use error::MIN_LENGTH;
pub use error::{Foreign, ParseError};
use plain::spelled;
use reading::{Places, Reading};
use windows::USUAL_LENGTH;

/// How many characters of an address that is too long may be extra although nobody said so. More
/// characters are probably of another format.
const MAX_LIKELY_EXTRA: usize = 3;

/// The maximum number of extra characters in an extended key, the longest one.
const MAX_EXTRA_IN_KEY: usize = 8;

/// A damaged address.
///
/// | in the text | stands for |
/// |---|---|
/// | a letter or digit | itself; if the case is lost, in either case |
/// | a character outside Base58, such as `0` | its look-alikes |
/// | `O`, `I` and `l`, in single-case text | `o`, `i` and `L`, whose case was lost |
/// | `?`, `_`, `*`; a `.` between characters | any digit |
/// | `[7ZT]`, `{7,Z,T}`, `(7/Z/T)`, `(7 or Z)`; `7/Z` between characters | anything that one of the characters inside stands for |
/// | `…` or `...`, once | one or more digits |
/// | a Cyrillic or Greek letter | the Latin letter or the digit that it looks like |
/// | a full-width form, a mathematical letter, a superscript | the ASCII character |
/// | any other character between two of the address; `[]` with anything else inside | any digit |
///
/// Everything else that is pasted with an address is ignored: white space and dashes between its
/// characters, invisible characters, quotation marks and brackets around it, a comma after it, a
/// label such as `BTC:` before it, `bitcoin:` with any query, a URL or a file name around it, and
/// the words of a sentence before and after it, even if a line break divides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Pattern {
    given: String,
    text: String,
    places: Places,
    has_both_cases: bool,
    damage: Damage,
}

impl Pattern {
    /// Parses a text whose only damage is its lost case, and whatever the text itself marks.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `NotUtf8` and `TooComplex`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::with_damage(text, Damage::default())
    }

    /// Parses a text that may have other damage.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`parse`](Self::parse).
    pub fn with_damage(given: &str, damage: Damage) -> Result<Self, ParseError> {
        if let Some(key) = keys::key_instead_of_address(given) {
            return Err(ParseError::Foreign(key));
        }
        let mut addresses = windows::addresses(given);
        let count = addresses.len();
        let Some(characters) = addresses.pop().filter(|_| addresses.is_empty()) else {
            return Err(ParseError::Several { count });
        };
        if characters.is_empty() {
            return Err(ParseError::Empty);
        }
        if plain::places(&characters) > MAX_LENGTH + 1
            && let Some((foreign, _)) = foreign::of(&characters)
        {
            return Err(ParseError::Foreign(foreign));
        }
        let reading = Reading::of(&damage, &characters);
        let places = reading.places(&characters)?;
        let given_length = places.digits.len();
        let (shortest, longest) =
            (given_length.saturating_sub(damage.max_extra()), given_length + damage.max_missing());
        let is_too_short = places.gap.is_none() && longest < MIN_LENGTH;
        if is_too_short
            || shortest > MAX_LENGTH + MAX_LIKELY_EXTRA
            || given_length > key::MAX_LENGTH
        {
            return Err(ParseError::Length { given: given_length });
        }
        Ok(Self {
            given: given.to_owned(),
            text: spelled(&characters),
            places,
            has_both_cases: reading.has_both_cases,
            damage,
        })
    }

    /// Parses a key that its owner wants to recover. Labels, quotation marks, white space and dashes
    /// are ignored, but nothing else may surround it. Letters of both cases keep it.
    ///
    /// The text is not kept, what it may stand for is wiped when it is dropped, and `Debug` does not
    /// show it.
    ///
    /// # Errors
    ///
    /// Returns `Empty`, `SecondGap`, `KeyLength` or, for a seed phrase, `Foreign`.
    pub fn key(given: &str, damage: Damage) -> Result<Self, ParseError> {
        if keys::has_seed_phrase(given) {
            return Err(ParseError::Foreign(Foreign::SeedPhrase));
        }
        let characters = keys::key_in(given);
        if characters.is_empty() {
            return Err(ParseError::Empty);
        }
        let has_both_cases = Reading::of(&damage, &characters).has_both_cases;
        let damage = if has_both_cases && damage.case == Case::Auto {
            damage.case(Case::Kept)
        } else {
            damage
        };
        let places = Reading::of(&damage, &characters).places(&characters)?;
        let pattern =
            Self { given: String::new(), text: String::new(), places, has_both_cases, damage };
        // One character more or less may be damage that is described later.
        let (shortest, longest) = pattern.lengths(key::MAX_LENGTH).into_inner();
        let is_too_long = pattern.length() > key::MAX_LENGTH + MAX_EXTRA_IN_KEY;
        if is_too_long || !(shortest.saturating_sub(1)..=longest + 1).any(key::is_length) {
            return Err(ParseError::KeyLength { given: pattern.length() });
        }
        Ok(pattern)
    }

    /// Parses bytes that may not be UTF-8, such as a command-line argument or a line of a file.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `TooComplex`.
    pub fn from_utf8(bytes: &[u8], damage: Damage) -> Result<Self, ParseError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            if let Some(key) = keys::key_instead_of_address(&String::from_utf8_lossy(bytes)) {
                return ParseError::Foreign(key);
            }
            let before = error.valid_up_to();
            let characters = String::from_utf8_lossy(&bytes[..before]).chars().count();
            ParseError::NotUtf8 { byte: bytes[before], position: characters + 1 }
        })?;
        Self::with_damage(text, damage)
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The address in the text, without its surroundings.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.text
    }

    /// The address in a text without its surroundings, even if it is of another format. `None` if
    /// the text has several, or a private key.
    #[must_use]
    pub fn read(text: &str) -> Option<String> {
        match windows::addresses(text).as_slice() {
            _ if keys::key_instead_of_address(text).is_some() => None,
            [address] => Some(spelled(address)),
            _ => None,
        }
    }

    /// The addresses in a text, without what is around each: the text itself, unless it has several.
    ///
    /// ```
    /// use addr_recover::Pattern;
    ///
    /// let text = "1dice8emzmqkvrge4qc9buff9px3xaydp or 1name2nxvi1rdpdgf5617uow7xa6yrhm9f";
    /// assert_eq!(Pattern::split(text).len(), 2);
    /// ```
    #[must_use]
    pub fn split(text: &str) -> Vec<String> {
        match windows::addresses(text).as_slice() {
            _ if keys::key_instead_of_address(text).is_some() => vec![text.to_owned()],
            [_] => vec![text.to_owned()],
            several => several.iter().map(|address| spelled(address)).collect(),
        }
    }

    /// How many characters a shortened address lacks, if it has the usual length of 34.
    #[must_use]
    pub fn hidden(&self) -> Option<usize> {
        self.gap().map(|_| (USUAL_LENGTH + 1).saturating_sub(self.length()).max(1))
    }

    /// The number of characters; a set counts as one, and so does a gap.
    #[must_use]
    pub fn length(&self) -> usize {
        self.places.digits.len()
    }

    /// The number of places that allow more than one digit.
    #[must_use]
    pub fn ambiguous_places(&self) -> usize {
        let allowed = self.places().iter().zip(self.look_alikes());
        allowed.filter(|&(&digits, &alike)| (digits | alike).len() > 1).count()
    }

    /// Whether the text has letters of both cases, so that their case may be right.
    pub(crate) fn has_both_cases(&self) -> bool {
        self.has_both_cases
    }

    /// The format that the text may have if its search space has no candidates.
    #[must_use]
    pub fn foreign_instead(&self) -> Option<Foreign> {
        foreign::of(&plain::characters(&self.text)).map(|(foreign, _)| foreign)
    }

    /// The lengths, up to `max`, of the texts that the text may have been.
    pub(crate) fn lengths(&self, max: usize) -> RangeInclusive<usize> {
        let shortest = self.length().saturating_sub(self.damage.max_extra()).max(1);
        let longest = self.length() + self.damage.max_missing();
        if self.gap().is_some() { shortest..=max } else { shortest..=longest.min(max) }
    }

    /// Parses a text of any length, for tests that enumerate everything.
    #[cfg(test)]
    pub(crate) fn short(text: &str, damage: Damage) -> Self {
        let characters = plain::characters(text);
        let places = Reading::of(&damage, &characters).places(&characters).unwrap();
        let given = text.to_owned();
        Self { text: given.clone(), given, places, has_both_cases: false, damage }
    }

    /// Whether the first character may be that of an address with this version. If other damage
    /// than case is described, any may be.
    pub(crate) fn may_begin_like(&self, version: Version) -> bool {
        let begins = |digits: &DigitSet| {
            digits.characters().any(|digit| version.first_characters().contains(digit))
        };
        let mut first = self.places().first().into_iter().chain(self.look_alikes().first());
        self.damage.is_beyond_case() || first.any(begins)
    }

    pub(crate) fn gap(&self) -> Option<usize> {
        self.places.gap
    }

    /// The digits that each place allows.
    pub(crate) fn places(&self) -> &[DigitSet] {
        &self.places.digits
    }

    /// The other digits that each place allows, if the number of confused characters is limited.
    pub(crate) fn look_alikes(&self) -> &[DigitSet] {
        &self.places.look_alikes
    }

    pub(crate) fn damage(&self) -> &Damage {
        &self.damage
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Pattern");
        debug.field("given", &self.given).field("damage", &self.damage).finish_non_exhaustive()
    }
}

impl FromStr for Pattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests;
