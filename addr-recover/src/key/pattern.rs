//! A damaged key.

use std::fmt;

use crate::pattern::damage::Damage;
use crate::pattern::{ParseError, Pattern};

/// A damaged key, written like a damaged address: see [`Pattern`]. Labels, quotation marks, white
/// space and dashes are ignored, but nothing else may surround it.
///
/// [`Case::Auto`](crate::Case::Auto) keeps the case of a text with letters of both cases.
///
/// The text is not kept, what it may stand for is wiped when it is dropped, and `Debug` does not
/// show it.
pub struct KeyPattern {
    pattern: Pattern,
}

impl KeyPattern {
    /// Parses a text with some damage.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] that concerns a character, `Empty` or `KeyLength`.
    pub fn new(text: &str, damage: Damage) -> Result<Self, ParseError> {
        Pattern::of_key(text, damage).map(|pattern| Self { pattern })
    }

    pub(crate) fn places(&self) -> &Pattern {
        &self.pattern
    }
}

impl fmt::Debug for KeyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyPattern").finish_non_exhaustive()
    }
}
