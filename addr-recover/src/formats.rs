//! The formats of addresses other than Base58Check, which takes a search. Each is a row of
//! [`FORMATS`]: reading, repairing, printing and selecting addresses ask the row.

mod bech32;
pub(crate) mod cash_addr;
pub(crate) mod ethereum;
mod linear;
mod stellar;
mod tron;

use zeroize::Zeroizing;

use crate::evidence::Estimate;
use crate::kind::Kind;
use crate::parse_error::Foreign;
pub(crate) use bech32::has_damaged_prefix;
pub(crate) use cash_addr::FOREIGN as DAMAGED_CASH_ADDR;
pub(crate) use linear::BECH32_ALPHABET;
pub(crate) use stellar::{FOREIGN as DAMAGED_STELLAR, Stellar, is_secret_seed};

/// All formats. If a text has the form of several, the first one counts.
pub(crate) const FORMATS: [&dyn AddressFormat; 5] =
    [&tron::Tron, &bech32::Bech32, &cash_addr::CashAddr, &ethereum::Ethereum, &Stellar];

impl Kind {
    /// The short names of the networks with addresses of other formats, such as `ethereum`: Bech32,
    /// `CashAddr`, and those of Ethereum and Stellar.
    pub fn other_networks() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().flat_map(|format| format.networks())
    }
}

/// What reading, repairing and printing need to know of a format.
///
/// Base58Check is no row: a repair takes a search of many candidates, and
/// [`AddressFormat::restored`] answers without one.
pub(crate) trait AddressFormat: Sync {
    /// The short names of its networks, which select them.
    fn networks(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What is said of a text of this form whose damage is too much. `None` if texts of this form
    /// are whole or something else.
    fn foreign(&self) -> Option<Foreign> {
        None
    }

    /// How unlike the form of such an address a text is, in tenths of a character; negative if it
    /// is nearly one. `None` if it has not that form.
    fn cost(&self, _: &Typed<'_>) -> Option<i32> {
        None
    }

    /// The prefixes that a text in lower case may have had, common networks first.
    fn prefixes(&self, _small: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a prefix says that a text of any length is of this format. `label` is the word
    /// before it in lower case, if it ends in a colon.
    fn is_named(&self, _label: Option<&str>, _text: &Typed<'_>) -> bool {
        false
    }

    /// Whether a whole text is surely no key, because it has the form of an address and its prefix.
    fn is_whole(&self, _: &Typed<'_>) -> bool {
        false
    }

    /// Whether a text of this form may be in groups that are no parts of a key.
    fn may_be_in_groups(&self, text: &Typed<'_>) -> bool {
        !text.has_both_cases
    }

    /// Whether the checksum of a text in lower case is right, where letter case is no information.
    fn is_intact(&self, _small: &str) -> bool {
        false
    }

    /// Whether the checksum restores a text in lower case that had letters of both cases and is
    /// hardly damaged otherwise, so that it is surely not a part of a key.
    fn is_nearly_intact(&self, _small: &str) -> bool {
        false
    }

    /// The address that a word is, or that its checksum restores. `None` if it is none, or damaged
    /// too much. `input` is the text that the word is from.
    fn restored(&self, input: &str, word: &str) -> Option<Corrected>;
}

/// A text that may be an address.
pub(crate) struct Typed<'a> {
    /// The text in lower case, with `?` for each unreadable character.
    pub(crate) small: &'a str,
    /// What its prefix may have been, if it has any.
    pub(crate) prefix: Option<&'a str>,
    /// Whether it has letters of both cases.
    pub(crate) has_both_cases: bool,
}

/// An address that was read or restored.
#[derive(Debug, PartialEq)]
pub(crate) struct Corrected {
    pub(crate) addresses: Vec<String>,
    /// The name of the network and of the format.
    pub(crate) format: String,
    /// What selects the network on the command line.
    pub(crate) network: &'static str,
    /// What the answer is worth if the address was repaired.
    pub(crate) estimate: Option<Estimate>,
    /// How it was repaired, or why it may be damaged unnoticed.
    pub(crate) note: Option<String>,
    /// The damage that nobody described, other than unreadable characters, and its number of
    /// faults.
    pub(crate) guess: Option<(&'static str, usize)>,
}

/// The answer of the first format that has one: of the one that a prefix names, if any does.
pub(crate) fn restored(named: Option<Foreign>, input: &str, word: &str) -> Option<Corrected> {
    let may_be = |it: &&&dyn AddressFormat| named.is_none() || it.foreign() == named;
    FORMATS.iter().filter(may_be).find_map(|format| format.restored(input, word))
}

/// The length of the shortest address: `bc1s`, a program of two bytes, and the checksum (BIP 350).
const MIN_LENGTH: usize = 14;

/// Whether the checksum of a text is right in one of the formats in which letter case is no
/// information. Letters of both cases may be a part of what is wrong.
pub(crate) fn is_intact(text: &str) -> bool {
    // Most words of a text are shorter.
    if text.len() < MIN_LENGTH {
        return false;
    }
    let small = Zeroizing::new(text.to_ascii_lowercase());
    let is_mixed = has_both_cases(text);
    let is_intact =
        |it: &&dyn AddressFormat| it.is_intact(&small) || is_mixed && it.is_nearly_intact(&small);
    FORMATS.iter().any(is_intact)
}

/// Whether a text has letters of both cases.
fn has_both_cases(text: &str) -> bool {
    text.bytes().any(|c| c.is_ascii_lowercase()) && text.bytes().any(|c| c.is_ascii_uppercase())
}

/// The cost of a character that is missing or too many, of a first one that no network has, and of
/// a word or a number among groups that are not equal.
pub(crate) const WRONG: i32 = 10;

/// The maximum number of characters outside the alphabet in an address of a known length and
/// alphabet. One that is missing or too many counts as two of them.
pub(crate) const MAX_WRONG: i32 = 4;

/// What a format costs that begins with certain characters. One that only has a certain length
/// costs as much as possible.
pub(crate) const OF_BEGIN: i32 = 30;

/// The cost of a text that should have `usual` characters of an alphabet, less some gain.
fn near(data: &str, usual: usize, alphabet: &str, gain: i32) -> Option<i32> {
    let (outside, wrong) = (outside(data, alphabet), data.len().abs_diff(usual) as i32);
    (outside + 2 * wrong <= MAX_WRONG).then_some(2 * outside + WRONG * wrong - gain)
}

/// The number of characters outside an alphabet.
pub(crate) fn outside(data: &str, alphabet: &str) -> i32 {
    data.chars().filter(|&c| !alphabet.contains(c)).count() as i32
}
