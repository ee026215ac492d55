//! Replaces what people and programs write instead of the characters of an address.

use std::collections::HashSet;

use zeroize::Zeroizing;

use super::error::MIN_LENGTH;

/// A character, and its position in the given text, counted from 1.
pub(crate) type Placed = (char, usize);

/// Stands for any number of hidden characters.
pub(crate) const GAP: char = '…';

/// The maximum number of characters between the brackets of a set: all digits, with separators.
pub(super) const MAX_SET: usize = 58 * 3;

/// The maximum length of a tag of HTML that is ignored: no address is as short.
const MAX_TAG: usize = 10;

/// What programs write for white space, and for nothing, in lower case.
const ESCAPES: [(&str, Option<char>); 20] = [
    ("&nbsp;", Some(' ')),
    ("&#160;", Some(' ')),
    ("&quot;", Some('"')),
    ("&amp;", Some('&')),
    ("&lt;", Some('<')),
    ("&gt;", Some('>')),
    ("&#10;", Some(' ')),
    ("%20", Some(' ')),
    ("%09", Some(' ')),
    ("%0a", Some(' ')),
    ("%0d", Some(' ')),
    ("&shy;", None),
    ("&#173;", None),
    // The end of a line in quoted-printable mail, in shell scripts and in C.
    ("=\n", None),
    ("=\r\n", None),
    ("\\\n", None),
    ("\\\r\n", None),
    // The ends of lines and the tabs of JSON.
    ("\\n", Some(' ')),
    ("\\r", Some(' ')),
    ("\\t", Some(' ')),
];

/// Letters of other alphabets, each followed by the Latin letter that it looks like.
pub(super) const HOMOGLYPHS: [&str; 5] = [
    // Cyrillic. Lower-case letters have lower-case twins, so the case of a text stays the same.
    "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХX",
    "аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхx",
    // Greek.
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX",
    "αaβbγyεeιiκkνvοoρpτtυuχx",
    // A Cyrillic letter that looks like a digit. Its lower case would make digits of prose.
    "З3",
];

/// Words that may precede an address without a colon, in lower case.
const LABELS: [&str; 22] = [
    "addr", "address", "bitcoin", "btc", "dash", "doge", "dogecoin", "key", "litecoin", "ltc",
    "namecoin", "nmc", "peercoin", "ppc", "private", "tron", "trx", "wallet", "wif", "xbt",
    "zcash", "zec",
];

/// The visible characters of a text, with their positions. Full-width forms and letters of other
/// alphabets become ASCII, hidden parts such as `...` a [`GAP`], and sets such as `(7/Z)` `[7Z]`.
///
/// The text may have a key: buffers are wiped, and none grows, which would leave a copy behind.
pub(crate) fn characters(text: &str) -> Zeroizing<Vec<Placed>> {
    let mut characters = Zeroizing::new(Vec::with_capacity(text.len()));
    let (mut rest, mut position) = (text, 1);
    let is_path = has_drive(text);
    while let Some(first) = rest.chars().next() {
        let (length, read) = match escape(rest).filter(|_| first != '\\' || !is_path) {
            Some((length, read)) => (length, read),
            None => (first.len_utf8(), (!is_invisible(first)).then(|| ascii(first))),
        };
        characters.extend(read.map(|read| (read, position)));
        position += rest[..length].chars().count();
        rest = &rest[length..];
    }
    unquote(&mut characters);
    with_sets(&with_gaps(&characters))
}

/// Whether a text has the name of a drive of Windows, so that backslashes divide folders.
fn has_drive(text: &str) -> bool {
    text.match_indices(":\\").any(|(at, _)| {
        let mut before = text[..at].chars().rev();
        before.next().is_some_and(|c| c.is_ascii_alphabetic())
            && before.next().is_none_or(|c| !c.is_alphanumeric())
    })
}

/// The length in bytes of the escape sequence that a text begins with, and what it stands for.
fn escape(text: &str) -> Option<(usize, Option<char>)> {
    let first = text.bytes().next().filter(|byte| b"&%=\\<\x1b".contains(byte))?;
    match first {
        b'<' => {
            let tag = text.bytes().take(MAX_TAG).position(|byte| byte == b'>')?;
            let name = text[1..tag].trim_start_matches('/').trim_end_matches([' ', '/']);
            let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
            is_name.then_some((tag + 1, Some(' ')))
        }
        // The colours of a terminal.
        b'\x1b' => {
            let rest = text.strip_prefix("\x1b[")?;
            let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
            rest[end..].starts_with(|c: char| c.is_ascii_alphabetic()).then_some((end + 3, None))
        }
        // A character in JSON.
        b'\\' if text[1..].starts_with('u') => {
            let code = u32::from_str_radix(text.get(2..6)?, 16).ok()?;
            let read = char::from_u32(code)?;
            Some((6, (!is_invisible(read)).then(|| ascii(read))))
        }
        _ => {
            let begins = |escape: &str| {
                text.get(..escape.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(escape))
            };
            let (escape, read) = ESCAPES.into_iter().find(|(escape, _)| begins(escape))?;
            Some((escape.len(), read))
        }
    }
}

/// The Latin letter that a letter of another alphabet looks like.
pub(crate) fn homoglyph(character: char) -> Option<char> {
    HOMOGLYPHS.into_iter().find_map(|pairs| {
        let mut letters = pairs.chars();
        let mut pairs = std::iter::from_fn(|| letters.next().zip(letters.next()));
        pairs.find(|&(found, _)| found == character).map(|(_, latin)| latin)
    })
}

/// The ASCII character that another form of it or a homoglyph stands for.
fn ascii(character: char) -> char {
    let from = |first: u8, at: u32| char::from(first + at as u8);
    let code = u32::from(character);
    match character {
        // Mathematical letters come in 13 styles of 52, and digits in 5 styles.
        '\u{1d400}'..='\u{1d6a3}' => match (code - 0x1d400) % 52 {
            at @ 0..26 => from(b'A', at),
            at => from(b'a', at - 26),
        },
        '\u{1d7ce}'..='\u{1d7ff}' => from(b'0', (code - 0x1d7ce) % 10),
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '\u{2070}' | '\u{2074}'..='\u{2079}' => from(b'0', code - 0x2070),
        '\u{2080}'..='\u{2089}' => from(b'0', code - 0x2080),
        '\u{ff01}'..='\u{ff5e}' => char::from((u32::from(character) - 0xfee0) as u8),
        _ if character.is_ascii() => character,
        _ => homoglyph(character).unwrap_or(character),
    }
}

/// Replaces the marks of quoted lines in e-mail: `> text`.
fn unquote(text: &mut [Placed]) {
    let mut is_begin = true;
    for (character, _) in text {
        is_begin = *character == '\n' || is_begin && matches!(character, '>' | ' ' | '\t' | '\r');
        if is_begin && *character == '>' {
            *character = ' ';
        }
    }
}

/// Joins the characters of each ellipsis.
pub(super) fn with_gaps(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let [first, ..] = rest {
        let dots = dots(rest);
        kept.push(if dots > 0 { (GAP, first.1) } else { *first });
        rest = &rest[dots.max(1)..];
    }
    kept
}

/// The number of characters of the `...`, `…` or `. . .` that a text begins with.
fn dots(text: &[Placed]) -> usize {
    let is_dot = |c: char| matches!(c, '.' | '…' | '⋯');
    let dots = text.iter().take_while(|(c, _)| is_dot(*c)).count();
    let is_spaced = |pair: &&[Placed]| matches!(pair, [(' ' | '\u{a0}', _), ('.', _)]);
    let spaced = text.iter().take(1).filter(|(c, _)| *c == '.').flat_map(|_| text[1..].chunks(2));
    match spaced.take_while(is_spaced).count() {
        pairs @ 2.. => 2 * pairs + 1,
        _ if dots >= 3 || text[..dots].iter().any(|&(c, _)| c != '.') => dots,
        _ => 0,
    }
}

/// Writes all sets with square brackets and without separators. Other brackets around a word become
/// spaces.
fn with_sets(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let (mut at, mut last) = (0, None);
    while at < text.len() {
        let before = last.filter(|&c| continues(c));
        let length = append_set(before.is_some(), &text[at..], &mut kept).unwrap_or_else(|| {
            kept.push(text[at]);
            1
        });
        at += length;
        last = Some(text[at - 1].0);
    }
    kept
}

/// Whether a character may be beside a set in an address.
fn continues(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '?' | '_' | '*' | ')' | ']' | '}' | '(' | '[' | '{')
}

/// Appends what the bracket that begins here stands for, which takes no more characters than in the
/// text, and returns its length there. `is_joined` says whether the character before it may be part
/// of an address.
fn append_set(is_joined: bool, text: &[Placed], kept: &mut Vec<Placed>) -> Option<usize> {
    let (&begin, rest) = text.split_first()?;
    let closing = match begin.0 {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        _ => return None,
    };
    let end = rest.iter().take(MAX_SET).position(|&(c, _)| c == closing)?;
    let inside = &rest[..end];
    let is_joined = is_joined || rest.get(end + 1).is_some_and(|&(c, _)| continues(c));
    let members = || {
        let is_between = |&(c, _): &Placed| matches!(c, '/' | '|' | ',') || c.is_whitespace();
        let is_or = |member: &&[Placed]| {
            !member.iter().map(|&(c, _)| c.to_ascii_lowercase()).eq("or".chars())
        };
        inside.split(is_between).filter(|member| !member.is_empty()).filter(is_or)
    };
    let is_digit = |&(c, _): &Placed| c.is_ascii_alphanumeric() || c == '?';
    let are_digits = members().all(|member| member.len() == 1 && is_digit(&member[0]));
    let is_word = closing != ')' && inside.iter().all(is_digit) && !inside.is_empty();
    match members().count() {
        1 if matches!(inside, [(GAP | '?', _)]) => kept.extend(inside),
        0 if is_joined && matches!(inside, [(' ', _)]) => kept.push(('?', begin.1)),
        1 if is_joined && are_digits => kept.extend(members().flatten()),
        _ if is_longer_than_a_set(inside) && closing != ')' => {
            kept.push((' ', begin.1));
            kept.extend(inside);
            kept.push((' ', rest[end].1));
        }
        2.. if are_digits && is_joined => {
            kept.push(('[', begin.1));
            kept.extend(members().flatten());
            kept.push((']', rest[end].1));
        }
        // An error says what is wrong in a set.
        _ if is_joined && (is_word || closing == ']') => {
            kept.push(('[', begin.1));
            kept.extend(inside);
            kept.push((']', rest[end].1));
        }
        _ => return None,
    }
    Some(end + 2)
}

/// Whether a text is too long for a set: a set has no character twice.
pub(crate) fn is_longer_than_a_set(inside: &[Placed]) -> bool {
    let characters = || inside.iter().map(|&(c, _)| c).filter(char::is_ascii_alphanumeric);
    let distinct: HashSet<char> = characters().collect();
    let count = characters().count();
    count >= MIN_LENGTH && distinct.len() < count
}

/// The characters, and whether each is outside the sets. `]` is outside, `[` is not.
pub(crate) fn outside_sets(text: &[Placed]) -> impl Iterator<Item = (Placed, bool)> {
    let mut is_in_set = false;
    text.iter().map(move |&(character, position)| {
        is_in_set = character == '[' || is_in_set && character != ']';
        ((character, position), !is_in_set)
    })
}

/// The number of characters. A set counts as one.
pub(super) fn places(text: &[Placed]) -> usize {
    outside_sets(text).filter(|&(_, is_outside)| is_outside).count()
}

pub(super) fn spelled(characters: &[Placed]) -> String {
    characters.iter().map(|&(character, _)| character).collect()
}

/// The text without white space and dashes, except in sets, where a dash would mean a range.
pub(crate) fn joined(text: &[Placed]) -> Vec<Placed> {
    let mut kept = Vec::with_capacity(text.len());
    kept.extend(
        outside_sets(text)
            .filter(|&((character, _), is_outside)| !(is_outside && is_space(character)))
            .map(|(placed, _)| placed),
    );
    kept
}

/// The text without the white space, the punctuation, the emphasis and the labels around it.
pub(super) fn bare(text: &[Placed]) -> &[Placed] {
    let rest = trimmed(text);
    let is_in_words = |&&(c, _): &&Placed| c.is_alphabetic() || c.is_whitespace();
    let words = rest.iter().take_while(is_in_words).count();
    if let Some((':', _)) = rest.get(words) {
        return bare(&rest[words + 1..]);
    }
    let word = rest.split(|(c, _)| c.is_whitespace()).next().unwrap_or_default();
    let small = || word.iter().map(|(c, _)| c.to_ascii_lowercase());
    let is_label = word.len() < rest.len() && LABELS.iter().any(|label| small().eq(label.chars()));
    if is_label { bare(&rest[word.len()..]) } else { rest }
}

pub(super) fn trimmed(text: &[Placed]) -> &[Placed] {
    let is_around = |c: char| {
        // Quotation marks of Chinese and Japanese are brackets, too.
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '`' | '«' | '»' | '\u{2018}'..='\u{201f}' | '‹' | '›')
            || matches!(c, '〈'..='】' | '<' | '>' | '(' | ')')
    };
    let is_before = |c: char| is_around(c) || matches!(c, '@' | '₿');
    let is_after = |c: char| is_around(c) || matches!(c, ',' | ';' | '、' | '。');
    let begin = text.iter().take_while(|&&(character, _)| is_before(character)).count();
    let rest = &text[begin..];
    let end = rest.iter().rposition(|&(character, _)| !is_after(character));
    match &rest[..end.map_or(0, |last| last + 1)] {
        // A single one is an unreadable character.
        [(first @ ('*' | '_' | '~'), _), inside @ .., (last, _)] if first == last => {
            trimmed(inside)
        }
        rest => rest,
    }
}

/// Zero-width characters, which come along when text is copied from web pages, and marks that
/// belong to the character before them.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{300}'..='\u{36f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// White space, hyphens, dashes and the minus sign.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}
