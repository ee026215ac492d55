//! Why a text is not a damaged address.

use super::foreign::Foreign;
use crate::number::MAX_LENGTH;

/// The minimum number of characters in an address.
pub(crate) const MIN_LENGTH: usize = 26;

/// Why a text cannot be a damaged address. Positions count characters from 1, in the text as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is empty, or only white space.
    #[error("no address given")]
    Empty,

    /// Characters are hidden in two places.
    #[error("a second hidden part: only one can be searched; it is at position {position}")]
    SecondGap {
        /// The position where the second part begins.
        position: usize,
    },

    /// The text has several addresses. [`Pattern::split`](crate::Pattern::split) separates them.
    #[error("the text has {count} addresses: give one at a time")]
    Several {
        /// How many.
        count: usize,
    },

    /// No address has this many characters, even with the damage described and likely damage.
    #[error("an address has {MIN_LENGTH} to {MAX_LENGTH} characters, but {given} were given")]
    Length {
        /// The number of characters; a set counts as one.
        given: usize,
    },

    /// No key has this many characters, even with the damage described.
    #[error(
        "a key has {} to {} characters and a mini key 22 or 30, but {given} were given; write ? for \
         an unreadable one, and ... for those that are hidden",
        crate::key::MIN_LENGTH,
        crate::key::MAX_LENGTH
    )]
    KeyLength {
        /// The number of characters; a set counts as one.
        given: usize,
    },

    /// The text has another format, whose letter case cannot be recovered.
    #[error("{0}")]
    Foreign(Foreign),

    /// The text is not UTF-8.
    #[error("byte 0x{byte:02x} at position {position} is not UTF-8")]
    NotUtf8 {
        /// The first byte that is not part of a character.
        byte: u8,
        /// The position after the characters before it.
        position: usize,
    },

    /// The combined damage allows more addresses than can be counted in reasonable memory.
    #[error(
        "the combined damage is too complex: allow fewer typos, or fewer of missing, surplus and \
         swapped characters"
    )]
    TooComplex,
}

impl ParseError {
    /// The position in the text, counted from 1, if the error concerns a single one.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match *self {
            Self::SecondGap { position } | Self::NotUtf8 { position, .. } => Some(position),
            _ => None,
        }
    }
}
