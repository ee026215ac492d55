//! Finds the address in what people paste: URLs, labels, groups of characters, quotation marks.

use super::alphabet::DigitSet;
use super::error::MIN_LENGTH;
use crate::number::MAX_LENGTH;

/// A character, and its position in the given text, counted from 1.
pub(crate) type Placed = (char, usize);

/// The length of most addresses.
const USUAL_LENGTH: usize = 34;

/// Words that may precede an address without a colon, in lower case.
const LABELS: [&str; 19] = [
    "addr", "address", "bitcoin", "btc", "dash", "doge", "dogecoin", "litecoin", "ltc", "namecoin",
    "nmc", "peercoin", "ppc", "tron", "trx", "wallet", "xbt", "zcash", "zec",
];

/// Labels that are not schemes of URLs, in lower case.
const NOT_SCHEMES: [&str; 10] =
    ["addr", "address", "btc", "ltc", "nmc", "ppc", "trx", "wallet", "xbt", "zec"];

/// A text without the surroundings of the address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The word that preceded the colon, in lower case.
    pub(crate) scheme: String,
    pub(crate) characters: Vec<Placed>,
}

impl Input {
    /// Finds the address. Drops what people paste along with it: white space and dashes between
    /// groups, quotation marks and brackets, invisible characters, labels such as `BTC:`, and the
    /// other parts of a URL.
    pub(crate) fn of(text: &str) -> Self {
        let visible = text.chars().zip(1..).filter(|&(character, _)| !is_invisible(character));
        let visible: Vec<Placed> = visible.collect();
        let whole = trimmed(&visible);
        let (scheme, rest) = without_scheme(whole);
        let characters = address_in(rest).unwrap_or_else(|| {
            // An error should concern the whole text.
            joined(without_labels(if scheme.is_empty() { whole } else { longest_segment(rest) }))
        });
        Self { scheme, characters }
    }

    pub(crate) fn text(&self) -> String {
        self.characters.iter().map(|&(character, _)| character).collect()
    }
}

/// The part of a text that may be an address: one word of it, or several that are groups of its
/// characters. None if the text may have two addresses.
fn address_in(text: &[Placed]) -> Option<Vec<Placed>> {
    let is_break = |&(c, _): &Placed| c.is_whitespace() || matches!(c, ',' | ';');
    let mut words = text.split(is_break).filter_map(|word| {
        longest(segments(trimmed(word)).filter(|segment| may_be_address(segment)))
            .map(|address| (word, address))
    });
    let word = words.next();
    if words.next().is_some() {
        return None;
    }
    let groups = segments(text).map(|segment| joined(without_labels(segment)));
    let groups = groups.filter(|group| may_be_address(group));
    let Some((word, address)) = word else { return only_address(groups.collect()) };
    let (of_word, others): (Vec<_>, Vec<_>) = groups.partition(|group| overlap(group, word));
    if others.iter().any(|group| has_digit(group)) {
        return None;
    }
    let spelled: String = address.iter().map(|&(character, _)| character).collect();
    if crate::version_of(&spelled).is_some() || !text.iter().any(is_break) {
        return Some(address.to_vec());
    }
    // A line break may divide an address, or an unrelated word may precede it.
    let unusual = |characters: &Vec<Placed>| places(characters).abs_diff(USUAL_LENGTH);
    [address.to_vec()].into_iter().chain(of_word).min_by_key(unusual)
}

/// The only group that is not prose.
fn only_address(mut groups: Vec<Vec<Placed>>) -> Option<Vec<Placed>> {
    if groups.len() > 1 {
        groups.retain(|group| has_digit(group));
    }
    groups.pop().filter(|_| groups.is_empty())
}

/// Whether a group of words has a digit, unlike most prose.
fn has_digit(group: &[Placed]) -> bool {
    group.iter().any(|(character, _)| character.is_ascii_digit())
}

/// Whether two parts of a text have some of it in common.
fn overlap(one: &[Placed], other: &[Placed]) -> bool {
    let begins_in_time = |one: &[Placed], other: &[Placed]| {
        let (first, last) = (one.first(), other.last());
        first.zip(last).is_some_and(|(first, last)| first.1 <= last.1)
    };
    begins_in_time(one, other) && begins_in_time(other, one)
}

/// The parts of a URL before its query, or of a list.
fn segments(url: &[Placed]) -> impl Iterator<Item = &[Placed]> {
    before_query(url).split(|&(c, _)| matches!(c, '/' | '.' | ':' | '=' | ',' | ';')).map(trimmed)
}

/// The longest part between slashes, before the query.
fn longest_segment(url: &[Placed]) -> &[Placed] {
    longest(before_query(url).split(|&(c, _)| c == '/')).map_or(&[], trimmed)
}

fn before_query(url: &[Placed]) -> &[Placed] {
    let end = (0..url.len()).find(|&at| begins_query(&url[at..])).unwrap_or(url.len());
    &url[..end]
}

/// The longest part, and the first if several are equally long, unlike `max_by_key`.
fn longest<'a>(parts: impl Iterator<Item = &'a [Placed]>) -> Option<&'a [Placed]> {
    parts.reduce(|longest, part| if part.len() > longest.len() { part } else { longest })
}

/// Whether a text has the characters and the length of a damaged address.
fn may_be_address(text: &[Placed]) -> bool {
    let ends_in_set = outside_sets(text).last().is_some_and(|(_, is_outside)| !is_outside);
    // One character may be missing or extra.
    is_base58(text) && !ends_in_set && (MIN_LENGTH - 1..=MAX_LENGTH + 1).contains(&places(text))
}

/// Whether all characters are digits, perhaps damaged ones, and sets of them.
fn is_base58(text: &[Placed]) -> bool {
    let is_digit = |&(character, _): &Placed| {
        matches!(character, '?' | '0' | '[' | ']')
            || !DigitSet::in_either_case(character).is_empty()
    };
    text.iter().all(is_digit)
}

/// The number of characters. A set counts as one.
fn places(text: &[Placed]) -> usize {
    outside_sets(text).filter(|&(_, is_outside)| is_outside).count()
}

/// The text without white space and dashes, except in sets, where a dash would be taken for a range.
fn joined(text: &[Placed]) -> Vec<Placed> {
    let is_between = |character: char| character.is_whitespace() || is_dash(character);
    outside_sets(text)
        .filter(|&((character, _), is_outside)| !(is_outside && is_between(character)))
        .map(|(placed, _)| placed)
        .collect()
}

/// The characters, and whether each is outside the sets. `]` is outside, `[` is not.
pub(crate) fn outside_sets(text: &[Placed]) -> impl Iterator<Item = (Placed, bool)> {
    let mut is_in_set = false;
    text.iter().map(move |&(character, position)| {
        is_in_set = character == '[' || is_in_set && character != ']';
        ((character, position), !is_in_set)
    })
}

/// The text without the white space and the punctuation around it.
fn trimmed(text: &[Placed]) -> &[Placed] {
    let is_before = |c: char| c.is_whitespace() || is_quotation_mark(c) || matches!(c, '(' | '<');
    let is_after =
        |c: char| c.is_whitespace() || is_quotation_mark(c) || matches!(c, ')' | '>' | ',' | ';');
    let begin = text.iter().take_while(|&&(character, _)| is_before(character)).count();
    let rest = &text[begin..];
    let end = rest.iter().rposition(|&(character, _)| !is_after(character));
    &rest[..end.map_or(0, |last| last + 1)]
}

/// The text without the words before it that name a network or an address.
fn without_labels(text: &[Placed]) -> &[Placed] {
    let mut rest = trimmed(text);
    while let Some(end) = rest.iter().position(|&(c, _)| c.is_whitespace()) {
        let word: String = rest[..end].iter().map(|(c, _)| c.to_ascii_lowercase()).collect();
        if !LABELS.contains(&word.as_str()) {
            break;
        }
        rest = trimmed(&rest[end..]);
    }
    rest
}

/// The last word before the first colon, in lower case, and what follows the colon. Only words
/// precede the colon; if there is none, the word is empty.
fn without_scheme(text: &[Placed]) -> (String, &[Placed]) {
    let is_in_word = |&&(c, _): &&Placed| c.is_alphabetic() || c.is_whitespace();
    let end = text.iter().take_while(is_in_word).count();
    let [(':', _), rest @ ..] = &text[end..] else { return (String::new(), text) };
    let words: String = text[..end].iter().map(|(c, _)| c.to_ascii_lowercase()).collect();
    let Some(scheme) = words.split_whitespace().last() else { return (String::new(), text) };
    let may_be_url = scheme.is_ascii() && !NOT_SCHEMES.contains(&scheme);
    let rest = match rest {
        // After a scheme, a trailing ? begins an empty query. After a label it is unreadable.
        [(first, _), .., ('?', _)] if may_be_url && !first.is_whitespace() => {
            &rest[..rest.len() - 1]
        }
        _ => rest,
    };
    (scheme.to_owned(), trimmed(rest))
}

/// Whether `#` or `?key=` starts here. A lone `?` is an unreadable character.
fn begins_query(characters: &[Placed]) -> bool {
    let mut rest = characters.iter().map(|&(character, _)| character);
    match rest.next() {
        Some('#') => true,
        Some('?') => {
            let mut key = rest.skip_while(|&c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            key.next() == Some('=')
        }
        _ => false,
    }
}

/// Zero-width characters, which come along when text is copied from web pages.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Hyphens, dashes and the minus sign.
fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn is_quotation_mark(character: char) -> bool {
    matches!(character, '"' | '\'' | '`' | '«' | '»' | '\u{2018}'..='\u{201f}' | '‹' | '›')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surroundings_of_an_address_are_stripped() {
        for (given, kept, scheme, position) in [
            ("1abc", "1abc", "", 1),
            (" \t1abc\r\n", "1abc", "", 3),
            ("\u{feff}1a\u{200b}bc", "1abc", "", 2),
            ("bitcoin:1abc", "1abc", "bitcoin", 9),
            ("BITCOIN:1ABC?amount=0.1&label=x", "1ABC", "bitcoin", 9),
            ("bitcoin:1a?c", "1a?c", "bitcoin", 9),
            ("bitcoin:1a?c?amount=1", "1a?c", "bitcoin", 9),
            ("http://127.0.0.1/1abcdefghijk/", "1abcdefghijk", "http", 18),
            ("https://x.org/a/1abcdefgh#top", "1abcdefgh", "https", 17),
            ("zero://1abc", "1abc", "zero", 8),
            ("1abc/x", "1abc/x", "", 1),
        ] {
            let input = Input::of(given);
            assert_eq!((input.text().as_str(), input.scheme.as_str()), (kept, scheme), "{given}");
            assert_eq!(input.characters[0].1, position, "{given}");
        }
        for empty in ["", "  ", "\u{200b}", "bitcoin:", "http:///"] {
            assert_eq!(Input::of(empty).text(), "", "{empty:?}");
        }
    }

    #[test]
    fn the_part_of_a_url_that_may_be_an_address_is_kept() {
        let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
        let unreadable = "1?bcfr[7zt]sahtd9cgd0o3htmtkv8lk4znx71";
        let other = "some-long-path-of-a-page-that-is-longer-than-that";
        for address in [address, &address[1..], unreadable] {
            for (before, after) in [
                ("http://127.0.0.1:43110/", "/some-long-path-of-a-page-that-is-longer-than-that/x"),
                ("https://www.averylonghostname.example.organisation.com/", ""),
                ("127.0.0.1:43110/", ""),
                ("127.0.0.1:43110/", "/?x=1"),
                ("localhost:43110/", "/index.html"),
                ("http://", ".zero/index.html"),
                ("", ".bit"),
                ("", "/"),
                ("bitcoin:", "?"),
                ("bitcoin:", "?amount=1&label=averylonglabelwithletters"),
                ("bitcoin://", "#averylonglabelwithletters"),
            ] {
                let text = format!("{before}{address}{after}");
                let input = Input::of(&text);
                assert_eq!(input.text(), address, "{text}");
                assert_eq!(input.characters[0].1, before.len() + 1, "{text}");
            }
        }
        // Without such a part, the text is kept whole.
        assert_eq!(Input::of(other).text(), other.replace('-', ""));
        assert_eq!(Input::of("1lbcfr7sahtd9.bit").text(), "1lbcfr7sahtd9.bit");
        assert_eq!(
            Input::of("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?").text(),
            "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?"
        );
    }
}
