//! The first bytes of an address.

use std::fmt;
use std::str::FromStr;

use crate::candidate_hasher::{CandidateHasher, Columns};
use crate::format::Format;
use crate::number::{MAX_LENGTH, Natural, Number};
use crate::pattern::Pattern;
use crate::pattern::alphabet::{Alphabet, BASE, Digits, exactly};
use crate::search::batch::Entry;

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
        let is_first = |&value: &usize| {
            let product = |value, place| Number::product(value, place);
            (0..MAX_LENGTH)
                .any(|place| product(value, place) <= last && first < product(value + 1, place))
        };
        let values = if self.prefix()[0] == 0 { 0..1 } else { 1..BASE };
        values.filter(is_first).map(|value| self.alphabet.character(value)).collect()
    }

    /// The digits that addresses with this version begin with.
    pub(crate) fn first_digits(self) -> Digits {
        self.first_characters().chars().fold(0, |digits, first| digits | exactly(first))
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
        let version = match alphabet.decode(text)?[..] {
            [byte, ref payload @ ..] if payload.len() == 20 => Self::byte(byte),
            [a, b, ref payload @ ..] if payload.len() == 20 => {
                Self::two_bytes(u16::from_be_bytes([a, b]))
            }
            _ => return None,
        };
        // Only one version is written in Ripple's alphabet.
        Some(Self { alphabet, ..version })
            .filter(|&it| alphabet == Alphabet::Bitcoin || it == Self::RIPPLE)
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
    use crate::Hit;

    fn version_of(text: &str) -> Option<Version> {
        Hit::of(text).map(|hit| hit.format)
    }

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

    #[test]
    fn addresses_have_versions() {
        for (address, version) in [
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", Version::byte(0)),
            ("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", Version::byte(0)),
            ("1111111111111111111114oLvT2", Version::byte(0)),
            ("11111111111111112NYTTzUfv7Wm", Version::byte(0)),
            ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", Version::byte(5)),
            ("THesVZdaaXXxtdEkaskpTzndHugQnwUHwF", Version::byte(65)),
            ("q43UiZUN55iMqgP4gFe5E1iEUihobG9Lsp", Version::byte(0x77)),
            // A burn address, from Ravencoin's chain parameters.
            ("RXissueAssetXXXXXXXXXXXXXXXXXhhZGt", Version::byte(60)),
            // The first account, from Ripple's documentation.
            ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", Version::RIPPLE),
            // A founder's address, from zcash.readthedocs.io.
            ("t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd", Version::two_bytes(0x1cbd)),
        ] {
            assert_eq!(version_of(address), Some(version), "{address}");
        }
    }

    #[test]
    fn invalid_addresses_have_no_version() {
        for (text, why) in [
            ("", "empty"),
            ("1", "one zero byte"),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfna", "checksum"),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0", "not a digit"),
            ("11A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "one leading 1 too many"),
            ("1o2567qZ6n7ccomvwTPRhikBU14q2xe4m2", "26 bytes with the checksum of 25"),
            ("136ZwPz7Z5uzAZavHy8yYonh3WFeKiu76", "24 bytes"),
            ("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "does not fit"),
        ] {
            assert_eq!(version_of(text), None, "{why}: {text}");
        }
    }

    /// So no address has more leading `1`s than version and payload have bytes.
    #[test]
    fn checksums_of_zeros_do_not_begin_with_zero() {
        for zeros in [21, 22] {
            let text = bs58::encode(vec![0; zeros]).with_check().into_string();
            assert_eq!(text.chars().take_while(|&digit| digit == '1').count(), zeros);
        }
    }
}
