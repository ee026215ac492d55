//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3_multi::keccak256;

use super::{AddressFormat, Corrected, Typed as Read, near};
use crate::evidence::Estimate;
use crate::parse_error::Foreign;

/// The name of the network, and its short name.
pub(crate) const NAME: &str = "Ethereum";
pub(crate) const ID: &str = "ethereum";

/// The number of hexadecimal digits.
pub(crate) const LENGTH: usize = 40;

const HEXADECIMAL: &str = "0123456789abcdef";

/// What was wrong with `0x`.
const WRONG_PREFIX: &str = "one wrong character";

/// The note on an address whose letters have one case.
pub(crate) const UNCHECKED: &str =
    "in one letter case it has no checksum: no damage would be noticed";

pub(super) struct Ethereum;

impl AddressFormat for Ethereum {
    fn networks(&self) -> Vec<&'static str> {
        vec![ID]
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(Foreign::Ethereum)
    }

    fn cost(&self, text: &Read<'_>) -> Option<i32> {
        match (text.prefix, after_damaged_0x(text.small)) {
            (Some("0x"), _) => near(&text.small[2..], LENGTH, HEXADECIMAL, 0),
            (None, Some(digits)) => near(digits, LENGTH, HEXADECIMAL, 0),
            (None, None) if text.has_both_cases => near(text.small, LENGTH, HEXADECIMAL, 0),
            _ => None,
        }
    }

    fn prefixes(&self, small: &str) -> Vec<String> {
        let is_0x = small.starts_with("0x") || small.starts_with("ox");
        if is_0x { vec!["0x".to_owned()] } else { Vec::new() }
    }

    fn is_named(&self, _: Option<&str>, text: &Read<'_>) -> bool {
        text.small.starts_with("0x")
    }

    fn is_whole(&self, text: &Read<'_>) -> bool {
        let after_0x = || text.small.strip_prefix("0x");
        after_damaged_0x(text.small).or_else(after_0x).is_some_and(|digits| {
            digits.len().abs_diff(LENGTH) <= 2 && super::outside(digits, HEXADECIMAL) == 0
        })
    }

    fn may_be_in_groups(&self, text: &Read<'_>) -> bool {
        text.small.starts_with("0x")
    }

    fn restored(&self, _: &str, word: &str) -> Option<Corrected> {
        answer(word)
    }
}

/// The number of digits by which a text may be longer or shorter if nothing precedes it, and after
/// `0x`: digits alone may be anything.
const MAX_EXTRA: [usize; 2] = [1, 2];

/// The maximum number of characters that are no hexadecimal digits: with more, the text may be
/// anything, such as a part of a key.
const MAX_UNREADABLE: usize = 4;

/// The EIP-55 spelling of an undamaged address. `None` if the word is not one. Letters of one case
/// may have lost the checksum, but only after `0x`: digits alone may be anything.
pub(crate) fn answer(word: &str) -> Option<Corrected> {
    let typed = Typed::of(word)?;
    let is_readable = typed.digits.bytes().all(|c| c.is_ascii_hexdigit());
    if !is_readable || typed.digits.len() != LENGTH {
        return None;
    }
    let address = spelled(&typed.digits);
    let is_intact = typed.has_checksum && word.ends_with(&address[2..]);
    let is_unchecked = !typed.has_checksum && typed.prefix != Prefix::None;
    let letters = address[2..].bytes().filter(u8::is_ascii_alphabetic).count() as i32;
    let is_damaged = typed.prefix == Prefix::Damaged;
    (is_intact || is_unchecked).then(|| Corrected {
        addresses: vec![address],
        format: NAME.to_owned(),
        network: ID,
        estimate: is_damaged.then(|| Estimate {
            candidates: 1.0,
            hashes: 1.0,
            expected_by_chance: if is_intact { 0.5_f64.powi(letters) } else { 1.0 },
        }),
        note: is_unchecked.then(|| UNCHECKED.to_owned()),
        guess: is_damaged.then_some((WRONG_PREFIX, 1)),
    })
}

/// Whether a word is an address whose letters have both cases, each as EIP-55 says.
pub(crate) fn is_checked(word: &str) -> bool {
    answer(word).is_some_and(|it| it.note.is_none())
}

/// A word that may be an address.
pub(crate) struct Typed {
    /// What follows `0x`, with the only digits that other letters look like.
    pub(crate) digits: String,
    prefix: Prefix,
    /// Whether it has letters of both cases.
    pub(crate) has_checksum: bool,
}

impl Typed {
    pub(crate) fn of(word: &str) -> Option<Self> {
        let after_0x = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
        let (typed, prefix) = match (after_0x, after_damaged_0x(word)) {
            (Some(digits), _) => (digits, Prefix::Whole),
            (None, Some(digits)) => (digits, Prefix::Damaged),
            // The `0` may be missing.
            _ => (word.strip_prefix(['x', 'X']).unwrap_or(word), Prefix::None),
        };
        let max_extra = MAX_EXTRA[usize::from(prefix != Prefix::None)];
        if typed.len().abs_diff(LENGTH) > max_extra || !typed.is_ascii() {
            return None;
        }
        let digits = typed.replace(['O', 'o'], "0").replace(['I', 'i', 'l'], "1");
        let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
        let has_checksum = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        if digits.bytes().filter(|c| !c.is_ascii_hexdigit()).count() > MAX_UNREADABLE {
            return None;
        }
        Some(Self { digits, prefix, has_checksum })
    }
}

/// What precedes the digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Whole,
    /// One of its characters is wrong.
    Damaged,
    /// None of it, or only its `x`.
    None,
}

/// The 40 digits after a `0x` with one wrong character. A wrong `x` is no digit: with one, the text
/// may be a number.
fn after_damaged_0x(word: &str) -> Option<&str> {
    let &[zero, x, ..] = word.as_bytes() else { return None };
    let is_damaged = match (zero, x) {
        (b'0' | b'o' | b'O', b'x' | b'X') => false,
        (_, b'x' | b'X') => true,
        (b'0', x) => !x.is_ascii_hexdigit(),
        _ => false,
    };
    let is_whole = word.is_ascii() && word.len() == LENGTH + 2;
    (is_damaged && is_whole).then(|| &word[2..])
}

/// The bit of a byte of the hash that says whether a letter is upper case: whether its hexadecimal
/// digit is 8 or more.
pub(crate) fn bit_of(at: usize) -> u8 {
    if at.is_multiple_of(2) { 0x80 } else { 0x08 }
}

/// The spelling of lower-case digits with this hash.
pub(crate) fn cased(digits: &[u8], hash: &[u8; 32]) -> String {
    let spell = |(at, digit): (usize, &u8)| {
        let is_upper = hash[at / 2] & bit_of(at) > 0;
        char::from(if is_upper { digit.to_ascii_uppercase() } else { *digit })
    };
    "0x".chars().chain(digits.iter().enumerate().map(spell)).collect()
}

/// The address of 40 digits, in the spelling of EIP-55.
pub(crate) fn spelled(digits: &str) -> String {
    let small = digits.to_ascii_lowercase();
    cased(small.as_bytes(), &keccak256::hash(small.as_bytes()))
}
