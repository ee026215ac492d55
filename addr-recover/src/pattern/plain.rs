//! Replaces what people and programs write instead of the characters of an address.

use std::collections::HashSet;

use zeroize::Zeroizing;

use crate::kind::CASH_ADDR_NETWORKS;
use crate::number::MIN_LENGTH;

/// A character, and its position in the given text, counted from 1.
pub(crate) type Placed = (char, usize);

/// Stands for any number of hidden characters.
pub(crate) const GAP: char = '…';

/// Stands for a secret that was left out. Nothing is read across it.
pub(super) const LEFT_OUT: char = '\u{fffc}';

/// The maximum number of characters between the brackets of a set: all digits, with separators.
const MAX_SET: usize = 58 * 3;

/// The maximum number that `{3}` may have.
const MAX_LOST: usize = 64;

/// The maximum length of a tag of HTML that is ignored: no address is as short.
const MAX_TAG: usize = 18;

/// What programs write for white space, quotation marks and the delimiters of a URL.
const SPACES: [&str; 13] =
    ["%20", "%09", "%0a", "%0d", "%22", "%3a", "%2f", "%3f", "%3d", "%26", "\\n", "\\r", "\\t"];

/// What divides a word at the end of a line: in quoted-printable mail, in shell scripts and in C.
const NOTHING: [&str; 4] = ["=\n", "=\r\n", "\\\n", "\\\r\n"];

/// Characters outside ASCII, each followed by the one that it looks like.
pub(super) const HOMOGLYPHS: [&str; 6] = [
    // Cyrillic. Lower-case letters have lower-case twins, so the case of a text stays the same.
    "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХX",
    "аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхx",
    // Greek.
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX",
    "αaβbγyεeιiκkνvοoρpτtυuχx",
    // A Cyrillic letter that looks like a digit. Its lower case would make digits of prose.
    "З3",
    "⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9",
];

/// The first and the last code points of invisible characters: zero-width ones, which come along
/// when text is copied from web pages, and marks that belong to the character before them.
const INVISIBLE: [u32; 18] = [
    0xad, 0xad, 0x300, 0x36f, 0x200b, 0x200f, 0x202a, 0x202e, 0x2060, 0x2060, 0x2066, 0x2069,
    0xfe00, 0xfe0f, 0xfeff, 0xfeff, 0x1f3fb, 0x1f3ff,
];

/// Words that may precede a key without a colon, in lower case.
const LABELS: [&str; 6] = ["address", "bitcoin", "btc", "key", "private", "wif"];

/// The visible characters of a text, with their positions. Full-width forms and letters of other
/// alphabets become ASCII, hidden parts such as `...` a [`GAP`], and sets such as `(7/Z)` `[7Z]`.
/// Other square brackets become braces.
///
/// The text may have a key: buffers are wiped, and none grows, which would leave a copy behind.
pub(crate) fn characters(text: &str) -> Zeroizing<Vec<Placed>> {
    let mut read = Zeroizing::new(Vec::with_capacity(text.len()));
    let (mut rest, mut position) = (text, 1);
    // Backslashes divide the folders of Windows.
    let is_drive = |(at, _)| {
        let mut words = text[..at].rsplit(|c: char| !c.is_alphanumeric());
        words.next().is_some_and(|word| word.len() == 1)
    };
    let is_path = text.starts_with("\\\\") || text.match_indices(":\\").any(is_drive);
    while let Some(first) = rest.chars().next() {
        let escape = escape(rest, is_path);
        let (length, character) = escape.unwrap_or((first.len_utf8(), Some(first)));
        read.extend(character.map(|character| (character, position)));
        position += rest[..length].chars().count();
        rest = &rest[length..];
    }
    with_prefixes(with_sets(&with_gaps(&in_ascii(&read))))
}

/// The visible characters in ASCII, if they have another form of it or look like it.
pub(super) fn in_ascii(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let is_in_word = |it: &Placed| it.0.is_alphanumeric() || ascii(it.0).is_none();
    for word in text.chunk_by(|one, other| is_in_word(one) == is_in_word(other)) {
        // A word has no digits, whatever its letters look like.
        let is_word =
            word.iter().any(is_foreign_letter) && !word.iter().any(|it| it.0.is_numeric());
        let looks_like = |c: char| match ascii(c) {
            Some(digit) if is_word && digit.is_ascii_digit() => Some(c),
            other => other,
        };
        kept.extend(word.iter().filter_map(|&(c, at)| Some((looks_like(c)?, at))));
    }
    kept
}

/// Joins the groups of each prefix of `CashAddr`, such as `bitc oinc ash:`.
fn with_prefixes(text: Zeroizing<Vec<Placed>>) -> Zeroizing<Vec<Placed>> {
    // Where a prefix begins that ends before a colon.
    let begin = |colon: usize, prefix: &str| {
        let mut at = colon;
        for own in prefix.chars().rev() {
            while at > 0 && is_space(text[at - 1].0) {
                at -= 1;
            }
            at = at.checked_sub(1).filter(|&at| text[at].0.eq_ignore_ascii_case(&own))?;
        }
        let is_in_word = at > 0 && is_digit(text[at - 1].0);
        (!is_in_word && colon - at > prefix.len()).then_some(at)
    };
    let of_colon = |colon: usize| {
        let begin = CASH_ADDR_NETWORKS.iter().find_map(|it| begin(colon, it.0))?;
        Some(begin..colon)
    };
    let colons = (0..text.len()).filter(|&at| text[at].0 == ':');
    let prefixes: Vec<_> = colons.filter_map(of_colon).collect();
    if prefixes.is_empty() {
        return text;
    }
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut end = 0;
    for prefix in prefixes {
        kept.extend_from_slice(&text[end..prefix.start]);
        kept.extend(text[prefix.clone()].iter().filter(|it| !is_space(it.0)));
        end = prefix.end;
    }
    kept.extend_from_slice(&text[end..]);
    kept
}

/// The length in bytes of the escape sequence that a text begins with, and the character that it
/// stands for, if any.
fn escape(text: &str, is_path: bool) -> Option<(usize, Option<char>)> {
    let enclosed = |begin: &str, is_end: fn(char) -> bool| {
        let inside = text.strip_prefix(begin)?;
        let (end, _) = inside.char_indices().take(MAX_TAG).find(|&(_, c)| is_end(c))?;
        let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || b"#/; ".contains(&byte);
        (end > 0 && inside[..end].bytes().all(is_in_name)).then_some(begin.len() + end + 1)
    };
    let begins =
        |it: &&str| text.get(..it.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(it));
    match text.bytes().next()? {
        b'<' => enclosed("<", |c| c == '>').map(|length| (length, Some(' '))),
        b'&' => enclosed("&", |c| c == ';').map(|length| {
            let name = &text[1..length - 1];
            let code =
                name.strip_prefix('#').and_then(|code| match code.strip_prefix(['x', 'X']) {
                    Some(code) => u32::from_str_radix(code, 16).ok(),
                    None => code.parse().ok(),
                });
            let named = code.and_then(char::from_u32);
            (length, named.map_or((name != "shy").then_some(' '), Some))
        }),
        // The parameters of a URL, not an unreadable character.
        b'?' => enclosed("?", |c| c == '=')
            .filter(|&length| !text[length..].starts_with(['\r', '\n']))
            .map(|_| (1, Some('&'))),
        // The colours of a terminal.
        b'\x1b' => enclosed("\x1b[", |c| c.is_ascii_alphabetic()).map(|length| (length, None)),
        b'\\' if is_path => None,
        // A character in JSON or in C.
        b'\\' if text[1..].starts_with(['u', 'x']) => {
            let length = if text[1..].starts_with('u') { 6 } else { 4 };
            let code = u32::from_str_radix(text.get(2..length)?, 16).ok()?;
            Some((length, Some(char::from_u32(code)?)))
        }
        b'=' | b'\\' | b'%' => {
            let nothing = NOTHING.iter().find(|it| begins(it)).map(|it| (it.len(), None));
            nothing.or_else(|| SPACES.iter().find(|it| begins(it)).map(|it| (it.len(), Some(' '))))
        }
        _ => None,
    }
}

/// The ASCII character that another form of it or a homoglyph stands for. `None` if the character
/// is invisible.
fn ascii(character: char) -> Option<char> {
    let code = u32::from(character);
    let from = |first: u8, at: u32| char::from(first + at as u8);
    Some(match character {
        '\0'..='\x7f' => character,
        _ if INVISIBLE.chunks(2).any(|it| (it[0]..=it[1]).contains(&code)) => return None,
        // Mathematical letters come in 13 styles of 52, and digits in 5 styles.
        '\u{1d400}'..='\u{1d6a3}' => match (code - 0x1d400) % 52 {
            at @ 0..26 => from(b'A', at),
            at => from(b'a', at - 26),
        },
        '\u{1d7ce}'..='\u{1d7ff}' => from(b'0', (code - 0x1d7ce) % 10),
        '\u{ff01}'..='\u{ff5e}' => from(0, code - 0xfee0),
        _ => {
            let after = HOMOGLYPHS.iter().find_map(|pairs| pairs.split_once(character));
            after.and_then(|(_, after)| after.chars().next()).unwrap_or(character)
        }
    })
}

/// Joins the characters of each `...`, `…` or `. . .`.
pub(super) fn with_gaps(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let is_dot = |&(c, _): &Placed| matches!(c, '.' | '…' | '⋯');
    let is_dot_or_space = |it: &&Placed| is_dot(it) || matches!(it.0, ' ' | '\u{a0}');
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let [first, ..] = rest {
        let run = if is_dot(first) { rest.iter().take_while(is_dot_or_space).count() } else { 0 };
        let length = rest[..run].iter().rposition(is_dot).map_or(0, |last| last + 1);
        let dots = rest[..length].iter().filter(|it| is_dot(it));
        let is_gap = dots.clone().count() > 2 || dots.clone().any(|&(c, _)| c != '.');
        kept.push(if is_gap { (GAP, first.1) } else { *first });
        rest = &rest[if is_gap { length } else { 1 }..];
    }
    kept
}

/// Writes all sets with square brackets and without separators.
fn with_sets(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    // A number in braces stands for more characters than it has. A list that grows would leave
    // copies of a key behind.
    let more = |at: usize| {
        let digits = text[at + 1..].iter().take_while(|it| it.0.is_ascii_digit()).take(3).count();
        lost(&text[at + 1..at + 1 + digits])
    };
    let braces = (0..text.len()).filter(|&at| text[at].0 == '{');
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len() + braces.map(more).sum::<usize>()));
    let mut at = 0;
    while at < text.len() {
        let before = at.checked_sub(1).map(|before| text[before].0);
        at += append_set(before, &text[at..], &mut kept).unwrap_or_else(|| {
            let (character, position) = text[at];
            let character = match character {
                '[' => '{',
                ']' => '}',
                _ => character,
            };
            kept.push((character, position));
            1
        });
    }
    kept
}

/// Appends what the bracket that begins here stands for, and returns its length in the text.
fn append_set(before: Option<char>, text: &[Placed], kept: &mut Vec<Placed>) -> Option<usize> {
    let (&begin, rest) = text.split_first()?;
    let &(_, closing) = [('(', ')'), ('{', '}'), ('[', ']')].iter().find(|it| it.0 == begin.0)?;
    let end = rest.iter().take(MAX_SET).position(|&(c, _)| c == closing)?;
    let (inside, after) = (&rest[..end], rest.get(end + 1).map(|&(c, _)| c));
    let is_beside = |c: Option<char>, brackets: &str| {
        c.is_some_and(|c| is_digit(c) || is_mark(c) || c == GAP || brackets.contains(c))
    };
    let (is_after, is_before) = (is_beside(before, ")]}"), is_beside(after, "([{"));
    let is_between = |&(c, _): &Placed| matches!(c, '/' | '|' | ',') || c.is_whitespace();
    let is_or = |it: &&[Placed]| it.iter().map(|&(c, _)| c.to_ascii_lowercase()).eq("or".chars());
    let parts = || inside.split(is_between).filter(|it| !it.is_empty());
    // `[or]` is a set of two characters.
    let is_alone = parts().count() == 1;
    let members = || parts().filter(|it| is_alone || !is_or(it));
    let is_word = members().count() == 1 && closing != ')';
    let is_list =
        members().all(|it| (it.len() == 1 || is_word) && it.iter().all(|it| is_digit(it.0)));
    let count = members().flatten().count();
    match inside {
        [(GAP | '?', _)] => kept.extend(inside),
        _ if closing == '}' && (is_after || is_before) && lost(inside) > 0 => {
            kept.extend(std::iter::repeat_n(('?', begin.1), lost(inside)));
        }
        _ if !is_after && !is_before || is_longer_than_a_set(inside) => return None,
        _ if is_list && count == 1 => kept.extend(members().flatten()),
        _ if is_list && count > 1 => {
            kept.push(('[', begin.1));
            kept.extend(members().flatten());
            kept.push((']', rest[end].1));
        }
        // Whatever it says, it stands for one character.
        _ if is_after && is_before => kept.push(('?', begin.1)),
        _ => return None,
    }
    Some(end + 2)
}

/// How many characters a number in braces stands for: `{3}`. None if it is no such number.
fn lost(inside: &[Placed]) -> usize {
    let is_number = inside.len() <= 2 && inside.iter().all(|it| it.0.is_ascii_digit());
    let digits = inside.iter().filter(|_| is_number).filter_map(|it| it.0.to_digit(10));
    digits.fold(0, |number, digit| 10 * number + digit as usize).min(MAX_LOST)
}

/// Whether a text is too long for a set: a set has no character twice.
fn is_longer_than_a_set(inside: &[Placed]) -> bool {
    let characters = || inside.iter().map(|&(c, _)| c).filter(char::is_ascii_alphanumeric);
    let mut distinct = HashSet::new();
    characters().count() >= MIN_LENGTH && !characters().all(|c| distinct.insert(c))
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

/// The text with a `?` for each set.
pub(super) fn without_sets(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let outside = outside_sets(text).filter(|&(_, is_outside)| is_outside);
    kept.extend(outside.map(|((c, at), _)| (if c == ']' { '?' } else { c }, at)));
    kept
}

/// The characters as a string, which is wiped: they may be a key.
pub(super) fn spelled(characters: &[Placed]) -> Zeroizing<String> {
    let length = characters.iter().map(|it| it.0.len_utf8()).sum();
    // A string that grows would leave copies behind.
    let mut text = Zeroizing::new(String::with_capacity(length));
    text.extend(characters.iter().map(|it| it.0));
    text
}

/// The characters as a string in lower case.
pub(super) fn spelled_small(characters: &[Placed]) -> Zeroizing<String> {
    let mut text = spelled(characters);
    text.make_ascii_lowercase();
    text
}

/// The text without labels, and without what is around it. White space and dashes are left out, and
/// other characters that are no digits are unreadable ones.
pub(super) fn bare(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let rest = without_labels(text);
    let end = rest.iter().rposition(is_part).map_or(0, |last| last + 1);
    let rest = &rest[..end];
    let mut kept = Zeroizing::new(Vec::with_capacity(rest.len()));
    let visible = rest.iter().filter(|(c, _)| !is_space(*c));
    kept.extend(visible.map(|&it| if is_part(&it) && !is_mark(it.0) { it } else { ('?', it.1) }));
    kept
}

/// The text from its first character that may be a part of an address and is in no label. Looks at
/// each character a few times, however many labels there are.
fn without_labels(text: &[Placed]) -> &[Placed] {
    let is_in_words = |it: &Placed| it.0.is_alphabetic() || it.0.is_whitespace();
    let (mut begin, mut end_of_words) = (0, 0);
    loop {
        begin += text[begin..].iter().take_while(|it| !is_part(it)).count();
        if end_of_words <= begin {
            end_of_words = begin + text[begin..].iter().take_while(|it| is_in_words(it)).count();
        }
        let rest = &text[begin..];
        let is_label = |label: &&str| {
            let small = rest.iter().take(label.len()).map(|it| it.0.to_ascii_lowercase());
            small.eq(label.chars()) && rest.get(label.len()).is_some_and(|it| it.0.is_whitespace())
        };
        begin = match LABELS.iter().find(|it| is_label(it)) {
            _ if text.get(end_of_words).is_some_and(|it| it.0 == ':') => end_of_words + 1,
            Some(label) => begin + label.len(),
            None => return rest,
        };
    }
}

/// The text without quotation marks, and without words and a colon or an equals sign before it.
pub(super) fn without_label(text: &[Placed]) -> &[Placed] {
    let is_word = |it: &Placed| it.0.is_alphabetic() || it.0.is_whitespace() || it.0 == '_';
    let words = text.iter().take_while(|it| is_word(it)).count();
    // Digits are letters, too, but their groups are shorter than most labels.
    let is_digits = text[..words].iter().all(|it| it.0.is_ascii_hexdigit());
    let has_label = matches!(text.get(words), Some((':' | '=', _))) && words > 0 && !is_digits;
    let mut rest = if has_label { &text[words + 1..] } else { text };
    let is_around = |it: &Placed| it.0.is_whitespace() || matches!(it.0, '"' | '\'' | '`');
    while let [first, inside @ ..] = rest
        && is_around(first)
    {
        rest = inside;
    }
    while let [inside @ .., last] = rest
        && is_around(last)
    {
        rest = inside;
    }
    rest
}

/// White space, dashes and colons, which divide groups of digits.
pub(super) fn divides_digits(it: &Placed) -> bool {
    is_space(it.0) || it.0 == ':'
}

/// Whether a character is a letter that neither is one of ASCII nor looks like one.
pub(super) fn is_foreign_letter(it: &Placed) -> bool {
    !it.0.is_ascii() && it.0.is_alphabetic() && ascii(it.0) == Some(it.0)
}

/// Whether all characters are of some kind.
pub(super) fn all(text: &[Placed], is: fn(&char) -> bool) -> bool {
    text.iter().all(|(character, _)| is(character))
}

/// Whether a character is a Base58 digit, perhaps a damaged one.
pub(super) fn is_digit(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

/// Whether a character may be a part of an address or a set in it, or stands for some.
pub(super) fn is_part(&(character, _): &Placed) -> bool {
    is_digit(character) || is_mark(character) || matches!(character, '[' | ']' | GAP)
}

/// Whether a character is usual for an unreadable one.
pub(super) fn is_mark(character: char) -> bool {
    matches!(character, '?' | '_' | '*')
}

/// White space, hyphens, dashes and the minus sign.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}
