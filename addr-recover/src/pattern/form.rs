//! Whether a part of a text has the form of an address.

use super::alphabet::DigitSet;
use super::error::MIN_LENGTH;
use super::foreign;
use super::plain::{GAP, Placed, outside_sets};
use crate::number::MAX_LENGTH;

/// The length of most addresses.
pub(super) const USUAL_LENGTH: usize = 34;

/// The lengths of nearly all addresses.
pub(super) const USUAL_LENGTHS: std::ops::RangeInclusive<usize> = 33..=35;

/// The number of characters that have to be left of a shortened address: fewer may be prose.
pub(super) const MIN_SHORTENED: usize = 5;

pub(super) fn may_be_address(text: &[Placed]) -> bool {
    may_be_base58_address(text)
        || foreign::unusual_length(&spelled(text)).is_some()
        || is_intact(text)
}

/// Whether the checksum of a Base58Check or a Bech32 address is right.
pub(super) fn is_intact(text: &[Placed]) -> bool {
    let text = spelled(text);
    crate::version_of(&text).is_some() || bech32::segwit::decode(&text).is_ok()
}

pub(super) fn may_be_base58_address(text: &[Placed]) -> bool {
    let ends_in_set = outside_sets(text).last().is_some_and(|(_, is_outside)| !is_outside);
    // One character may be missing or extra.
    is_base58(text) && !ends_in_set && (MIN_LENGTH - 1..=MAX_LENGTH + 1).contains(&places(text))
}

/// Whether a text has the characters of an address that is shortened in one place.
pub(super) fn may_be_shortened(text: &[Placed]) -> bool {
    let mut parts = text.split(|&(character, _)| character == GAP);
    let are_two = [parts.next(), parts.next()].into_iter().flatten().all(is_base58)
        && text.iter().filter(|&&(character, _)| character == GAP).count() == 1;
    are_two && has_digit(text) && (MIN_SHORTENED + 1..=MAX_LENGTH).contains(&places(text))
}

/// How far the length is from that of most addresses.
pub(super) fn unusual(address: &[Placed]) -> usize {
    let (places, usual) = (places(address), USUAL_LENGTHS);
    foreign::unusual_length(&spelled(address)).unwrap_or_else(|| {
        usual.start().saturating_sub(places) + places.saturating_sub(*usual.end())
    })
}

/// Whether all characters are digits, perhaps damaged ones, and sets of them.
pub(super) fn is_base58(text: &[Placed]) -> bool {
    text.iter().all(|&(character, _)| matches!(character, '[' | ']') || is_digit(character))
}

/// Whether a character is a Base58 digit, perhaps a damaged one.
pub(super) fn is_digit(character: char) -> bool {
    is_unreadable(character) || character == '0' || !DigitSet::in_either_case(character).is_empty()
}

pub(super) fn is_unreadable(character: char) -> bool {
    matches!(character, '?' | '_' | '*')
}

/// Whether a group of words has a digit, unlike most prose.
pub(super) fn has_digit(group: &[Placed]) -> bool {
    group.iter().any(|(character, _)| character.is_ascii_digit())
}

/// The number of characters. A set counts as one.
pub(super) fn places(text: &[Placed]) -> usize {
    outside_sets(text).filter(|&(_, is_outside)| is_outside).count()
}

pub(super) fn spelled(characters: &[Placed]) -> String {
    characters.iter().map(|&(character, _)| character).collect()
}

/// Whether two parts of a text have some of it in common.
pub(super) fn overlap(one: &[Placed], other: &[Placed]) -> bool {
    let begins_in_time = |one: &[Placed], other: &[Placed]| {
        let (first, last) = (one.first(), other.last());
        first.zip(last).is_some_and(|(first, last)| first.1 <= last.1)
    };
    begins_in_time(one, other) && begins_in_time(other, one)
}
