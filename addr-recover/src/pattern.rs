//! Parses a damaged address: what each character may stand for, and what else may have happened.

mod foreign;
mod keys;
mod places;
mod plain;
mod reading;
mod windows;

use std::fmt;
use std::mem::take;
use std::ops::RangeInclusive;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::damage::{Case, Damage};
use crate::key;
use crate::kind::Version;
use crate::number::{MAX_LENGTH, MIN_LENGTH};
use crate::parse_error::{Foreign, ParseError};
use places::{Places, has_both_cases};
use plain::{Placed, spelled};
pub use reading::{Part, Reading, Role};
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
/// | `{3}` beside characters | as many unreadable ones |
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
    given: Arc<str>,
    /// What was read, which may be a key.
    characters: Zeroizing<Vec<Placed>>,
    text: String,
    pub(crate) places: Places,
    /// Whether the text has letters of both cases, so that their case may be right.
    pub(crate) has_both_cases: bool,
    pub(crate) damage: Damage,
}

impl Pattern {
    /// The maximum number of lines that one key is in. [`secret_lines`](Self::secret_lines) of a
    /// part of a list needs so many lines before and after it.
    pub const MAX_LINES_OF_KEY: usize = keys::MAX_LINES_OF_KEY;

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
        Reading::of(given)?.pattern(damage)
    }

    /// The pattern of the same text with other damage. The text is not read again.
    ///
    /// # Errors
    ///
    /// Returns `SecondGap` or `Length` and, for a key, `KeyLength`.
    pub fn damaged(&self, damage: Damage) -> Result<Self, ParseError> {
        Self::new(Arc::clone(&self.given), self.characters.clone(), damage)?.checked()
    }

    /// The pattern if it may have the length of an address or, without a given text, of a key.
    fn checked(self) -> Result<Self, ParseError> {
        let given = self.length();
        if self.given.is_empty() {
            // One character more or less may be damage that is described later.
            let (shortest, longest) = self.lengths(key::MAX_LENGTH).into_inner();
            let is_too_long = given > key::MAX_LENGTH + MAX_EXTRA_IN_KEY;
            let is_length = (shortest.saturating_sub(1)..=longest + 1).any(key::is_length);
            return if is_length && !is_too_long {
                Ok(self)
            } else {
                Err(ParseError::KeyLength { given })
            };
        }
        let (shortest, longest) = self.lengths(usize::MAX).into_inner();
        if longest < MIN_LENGTH
            || shortest > MAX_LENGTH + MAX_LIKELY_EXTRA
            || given > key::MAX_LENGTH
        {
            return Err(ParseError::Length { given });
        }
        Ok(self)
    }

    /// What some characters may stand for. Those of a key have no given text.
    fn new(
        given: Arc<str>,
        characters: Zeroizing<Vec<Placed>>,
        mut damage: Damage,
    ) -> Result<Self, ParseError> {
        let (is_key, has_both_cases) = (given.is_empty(), has_both_cases(&characters));
        if is_key && has_both_cases && damage.case == Case::Auto {
            damage.case = Case::Kept;
        }
        let places = Places::read(&damage, &characters)?;
        let text = if is_key { String::new() } else { take(&mut *spelled(&characters)) };
        Ok(Self { given, characters, text, places, has_both_cases, damage })
    }

    /// Parses a key that its owner wants to recover. Labels, quotation marks, white space and
    /// dashes are ignored, but nothing else may surround it. Letters of both cases keep it.
    ///
    /// What was read is wiped when the pattern is dropped, and neither [`address`](Self::address)
    /// nor `Debug` shows it.
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
        if let Some(other) = foreign::other_key(&characters) {
            return Err(ParseError::Foreign(other));
        }
        Self::new(Arc::from(""), characters, damage)?.checked()
    }

    /// The characters of a key as its owner wrote it, without a label, white space, dashes and
    /// colons: a set is in square brackets, and `…` stands for a hidden part.
    ///
    /// ```
    /// use addr_recover::Pattern;
    ///
    /// assert_eq!(*Pattern::key_text("key: 4c08 {7,1}2..."), "4c08[71]2…");
    /// ```
    #[must_use]
    pub fn key_text(given: &str) -> Zeroizing<String> {
        let characters = plain::characters(given);
        let kept = plain::without_label(&characters).iter().filter(|it| !plain::divides_digits(it));
        // A string that grows would leave copies behind.
        let mut text = Zeroizing::new(String::with_capacity(4 * characters.len()));
        text.extend(kept.map(|it| it.0));
        text
    }

    /// The text as given, without private keys beside its address.
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
        Reading::of(text).map_or_else(|_| Vec::new(), |reading| reading.addresses().collect())
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
        let places = Places::read(&damage, &plain::characters(text)).unwrap();
        let (given, characters) = (Arc::from(text), plain::characters(text));
        Self { given, characters, text: text.to_owned(), places, has_both_cases: false, damage }
    }

    /// Whether the first character may be that of an address with this version. If other damage
    /// than case is described, any may be.
    pub(crate) fn may_begin_like(&self, version: Version) -> bool {
        let begins = |[own, alike]: &[u64; 2]| version.first_digits() & (own | alike) != 0;
        self.damage.is_beyond_case() || self.places.digits.first().is_some_and(begins)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Pattern");
        debug.field("given", &self.given).field("damage", &self.damage).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
