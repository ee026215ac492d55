//! Replaces what people and programs write instead of the characters of an address.

use std::collections::HashSet;

use zeroize::Zeroizing;

use super::error::MIN_LENGTH;

/// A character, and its position in the given text, counted from 1.
pub(crate) type Placed = (char, usize);

/// Stands for any number of hidden characters.
pub(crate) const GAP: char = '…';

/// The maximum number of characters between the brackets of a link. Without it, long texts would
/// take quadratic time.
const MAX_LINK: usize = 2000;

/// The maximum number of characters between the brackets of a set: all digits, with separators.
const MAX_SET: usize = 58 * 3;

/// Letters of other alphabets, each followed by the Latin letter that it looks like.
const HOMOGLYPHS: [&str; 5] = [
    // Cyrillic. Lower-case letters have lower-case twins, so the case of a text stays the same.
    "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХX",
    "аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхx",
    // Greek.
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX",
    "αaβbγyεeιiκkνvοoρpτtυuχx",
    // A Cyrillic letter that looks like a digit. Its lower case would make digits of prose.
    "З3",
];

/// The visible characters of a text, with their positions. Full-width forms and letters of other
/// alphabets become ASCII, hidden parts such as `...` a [`GAP`], and sets such as `(7/Z)` `[7Z]`.
/// The brackets of Markdown links become spaces.
///
/// The text may have a key: buffers are wiped, and none grows, which would leave a copy behind.
pub(crate) fn characters(text: &str) -> Zeroizing<Vec<Placed>> {
    let visible = text.chars().zip(1..).filter(|&(character, _)| !is_invisible(character));
    let mut characters = Zeroizing::new(Vec::with_capacity(text.len()));
    characters.extend(visible.map(|(c, position)| (ascii(c), position)));
    unquote(&mut characters);
    separate_links(&mut characters);
    with_sets(&with_gaps(&characters))
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

/// Replaces the brackets of `[text](target)`.
fn separate_links(text: &mut [Placed]) {
    for at in 1..text.len() {
        if (text[at - 1].0, text[at].0) != (']', '(') {
            continue;
        }
        let begin = text[..at].iter().rev().take(MAX_LINK).position(|&(c, _)| c == '[');
        let end = text[at..].iter().take(MAX_LINK).position(|&(c, _)| c == ')');
        if let (Some(begin), Some(end)) = (begin, end) {
            for bracket in [at - 1 - begin, at - 1, at, at + end] {
                text[bracket].0 = ' ';
            }
        }
    }
}

/// Joins the characters of each ellipsis.
fn with_gaps(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let [first, ..] = rest {
        let dots = dots(rest).max(spaced_dots(rest));
        let is_gap = dots >= 3 || rest[..dots].iter().any(|&(c, _)| c != '.');
        kept.push(if is_gap { (GAP, first.1) } else { *first });
        rest = &rest[if is_gap { dots } else { 1 }..];
    }
    kept
}

/// The number of dots that a text begins with.
fn dots(text: &[Placed]) -> usize {
    text.iter().take_while(|(c, _)| matches!(c, '.' | '…' | '⋯')).count()
}

/// The number of characters of the `. . .` that a text begins with.
fn spaced_dots(text: &[Placed]) -> usize {
    let is_dotted = |pair: &&[Placed]| matches!(pair, [(' ' | '\u{a0}', _), ('.', _)]);
    match text.split_first() {
        Some((('.', _), rest)) => match rest.chunks(2).take_while(is_dotted).count() {
            pairs @ 2.. => 1 + 2 * pairs,
            _ => 0,
        },
        _ => 0,
    }
}

/// Writes all sets with square brackets and without separators.
fn with_sets(text: &[Placed]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = match append_set(rest, &mut kept) {
            Some(length) => &rest[length..],
            None => {
                kept.push(*first);
                after
            }
        };
    }
    kept
}

/// Appends the set or the gap in brackets that begins here, which takes no more characters than in
/// the text, and returns its length there. Brackets around an address become spaces.
fn append_set(text: &[Placed], kept: &mut Vec<Placed>) -> Option<usize> {
    let (&begin, rest) = text.split_first()?;
    let closing = match begin.0 {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        _ => return None,
    };
    let end = rest.iter().take(MAX_SET).position(|&(c, _)| c == closing)?;
    let inside = &rest[..end];
    let members = || inside.split(|(c, _)| matches!(c, '/' | '|' | ',')).map(only_visible);
    let is_word = || inside.iter().all(|(c, _)| c.is_ascii_alphanumeric()) && !inside.is_empty();
    let mut append = |opening, inside: &mut dyn Iterator<Item = Placed>, closing| {
        kept.push((opening, begin.1));
        kept.extend(inside);
        kept.push((closing, rest[end].1));
    };
    match closing {
        _ if matches!(inside, [(GAP, _)]) => kept.extend(inside),
        _ if members().count() > 1 && members().all(|member| member.is_some()) => {
            append('[', &mut members().flatten(), ']');
        }
        _ if are_alternatives(inside) => {
            append('[', &mut words(inside).step_by(2).flatten().copied(), ']');
        }
        ']' | '}' if is_longer_than_a_set(inside) => {
            append(' ', &mut inside.iter().copied(), ' ');
        }
        '}' if is_word() => append('[', &mut inside.iter().copied(), ']'),
        _ => return None,
    }
    Some(end + 2)
}

/// Whether a text is of the form `7 or Z or T`.
fn are_alternatives(inside: &[Placed]) -> bool {
    let is_or =
        |word: &[Placed]| word.iter().map(|&(c, _)| c.to_ascii_lowercase()).eq("or".chars());
    let count = words(inside).count();
    count > 2
        && count % 2 == 1
        && words(inside).step_by(2).all(|word| word.len() == 1)
        && words(inside).skip(1).step_by(2).all(is_or)
}

fn words(text: &[Placed]) -> impl Iterator<Item = &[Placed]> {
    text.split(|(c, _)| c.is_whitespace()).filter(|word| !word.is_empty())
}

/// Whether a text is too long for a set: a set has no character twice.
pub(crate) fn is_longer_than_a_set(inside: &[Placed]) -> bool {
    let characters = || inside.iter().map(|&(c, _)| c).filter(char::is_ascii_alphanumeric);
    let distinct: HashSet<char> = characters().collect();
    let count = characters().count();
    count >= MIN_LENGTH && distinct.len() < count
}

/// The only character that is not white space.
fn only_visible(text: &[Placed]) -> Option<Placed> {
    let mut visible = text.iter().filter(|(character, _)| !character.is_whitespace());
    visible.next().copied().filter(|_| visible.next().is_none())
}

/// The characters, and whether each is outside the sets. `]` is outside, `[` is not.
pub(crate) fn outside_sets(text: &[Placed]) -> impl Iterator<Item = (Placed, bool)> {
    let mut is_in_set = false;
    text.iter().map(move |&(character, position)| {
        is_in_set = character == '[' || is_in_set && character != ']';
        ((character, position), !is_in_set)
    })
}

/// The text without white space and dashes, except in sets, where a dash would mean a range.
pub(crate) fn joined(text: &[Placed]) -> Vec<Placed> {
    let is_between = |character: char| character.is_whitespace() || is_dash(character);
    let mut kept = Vec::with_capacity(text.len());
    kept.extend(
        outside_sets(text)
            .filter(|&((character, _), is_outside)| !(is_outside && is_between(character)))
            .map(|(placed, _)| placed),
    );
    kept
}

/// Zero-width characters, which come along when text is copied from web pages.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Letters of scripts that are written without spaces: Thai, Lao, Chinese, Japanese and Korean.
pub(crate) fn is_of_unspaced_script(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Hyphens, dashes and the minus sign.
pub(crate) fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_become_the_usual_ones() {
        for (given, plain) in [
            ("１ａＢ？", "1aB?"),
            ("1\u{200b}a\u{feff}", "1a"),
            ("1а\u{412}", "1aB"),
            ("1ab...yz", "1ab…yz"),
            ("1ab....yz", "1ab…yz"),
            ("1ab[...]yz", "1ab…yz"),
            ("1ab(…)yz", "1ab…yz"),
            ("1ab..yz", "1ab..yz"),
            ("1ab . . . yz", "1ab … yz"),
            ("1ab. . . .yz", "1ab…yz"),
            ("1ab. .yz", "1ab. .yz"),
            ("1(7 or Z or T)a", "1[7ZT]a"),
            ("1(7 and Z)a", "1(7 and Z)a"),
            ("> 1ab\n>> cd > e", "  1ab\n   cd > e"),
            ("\u{1d7cf}\u{1d41a}\u{1d5d5}¹²⁴₅\u{417}", "1aB12453"),
            ("1(7/Z/T)a", "1[7ZT]a"),
            ("1{7,Z}a", "1[7Z]a"),
            ("1{7Z}a", "1[7Z]a"),
            ("1[7|Z]a", "1[7Z]a"),
            ("1( 7 / Z )a", "1[7Z]a"),
            ("1[7 Z]a", "1[7 Z]a"),
            ("1[A-Z]a", "1[A-Z]a"),
            ("(1ab)", "(1ab)"),
            ("1[7ZT", "1[7ZT"),
            ("[1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71]", " 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 "),
            ("1[abcdefghijkmnopqrstuvwxyz123]a", "1[abcdefghijkmnopqrstuvwxyz123]a"),
            ("[ab](cd) e", " ab  cd  e"),
        ] {
            let text: String = characters(given).iter().map(|(c, _)| c).collect();
            assert_eq!(text, plain, "{given}");
        }
        assert_eq!(characters("\u{200b}1...b")[..], [('1', 2), (GAP, 3), ('b', 6)]);
        assert_eq!(characters("1(7/Z)")[..], [('1', 1), ('[', 2), ('7', 3), ('Z', 5), (']', 6)]);
    }

    /// A buffer that grows leaves a copy of what may be a key.
    #[test]
    fn buffers_do_not_grow() {
        for set in ["KwDiBf8", "[Kw]", "{K,w,D}", "(K/w)", "[...]", "{KwD}", "......", "Ｋw", "-К "]
        {
            let text = set.repeat(20);
            let characters = characters(&text);
            for buffer in [&characters, &with_gaps(&characters), &joined(&characters).into()] {
                assert!(buffer.capacity() <= text.chars().count(), "{set}");
            }
        }
    }

    #[test]
    fn homoglyphs_are_not_ascii_and_keep_their_case() {
        for pairs in HOMOGLYPHS {
            let pairs: Vec<char> = pairs.chars().collect();
            for pair in pairs.chunks(2) {
                assert!(!pair[0].is_ascii() && pair[1].is_ascii_alphanumeric(), "{pair:?}");
                let is_letter = pair[1].is_ascii_alphabetic();
                assert!(!is_letter || pair[0].is_lowercase() == pair[1].is_lowercase(), "{pair:?}");
                assert_eq!(homoglyph(pair[0]), Some(pair[1]));
            }
        }
        assert_eq!(homoglyph('A'), None);
        assert_eq!(homoglyph('ж'), None);
    }
}
