//! The addresses of Bitcoin Cash and eCash.

use bech32::Fe32;
#[cfg(feature = "curve")]
use bech32::primitives::iter::Fe32IterExt;

use super::linear::checksum::{CASH_ADDR_POLYNOMIAL, Checksum, Code};
use super::linear::{BECH32_SPELLING, GAP, Linear, MIXED};
use super::{AddressFormat, BECH32_ALPHABET, Corrected, Typed, WRONG, has_both_cases, near};
use crate::damage::BLOCK;
use crate::kind::CASH_ADDR_NETWORKS;
use crate::parse_error::Foreign;

/// The number of characters after the colon, for a hash of 20 bytes, and of those of the checksum.
const LENGTH: usize = 42;
const CHECKSUM: usize = 8;

/// The number of characters that have to be left of a prefix without its colon, such as `cash`.
const MIN_LEFT: usize = 4;

pub(crate) const FOREIGN: Foreign = Foreign::Damaged {
    what: "a CashAddr address",
    restores: "in 42 characters, its checksum restores up to three wrong or five unreadable ones, \
               or two faults of another kind",
};

pub(super) struct CashAddr;

impl AddressFormat for CashAddr {
    fn networks(&self) -> Vec<&'static str> {
        CASH_ADDR_NETWORKS.iter().map(|(_, id, _)| *id).collect()
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(FOREIGN)
    }

    fn cost(&self, text: &Typed<'_>) -> Option<i32> {
        if without_colon(text.small).is_some() && !text.has_both_cases {
            return Some(-(text.small.len() as i32));
        }
        let may_be = text.prefix.is_none()
            && !text.has_both_cases
            && text.small.starts_with(['q', 'p', 'z', 'r']);
        near(text.small, LENGTH, BECH32_ALPHABET, WRONG).filter(|_| may_be)
    }

    fn is_named(&self, label: Option<&str>, text: &Typed<'_>) -> bool {
        // Old wallets wrote addresses of Base58 after this prefix.
        let is_base58 =
            text.small.starts_with('1') || text.small.starts_with('3') && text.has_both_cases;
        !is_base58 && label.is_some_and(|it| CASH_ADDR_NETWORKS.iter().any(|row| row.0 == it))
    }

    fn is_whole(&self, text: &Typed<'_>) -> bool {
        without_colon(text.small).is_some() && !text.has_both_cases
    }

    fn is_intact(&self, small: &str) -> bool {
        let data = without_colon(small).map_or(small, |(_, data)| data);
        let symbols = data.chars().map(|c| BECH32_SPELLING.symbol(c)).collect();
        data.len() == LENGTH && linear("", data).is_some_and(|it| it.is_intact(symbols, data))
    }

    /// With a letter in the other case for a digit, such as `B` for `8`, it is like a key.
    fn is_nearly_intact(&self, small: &str) -> bool {
        let data = without_colon(small).map_or(small, |(_, data)| data);
        data.chars().count() == LENGTH
            && data.starts_with(['q', 'p'])
            && linear("", data).is_some_and(|it| it.is_nearly_intact(data))
    }

    fn restored(&self, input: &str, word: &str) -> Option<Corrected> {
        let small = word.to_ascii_lowercase();
        let Some((left, data)) = without_colon(&small) else {
            return linear(input, word)?.answer(&small);
        };
        let what_was_wrong = Some("the prefix was damaged");
        let before = left.len();
        let wrong_case = has_both_cases(word).then_some(MIXED);
        let named = linear(&format!("{left}:"), data)?;
        Linear { before, what_was_wrong, wrong_case, ..named }.answer(data)
    }
}

/// What is left of a prefix whose colon is missing, and perhaps its first characters, and what
/// follows it in a text in lower case.
fn without_colon(small: &str) -> Option<(&str, &str)> {
    let of_prefix = |&(prefix, ..): &(&str, &str, &str)| {
        let mut lost = 0..=prefix.len().saturating_sub(MIN_LEFT);
        let left = lost.find(|&lost| small.starts_with(&prefix[lost..]))?;
        let (left, data) = small.split_at(prefix.len() - left);
        let is_address =
            data.starts_with(['q', 'p']) && near(data, LENGTH, BECH32_ALPHABET, 0).is_some();
        is_address.then_some((left, data))
    };
    CASH_ADDR_NETWORKS.iter().find_map(of_prefix)
}

/// The format of a word with one of the prefixes that are in a text, or with any.
pub(super) fn linear(input: &str, word: &str) -> Option<Linear> {
    if !word.contains(GAP) && word.len().abs_diff(LENGTH) > BLOCK {
        return None;
    }
    let small = input.to_ascii_lowercase();
    let has_prefix = |(prefix, ..): &&(&str, &str, &str)| small.contains(&format!("{prefix}:"));
    let named = CASH_ADDR_NETWORKS.iter().rfind(has_prefix);
    // The prefix has to have the case of the rest.
    let begin = named.and_then(|(prefix, ..)| {
        let at = small.rfind(&format!("{prefix}:"))?;
        input.get(at..at + prefix.len())
    });
    let is_mixed = has_both_cases(&[begin.unwrap_or_default(), word].concat());
    let networks = named.map_or(CASH_ADDR_NETWORKS, std::slice::from_ref);
    let code = |&(prefix, id, name): &(&str, &'static str, &'static str)| Code {
        id,
        name,
        is_address,
        prefix: format!("{prefix}:"),
        checksum: Checksum::Remainder {
            symbols: prefix.bytes().map(|letter| letter & 31).chain([0]).collect(),
            polynomial: &CASH_ADDR_POLYNOMIAL,
            target: 1,
        },
    };
    Some(Linear {
        name: "CashAddr",
        codes: networks.iter().map(code).collect(),
        checksums: (1 << CASH_ADDR_POLYNOMIAL.bits) / networks.len() as u64,
        lengths: [LENGTH; 2],
        before: named.map_or(0, |(prefix, ..)| prefix.len() + 1),
        wrong_case: is_mixed.then_some(MIXED),
        ..Linear::default()
    })
}

/// The type of an address that is intact, with or without its prefix, and its hash.
#[cfg(feature = "curve")]
pub(crate) fn decode(address: &str) -> Option<(u8, Vec<u8>)> {
    let data = address.rsplit_once(':').map_or(address, |(_, data)| data);
    let symbols = data.chars().map(|c| Fe32::from_char(c).ok());
    let symbols: Vec<Fe32> = symbols.collect::<Option<_>>()?;
    let bytes: Vec<u8> = symbols.into_iter().take(LENGTH - CHECKSUM).fes_to_bytes().collect();
    let (version, hash) = bytes.split_first()?;
    Some((version >> 3, hash.to_vec()))
}

/// Whether an address has a known type, a hash of 20 bytes, and no padding but zeros.
fn is_address(address: &str) -> bool {
    let data = address.split_once(':').map_or("", |(_, data)| data);
    let symbols: Vec<u8> = data.chars().flat_map(Fe32::from_char).map(Fe32::to_u8).collect();
    // The type takes five bits, the size of the hash three, the hash 160, and its padding two.
    symbols.len() == LENGTH
        && matches!(symbols[..], [0..=3, 0..=3, ..])
        && symbols[LENGTH - CHECKSUM - 1] & 3 == 0
}
