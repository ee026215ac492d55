//! Why a text is not a damaged address.

use super::foreign::Foreign;
use crate::number::MAX_LENGTH;

/// The fewest characters that an address has.
pub(crate) const MIN_LENGTH: usize = 26;

/// Why a text cannot be a damaged address. Positions are counted in characters from 1, in the text
/// as it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Nothing, or nothing but white space.
    #[error("no address given")]
    Empty,

    /// A character that is no Base58 digit in either case and looks like none.
    #[error("{found:?} at position {position} is not a Base58 character")]
    Character {
        /// The first such character.
        found: char,
        /// Its place in the text.
        position: usize,
    },

    /// A `[` without its `]`.
    #[error("the set that begins at position {position} has no end: ']' is missing")]
    UnclosedSet {
        /// The place of the `[`.
        position: usize,
    },

    /// `[]`.
    #[error("the set at position {position} is empty")]
    EmptySet {
        /// The place of the `[`.
        position: usize,
    },

    /// A `]` that ends no set.
    #[error("']' at position {position} ends no set")]
    StrayBracket {
        /// Its place in the text.
        position: usize,
    },

    /// Neither an address nor one with the damage that was described has this many characters.
    #[error("an address has {MIN_LENGTH} to {MAX_LENGTH} characters, {given} given")]
    Length {
        /// The number of characters, a set counting as one.
        given: usize,
    },

    /// Something that has another format, of which the case of letters cannot be restored.
    #[error("{0}")]
    Foreign(Foreign),

    /// Bytes that are not UTF-8.
    #[error("byte 0x{byte:02x} at position {position} is not UTF-8")]
    NotUtf8 {
        /// The first byte that does not belong to a character.
        byte: u8,
        /// Its place: one behind the characters before it.
        position: usize,
    },

    /// So much damage combined that the addresses it allows cannot be counted in reasonable memory.
    #[error(
        "too much damage is combined: allow fewer typos, or fewer of missing, surplus and swapped characters"
    )]
    TooComplex,
}

impl ParseError {
    /// Where in the text, counted from 1, if it is about one place.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match *self {
            Self::Character { position, .. }
            | Self::UnclosedSet { position }
            | Self::EmptySet { position }
            | Self::StrayBracket { position }
            | Self::NotUtf8 { position, .. } => Some(position),
            Self::Empty | Self::Length { .. } | Self::Foreign(_) | Self::TooComplex => None,
        }
    }
}
