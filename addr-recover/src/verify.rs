//! The definition of an address, decoded byte by byte and sharing nothing with the search but the alphabet.

use sha2::{Digest, Sha256};

use crate::alphabet;

/// Whether a text is, case included, an address of version 0: exactly 25 bytes, as many leading `1`s
/// as leading zero bytes, the first byte 0, and the last four the checksum of the others.
///
/// ```
/// assert!(addr_recover::is_valid("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"));
/// assert!(!addr_recover::is_valid("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"));
/// ```
pub fn is_valid(address: &str) -> bool {
    let Some(bytes) = decode(address) else { return false };
    let (prefix, checksum) = bytes.split_at(21);
    let leading_ones = address.chars().take_while(|&character| character == '1').count();
    let leading_zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    leading_ones == leading_zeros
        && prefix[0] == 0
        && Sha256::digest(Sha256::digest(prefix)).starts_with(checksum)
}

/// The value of the Base58 digits as 25 bytes, or `None` when it does not fit or a character is no digit.
fn decode(address: &str) -> Option<[u8; 25]> {
    let mut bytes = [0; 25];
    for character in address.chars() {
        let mut carry = u32::from(alphabet::value(character)?);
        for byte in bytes.iter_mut().rev() {
            carry += 58 * u32::from(*byte);
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return None;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_valid() {
        for address in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            "1111111111111111111114oLvT2",
            "11111111111111112NYTTzUfv7Wm",
        ] {
            assert!(is_valid(address), "{address}");
        }
    }

    #[test]
    fn what_only_looks_like_one_is_not() {
        for (text, why) in [
            ("", "nothing"),
            ("1", "one zero byte"),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfna", "checksum"),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0", "no digit"),
            ("11A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "a leading 1 too many"),
            ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "version 5"),
            ("1o2567qZ6n7ccomvwTPRhikBU14q2xe4m2", "26 bytes"),
            ("136ZwPz7Z5uzAZavHy8yYonh3WFeKiu76", "24 bytes"),
            ("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "does not fit"),
        ] {
            assert!(!is_valid(text), "{why}: {text}");
        }
    }
}
