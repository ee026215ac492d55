//! The first bytes of an address.

use std::fmt;
use std::str::FromStr;

use crate::candidate_hasher::{CandidateHasher, Columns};
use crate::format::Format;
use crate::number::{MAX_LENGTH, Natural, Number};
use crate::pattern::Pattern;
use crate::pattern::alphabet::{Alphabet, BASE};
use crate::search::batch::Entry;
use crate::search::verify::version_in;

/// The first one or two bytes of an address, before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    value: u16,
    bytes: u8,
    alphabet: Alphabet,
}

impl Version {
    /// Accounts of Ripple (XRP): version 0 in Ripple's own alphabet, in which `r` is zero.
    pub const RIPPLE: Self = Self { value: 0, bytes: 1, alphabet: Alphabet::Ripple };

    /// A one-byte version, as in nearly all networks.
    #[must_use]
    pub const fn byte(value: u8) -> Self {
        Self { value: value as u16, bytes: 1, alphabet: Alphabet::Bitcoin }
    }

    /// A two-byte version, as in Zcash.
    #[must_use]
    pub const fn two_bytes(value: u16) -> Self {
        Self { value, bytes: 2, alphabet: Alphabet::Bitcoin }
    }

    /// The version as a big-endian number.
    #[must_use]
    pub const fn value(self) -> u16 {
        self.value
    }

    /// Whether the version has one byte, not two.
    #[must_use]
    pub const fn is_one_byte(self) -> bool {
        self.bytes == 1
    }

    /// The characters that addresses with this version begin with.
    #[must_use]
    pub fn first_characters(self) -> String {
        let (first, last) = self.interval();
        if self.value >> (8 * (self.bytes - 1)) == 0 {
            return self.alphabet.character(0).to_string();
        }
        // The number of digits, and the value of the first.
        let leading = |number: Number| (number.digits().len(), usize::from(number.digits()[0]));
        let ((shorter, begin), (longer, end)) = (leading(first), leading(last));
        let values: Vec<usize> = if shorter == longer {
            (begin..=end).collect()
        } else {
            (1..=end).chain(begin..BASE).collect()
        };
        values.into_iter().map(|value| self.alphabet.character(value)).collect()
    }

    pub(crate) fn in_alphabet(self, alphabet: Alphabet) -> Self {
        Self { alphabet, ..self }
    }

    /// The number of bytes that the checksum covers.
    pub(crate) fn message_bytes(self) -> usize {
        usize::from(self.bytes) + 20
    }

    /// The first and the last number with this version.
    pub(crate) fn interval(self) -> (Number, Number) {
        Number::with_prefix(&self.prefix(), self.message_bytes() + 4)
    }

    fn prefix(self) -> Vec<u8> {
        self.value.to_be_bytes()[2 - usize::from(self.bytes)..].to_vec()
    }
}

impl Format for Version {
    type Number = Number;
    type Hasher = CandidateHasher;
    type Columns = Columns;

    const IS_SECRET: bool = false;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn of(text: &str, alphabet: Alphabet) -> Option<Self> {
        version_in(text, alphabet)
    }

    fn is_possible(self, pattern: &Pattern, _: usize) -> bool {
        self.alphabet == Alphabet::Bitcoin || pattern.may_begin_like(self)
    }

    fn alphabet(self) -> Alphabet {
        self.alphabet
    }

    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Number, Number)> {
        let bytes = self.message_bytes() + 4;
        Number::written(&self.prefix(), bytes, leading_ones, length - leading_ones)
    }

    fn lay_out(entries: &[Entry<Number>], columns: &mut Columns) {
        columns.fill(entries.iter().map(|entry| (entry.smallest, entry.span)));
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::RIPPLE {
            f.write_str("ripple")
        } else if self.is_one_byte() {
            write!(f, "{}", self.value)
        } else {
            write!(f, "0x{:04x}", self.value)
        }
    }
}

/// Why a text is not a [`Version`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a version is a number from 0 to 255 or 0x00 to 0xff, two bytes as four hexadecimal digits, \
     such as 0x1cb8, or `ripple`"
)]
pub struct VersionError;

impl FromStr for Version {
    type Err = VersionError;

    /// Parses `65`, `0x41`, `0x1cb8` for two bytes, or `ripple`.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        if text == "ripple" {
            return Ok(Self::RIPPLE);
        }
        let hexadecimal = text.strip_prefix("0x");
        let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
        // The standard library's parser accepts a sign.
        let value = u16::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'));
        match value.ok_or(VersionError)? {
            value if radix == 16 && digits.len() == 4 => Ok(Self::two_bytes(value)),
            value => u8::try_from(value).map(Self::byte).map_err(|_| VersionError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_parse_and_display() {
        for (text, version) in [
            ("0", Version::byte(0)),
            ("255", Version::byte(255)),
            ("0x41", Version::byte(65)),
            ("0x1cb8", Version::two_bytes(0x1cb8)),
            ("0x0005", Version::two_bytes(5)),
            ("ripple", Version::RIPPLE),
        ] {
            assert_eq!(text.parse(), Ok(version), "{text}");
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        for text in ["", "256", "-1", "0x", "0x100", "0x1cb80", "7f", "+1", "0x+1", " 1"] {
            assert_eq!(text.parse::<Version>(), Err(VersionError), "{text}");
        }
    }

    #[test]
    fn addresses_begin_with_the_first_characters_of_their_version() {
        for (version, characters) in [
            (Version::byte(0), "1"),
            (Version::byte(5), "3"),
            (Version::byte(48), "L"),
            (Version::byte(50), "M"),
            (Version::byte(65), "T"),
            (Version::byte(111), "mn"),
            (Version::byte(196), "2"),
            (Version::two_bytes(0x1cb8), "t"),
            (Version::RIPPLE, "r"),
        ] {
            assert_eq!(version.first_characters(), characters, "{version}");
        }
    }
}
