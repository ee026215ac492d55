//! The 58 digits of Base58, and sets of them.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The number of digits.
pub(crate) const BASE: usize = 58;

/// The maximum number of characters of any text here, which is that of an extended key.
pub(crate) const MAX_TEXT: usize = 111;

/// The order of the digits. Both alphabets have the same ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alphabet {
    #[default]
    Bitcoin,
    Ripple,
}

impl Alphabet {
    fn digits(self) -> &'static [u8; BASE] {
        match self {
            Self::Bitcoin => b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
            Self::Ripple => b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
        }
    }

    /// The value of a digit. Case matters.
    pub(crate) fn value(self, character: char) -> Option<u8> {
        let position = self.digits().iter().position(|&digit| char::from(digit) == character)?;
        u8::try_from(position).ok()
    }

    /// The text of some bytes.
    pub(crate) fn encode(self, bytes: &[u8]) -> Zeroizing<String> {
        Zeroizing::new(bs58::encode(bytes).with_alphabet(self.of_bs58()).into_string())
    }

    /// The bytes of a text in Base58Check, without their checksum; `None` if it is not correct.
    pub(crate) fn decode(self, text: &str) -> Option<Zeroizing<Vec<u8>>> {
        // Longer texts would take long.
        let text = Some(text).filter(|text| text.len() <= MAX_TEXT)?;
        // A list that grows would leave copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TEXT));
        bs58::decode(text).with_alphabet(self.of_bs58()).onto(&mut *bytes).ok()?;
        let (message, last) = bytes.split_last_chunk::<4>()?;
        (checksum(message) == *last).then(|| Zeroizing::new(message.to_vec()))
    }

    fn of_bs58(self) -> &'static bs58::Alphabet {
        match self {
            Self::Bitcoin => bs58::Alphabet::BITCOIN,
            Self::Ripple => bs58::Alphabet::RIPPLE,
        }
    }

    /// The digit with this value.
    pub(crate) fn character(self, value: usize) -> char {
        char::from(self.digits()[value])
    }
}

/// The checksum of some bytes: the first four of their double SHA-256.
pub(crate) fn checksum(message: &[u8]) -> [u8; 4] {
    let digest = Sha256::digest(Sha256::digest(message));
    [digest[0], digest[1], digest[2], digest[3]]
}

/// Digits, one bit each: bit `v` is the digit with value `v` in Bitcoin's alphabet.
pub(crate) type Digits = u64;

/// All digits.
pub(crate) const ALL: Digits = (1 << BASE) - 1;

/// The digit that a character is. Case matters.
pub(crate) fn exactly(character: char) -> Digits {
    Alphabet::Bitcoin.value(character).map_or(0, |value| 1 << value)
}

/// The digits, at most two, that equal a character except for its case.
///
/// Only ASCII case is ignored. Some other letters have an ASCII lower case (the Kelvin sign), but
/// they do not occur in addresses.
pub(crate) fn in_either_case(character: char) -> Digits {
    exactly(character.to_ascii_uppercase()) | exactly(character.to_ascii_lowercase())
}

/// The characters of some digits, in Bitcoin's order.
pub(crate) fn characters(digits: Digits) -> impl Iterator<Item = char> {
    let values = (0..BASE).filter(move |&value| digits >> value & 1 == 1);
    values.map(|value| Alphabet::Bitcoin.character(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_58_digits_in_each_alphabet() {
        assert_eq!(characters(ALL).count(), 58);
        for alphabet in [Alphabet::Bitcoin, Alphabet::Ripple] {
            for value in 0..58 {
                let digit = alphabet.character(value.into());
                assert_eq!(*alphabet.encode(&[value]), digit.to_string());
                assert_eq!(alphabet.value(digit), Some(value));
            }
        }
    }
}
