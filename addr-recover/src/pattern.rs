//! Parses a damaged address: what each character may stand for, and what else may have happened.

pub(crate) mod damage;
mod error;
mod foreign;
mod keys;
mod plain;
mod reading;
mod windows;

use std::fmt;
use std::mem::take;
use std::ops::RangeInclusive;

use crate::key;
use crate::kind::Version;
use crate::number::{MAX_LENGTH, MIN_LENGTH};
use damage::{Case, Damage};
pub use error::{Foreign, ParseError};
use plain::{Placed, spelled};
use reading::{Places, has_both_cases};
use windows::{MAX_LIKELY_EXTRA, USUAL_LENGTH};

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
    pub(crate) places: Places,
    /// Whether the text has letters of both cases, so that their case may be right.
    pub(crate) has_both_cases: bool,
    pub(crate) damage: Damage,
}

impl Pattern {
    /// Parses a text whose only damage is its lost case, and whatever the text itself marks.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `TooComplex`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::with_damage(text, Damage::default())
    }

    /// Parses a text that may have other damage.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`parse`](Self::parse).
    pub fn with_damage(given: &str, damage: Damage) -> Result<Self, ParseError> {
        let characters = match &mut addresses(given)?[..] {
            [address] if address.is_empty() => return Err(ParseError::Empty),
            [address] => take(address),
            several => return Err(ParseError::Several { count: several.len() }),
        };
        if plain::places(&characters) > MAX_LENGTH + 1
            && let Some((foreign, _)) = foreign::of(&characters)
        {
            return Err(ParseError::Foreign(foreign));
        }
        let places = Places::read(&damage, &characters)?;
        let has_both_cases = has_both_cases(&characters);
        let (given, text) = (given.to_owned(), spelled(&characters));
        let pattern = Self { given, text, places, has_both_cases, damage };
        let (shortest, longest) = pattern.lengths(usize::MAX).into_inner();
        if longest < MIN_LENGTH
            || shortest > MAX_LENGTH + MAX_LIKELY_EXTRA
            || pattern.length() > key::MAX_LENGTH
        {
            return Err(ParseError::Length { given: pattern.length() });
        }
        Ok(pattern)
    }

    /// Parses a key that its owner wants to recover. Labels, quotation marks, white space and
    /// dashes are ignored, but nothing else may surround it. Letters of both cases keep it.
    ///
    /// The text is not kept, what it may stand for is wiped when it is dropped, and `Debug` does
    /// not show it.
    ///
    /// # Errors
    ///
    /// Returns `Empty`, `SecondGap`, `KeyLength` or, for a seed phrase, `Foreign`.
    pub fn key(given: &str, damage: Damage) -> Result<Self, ParseError> {
        if keys::has_seed_phrase(given) {
            return Err(ParseError::Foreign(Foreign::SeedPhrase));
        }
        let characters = plain::bare(&plain::characters(given));
        if characters.is_empty() {
            return Err(ParseError::Empty);
        }
        let has_both_cases = has_both_cases(&characters);
        let is_kept = has_both_cases && damage.case == Case::Auto;
        let damage = Damage { case: if is_kept { Case::Kept } else { damage.case }, ..damage };
        let places = Places::read(&damage, &characters)?;
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

    /// The addresses in a text, whatever their formats, without what is around each. Empty if the
    /// text has a private key.
    ///
    /// ```
    /// use addr_recover::Pattern;
    ///
    /// let text = "1dice8emzmqkvrge4qc9buff9px3xaydp or 1name2nxvi1rdpdgf5617uow7xa6yrhm9f";
    /// assert_eq!(Pattern::split(text).len(), 2);
    /// ```
    #[must_use]
    pub fn split(text: &str) -> Vec<String> {
        addresses(text).unwrap_or_default().iter().map(|address| spelled(address)).collect()
    }

    /// Whether a text may be shown and saved: nothing in it may be a key, nor a private key in
    /// hexadecimal digits beside an address.
    #[must_use]
    pub fn may_show(text: &str) -> bool {
        keys::may_show(text)
    }

    /// Which of some lines may be parts of one key, and may not be shown or saved: consecutive ones
    /// without addresses of their own.
    #[must_use]
    pub fn secret_lines(lines: &[&str]) -> Vec<bool> {
        keys::pieces::secret_lines(lines)
    }

    /// How many characters a shortened address lacks, if it has the usual length of 34.
    #[must_use]
    pub fn hidden(&self) -> Option<usize> {
        self.places.gap.map(|_| (USUAL_LENGTH + 1).saturating_sub(self.length()).max(1))
    }

    /// The number of characters; a set counts as one, and so does a gap.
    pub(crate) fn length(&self) -> usize {
        self.places.digits.len()
    }

    /// The format that the text may have if its search space has no candidates.
    pub(crate) fn foreign_instead(&self) -> Option<Foreign> {
        foreign::of(&plain::characters(&self.text)).map(|(foreign, _)| foreign)
    }

    /// The lengths, up to `max`, of the texts that the text may have been.
    pub(crate) fn lengths(&self, max: usize) -> RangeInclusive<usize> {
        let shortest = self.length().saturating_sub(self.damage.max_extra()).max(1);
        let longest = self.length() + self.damage.max_missing();
        if self.places.gap.is_some() { shortest..=max } else { shortest..=longest.min(max) }
    }

    /// Parses a text of any length, for tests that enumerate everything.
    #[cfg(test)]
    pub(crate) fn short(text: &str, damage: Damage) -> Self {
        let characters = plain::characters(text);
        let places = Places::read(&damage, &characters).unwrap();
        let given = text.to_owned();
        Self { text: given.clone(), given, places, has_both_cases: false, damage }
    }

    /// Whether the first character may be that of an address with this version. If other damage
    /// than case is described, any may be.
    pub(crate) fn may_begin_like(&self, version: Version) -> bool {
        let begins = |[own, alike]: &[u64; 2]| version.first_digits() & (own | alike) != 0;
        self.damage.is_beyond_case() || self.places.digits.first().is_some_and(begins)
    }
}

/// The addresses in a text that has no key: at least one, which is empty if the text is.
fn addresses(text: &str) -> Result<Vec<Vec<Placed>>, ParseError> {
    if let Some(key) = keys::key_instead_of_address(text) {
        return Err(ParseError::Foreign(key));
    }
    let mut addresses = windows::addresses(text);
    // Others may be groups of what is not to be shown.
    if addresses.len() > 1 && !keys::may_show(text) {
        addresses.retain(|address| windows::is_intact(&spelled(address)));
    }
    Ok(addresses)
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Pattern");
        debug.field("given", &self.given).field("damage", &self.damage).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
