//! Addresses of Tron in hexadecimal, as its nodes write them.

use super::{AddressFormat, Corrected};
use crate::alphabet::{Alphabet, checksum};

/// The number of hexadecimal digits, and what they begin with.
const TRON: (usize, &str) = (42, "41");

/// Its network has addresses of Base58Check, which select it.
pub(super) struct Tron;

impl AddressFormat for Tron {
    /// The address in Base58Check.
    fn restored(&self, _: &str, word: &str) -> Option<Corrected> {
        let (length, begin) = TRON;
        let is_hexadecimal = word.len() == length && word.bytes().all(|c| c.is_ascii_hexdigit());
        if !is_hexadecimal || !word.starts_with(begin) {
            return None;
        }
        let byte = |at: usize| u8::from_str_radix(&word[at..at + 2], 16).ok();
        let message: Vec<u8> = (0..length).step_by(2).map(byte).collect::<Option<_>>()?;
        let bytes = [&message[..], &checksum(&message)].concat();
        let note = "in hexadecimal it has no checksum: no damage would be noticed".to_owned();
        Some(Corrected {
            addresses: vec![Alphabet::Bitcoin.encode(&bytes).to_string()],
            format: "Tron".to_owned(),
            network: "tron",
            estimate: None,
            note: Some(note),
            guess: None,
        })
    }
}
