//! Verifies addresses byte by byte. Shares nothing with the search but the alphabet.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::format::Hit;
use crate::key::MAX_LENGTH;
use crate::kind::Version;
use crate::pattern::alphabet::Alphabet;

/// The version of a text that is a valid address, case included; `None` if it is not.
///
/// An address has 25 bytes with a one-byte version, or 26 with a two-byte one. It has as many
/// leading `1`s as leading zero bytes, and its last four bytes are the checksum of the others.
/// [`Version::RIPPLE`] has another alphabet, in which `r` is zero.
///
/// The only two-byte versions known to denote addresses are those in [`KINDS`](crate::KINDS). The
/// caller has to check for these.
///
/// ```
/// use addr_recover::{Version, version_of};
///
/// assert_eq!(version_of("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"), Some(Version::byte(0)));
/// assert_eq!(version_of("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"), None);
/// ```
#[must_use]
pub fn version_of(address: &str) -> Option<Version> {
    Hit::of(address).map(|hit| hit.format)
}

/// [`version_of`] in one alphabet, in which only Ripple's version may be written in Ripple's.
pub(crate) fn version_in(address: &str, alphabet: Alphabet) -> Option<Version> {
    let message = base58check(address, alphabet)?;
    let version = match message.len() {
        21 => Version::byte(message[0]),
        22 => Version::two_bytes(u16::from_be_bytes([message[0], message[1]])),
        _ => return None,
    };
    Some(version.in_alphabet(alphabet))
        .filter(|&version| alphabet == Alphabet::Bitcoin || version == Version::RIPPLE)
}

/// The bytes of a text in Base58Check, without their checksum; `None` if it is not correct.
pub(crate) fn base58check(text: &str, alphabet: Alphabet) -> Option<Zeroizing<Vec<u8>>> {
    // A digit has less than a byte, so that the number fits.
    let mut bytes = Zeroizing::new(vec![0_u8; Some(text.len()).filter(|&it| it <= MAX_LENGTH)?]);
    for character in text.chars() {
        let mut carry = u32::from(alphabet.value(character)?);
        for byte in bytes.iter_mut().rev() {
            carry += 58 * u32::from(*byte);
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
    }
    let zero = alphabet.character(0);
    let leading_ones = text.chars().take_while(|&character| character == zero).count();
    let leading_zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    // Zero bytes that are not written as a `1` are not part of the address.
    let bytes = &bytes[leading_zeros.checked_sub(leading_ones)?..];
    let (message, checksum) = bytes.split_last_chunk::<4>()?;
    let is_right = Sha256::digest(Sha256::digest(message)).starts_with(checksum);
    is_right.then(|| Zeroizing::new(message.to_vec()))
}

/// The checksum of a message, which is a prefix in bytes.
pub(crate) fn checksum(message: &[u8]) -> u32 {
    let digest = Sha256::digest(Sha256::digest(message));
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_ne!(checksum(&[0; 21]) >> 24, 0);
        assert_ne!(checksum(&[0; 22]) >> 24, 0);
    }
}
