//! What can go wrong before and during a search.

use crate::damaged::LENGTHS;

/// Why a text cannot be an address with its case lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A character that is no Base58 digit in either case.
    #[error("{found:?} at position {position} is not a Base58 character{}", hint(*found))]
    Character {
        /// The first such character.
        found: char,
        /// Its place in the text, counted in characters from 1.
        position: usize,
    },

    /// Base58 throughout, but no address of version 0 has this many characters.
    #[error("an address has {} to {} characters, {given} given", LENGTHS.start(), LENGTHS.end())]
    Length {
        /// The number of characters of the text.
        given: usize,
    },

    /// Bytes that are not UTF-8.
    #[error("byte 0x{byte:02x} at position {position} is not UTF-8")]
    NotUtf8 {
        /// The first byte that does not belong to a character.
        byte: u8,
        /// Its place in the text, counted in bytes from 1.
        position: usize,
    },
}

/// Why a search ended without an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The caller set the flag given to [`Search::cancel`](crate::Search::cancel).
    #[error("the search was cancelled")]
    Cancelled,

    /// The number of threads asked for with [`Search::threads`](crate::Search::threads) could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Zero is the one character that people take for a part of an address: it was left out of Base58 for that.
fn hint(found: char) -> &'static str {
    if found == '0' { " (Base58 has no zero; it may be a letter o)" } else { "" }
}
