//! The supported addresses: version bytes by network and kind.

use std::fmt;
use std::str::FromStr;

use crate::number::{CHECKSUM_BITS, Number};

/// Bits of the payload: the HASH160 of a key or a script.
const PAYLOAD_BITS: u32 = 160;

/// The first one or two bytes of an address, before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    value: u16,
    bytes: u8,
}

impl Version {
    /// A one-byte version, as in nearly all networks.
    #[must_use]
    pub const fn byte(value: u8) -> Self {
        Self { value: value as u16, bytes: 1 }
    }

    /// A two-byte version, as in Zcash.
    #[must_use]
    pub const fn two_bytes(value: u16) -> Self {
        Self { value, bytes: 2 }
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

    /// The length of an address in bytes: the version, 20 of payload, 4 of checksum.
    pub(crate) fn address_bytes(self) -> usize {
        usize::from(self.bytes) + 24
    }

    /// The number of bytes that the checksum covers.
    pub(crate) fn message_bytes(self) -> usize {
        usize::from(self.bytes) + 20
    }

    /// The first and the last number with this version.
    pub(crate) fn interval(self) -> (Number, Number) {
        let first = Number::from(self.value) << (PAYLOAD_BITS + CHECKSUM_BITS);
        (first, first + ((Number::ONE << (PAYLOAD_BITS + CHECKSUM_BITS)) - 1))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one_byte() {
            write!(f, "{}", self.value)
        } else {
            write!(f, "0x{:04x}", self.value)
        }
    }
}

/// Why a text is not a [`Version`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a version is a number from 0 to 255 or 0x00 to 0xff, or two bytes as four hexadecimal digits, \
     such as 0x1cb8"
)]
pub struct VersionError;

impl FromStr for Version {
    type Err = VersionError;

    /// Parses `65`, `0x41` or, for two bytes, `0x1cb8`.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        // The standard library's parsers accept a sign.
        if !text.strip_prefix("0x").unwrap_or(text).bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(VersionError);
        }
        match text.strip_prefix("0x") {
            Some(digits) if digits.len() == 4 => {
                u16::from_str_radix(digits, 16).map(Self::two_bytes).map_err(|_| VersionError)
            }
            Some(digits) => {
                u8::from_str_radix(digits, 16).map(Self::byte).map_err(|_| VersionError)
            }
            None => text.parse().map(Self::byte).map_err(|_| VersionError),
        }
    }
}

/// A network's name for a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The argument of `--kind`, such as `bitcoin-p2sh`.
    pub id: &'static str,
    /// The common name, such as `Bitcoin P2SH`.
    pub name: &'static str,
    /// The bytes before the payload.
    pub version: Version,
}

/// All named kinds, from the chain parameters of each network's reference client.
///
/// The test networks of Bitcoin (testnet, signet, regtest) share their versions.
pub const KINDS: &[Kind] = &[
    kind("bitcoin-p2pkh", "Bitcoin P2PKH", Version::byte(0)),
    kind("bitcoin-p2sh", "Bitcoin P2SH", Version::byte(5)),
    kind("testnet-p2pkh", "Bitcoin testnet P2PKH", Version::byte(111)),
    kind("testnet-p2sh", "Bitcoin testnet P2SH", Version::byte(196)),
    kind("litecoin-p2pkh", "Litecoin P2PKH", Version::byte(48)),
    kind("litecoin-p2sh", "Litecoin P2SH", Version::byte(50)),
    kind("litecoin-p2sh-old", "Litecoin P2SH (before 2017)", Version::byte(5)),
    kind("dogecoin-p2pkh", "Dogecoin P2PKH", Version::byte(30)),
    kind("dogecoin-p2sh", "Dogecoin P2SH", Version::byte(22)),
    kind("dash-p2pkh", "Dash P2PKH", Version::byte(76)),
    kind("dash-p2sh", "Dash P2SH", Version::byte(16)),
    kind("zcash-p2pkh", "Zcash P2PKH (t1)", Version::two_bytes(0x1cb8)),
    kind("zcash-p2sh", "Zcash P2SH (t3)", Version::two_bytes(0x1cbd)),
    kind("tron", "Tron", Version::byte(65)),
    kind("namecoin-p2pkh", "Namecoin P2PKH", Version::byte(52)),
    kind("namecoin-p2sh", "Namecoin P2SH", Version::byte(13)),
    kind("peercoin-p2pkh", "Peercoin P2PKH", Version::byte(55)),
    kind("peercoin-p2sh", "Peercoin P2SH", Version::byte(117)),
];

const fn kind(id: &'static str, name: &'static str, version: Version) -> Kind {
    Kind { id, name, version }
}

impl Kind {
    /// The kind with this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        KINDS.iter().copied().find(|kind| kind.id == id)
    }

    /// The names of a version; none if no network here uses it.
    pub fn names(version: Version) -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(move |kind| kind.version == version).map(|kind| kind.name)
    }

    /// The versions of all kinds, each once.
    #[must_use]
    pub fn all_versions() -> Vec<Version> {
        let mut versions: Vec<Version> = KINDS.iter().map(|kind| kind.version).collect();
        versions.sort_unstable();
        versions.dedup();
        versions
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
        ] {
            assert_eq!(text.parse(), Ok(version), "{text}");
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        for text in ["", "256", "-1", "0x", "0x100", "0x1cb80", "7f", "+1", "0x+1", " 1"] {
            assert_eq!(text.parse::<Version>(), Err(VersionError), "{text}");
        }
    }

    #[test]
    fn ids_are_unique_and_found() {
        for kind in KINDS {
            assert_eq!(Kind::by_id(kind.id), Some(*kind));
        }
        assert_eq!(Kind::by_id("bitcoin"), None);
        assert_eq!(Kind::names(Version::byte(5)).count(), 2);
        assert_eq!(Kind::names(Version::byte(0x77)).count(), 0);
    }

    #[test]
    fn intervals_do_not_overlap_within_a_length() {
        let (first, last) = Version::byte(1).interval();
        assert_eq!(Version::byte(0).interval().1 + 1, first);
        assert_eq!(Version::byte(2).interval().0, last + 1);
    }
}
