//! Finds the addresses in what people paste.
//!
//! A text is cut into tokens: runs of letters, digits and sets. A *window* is a run of tokens that
//! may be one address. What is between them is skipped, as in groups of characters, or stands for
//! unreadable ones. The cost of a window says how unlike an address it is, and the cheapest windows
//! are the addresses. A right checksum makes a window cheaper than any other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::mem::take;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use zeroize::{Zeroize, Zeroizing};

use super::foreign::{self, MAX_COST, WRONG};
use super::plain::{
    self, GAP, LEFT_OUT, Placed, all, bare, is_digit, is_mark, is_part, is_space, places, spelled,
    spelled_small,
};
use crate::alphabet::{ALL, Digits, in_either_case};
use crate::formats::{self, DAMAGED_CASH_ADDR};
use crate::kind::{CASH_ADDR_NETWORKS, Kind, Version};
use crate::number::{MAX_LENGTH, MIN_LENGTH};

/// How many characters of an address that is too long may be extra although nobody said so. More
/// characters are probably of another format.
pub(super) const MAX_LIKELY_EXTRA: usize = 3;

/// The length of most addresses.
pub(super) const USUAL_LENGTH: usize = 34;

/// The length of the longest known format, the address of Monero with a payment.
const MAX_WINDOW: usize = 106;

/// The cost of a rare length, and of a first character that no common network has.
const RARE: i32 = 5;

/// The cost of dividing an address, and of doing it at a mark that divides sentences.
pub(super) const DIVIDED: [i32; 2] = [6, 14];

/// The cost of taking a character for an unreadable one: a usual mark, and any other but `?`.
pub(super) const FOREIGN: [i32; 2] = [1, 3];

/// The cost of a right checksum.
const INTACT: i32 = -1000;

/// The maximum cost of any window but the cheapest one.
const MAX_COST_OF_OTHERS: i32 = 25;

/// The maximum cost of foreign characters in a window.
const MAX_FOREIGN: i32 = 3 * FOREIGN[1];

/// The number of tokens of a text that may be parts of a divided address. More would take long.
const MAX_TOKENS: usize = 5000;

/// Words beside an address that are no groups of its characters, in lower case.
const BESIDE: [&str; 14] =
    ["to", "at", "is", "in", "on", "my", "or", "and", "for", "from", "pay", "send", "via", "with"];

/// The letters that one of an address may have been taken for: Latin, Greek and Cyrillic ones.
const ALIKE: [RangeInclusive<char>; 2] = ['\u{aa}'..='\u{52f}', '\u{1e00}'..='\u{1fff}'];

/// The maximum number of letters of a word, and of digits after a label such as `KEY2`.
const MAX_WORD: usize = 40;
const MAX_NUMBER: usize = 2;

/// How much shorter or longer than most an address may be that is surely one.
const MAX_SHORT: usize = 3;

/// The digits of Base58, of which letters are in upper case.
const BASE58: &str = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The number of characters that have to be left of a shortened address: fewer may be prose.
const MIN_SHORTENED: usize = 5;

/// The number that has to be left of one if the text has no address.
const MIN_LEFT: usize = 3;

/// The maximum number of characters of a prefix of CashAddr.
const MAX_PREFIX: usize = 16;

/// The minimum number of characters between the colon of a prefix and a mark that divides two
/// addresses: with fewer, it may stand for a character.
const MIN_BEFORE_OTHER: usize = foreign::CASH_ADDR - 1;

/// The minimum number of characters of a part of an address after a prefix such as `bitcoincash:`.
const MIN_NAMED: usize = 8;

/// The addresses in a text, in order and each once. The whole text, without labels, if there are
/// none.
pub(super) fn addresses(plain: &[Placed]) -> Vec<Vec<Placed>> {
    let whole = bare(plain);
    let mut windows = if foreign::is_address(&whole) {
        vec![Window { cost: INTACT, characters: whole.to_vec(), ..Window::default() }]
    } else {
        Text::new(plain).windows()
    };
    if windows.is_empty() {
        windows = shortened(plain);
    }
    windows.extend(prefixed(plain));
    let mut found = cheapest(plain, windows);
    if found.is_empty() {
        let words = plain.split(|it| !is_in_word(it)).map(bare);
        // A shortened one in a sentence, even if few of its characters are left.
        let rank = |word: &Zeroizing<Vec<Placed>>| {
            let is_shortened = word.iter().any(|it| it.0 == GAP)
                && word.len() > MIN_LEFT
                && has_digit(word)
                && word.iter().any(|it| it.0.is_ascii_alphabetic());
            (is_shortened, word.len())
        };
        let longest = words.max_by_key(rank).unwrap_or_default();
        // An error should concern the whole text, unless that is as long as an address by chance.
        let is_whole = places(&whole) < MIN_LENGTH && !rank(&longest).0;
        let text = if is_whole { whole } else { longest };
        // What had too many foreign characters has only unreadable ones now.
        found = cheapest(&text, Text::new(&text).windows());
        if found.is_empty() {
            found.push(text.to_vec());
        }
    }
    for address in &mut found {
        let small = spelled_small(address);
        let prefixes: Vec<String> = foreign::prefixes(&small).collect();
        let is_right = |prefix: &&String| is_intact(&format!("{prefix}{}", &small[prefix.len()..]));
        // With few letters left, several networks fit.
        let prefix = prefixes.iter().find(is_right).or(prefixes.first());
        for (place, c) in address.iter_mut().zip(prefix.iter().flat_map(|it| it.chars())) {
            if !place.0.eq_ignore_ascii_case(&c) {
                place.0 = c;
            }
        }
    }
    found
}

/// The cheapest windows that neither overlap nor are in one URL, in order and each text once.
fn cheapest(text: &[Placed], mut windows: Vec<Window>) -> Vec<Vec<Placed>> {
    let ends = |text: &[Placed]| text[0].1..=text[text.len() - 1].1;
    let words = text.split(|it| it.0.is_whitespace() || matches!(it.0, ',' | ';'));
    let urls = words.filter(|word| spelled(word).contains("://"));
    let urls: Vec<RangeInclusive<usize>> = urls.map(ends).collect();
    // That of a window, if it begins in one.
    let url = |begin: usize| {
        let at = urls.partition_point(|url| *url.end() < begin);
        urls.get(at).filter(|url| url.contains(&begin)).map(|_| at)
    };
    windows.sort_by_cached_key(|it| (it.cost, Reverse(places(&it.characters)), it.characters[0].1));
    let mut found: Vec<Window> = Vec::new();
    // The ends of those that were found, by their beginnings, and the URLs that they are in.
    let (mut taken, mut taken_urls) = (BTreeMap::new(), HashSet::new());
    for window in windows {
        let (begin, end) = ends(&window.characters).into_inner();
        let before = taken.range(..=end).next_back();
        let is_apart = before.is_none_or(|(_, &other)| other < begin)
            && url(begin).is_none_or(|url| !taken_urls.contains(&url));
        if found.is_empty() || window.cost <= MAX_COST_OF_OTHERS && is_apart {
            taken.insert(begin, end);
            taken_urls.extend(url(begin));
            found.push(window);
        }
    }
    found.sort_by_key(|window| window.characters[0].1);
    let mut once = HashSet::new();
    let addresses = found.into_iter().map(|window| window.characters);
    let addresses = addresses.filter(|it| once.insert(take(&mut *spelled(it)))).collect();
    // A key may look like an address.
    once.into_iter().for_each(|mut text| text.zeroize());
    addresses
}

/// A text and its tokens.
pub(super) struct Text<'a> {
    text: &'a [Placed],
    tokens: Vec<Range<usize>>,
    /// Words and labels that divide addresses, unless groups of one size say that they are groups.
    words: Vec<Range<usize>>,
    /// Whether nothing surrounds an address in it.
    is_alone: bool,
}

/// The scripts of letters, for which those of addresses may have been taken or not.
#[derive(PartialEq)]
enum Script {
    None,
    Alike,
    Other,
}

/// What may be an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    cost: i32,
    pub(super) characters: Vec<Placed>,
    /// The lengths of its groups.
    pub(super) groups: Vec<usize>,
    /// What its groups cost if they are not equal.
    pub(super) divided: i32,
    pub(super) words: i32,
    /// What divides the first groups besides white space, and whether other groups differ.
    separator: Option<String>,
    is_uneven: bool,
    /// The cost of foreign characters.
    pub(super) foreign: i32,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a [Placed]) -> Self {
        let is_in_token = |it: &Placed| is_digit(it.0) || matches!(it.0, '[' | ']');
        let (mut tokens, mut at) = (Vec::new(), 0);
        for part in text.chunk_by(|one, other| is_in_token(one) == is_in_token(other)) {
            tokens.extend(Some(at..at + part.len()).filter(|_| is_in_token(&part[0])));
            at += part.len();
        }
        let is_alone = text.iter().all(is_in_word);
        let words = words(text, &tokens);
        Self { text, tokens, words, is_alone }
    }

    /// Whether some tokens are divided by a word, or have it.
    fn has_word(&self, first: usize, last: usize) -> bool {
        let (begin, end) = (self.tokens[first].start, self.tokens[last].end);
        let at = self.words.partition_point(|word| word.end <= begin);
        self.words.get(at).is_some_and(|word| word.start < end)
    }

    /// All windows that may be addresses.
    fn windows(&self) -> Vec<Window> {
        let mut windows = Vec::new();
        self.visit(MAX_WINDOW, |first, last, window| {
            let is_rest = first > 0 || last + 1 < self.tokens.len();
            let is_short = self.tokens.len() <= MAX_TOKENS || first == last;
            let has_word = || {
                let is_beside = |token| BESIDE.contains(&&**spelled_small(self.token(token)));
                !window.has_equal_groups()
                    && (self.has_word(first, last) || is_beside(first) || is_beside(last))
            };
            if is_short && !(self.is_alone && is_rest) && !(last > first && has_word()) {
                windows.extend(self.best(first, last, window));
            }
        });
        windows
    }

    /// Visits all tokens, and all runs of them that have up to `max` places: with the characters
    /// between them skipped, and as unreadable ones.
    pub(super) fn visit(&self, max: usize, mut visit: impl FnMut(usize, usize, &Window)) {
        let firsts = (0..self.tokens.len()).flat_map(|first| [(first, false), (first, true)]);
        for (first, is_unreadable) in firsts {
            let mut window = Window { groups: vec![0], ..Window::default() };
            for last in first..self.tokens.len() {
                if last > first {
                    let between = self.tokens[last - 1].end..self.tokens[last].start;
                    if !window.join(&self.text[between], self.token(last), is_unreadable) {
                        break;
                    }
                }
                window.push(self.token(last));
                if last > first && window.groups.iter().sum::<usize>() > max {
                    break;
                }
                visit(first, last, &window);
            }
        }
    }

    /// The window with as many of the foreign characters beside it as are most like an address.
    fn best(&self, first: usize, last: usize, window: &Window) -> Option<Window> {
        let groups = window.cost_of_groups();
        // Words. To look for other formats in them would take long.
        if groups > MAX_COST && window.characters.len() > MAX_LENGTH {
            return None;
        }
        let before = &self.text[..self.tokens[first].start];
        let after = &self.text[self.tokens[last].end..];
        let beside = [before.last(), after.first()].map(|beside| beside.map(|it| it.0));
        let is_around = beside[0].is_some_and(|c| c != '?') && beside[0] == beside[1];
        let edge = |rest: &mut dyn Iterator<Item = &Placed>, is_edge: &dyn Fn(char) -> bool| {
            let edge: Vec<char> = rest.map(|it| it.0).take(MAX_LENGTH).collect();
            let count = edge.iter().take_while(|&&c| is_edge(c)).count();
            // Names are divided by such characters, too.
            let is_in_name = edge.get(count).is_some_and(|&c| is_digit(c));
            if is_around || is_in_name { 0 } else { count }
        };
        let left = edge(&mut before.iter().rev(), &|c| is_edge(c) || matches!(c, '|' | '!'));
        let right = edge(&mut after.iter(), &is_edge);
        let pairs = (0..=left).flat_map(|left| (0..=right).map(move |right| (left, right)));
        let windows = pairs.filter_map(|(left, right)| {
            let (before, after) = (&before[before.len() - left..], &after[..right]);
            let unreadable = |it: &Placed| ('?', it.1);
            let inside = window.characters.iter().copied();
            let characters = before.iter().map(unreadable).chain(inside);
            let characters: Vec<Placed> = characters.chain(after.iter().map(unreadable)).collect();
            let of_form = cost(&characters)?;
            let edges = before.iter().chain(after).map(|it| foreign_cost(it.0) + 1).sum::<i32>();
            // Few addresses begin with an unreadable character, and many are in a list.
            let begin = if left > 0 { FOREIGN[1] } else { 0 };
            let foreign = if self.is_alone { 0 } else { window.foreign + edges + begin };
            Some(Window { cost: of_form + groups + foreign, characters, ..window.clone() })
        });
        // In doubt, the text has no more than the address.
        let best = windows.min_by_key(|it| (it.cost, Reverse(it.characters.len())))?;
        (best.cost <= MAX_COST).then_some(best)
    }

    /// A token, empty if there is none.
    pub(super) fn token(&self, token: usize) -> &'a [Placed] {
        self.tokens.get(token).map_or(&[], |token| &self.text[token.clone()])
    }
}

/// Where a text has words with letters outside ASCII, which do not stand for unreadable characters,
/// and labels: words before a colon or an equals sign.
fn words(text: &[Placed], tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let script = |it: &Placed| match it.0 {
        c if !c.is_alphabetic() => Script::None,
        c if c.is_ascii() || ALIKE.iter().any(|range| range.contains(&c)) => Script::Alike,
        _ => Script::Other,
    };
    let (mut words, mut at) = (Vec::new(), 0);
    for run in text.chunk_by(|one, other| script(one) == script(other)) {
        let range = at..at + run.len();
        at = range.end;
        let before = range.start.checked_sub(1).and_then(|at| text.get(at));
        let mut beside = [before, text.get(range.end)].into_iter().flatten().map(|it| it.0);
        let is_word = match script(&run[0]) {
            Script::None => false,
            // One between two characters may be an unreadable one.
            Script::Other => run.len() > 1 || beside.filter(|c| is_digit(*c)).count() < 2,
            Script::Alike => {
                run.iter().any(plain::is_foreign_letter)
                    && !beside.any(char::is_numeric)
                    && has_case_of_word(run)
            }
        };
        words.extend(is_word.then_some(range));
    }
    let is_label = |token: &&Range<usize>| {
        let (word, after) = (&text[(*token).clone()], &text[token.end..]);
        let letters = word.iter().take_while(|it| it.0.is_ascii_alphabetic()).count();
        let follows = after.iter().find(|it| !it.0.is_whitespace());
        letters > 1
            && letters + MAX_NUMBER >= word.len()
            && all(&word[letters..], char::is_ascii_digit)
            && has_case_of_word(&word[..letters])
            && follows.is_some_and(|it| matches!(it.0, ':' | '='))
    };
    words.extend(tokens.iter().filter(is_label).cloned());
    words.sort_by_key(|word| word.start);
    words
}

/// Whether letters are in one case, except that the first one may be a capital letter.
pub(super) fn has_case_of_word(letters: &[Placed]) -> bool {
    let is_small = |letters: &[Placed]| !letters.iter().any(|it| it.0.is_uppercase());
    letters.len() <= MAX_WORD
        && (is_small(&letters[1..]) || !letters.iter().any(|it| it.0.is_lowercase()))
}

/// The CashAddr addresses after a prefix such as `bitcoincash:`, which decides what a text is.
fn prefixed(text: &[Placed]) -> impl Iterator<Item = Window> {
    let is_end = |it: &Placed| it.0.is_whitespace() || it.0 == '&';
    let divides = |it: &Placed| matches!(it.0, '/' | '|' | '\\' | ',' | ';');
    // Of prefixes that a mark divides from another address.
    let begins_again = |at: &usize| {
        if !divides(&text[at - 1]) {
            return false;
        }
        let rest = &text[*at..];
        let colon = rest.iter().take(MAX_PREFIX + 1).position(|it| it.0 == ':');
        let small = colon.map(|colon| spelled_small(&rest[..colon]));
        let is_prefix = |small: &str| CASH_ADDR_NETWORKS.iter().any(|row| row.0 == small);
        small.is_some_and(|small| is_prefix(&small))
    };
    let begins: HashSet<usize> =
        (1..text.len()).filter(begins_again).map(|at| text[at].1).collect();
    // White space may follow the colon.
    let is_in_word = move |before: &Placed, it: &Placed| {
        (!is_end(it) || before.0 == ':') && !begins.contains(&it.1)
    };
    text.chunk_by(is_in_word).filter_map(move |word| {
        let mut word = word;
        let (colon, is_named) = loop {
            let begin = word.iter().position(|it| !is_end(it))?;
            word = &word[begin..];
            let colon = word.iter().position(|it| it.0 == ':').filter(|&at| at > 0)?;
            let small = spelled_small(&word[..colon]);
            let is_named = CASH_ADDR_NETWORKS.iter().any(|(prefix, ..)| small.ends_with(prefix));
            if is_named || !word.get(colon + 1).is_some_and(is_end) {
                break (colon, is_named);
            }
            // Another label.
            word = &word[colon + 1..];
        };
        if let Some(characters) = is_named.then(|| in_groups(text, word, colon)).flatten() {
            return Some(Window { cost: -MAX_COST, characters, ..Window::default() });
        }
        // Another address may follow.
        let mut places = word.iter().enumerate().skip(colon + MIN_BEFORE_OTHER);
        let end = places.find(|(_, it)| divides(it));
        word = &word[..end.map_or(word.len(), |(at, _)| at)];
        // After a name that says so, unreadable characters at the end are parts of the address.
        let is_last = |it: &Placed| is_digit(it.0) || is_named && is_mark(it.0);
        let last = word.iter().rposition(is_last).filter(|&last| last > colon)?;
        let characters = bare(&word[colon + 1..=last]).to_vec();
        let mut read = characters.clone();
        if let [first @ ('?', _), ..] = &mut read[..]
            && is_named
        {
            // That of most addresses.
            first.0 = 'q';
        }
        // Cut off, it is an address of this format, too.
        let is_part = is_named
            && read.len() >= MIN_NAMED
            && has_digit(&read)
            && matches!(foreign::named(&word[..=colon], &read), Some(DAMAGED_CASH_ADDR));
        let is_address = matches!(foreign::of(&read), Some((DAMAGED_CASH_ADDR, _))) || is_part;
        is_address.then(|| Window { cost: -MAX_COST, characters, ..Window::default() })
    })
}

/// The groups after the prefix of a CashAddr address that are as long as one. `word` is a part of
/// the text with the prefix.
fn in_groups(text: &[Placed], word: &[Placed], colon: usize) -> Option<Vec<Placed>> {
    let begin = text.partition_point(|it| it.1 <= word[colon].1);
    let is_in_group = |it: &Placed| is_digit(it.0) || is_mark(it.0);
    let (mut characters, mut found, mut best) = (Vec::new(), None, usize::MAX);
    for group in text[begin..].chunk_by(|one, other| is_in_group(one) == is_in_group(other)) {
        if !is_in_group(&group[0]) {
            if group.iter().all(|it| is_space(it.0)) {
                continue;
            }
            break;
        }
        characters.extend_from_slice(group);
        let far = characters.len().abs_diff(foreign::CASH_ADDR);
        if characters.len() > group.len()
            && far < best
            && foreign::is_cash_addr(&word[..=colon], &characters)
        {
            (best, found) = (far, Some(characters.clone()));
        }
        if characters.len() > foreign::CASH_ADDR {
            break;
        }
    }
    found
}

/// The addresses that are shortened in one place.
fn shortened(text: &[Placed]) -> Vec<Window> {
    let part = |rest: &mut dyn Iterator<Item = &Placed>| {
        let mut rest = rest.copied().peekable();
        let is_divided = rest.peek().is_some_and(|it| is_space(it.0));
        let visible = rest.skip_while(|it| is_space(it.0));
        let part: Vec<Placed> = visible.take_while(is_in_word).collect();
        if is_divided && !has_digit(&part) { Vec::new() } else { part }
    };
    let shortened = |at: usize| {
        let before: Vec<Placed> = part(&mut text[..at].iter().rev()).into_iter().rev().collect();
        let characters = [&before, &text[at..=at], &part(&mut text[at + 1..].iter())].concat();
        let is_address = has_digit(&characters)
            && (MIN_SHORTENED + 1..=MAX_LENGTH).contains(&places(&characters));
        is_address.then(|| Window { groups: vec![0], characters, ..Window::default() })
    };
    (0..text.len()).filter(|&at| text[at].0 == GAP).filter_map(shortened).collect()
}

impl Window {
    /// Appends a token. A `/` before it makes the characters beside it a set: `7/Z`.
    fn push(&mut self, mut token: &[Placed]) {
        if let [.., (one, at), ('/', _)] = self.characters[..] {
            let is_set = one == ']';
            self.characters.truncate(self.characters.len() - 1 - usize::from(is_set));
            if !is_set {
                self.characters.insert(self.characters.len() - 1, ('[', at));
            }
            self.characters.extend([token[0], (']', token[0].1)]);
            token = &token[1..];
        }
        self.characters.extend_from_slice(token);
        if let Some(group) = self.groups.last_mut() {
            *group += places(token);
        }
        let is_word = token.len() <= 12 && all(token, char::is_ascii_alphabetic)
            || token.len() > 2 && all(token, char::is_ascii_digit);
        self.words += if is_word { WRONG } else { 0 };
    }

    /// Appends what is between two tokens, unless it divides addresses.
    fn join(&mut self, between: &[Placed], token: &[Placed], is_unreadable: bool) -> bool {
        if between.len() == 1 && between[0].0 == '/' && is_unreadable && is_digit(token[0].0) {
            self.characters.push(between[0]);
            self.foreign += FOREIGN[1];
            return self.foreign <= MAX_FOREIGN;
        }
        let mut separator = String::new();
        let mut is_divided = false;
        for &(c, position) in between {
            match c {
                GAP | LEFT_OUT => return false,
                '?' => {}
                _ if is_unreadable && !is_space(c) => self.foreign += foreign_cost(c),
                _ => {
                    separator.extend(Some(c).filter(|&c| !is_space(c)));
                    is_divided = true;
                    if self.groups.last() != Some(&0) {
                        self.groups.push(0);
                    }
                    continue;
                }
            }
            self.characters.push(('?', position));
            if let Some(group) = self.groups.last_mut() {
                *group += 1;
            }
        }
        if is_divided {
            let is_usual = separator.chars().all(|c| "+>=→\\·_*\"'".contains(c));
            self.divided += DIVIDED[usize::from(!is_usual)];
            let first = self.separator.get_or_insert_with(|| separator.clone());
            // Most are empty: to compare no bytes in memory takes hundreds of cycles on some CPUs.
            self.is_uneven |= !first.chars().eq(separator.chars());
        }
        self.foreign <= MAX_FOREIGN
    }

    /// Whether there are several groups, all as long as the first, except the last. A `0x` is no
    /// part of the first.
    pub(super) fn has_equal_groups(&self) -> bool {
        let [first, others @ .., last] = &self.groups[..] else { return false };
        let has_0x = matches!(self.characters[..], [('0' | 'o' | 'O', _), ('x' | 'X', _), ..]);
        let size = match others {
            [second, ..] if has_0x && second + 2 == *first => second,
            _ => first,
        };
        !self.is_uneven && !others.is_empty() && last <= size && others.iter().all(|it| it == size)
    }

    fn cost_of_groups(&self) -> i32 {
        match self.groups.len() {
            _ if self.has_equal_groups() && has_digit(&self.characters) => DIVIDED[0],
            1 if self.foreign == 0 => 0,
            _ if has_digit(&self.characters) => self.divided + self.words,
            _ => MAX_COST + self.divided + self.words,
        }
    }
}

/// How unlike an address some characters are. `None` if they are none.
fn cost(text: &[Placed]) -> Option<i32> {
    let length = places(text);
    let word = spelled(text);
    if is_intact(&word) {
        return Some(INTACT);
    }
    if length > MAX_LENGTH + 1
        && let Some((_, cost)) = foreign::of(text)
    {
        return Some(cost);
    }
    // One character may be missing, or some may be extra.
    if !(MIN_LENGTH - 1..=MAX_LENGTH + MAX_LIKELY_EXTRA).contains(&length) {
        return None;
    }
    let end = if text[0].0 == '[' { text.iter().position(|it| it.0 == ']') } else { Some(1) };
    let digits = |it: &Placed| if it.0 == '?' { ALL } else { in_either_case(it.0) };
    let first = text[..end?].iter().fold(0, |first, it| first | digits(it));
    let may_begin = |&begin: &Digits| begin & first != 0 || begin == ALL;
    let costs = FORMS.iter().filter(|(begin, ..)| may_begin(begin));
    let costs = costs.map(|(_, usual, cost)| cost + WRONG * length.abs_diff(*usual) as i32);
    Some(costs.min()? + if is_number(text) { MAX_COST } else { 0 })
}

/// Whether some characters are an address, perhaps a damaged one.
pub(super) fn is_like_address(text: &[Placed]) -> bool {
    cost(text).is_some_and(|cost| cost <= WRONG)
}

/// Whether some characters are more like an address than like anything else: a shortened one, too.
pub(super) fn may_be_address(text: &[Placed]) -> bool {
    let is_shortened = || text.iter().any(|it| it.0 == GAP) && places(text) > MIN_SHORTENED;
    let is_near = |&cost: &i32| cost <= MAX_COST_OF_OTHERS;
    !text.is_empty()
        && has_digit(text)
        && (is_shortened() || cost(text).is_some_and(|it| is_near(&it)))
}

/// Whether fewer than a quarter of the characters are letters that no hexadecimal number has.
pub(super) fn is_number(text: &[Placed]) -> bool {
    let is_other = |c: char| c.is_ascii_alphabetic() && !c.is_ascii_hexdigit();
    4 * text.iter().filter(|it| is_other(it.0)).count() < places(text)
}

/// The first digits of addresses, their lengths, and what these cost.
static FORMS: LazyLock<Vec<(Digits, usize, i32)>> = LazyLock::new(|| {
    let mut forms = vec![(ALL, USUAL_LENGTH, WRONG)];
    let common = Kind::common_versions();
    for version in Kind::all_versions() {
        let zeros = usize::from(version.value() == 0);
        for length in (MIN_LENGTH..=MAX_LENGTH).filter(|&it| version.bounds(it, zeros).is_some()) {
            let is_short = zeros > 0 && length < USUAL_LENGTH;
            let is_rare = is_short || !common.contains(&version);
            forms.push((version.first_digits(), length, if is_rare { RARE } else { 0 }));
        }
    }
    forms
});

/// Whether the checksum of a Base58Check, a Bech32 or a CashAddr address is right. Bech32 and
/// CashAddr may have letters of both cases.
pub(super) fn is_intact(text: &str) -> bool {
    (MIN_LENGTH..=MAX_LENGTH).contains(&text.len()) && Version::of_address(text).is_some()
        || formats::is_intact(text)
}

/// What most addresses of Bitcoin and Tron begin with.
const FIRST: [&str; 3] = ["1", "3", "T"];

/// Whether some characters begin like most addresses of Bitcoin and Tron, and are nearly as long.
pub(super) fn begins_like_address(text: &[Placed]) -> bool {
    let is_near = USUAL_LENGTH.abs_diff(text.len()) <= MAX_SHORT;
    is_near
        && FIRST.iter().any(|first| first.starts_with(text[0].0))
        && all(text, char::is_ascii_alphanumeric)
        && !is_number(text)
}

/// Whether some characters begin like addresses of a common network of their length.
pub(super) fn begins_like_common(text: &[Placed]) -> bool {
    cost(text).is_some_and(|cost| cost < RARE)
}

/// Whether the checksum of such an address is right with one or two more characters at the
/// beginning.
pub(super) fn is_intact_without_begin(text: &[Placed]) -> bool {
    if USUAL_LENGTH.abs_diff(text.len()) > MAX_SHORT || !all(text, char::is_ascii_alphanumeric) {
        return false;
    }
    let rest = spelled(text);
    let is_address =
        |begin: &str| Version::of_address(&Zeroizing::new([begin, &rest].concat())).is_some();
    let with_two = |first: &&str| {
        let seconds = BASE58.chars().flat_map(|c| [c.to_ascii_lowercase(), c]);
        seconds.map(|second| format!("{first}{second}")).any(|begin| is_address(&begin))
    };
    FIRST.iter().any(|it| is_address(it)) || FIRST.iter().any(with_two)
}

/// Whether a character is a part of an address, and does not divide the words of a name.
fn is_in_word(it: &Placed) -> bool {
    is_part(it) && !matches!(it.0, '_' | '*')
}

/// Whether a character beside a token may be an unreadable one, and not punctuation.
fn is_edge(character: char) -> bool {
    is_mark(character)
        || "~#$%□▯\u{fffd}".contains(character)
        || ('\u{c0}'..='\u{24f}').contains(&character)
}

pub(super) fn has_digit(text: &[Placed]) -> bool {
    text.iter().any(|(character, _)| character.is_ascii_digit())
}

fn foreign_cost(character: char) -> i32 {
    match character {
        '?' => 0,
        _ if is_mark(character) => FOREIGN[0],
        _ => FOREIGN[1],
    }
}
