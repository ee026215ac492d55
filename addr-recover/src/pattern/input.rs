//! Finds the address in what people paste: URLs, labels, groups of characters, quotation marks.

use super::alphabet::DigitSet;
use super::divided;
use super::form::{
    USUAL_LENGTH, USUAL_LENGTHS, has_digit, is_base58, is_intact, may_be_address, may_be_shortened,
    overlap, places, spelled, unusual,
};
use super::plain::{self, GAP, Placed, homoglyph, is_of_unspaced_script, joined};
use crate::kind::{Kind, Version};

/// Words that may precede an address without a colon, in lower case.
const LABELS: [&str; 22] = [
    "addr", "address", "bitcoin", "btc", "dash", "doge", "dogecoin", "key", "litecoin", "ltc",
    "namecoin", "nmc", "peercoin", "ppc", "private", "tron", "trx", "wallet", "wif", "xbt",
    "zcash", "zec",
];

/// Labels that are not schemes of URLs, in lower case.
const NOT_SCHEMES: [&str; 10] =
    ["addr", "address", "btc", "ltc", "nmc", "ppc", "trx", "wallet", "xbt", "zec"];

/// A letter of another alphabet that was read as the Latin letter that it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Homoglyph {
    /// The letter in the text, such as the Cyrillic `А`.
    pub found: char,
    /// What it was read as.
    pub read: char,
    /// Its position in the text, counted from 1.
    pub position: usize,
}

/// A text without the surroundings of the address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The word that preceded the colon, in lower case.
    pub(crate) scheme: String,
    pub(crate) characters: Vec<Placed>,
}

impl Input {
    /// Finds the addresses in a text, or takes the whole text for one if there are none. Drops what
    /// people paste along with it: white space and dashes between groups, quotation marks and
    /// brackets, invisible characters, labels such as `BTC:`, and the other parts of a URL.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let characters = plain::characters(text);
        let whole = trimmed(&characters);
        let (scheme, rest) = without_scheme(whole);
        let mut addresses = addresses_in(rest);
        if addresses.is_empty() {
            // The pages of some block explorers have it in their query.
            addresses = addresses_in(&rest[before_query(rest).len()..]);
        }
        if addresses.is_empty() {
            // An error should concern the whole text.
            let longest = if scheme.is_empty() { whole } else { longest_segment(rest) };
            addresses.push(joined(without_labels(longest)));
        }
        let input = |address| Self { scheme: scheme.clone(), characters: address };
        addresses.into_iter().map(input).collect()
    }

    pub(crate) fn text(&self) -> String {
        spelled(&self.characters)
    }

    /// The part of the given text that is read as this address, or the address if no part is.
    pub(crate) fn given(&self, text: &str) -> String {
        let positions = self.characters.iter().map(|&(_, position)| position);
        let (Some(first), Some(last)) = (positions.clone().min(), positions.max()) else {
            return self.text();
        };
        let part: String = text.chars().skip(first - 1).take(last + 1 - first).collect();
        let is_read_alike = matches!(&*Self::all(&part), [input] if input.text() == self.text());
        if is_read_alike { part } else { self.text() }
    }

    /// The letters of other alphabets in the address. `given` is the text in which it was found.
    pub(crate) fn homoglyphs(&self, given: &str) -> Vec<Homoglyph> {
        let given: Vec<char> = given.chars().collect();
        let of = |&(read, position): &Placed| {
            let found = given[position - 1];
            homoglyph(found).map(|_| Homoglyph { found, read, position })
        };
        self.characters.iter().filter_map(of).collect()
    }
}

/// The addresses in a text, in order, each once. A shortened address counts only if there is no
/// other.
fn addresses_in(text: &[Placed]) -> Vec<Vec<Placed>> {
    let text = &without_idle_gaps(text);
    let mut found = whole_addresses_in(text, &may_be_address);
    divided::add_addresses(segments(text), &mut found);
    if found.is_empty() {
        found = whole_addresses_in(text, &may_be_shortened);
    }
    for address in text.split(is_break).filter_map(slashed_address) {
        if !found.iter().any(|whole| overlap(whole, &address) && is_intact(whole)) {
            found.retain(|part| !overlap(part, &address));
            found.push(address);
        }
    }
    let dotted = dotted_addresses_in(text);
    for address in found.iter_mut().filter(|address| !is_intact(address)) {
        let is_better =
            |whole: &&Vec<Placed>| overlap(whole, address) && unusual(whole) < unusual(address);
        if let Some(whole) = dotted.iter().find(is_better) {
            address.clone_from(whole);
        }
    }
    if found.is_empty() {
        found = dotted;
    }
    for address in &mut found {
        if let Some(word) = text.split(is_break).find(|word| touches_alternatives(word, address)) {
            *address = word.to_vec();
        }
        if ends_in_question_mark(address) {
            address.pop();
        }
        for (character, _) in address.iter_mut() {
            *character = if matches!(character, '_' | '*') { '?' } else { *character };
        }
    }
    let mut once: Vec<Vec<Placed>> = Vec::new();
    for address in found {
        if !once.iter().any(|earlier| spelled(earlier) == spelled(&address)) {
            once.push(address);
        }
    }
    once
}

/// The addresses in a text: words of it, or words together that are groups of its characters.
fn whole_addresses_in(text: &[Placed], is_address: &IsAddress) -> Vec<Vec<Placed>> {
    let mut words: Vec<(&[Placed], &[Placed])> = Vec::new();
    for word in text.split(is_break) {
        words.extend(addresses_of_word(word, is_address).map(|address| (word, address)));
    }
    let groups = segments(text).map(|segment| joined(without_labels(segment)));
    let mut groups: Vec<Vec<Placed>> = groups.filter(|group| is_address(group)).collect();
    let mut found: Vec<Vec<Placed>> = Vec::new();
    for &(word, address) in &words {
        found.push(best_reading(text, word, address, &groups));
    }
    groups.retain(|group| !words.iter().any(|(word, _)| overlap(group, word)));
    if found.len() + groups.len() > 1 {
        groups.retain(|group| has_digit(group));
    }
    found.extend(groups);
    found.sort_by_key(|address| address.first().map(|&(_, position)| position));
    found
}

/// Whether a text has the characters and the length of a damaged address.
type IsAddress = dyn Fn(&[Placed]) -> bool;

/// The longest part of a word that may be an address; all parts if the first is one of them.
fn addresses_of_word<'a>(
    word: &'a [Placed],
    is_address: &IsAddress,
) -> impl Iterator<Item = &'a [Placed]> {
    let begins_with_address = segments(trimmed(word)).next().is_some_and(is_address);
    let parts: Vec<&[Placed]> =
        segments(trimmed(word)).filter(|segment| is_address(segment)).collect();
    let only = if begins_with_address { None } else { longest(parts.iter().copied()) };
    parts.into_iter().filter(move |part| only.is_none_or(|only| std::ptr::eq(only, *part)))
}

/// A word that may be an address, or a group of words with more of its characters.
fn best_reading(
    text: &[Placed],
    word: &[Placed],
    address: &[Placed],
    groups: &[Vec<Placed>],
) -> Vec<Placed> {
    let is_shortened = address.iter().any(|&(character, _)| character == GAP);
    if is_shortened || is_intact(address) || !text.iter().any(is_break) {
        return address.to_vec();
    }
    let of_word = groups.iter().filter(|group| overlap(group, word));
    // A line break may divide an address, or an unrelated word may precede it.
    let readings = [address].into_iter().chain(of_word.map(Vec::as_slice));
    readings.min_by_key(|reading| unusual(reading)).unwrap_or(address).to_vec()
}

/// Words in which a dot between characters stands for an unreadable one.
fn dotted_addresses_in(text: &[Placed]) -> Vec<Vec<Placed>> {
    let words = text.split(is_break).map(|word| {
        let word = without_end_of_sentence(trimmed(word));
        word.iter().map(|&(c, at)| (if c == '.' { '?' } else { c }, at)).collect()
    });
    words.filter(|word: &Vec<Placed>| may_be_address(word) && has_digit(word)).collect()
}

fn without_end_of_sentence(text: &[Placed]) -> &[Placed] {
    let end = text.iter().rposition(|&(c, _)| !matches!(c, '.' | '!'));
    trimmed(&text[..end.map_or(0, |last| last + 1)])
}

/// A word in which a slash between two characters stands for one of them: `1abcD/O9xyz`. `None` if
/// it has the length of an address without that, as in a path.
fn slashed_address(word: &[Placed]) -> Option<Vec<Placed>> {
    let word = without_end_of_sentence(trimmed(word));
    let mut parts = word.split(|&(character, _)| character == '/');
    let mut address = parts.next().filter(|first| !first.is_empty())?.to_vec();
    let mut is_path = places(&address) >= *USUAL_LENGTHS.start();
    for part in parts {
        let (&first, rest) = part.split_first()?;
        is_path |= places(part) >= *USUAL_LENGTHS.start();
        match address.pop()? {
            (']', at) => address.extend([first, (']', at)]),
            last => address.extend([('[', last.1), last, first, (']', first.1)]),
        }
        address.extend(rest);
    }
    let is_address = !is_path && is_base58(&address) && has_digit(&address);
    (is_address && unusual(&address) == 0).then_some(address)
}

/// Whether an address lacks characters that may be in brackets beside it, such as those of `(D)9x`
/// before it. Then an error should name the brackets.
fn touches_alternatives(word: &[Placed], address: &[Placed]) -> bool {
    let at = |placed: Option<&Placed>| word.iter().position(|of_word| Some(of_word) == placed);
    let (Some(first), Some(last)) = (at(address.first()), at(address.last())) else {
        return false;
    };
    let begins = |c: char| matches!(c, ')' | '}') || is_of_unspaced_script(c);
    let ends = |c: char| matches!(c, '(' | '{') || is_of_unspaced_script(c);
    let is_beside_one = first > 1
        && begins(word[first - 1].0)
        && is_base58(&word[first - 2..first - 1])
        || last + 2 < word.len() && ends(word[last + 1].0) && is_base58(&word[last + 2..last + 3]);
    is_beside_one && unusual(address) > 0 && !is_intact(address)
}

/// Whether the last character ends a question: without it, the text has the length of most
/// addresses. Only those with a version of two bytes are longer.
fn ends_in_question_mark(address: &[Placed]) -> bool {
    let [first, .., ('?', _)] = address else { return false };
    let question = &address[..address.len() - 1];
    let first = DigitSet::in_either_case(first.0);
    let is_longer = |version: &Version| {
        let begins = |digit| version.first_characters().contains(digit);
        !version.is_one_byte() && first.characters().any(begins)
    };
    places(question) == USUAL_LENGTH && !Kind::all_versions().iter().any(is_longer)
        || is_intact(question)
}

/// Removes gaps beside a whole address: `..., 1Lbc...` shortens the sentence.
fn without_idle_gaps(text: &[Placed]) -> Vec<Placed> {
    let is_part = |placed: &&Placed| is_base58(std::slice::from_ref(*placed));
    let is_idle = |at: usize| {
        let before = text[..at].iter().rev().take_while(is_part).count();
        let after = text[at + 1..].iter().take_while(is_part).count();
        before.max(after) >= *USUAL_LENGTHS.start()
    };
    let kept = |(at, &(character, position)): (usize, &Placed)| {
        (if character == GAP && is_idle(at) { ' ' } else { character }, position)
    };
    text.iter().enumerate().map(kept).collect()
}

/// What separates words.
pub(super) fn is_break((character, _): &Placed) -> bool {
    character.is_whitespace() || matches!(character, ',' | ';')
}

/// The parts of a URL before its query, or of a list, without exclamation marks at their ends.
fn segments(url: &[Placed]) -> impl Iterator<Item = &[Placed]> {
    let is_separator = |&(c, _): &Placed| {
        matches!(c, '/' | '.' | ':' | '=' | ',' | ';' | '<' | '>' | '(' | ')' | '"' | '|' | '&')
            || is_of_unspaced_script(c)
    };
    before_query(url).split(is_separator).map(|part| without_end_of_sentence(trimmed(part)))
}

/// The longest part between slashes, before the query.
fn longest_segment(url: &[Placed]) -> &[Placed] {
    longest(before_query(url).split(|&(c, _)| c == '/')).map_or(&[], trimmed)
}

/// A query with nothing before it is kept: it may have the address (BIP 321).
fn before_query(url: &[Placed]) -> &[Placed] {
    let end = (1..url.len()).find(|&at| begins_query(&url[at..])).unwrap_or(url.len());
    &url[..end]
}

/// The longest part, and the first if several are equally long, unlike `max_by_key`.
fn longest<'a>(parts: impl Iterator<Item = &'a [Placed]>) -> Option<&'a [Placed]> {
    parts.reduce(|longest, part| if part.len() > longest.len() { part } else { longest })
}

/// The text without the white space, the punctuation and the emphasis around it.
pub(super) fn trimmed(text: &[Placed]) -> &[Placed] {
    let is_before =
        |c: char| c.is_whitespace() || is_quotation_mark(c) || matches!(c, '(' | '<' | '@' | '₿');
    let is_after = |c: char| {
        c.is_whitespace()
            || is_quotation_mark(c)
            || matches!(c, ')' | '>' | ',' | ';' | '、' | '。')
    };
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

/// The text without the words before it that name a network or an address.
pub(super) fn without_labels(text: &[Placed]) -> &[Placed] {
    let mut rest = trimmed(text);
    while let Some(end) = rest.iter().position(|&(c, _)| c.is_whitespace()) {
        let word = || rest[..end].iter().map(|(c, _)| c.to_ascii_lowercase());
        if !LABELS.iter().any(|label| word().eq(label.chars())) {
            break;
        }
        rest = trimmed(&rest[end..]);
    }
    rest
}

/// The last word before the first colon, in lower case, and what follows the colon. Only words
/// precede the colon; if there is none, the word is empty.
pub(super) fn without_scheme(text: &[Placed]) -> (String, &[Placed]) {
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

fn is_quotation_mark(character: char) -> bool {
    // Those of Chinese and Japanese are brackets, too.
    matches!(character, '"' | '\'' | '`' | '«' | '»' | '\u{2018}'..='\u{201f}' | '‹' | '›'
        | '〈'..='】')
}

#[cfg(test)]
mod tests;
