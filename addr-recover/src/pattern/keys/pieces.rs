//! Finds what may be a key in pieces of any length, whatever divides them.
//!
//! The whole text is looked at, before any part of it is read as an address. A piece is a word, an
//! address, or a *code* such as `9s21`. As many codes as a key has, with few words between them,
//! may be one.

use std::cell::LazyCell;
use std::ops::RangeInclusive;

use zeroize::Zeroizing;

use super::super::foreign;
use super::super::places::has_both_cases;
use super::super::plain::{self, Placed, all, is_digit, spelled, spelled_small};
use super::super::windows::{
    begins_like_address, begins_like_common, is_intact, is_intact_without_begin, is_like_address,
    is_number,
};
use super::{FIRST, LENGTHS_IN_PIECES, MAX_LINES_OF_KEY, runs};
use crate::number::MAX_LENGTH;

/// The minimum number of characters of a key in pieces: one in WIF with two of them missing, less
/// the cost of two labels between its parts.
const MIN_LENGTH: i32 = 42;

/// [`MIN_LENGTH`] of hexadecimal digits, of which a private key has 64, less three labels.
const MIN_DIGITS: i32 = 50;

/// More digits in one piece are not a private key.
const MAX_DIGITS: usize = 68;

/// A longer piece is no key, with up to eight extra characters.
const MAX_PIECE: usize = 119;

/// What each character of a word between codes costs.
const OF_WORD: i32 = 2;

/// The maximum cost of all words between two codes.
const MAX_OF_WORDS: i32 = 4;

/// The maximum number of digits of a number that is no code: one of an account has fewer.
const MAX_NUMBER: usize = 20;

/// How many letters a part of a word such as `scriptPubKey` has on average.
const MIN_PART: usize = 4;

/// The maximum number of consecutive consonants in a word.
const MAX_CONSONANTS: usize = 6;

/// If one in so many pieces of equal length is a code, and not only one, or they have so many
/// characters, the others are not words.
const PIECES_PER_CODE: usize = 8;
const MIN_EQUAL: usize = 16;

/// After so many codes of equal length, a shorter piece is not a word.
const PIECES_BEFORE_LAST: usize = 2;

/// What the second to fourth characters of an extended key are, in lower case.
const EXTENDED: [&str; 4] = ["prv", "pub", "tpv", "tub"];

/// Their first characters, in lower case.
const EXTENDED_FIRST: &str = "xyztuvlmd";

/// What an encrypted key begins with, in lower case.
const ENCRYPTED: &str = "6p";

/// The number of characters of `nsec1...` from its `1`, and of the longest prefix before that.
const BECH32: usize = 59;
const MAX_PREFIX: usize = 16;

/// The minimum number of characters of the last line of a key that is told from a word.
const MIN_LINE: usize = 6;

/// How much longer than the rest of a key its last piece may be: there may be extra characters.
const MAX_EXTRA: usize = 4;

/// What the pieces of a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Secret {
    Key,
    /// 64 hexadecimal digits: a private key, or the name of a transaction.
    Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A word or a number.
    Word,
    Code,
    /// An address, perhaps a damaged one, or a whole text of another format that is no secret.
    Address,
}

/// What a text may have in pieces. The function returns where it has addresses in groups, which are
/// like keys.
pub(super) fn secret(
    text: &[Placed],
    addresses: impl FnOnce() -> Vec<RangeInclusive<usize>>,
) -> Option<Secret> {
    // Sorted, and each with the greatest end so far.
    let addresses = LazyCell::new(|| {
        let mut addresses = addresses();
        addresses.sort_by_key(|address| *address.start());
        let mut last = 0;
        let ends = addresses.into_iter().map(|address| {
            last = last.max(*address.end());
            (*address.start(), last)
        });
        ends.collect::<Vec<_>>()
    });
    let is_in_address = |(piece, _): &(&[Placed], Piece)| {
        let at = piece[0].1;
        let begun = addresses.partition_point(|(begin, _)| *begin <= at);
        begun > 0 && at <= addresses[begun - 1].1
    };
    readings(pieces(text).map(with_kind).collect()).find_map(|pieces| {
        secret_in(&pieces)?;
        let others: Vec<_> = pieces.into_iter().filter(|it| !is_in_address(it)).collect();
        secret_in(&others)
    })
}

/// Which lines may be parts of one key: consecutive ones without an address of their own that have
/// as many codes together.
pub(in super::super) fn secret_lines(lines: &[&str]) -> Vec<bool> {
    // A batch has up to a million lines, so only two are held as characters.
    let read = |(at, line): (usize, &&str)| {
        let text = plain::characters(line);
        let bare = plain::bare(&text);
        (!bare.is_empty()).then(|| (at, text, Like::of(&bare), bare))
    };
    let mut filled = lines.iter().enumerate().filter_map(read).peekable();
    let (mut secret, mut left) = (runs::in_lines(lines), 0);
    let (mut was_like, mut was_rest) = (Like::Not, false);
    let mut run: Vec<Line> = Vec::new();
    while let Some((at, characters, is_like, bare)) = filled.next() {
        let (text, bare) = (&characters[..], &bare[..]);
        if left == 0 {
            let (next, bare_next) = filled
                .peek()
                .map_or((&[][..], &[][..]), |(_, text, _, bare)| (&text[..], &bare[..]));
            // A label may precede either.
            let of_pieces = length_of_wif(longest(text), longest(next));
            let begun = text.split(|it| !is_digit(it.0)).map(length_of_begun).max();
            let begun = begun.max(Some(length_of_begun(bare))).unwrap_or(0);
            left = begun.max(length_of_wif(bare, bare_next)).max(of_pieces);
        }
        // An address may follow.
        let ends = || ends_of_pieces(text).any(|end| end.abs_diff(left) <= MAX_EXTRA);
        let is_last = left > 0 && !run.is_empty() && (bare.len() <= left + MAX_EXTRA || ends());
        let is_begun = left > bare.len() || is_last;
        left = left.saturating_sub(bare.len());
        let has_address = || text.split(|it| !is_digit(it.0)).any(|it| kind(it) == Piece::Address);
        // Other characters than white space divide no address in groups.
        let marks = |text: &[Placed]| text.iter().filter(|it| it.0 == '?').count();
        let next = filled.peek().map(|(_, text, like, _)| (*like, &text[..]));
        // A line of a key may begin so, but hardly two that are one after the other.
        let is_beside = was_like >= Like::Begun || next.is_some_and(|it| it.0 >= Like::Begun);
        let is_one = is_like != Like::Not && (is_like != Like::Begun || is_beside);
        let goes_on =
            next.is_some_and(|(like, next)| Like::are_rest((is_like, text), (like, next)));
        let is_rest = goes_on || was_rest && is_like < Like::Begun;
        (was_like, was_rest) = (is_like, goes_on);
        let is_address = || marks(text) == marks(bare) && is_one;
        if !is_begun && !is_rest && (is_address() || has_address()) {
            run.clear();
            continue;
        }
        let kind_in_run = |piece: &[Placed]| match kind(piece) {
            Piece::Address if is_rest => Piece::Code,
            kind => kind,
        };
        let kinds = pieces(text).map(kind_in_run).collect();
        run.push(Line { at, characters, kinds });
        // What each piece is by itself was asked once.
        let in_run = run.iter().flat_map(|it| pieces(&it.characters).zip(it.kinds.iter().copied()));
        if readings(in_run.collect()).any(|pieces| secret_in(&pieces).is_some()) {
            run.iter().for_each(|it| secret[it.at] = true);
        }
        if run.len() > MAX_LINES_OF_KEY {
            run.clear();
        }
    }
    secret
}

/// How a line of a list is like an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Like {
    Not,
    /// It has nothing but the length.
    Length,
    /// It begins like one of a common network, too.
    Common,
    /// It begins like most, but its length is only near.
    Begun,
    Sure,
}

impl Like {
    fn of(line: &[Placed]) -> Self {
        let is_base58 = line.len() <= MAX_LENGTH && !is_intact(&spelled(line));
        match is_like_address(line) {
            true if begins_like_address(line) || !is_base58 => Self::Sure,
            _ if is_intact_without_begin(line) => Self::Sure,
            true if begins_like_common(line) => Self::Common,
            true => Self::Length,
            false if begins_like_address(line) => Self::Begun,
            false => Self::Not,
        }
    }

    /// Whether two lines are more like the rest of a key than like addresses: one is an address by
    /// its length only, and the other is no surer one. The lines of a key have no labels, and one
    /// length, except the last. Addresses of one network begin alike, and many lists of them have
    /// lost their case.
    fn are_rest((one, line): (Self, &[Placed]), (other, next): (Self, &[Placed])) -> bool {
        let [line, next] = [line, next].map(trimmed);
        let is_code = |like, line: &[Placed]| {
            line.len() >= MIN_LINE
                && line.iter().all(|it| is_digit(it.0) || it.0 == '?')
                && has_both_cases(line)
                && (like != Self::Not || kind(line) == Piece::Code)
        };
        let shorter = line.len().checked_sub(next.len());
        shorter.is_some_and(|it| it == 0 || it > MAX_EXTRA)
            && is_code(one, line)
            && is_code(other, next)
            && !line[0].0.eq_ignore_ascii_case(&next[0].0)
            && (one == Self::Length || other == Self::Length)
            && one.max(other) < Self::Begun
    }
}

/// A line without white space around it.
fn trimmed(line: &[Placed]) -> &[Placed] {
    let is_visible = |it: &Placed| !it.0.is_whitespace();
    let begin = line.iter().position(is_visible).unwrap_or(line.len());
    let end = line.iter().rposition(is_visible).map_or(begin, |last| last + 1);
    &line[begin..end]
}

/// A line that may be a part of a key in several lines.
struct Line {
    at: usize,
    characters: Zeroizing<Vec<Placed>>,
    kinds: Vec<Piece>,
}

/// The pieces of a text. Other marks than `?` also divide names.
pub(super) fn pieces(text: &[Placed]) -> impl Iterator<Item = &[Placed]> {
    text.split(|it| !is_digit(it.0) && it.0 != '?').filter(|piece| !piece.is_empty())
}

/// A piece and what it is by itself.
pub(super) fn with_kind(piece: &[Placed]) -> (&[Placed], Piece) {
    (piece, kind(piece))
}

/// What the pieces of a text are: all of them, and those that are left without words that divide
/// the others.
fn readings(pieces: Vec<(&[Placed], Piece)>) -> impl Iterator<Item = Vec<(&[Placed], Piece)>> {
    let others = without_dividers(&pieces);
    let has_dividers = others.len() < pieces.len();
    [Some(pieces), has_dividers.then_some(others)].into_iter().flatten().map(classified)
}

/// The pieces without words that are the same as the second one before or after them.
fn without_dividers<'a>(pieces: &[(&'a [Placed], Piece)]) -> Vec<(&'a [Placed], Piece)> {
    let small = |piece: &'a [Placed]| piece.iter().map(|it| it.0.to_ascii_lowercase());
    let is_same = |one: usize, other: usize| {
        pieces
            .get(one)
            .zip(pieces.get(other))
            .is_some_and(|((one, _), (other, _))| small(one).eq(small(other)))
    };
    let is_divider = |at: usize| is_same(at, at + 2) || at >= 2 && is_same(at - 2, at);
    let others = (0..pieces.len()).filter(|&at| pieces[at].1 != Piece::Word || !is_divider(at));
    others.map(|at| pieces[at]).collect()
}

/// What pieces are beside one another, of which each is known by itself.
pub(super) fn classified(mut classified: Vec<(&[Placed], Piece)>) -> Vec<(&[Placed], Piece)> {
    for run in classified.chunk_by_mut(|(one, _), (other, _)| one.len() == other.len()) {
        let codes = run.iter().filter(|(_, kind)| *kind == Piece::Code).count();
        let (size, length) = (run[0].0.len(), run.iter().map(|it| it.0.len()).sum::<usize>());
        let are_many = codes > 1 || codes == 1 && length >= MIN_EQUAL;
        // Characters that are spelled one by one are no words.
        let is_spelled = size == 1 && length >= MIN_EQUAL;
        if are_many && codes * PIECES_PER_CODE >= run.len() || is_spelled {
            let words = run.iter_mut().filter(|(_, kind)| *kind == Piece::Word);
            words.for_each(|(_, kind)| *kind = Piece::Code);
        }
    }
    // Nor is a piece as long as a code beside it, with codes on both sides.
    for at in 2..classified.len() {
        let [before, (piece, kind), after] = &mut classified[at - 2..=at] else { continue };
        let is_between = before.1 == Piece::Code && after.1 == Piece::Code;
        if is_between && [before.0.len(), after.0.len()].contains(&piece.len()) {
            *kind = Piece::Code;
        }
    }
    // Nor is a shorter piece after them.
    for at in PIECES_BEFORE_LAST..classified.len() {
        let (before, rest) = classified.split_at_mut(at);
        let before = &before[at - PIECES_BEFORE_LAST..];
        let length = before[0].0.len();
        let are_codes = before.iter().all(|it| it.1 == Piece::Code && it.0.len() == length);
        if are_codes && rest[0].1 == Piece::Word && rest[0].0.len() < length {
            rest[0].1 = Piece::Code;
        }
    }
    // The first part of a WIF key may look like an address.
    for at in 0..classified.len() {
        let (first, rest) = classified.split_at_mut(at + 1);
        let next = rest.iter().find(|(_, kind)| *kind != Piece::Word);
        let end = next.filter(|(_, kind)| *kind == Piece::Code).map_or(&[][..], |it| it.0);
        if length_of_wif(first[at].0, end) > 0 {
            first[at].1 = Piece::Code;
        }
    }
    // So may all pieces of a longer key.
    let mut left = 0;
    for (piece, kind) in &mut classified {
        if left == 0 {
            left = length_of_begun(piece);
        }
        if left > piece.len() || left > 0 && *kind == Piece::Code {
            *kind = Piece::Code;
        }
        left = left.saturating_sub(piece.len());
    }
    classified
}

/// The number of characters up to the end of the key that begins with a piece, or in it after an
/// address; 0 if none does.
fn length_of_begun(piece: &[Placed]) -> usize {
    let begins = |skip: usize, with: &str| {
        let small = piece.iter().skip(skip).map(|it| it.0.to_ascii_lowercase());
        piece.len() >= skip + with.len() && small.take(with.len()).eq(with.chars())
    };
    // An address may precede it.
    let bech32 = || {
        let is_end = |&end: &usize| {
            let before = &piece[end.saturating_sub(MAX_PREFIX)..end];
            piece[end].0 == '1' && foreign::ends_in_prefix_of_secret(&spelled_small(before))
        };
        (0..piece.len()).find(is_end).map(|end| end + BECH32)
    };
    match piece.first() {
        Some(first)
            if EXTENDED_FIRST.contains(first.0.to_ascii_lowercase())
                && EXTENDED.iter().any(|it| begins(1, it)) =>
        {
            111
        }
        Some(_) if begins(0, ENCRYPTED) => 58,
        _ => bech32().unwrap_or(0),
    }
}

/// How many characters the pieces of a line have up to the end of each.
fn ends_of_pieces(line: &[Placed]) -> impl Iterator<Item = usize> {
    pieces(line).scan(0, |end, piece| {
        *end += piece.len();
        Some(*end)
    })
}

/// The longest piece of a line.
fn longest(line: &[Placed]) -> &[Placed] {
    pieces(line).max_by_key(|piece| piece.len()).unwrap_or_default()
}

/// The number of characters of the WIF key of these two parts; 0 if they are none.
fn length_of_wif(piece: &[Placed], end: &[Placed]) -> usize {
    let length = piece.len() + end.len();
    let begins = |it: &Placed| FIRST.contains(it.0.to_ascii_lowercase());
    let is_wif = LENGTHS_IN_PIECES.contains(&length)
        && piece.first().is_some_and(begins)
        && !end.is_empty()
        && !is_like_address(end)
        && !is_intact(&spelled(piece));
    if is_wif { length } else { 0 }
}

fn kind(piece: &[Placed]) -> Piece {
    let is_number = || all(piece, char::is_ascii_digit) && piece.len() <= MAX_NUMBER;
    let is_public = || foreign::of(piece).is_some_and(|(format, _)| !format.is_key());
    let is_script = || piece.len() > MAX_DIGITS && all(piece, char::is_ascii_hexdigit);
    // Parts of a word such as `scriptPubKey`: of one case, or with a capital letter.
    let is_joined =
        |it: &Placed, next: &Placed| it.0.is_ascii_uppercase() || next.0.is_ascii_lowercase();
    let parts = || piece.chunk_by(is_joined);
    let is_part = |part: &[Placed]| {
        all(part, char::is_ascii_uppercase) || all(&part[1..], char::is_ascii_lowercase)
    };
    let consonants = || piece.split(|it| "aeiouyAEIOUY".contains(it.0)).map(<[Placed]>::len).max();
    let is_word = || {
        all(piece, char::is_ascii_alphabetic)
            && parts().all(is_part)
            && (parts().count() == 1 || piece.len() >= MIN_PART * parts().count())
            && consonants() <= Some(MAX_CONSONANTS)
    };
    match () {
        () if piece.is_empty() || piece.len() > MAX_PIECE => Piece::Word,
        () if is_like_address(piece) || is_public() || is_script() => Piece::Address,
        () if is_number() || is_word() => Piece::Word,
        () if all(piece, |&c| c == '?') => Piece::Word,
        () => Piece::Code,
    }
}

/// What pieces may be that have as many codes as a key, and few words between them.
fn secret_in(pieces: &[(&[Placed], Piece)]) -> Option<Secret> {
    let mut codes = Zeroizing::new(Vec::with_capacity(pieces.iter().map(|it| it.0.len()).sum()));
    let (mut sum, mut of_words) = (0, 0);
    for &(piece, kind) in pieces {
        let length = piece.len() as i32;
        match kind {
            Piece::Address => {}
            Piece::Word => of_words = MAX_OF_WORDS.min(of_words + OF_WORD * length),
            Piece::Code => {
                sum -= of_words;
                if sum <= 0 {
                    sum = 0;
                    codes.clear();
                }
                sum += length;
                of_words = 0;
                codes.extend_from_slice(piece);
                if sum >= MIN_LENGTH && !is_number(&codes) {
                    return Some(Secret::Key);
                }
                if sum >= MIN_DIGITS {
                    return Some(Secret::Digits);
                }
            }
        }
    }
    None
}
