//! Says what of a text is better not repeated: all but its words, its numbers, and what is like an
//! address. It may be a key of any kind, or a part of one.

use std::ops::Range;

use zeroize::Zeroizing;

use super::super::foreign;
use super::super::places::has_both_cases;
use super::super::plain::{
    GAP, Placed, all, bare, characters, in_ascii, is_digit, places, spelled, spelled_small,
    with_gaps,
};
use super::super::windows::{USUAL_LENGTH, has_case_of_word, is_intact};
use super::pieces::{self, Piece};
use super::{FIRST_OF_BITCOIN, runs};
use crate::alphabet::exactly;
use crate::formats::OF_BEGIN;
use crate::kind::{Kind, Version};
use crate::number::MAX_LENGTH;

/// The minimum number of characters beside an address that are worth hiding, and of those of a part
/// of a key that a text names. Fewer may be the number of an invoice.
const MIN_HIDDEN: usize = 7;

/// The maximum number of characters before or after the hidden ones of a shortened address.
const MAX_SHORTENED: usize = 12;

/// The minimum number of letters of a word, and the maximum.
const MIN_WORD: usize = 2;
const MAX_WORD: usize = 40;

/// The minimum number of decimal digits that may be a private key: others are dates and amounts.
const MIN_DECIMAL: usize = 40;

/// The minimum number of characters of the beginning of a private key in the wallet import format.
/// Fewer are no address, either.
const MIN_BEGUN: usize = 16;

/// How many characters of an address may be missing or extra.
const MAX_DAMAGE: usize = 3;

/// What addresses of Bitcoin in Base58 begin with, which may be cut anywhere.
const FIRST_OF_ADDRESSES: &str = "13";

/// The maximum length of an address that a prefix such as `0x` names, perhaps cut off: in a longer
/// one, a key may follow a whole address.
const MAX_CUT: usize = 42;

/// Where a text has codes such as `9s21` outside of what was read, if they are more than a few.
pub(in super::super) fn codes(text: &str, mut read: Vec<Range<usize>>) -> Vec<Range<usize>> {
    read.sort_by_key(|it| it.start);
    let is_read = |at: usize| {
        let begun = read.partition_point(|it| it.start <= at);
        begun > 0 && at < read[begun - 1].end
    };
    // Escapes are not read: their digits may be those of a key.
    let mut characters = Zeroizing::new(Vec::with_capacity(text.len()));
    characters.extend(text.chars().zip(0..));
    let characters = with_gaps(&in_ascii(&characters));
    let parts = characters.chunk_by(|one, other| is_digit(one.0) == is_digit(other.0));
    let parts: Vec<&[Placed]> = parts.collect();
    let is_gap = |part: Option<&&[Placed]>, end: fn(&[Placed]) -> Option<&Placed>| {
        part.and_then(|it| end(it)).is_some_and(|it| it.0 == GAP)
    };
    // A part of a shortened address is no code, either.
    let is_shortened = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| parts.get(at));
        parts[at].len() <= MAX_SHORTENED
            && (is_gap(before, <[Placed]>::last) || is_gap(parts.get(at + 1), <[Placed]>::first))
    };
    let is_piece = |&at: &usize| {
        let (character, position) = parts[at][0];
        is_digit(character) && !is_read(position) && !is_shortened(at)
    };
    let pieces = (0..parts.len()).filter(is_piece).map(|at| pieces::with_kind(parts[at]));
    let pieces = pieces::classified(pieces.collect());
    let is_number = |piece: &[Placed]| all(piece, char::is_ascii_digit);
    let numbers = pieces.iter().map(|it| it.0).filter(|it| is_number(it));
    let has_long_number = numbers.map(<[Placed]>::len).sum::<usize>() >= MIN_DECIMAL;
    let is_code = |(piece, kind): &&(&[Placed], Piece)| {
        *kind == Piece::Code || is_long(piece, *kind) || has_long_number && is_number(piece)
    };
    let codes = pieces.iter().filter(is_code);
    let codes: Vec<_> = codes.map(|(it, _)| it[0].1..it[it.len() - 1].1 + 1).collect();
    if codes.iter().map(Range::len).sum::<usize>() < MIN_HIDDEN { Vec::new() } else { codes }
}

/// Whether what was read as addresses is better not repeated. It may be a part of a private key
/// that is as long as an address, or anything else that is not like one. `has_codes` says whether
/// the text has [`codes`], of which groups may be a part.
pub(in super::super) fn may_be_part(
    text: &str,
    addresses: &[Vec<Placed>],
    has_codes: bool,
) -> bool {
    let is_in_groups = |it: &[Placed]| {
        it.iter().any(|it| it.0 == '?') || it.windows(2).any(|it| it[0].1 + 1 < it[1].1)
    };
    let small = Zeroizing::new(text.to_lowercase());
    let is_named = runs::name_key(&small.split(|c: char| !c.is_alphanumeric()));
    // Its groups may be too few for an address.
    let whole = bare(&characters(text));
    let is_begun = (MIN_BEGUN..super::MIN_PART).contains(&whole.len()) && begins_like_key(&whole);
    is_begun && !is_intact(&spelled(&whole))
        || addresses.iter().any(|address| {
            !is_intact(&spelled(address))
                && (is_named && address.len() >= MIN_HIDDEN
                    || begins_like_key(address)
                    || has_codes && is_in_groups(address)
                    || has_word(address)
                    || has_code(address) && !is_like_address(address))
        })
}

/// Whether not all of what was read as an address is words and numbers.
fn has_code(address: &[Placed]) -> bool {
    let pieces = pieces::classified(pieces(address).map(pieces::with_kind).collect());
    pieces.iter().any(|(piece, kind)| *kind != Piece::Word || is_long(piece, *kind))
}

/// Whether a word may be beside what was read as an address: a group is like one, and it is longer
/// or shorter than others, or these have letters of both cases.
fn has_word(address: &[Placed]) -> bool {
    let sizes = || pieces(address).map(<[Placed]>::len);
    let is_word = |piece: &[Placed]| {
        piece.len() >= MIN_WORD && all(piece, char::is_ascii_alphabetic) && has_case_of_word(piece)
    };
    let others = pieces(address).count().saturating_sub(1);
    let are_equal = sizes().take(others).all(|size| Some(size) == sizes().next())
        && sizes().last() <= sizes().next();
    others > 0 && pieces(address).any(is_word) && (has_both_cases(address) || !are_equal)
}

/// The groups of an address.
fn pieces(address: &[Placed]) -> impl Iterator<Item = &[Placed]> {
    let is_one =
        |one: &Placed, next: &Placed| is_digit(one.0) == is_digit(next.0) && one.1 + 1 == next.1;
    address.chunk_by(is_one).filter(|it| is_digit(it[0].0))
}

/// Whether a piece is too long for a word.
fn is_long(piece: &[Placed], kind: Piece) -> bool {
    kind == Piece::Word && piece.len() > MAX_WORD
}

/// Whether characters are an address of a known format with some damage.
pub(in super::super) fn is_like_address(address: &[Placed]) -> bool {
    // What divides groups may be read as unreadable characters.
    let known = places(address) - address.iter().filter(|it| it.0 == '?').count();
    let length = places(address);
    let (is_shortened, small) = (address.iter().any(|it| it.0 == GAP), spelled_small(address));
    let is_number =
        small.strip_prefix("0x").unwrap_or(&small).bytes().all(|c| c.is_ascii_hexdigit());
    let is_other = || {
        foreign::of(address).is_some_and(|(_, cost)| cost < OF_BEGIN)
            && (is_number || !has_both_cases(address))
            && !has_intact_part(&small)
            || foreign::named(&[], address).is_some() && length <= MAX_CUT
    };
    let begins = || {
        let first = address.first().map_or(' ', |it| it.0);
        let is_of = |version: &Version| {
            let lengths = known.saturating_sub(MAX_DAMAGE)..=known + MAX_DAMAGE;
            version.first_digits() & exactly(first) != 0
                && lengths.into_iter().any(|it| version.bounds(it, 0).is_some())
        };
        known >= MIN_BEGUN
            && (FIRST_OF_ADDRESSES.contains(first) || Kind::common_versions().iter().any(is_of))
    };
    let is_bech32_key =
        small.split_once('1').is_some_and(|(prefix, _)| foreign::may_be_prefix_of_secret(prefix));
    is_shortened && !is_bech32_key
        || small.contains('[')
        || is_other()
        || !is_bech32_key
            && length <= MAX_LENGTH + MAX_DAMAGE
            && (known + MAX_DAMAGE > USUAL_LENGTH || begins())
}

/// Whether a whole address begins a text, and more than damage follows it.
fn has_intact_part(small: &str) -> bool {
    let mut ends = MAX_CUT..small.len().saturating_sub(MAX_DAMAGE);
    // A gap has more than one byte.
    ends.any(|end| small.get(..end).is_some_and(is_intact))
}

fn begins_like_key(text: &[Placed]) -> bool {
    let first = text.first().map_or(' ', |it| it.0);
    // One character may be missing, or extra.
    let is_length = |version: &Version| {
        (text.len() - 1..=text.len() + 1).any(|length| version.bounds(length, 0).is_some())
    };
    let is_of_address =
        |version: &Version| version.first_digits() & exactly(first) != 0 && is_length(version);
    text.len() >= MIN_BEGUN
        && FIRST_OF_BITCOIN.contains(first)
        && has_both_cases(text)
        && !Kind::common_versions().iter().any(is_of_address)
}
