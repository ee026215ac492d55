//! Finds the addresses in what people paste.
//!
//! A text is cut into tokens: runs of letters, digits and sets. A *window* is a run of tokens that
//! may be one address. What is between them is skipped, as in groups of characters, or stands for
//! unreadable ones. The cost of a window says how unlike an address it is, and the cheapest windows
//! are the addresses. A right checksum makes a window cheaper than any other.

use std::collections::{BTreeMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use super::MAX_LIKELY_EXTRA;
use super::alphabet::DigitSet;
use super::error::MIN_LENGTH;
use super::foreign;
use super::plain::{self, GAP, MAX_SET, Placed, bare, is_space, joined, places, spelled};
use crate::kind::{Bech32Network, Kind};
use crate::number::{MAX_LENGTH, Natural};

/// The length of most addresses.
pub(super) const USUAL_LENGTH: usize = 34;

/// The cost of a character that is missing or too many.
const LENGTH: i32 = 10;

/// The cost of a first character that no common network has, and of one that no network has.
const UNCOMMON: [i32; 2] = [5, 10];

/// The cost of dividing an address once, of doing it again, and of doing it at a mark that divides
/// sentences.
const DIVIDED: [i32; 3] = [6, 1, 8];

/// The cost of a word or a number in an address that is not in equal groups.
const WORD: i32 = 10;

/// The cost of taking a character for an unreadable one: `_` or `*`, and any other but `?`.
const FOREIGN: [i32; 2] = [1, 3];

/// The cost of taking what is beside a token for a part of the address, and of doing it within a
/// name.
const BESIDE: [i32; 2] = [1, 5];

/// The cost of having only hexadecimal digits, or few letters.
const NUMBER: i32 = 40;

/// The cost of a right checksum.
const INTACT: i32 = -1000;

/// The maximum cost of the cheapest window, if it is one token or several, and of any other one.
const MAX_COST: [i32; 2] = [100, 40];
const MAX_COST_OF_OTHERS: [i32; 2] = [25, 12];

/// The number of foreign characters in a row that may be unreadable ones.
const MAX_FOREIGN: usize = 4;

/// The number of tokens of a text that may be parts of a divided address. More would take long.
const MAX_TOKENS: usize = 5000;

/// The number of characters that have to be left of a shortened address: fewer may be prose.
const MIN_SHORTENED: usize = 5;

/// The characters of an address, without its surroundings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) characters: Vec<Placed>,
}

impl Input {
    /// The addresses in a text, in order and each once. The whole text, without labels, if there
    /// are none.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let plain = plain::characters(text);
        let whole = bare(&plain);
        let is_pattern = |(c, is_outside): (Placed, bool)| !is_outside || is_part(c.0);
        let is_gap = |&(c, _): &Placed| c == GAP;
        let is_shortened = plain.iter().any(is_gap);
        let alone = without_question_mark(&plain);
        let has_address = || alone.split(is_gap).filter_map(cost).any(|cost| cost <= LENGTH);
        // Then nothing surrounds it.
        let is_alone = !plain.is_empty()
            && plain::outside_sets(&plain).all(is_pattern)
            && plain.iter().filter(|placed| is_gap(placed)).count() < 2
            && !(is_shortened && has_address());
        let mut found =
            if is_alone { vec![alone.to_vec()] } else { Tokens::of(&plain).addresses() };
        if found.is_empty() {
            let words = || whole.split(|&(c, _)| is_space(c));
            let whole = joined(whole);
            let longest = words().max_by_key(|word| word.len()).unwrap_or_default();
            // An error should concern the whole text, unless it would be an address by chance.
            let is_prose = longest.len() < whole.len() && cost(&whole).is_some();
            let mut read = if is_prose { longest.to_vec() } else { whole };
            for (character, _) in &mut read {
                *character = if matches!(character, '_' | '*') { '?' } else { *character };
            }
            found.push(without_question_mark(&read).to_vec());
        }
        for characters in &mut found {
            foreign::repair_separator(characters);
        }
        found.into_iter().map(|characters| Self { characters }).collect()
    }

    pub(super) fn text(&self) -> String {
        spelled(&self.characters)
    }

    /// The part of the given text that is read as this address, or the address if no part is.
    pub(super) fn given(&self, text: &str) -> String {
        let positions = self.characters.iter().map(|&(_, position)| position);
        let (Some(first), Some(last)) = (positions.clone().min(), positions.max()) else {
            return self.text();
        };
        let part: String = text.chars().skip(first - 1).take(last + 1 - first).collect();
        let is_read_alike = matches!(&*Self::all(&part), [input] if input.text() == self.text());
        if is_read_alike { part } else { self.text() }
    }
}

/// A text and its tokens.
pub(super) struct Tokens<'a> {
    text: &'a [Placed],
    tokens: Vec<Range<usize>>,
}

/// What may be an address.
#[derive(Clone, Debug, Default)]
struct Window {
    cost: i32,
    characters: Vec<Placed>,
    /// The lengths of its groups.
    groups: Vec<usize>,
    /// What its groups cost if they are not equal.
    divided: i32,
    words: i32,
    /// What divides the first groups besides white space, and whether other groups differ.
    skipped: Option<String>,
    is_uneven: bool,
    /// Whether a mark that divides sentences divides it.
    is_in_sentences: bool,
    /// The cost of foreign characters.
    foreign: i32,
}

/// How the characters between tokens are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Skipped,
    Unreadable,
    /// A slash stands for one of the characters beside it.
    Alternatives,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a [Placed]) -> Self {
        let mut tokens: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let set = || text[at..].iter().take(MAX_SET).position(|&(c, _)| c == ']');
            let length = match text[at].0 {
                c if c.is_ascii_alphanumeric() => 1,
                // Unless the bracket stands for an unreadable character.
                '[' => set().map_or(0, |end| end + 1),
                _ => 0,
            };
            match tokens.last_mut().filter(|token| token.end == at) {
                Some(token) => token.end += length,
                None if length > 0 => tokens.push(at..at + length),
                None => {}
            }
            at += length.max(1);
        }
        Self { text, tokens }
    }

    /// The addresses in the text, in order and each once.
    fn addresses(&self) -> Vec<Vec<Placed>> {
        let mut windows = self.windows();
        if windows.is_empty() {
            windows = self.shortened();
        }
        if windows.is_empty() {
            windows.extend(self.of_another_format());
        }
        windows.sort_by_key(|window| (window.cost, window.characters[0].1));
        let mut found: BTreeMap<usize, Vec<Placed>> = BTreeMap::new();
        for window in windows {
            let is_like_one = window.cost <= MAX_COST_OF_OTHERS[window.is_divided()]
                && has_digit(&window.characters);
            let begin = window.characters[0].1;
            let (before, after) = (found.range(..=begin).next_back(), found.range(begin..).next());
            let is_beside =
                |other: (&usize, &Vec<Placed>)| self.is_beside(other.1, &window.characters);
            let is_taken = before.is_some_and(is_beside) || after.is_some_and(is_beside);
            if (found.is_empty() || is_like_one) && !is_taken {
                found.insert(begin, window.characters);
            }
        }
        let mut once = HashSet::new();
        found.into_values().filter(|address| once.insert(spelled(address))).collect()
    }

    /// Whether two parts of the text overlap, or are in one URL, which has one address.
    fn is_beside(&self, one: &[Placed], other: &[Placed]) -> bool {
        let at = |placed: &Placed| self.text.partition_point(|&(_, it)| it < placed.1);
        let ends = |part: &[Placed]| (at(&part[0]), at(&part[part.len() - 1]));
        let (one, other) = (ends(one), ends(other));
        let is_in_word = |(c, _): &&Placed| !c.is_whitespace() && !matches!(c, ',' | ';');
        let first = one.0.min(other.0);
        let length = self.text[first..].iter().take_while(is_in_word).count();
        let url = self.text[..first].iter().rev().take_while(is_in_word);
        let url: Vec<char> = url.map(|&(c, _)| c).collect();
        one.0 <= other.1 && other.0 <= one.1
            || one.0.max(other.0) < first + length && url.windows(3).any(|it| it == ['/', '/', ':'])
    }

    /// The characters of a token, and the text before it.
    pub(super) fn token(&self, token: usize) -> (&'a [Placed], &'a [Placed]) {
        let Range { start, end } = self.tokens[token];
        (&self.text[start..end], &self.text[..start])
    }

    /// Whether a function is true for the first and the last token and the lengths of the groups of
    /// any tokens that white space and the like divide, or that are equal groups.
    pub(super) fn any(&self, max: usize, is: impl Fn(usize, usize, &[usize]) -> bool) -> bool {
        let mut any = false;
        self.visit(Between::Skipped, max, |first, last, window| {
            let is_run =
                window.groups.len() > 1 && (!window.is_in_sentences || window.has_equal_groups());
            any |= is_run && is(first, last, &window.groups);
        });
        any
    }

    /// All windows that may be addresses.
    fn windows(&self) -> Vec<Window> {
        let mut windows = Vec::new();
        let is_short = self.tokens.len() <= MAX_TOKENS;
        for how in [Between::Skipped, Between::Unreadable, Between::Alternatives] {
            self.visit(how, Bech32Network::MAX_LENGTH, |first, last, window| {
                // Otherwise, nothing is read in another way.
                let is_new = how == Between::Skipped || window.foreign > 0;
                if is_new && (is_short || first == last) {
                    windows.extend(self.best(first, last, window));
                }
            });
        }
        windows
    }

    /// Visits all runs of tokens that have up to `max` places.
    fn visit(&self, how: Between, max: usize, mut visit: impl FnMut(usize, usize, &Window)) {
        for first in 0..self.tokens.len() {
            let mut window = Window { groups: vec![0], ..Window::default() };
            for last in first..self.tokens.len() {
                if last > first {
                    let between = &self.text[self.tokens[last - 1].end..self.tokens[last].start];
                    if self.is_query(last - 1) || window.join(between, how).is_none() {
                        break;
                    }
                }
                window.push(&self.text[self.tokens[last].clone()]);
                if window.groups.iter().sum::<usize>() > max {
                    break;
                }
                visit(first, last, &window);
            }
        }
    }

    /// Whether `?key=` follows a token.
    fn is_query(&self, token: usize) -> bool {
        let follows = |at: usize, c: char| self.text.get(at).is_some_and(|&(it, _)| it == c);
        let next = self.tokens.get(token + 1);
        follows(self.tokens[token].end, '?') && next.is_some_and(|next| follows(next.end, '='))
    }

    /// The window with as many of the foreign characters beside it as are most like an address.
    fn best(&self, first: usize, last: usize, window: &Window) -> Option<Window> {
        let (_, before) = self.token(first);
        let after = &self.text[self.tokens[last].end..];
        let beside = [before.last(), after.first()].map(|beside| beside.map(|&(c, _)| c));
        let is_around = beside[0].is_some_and(|c| c != '?') && beside[0] == beside[1]
            || beside == [Some('¿'), Some('?')];
        // The costs of taking none, one, two ... of them.
        let edge = |rest: &mut dyn Iterator<Item = &Placed>, is_none: bool, others: &[char]| {
            let mut costs = vec![0];
            for &(c, _) in rest {
                // Names are divided by such characters, too.
                if c.is_ascii_alphanumeric() {
                    costs.iter_mut().skip(1).for_each(|cost| *cost += BESIDE[1] - BESIDE[0]);
                }
                if is_none || costs.len() > MAX_FOREIGN || !is_edge(c) && !others.contains(&c) {
                    break;
                }
                costs.push(costs[costs.len() - 1] + foreign_cost(c) + BESIDE[0]);
            }
            costs.into_iter().enumerate()
        };
        let left = edge(&mut before.iter().rev(), is_around, &['|', '!']);
        let right = edge(&mut after.iter(), is_around || self.is_query(last), &[]);
        let continued = self.continued(first, last, window);
        let pairs = left.flat_map(|left| right.clone().map(move |right| (left, right)));
        let windows = pairs.filter_map(|((left, left_cost), (right, right_cost))| {
            let unreadable = |part: &[Placed]| part.iter().map(|&(_, at)| ('?', at)).collect();
            let [left, right]: [Vec<Placed>; 2] =
                [&before[before.len() - left..], &after[..right]].map(unreadable);
            let characters = [&left, &*window.characters, &right].concat();
            let of_form = cost(&characters)?;
            if of_form > LENGTH && beside.contains(&Some(GAP)) {
                return None;
            }
            let others = left_cost + right_cost + window.foreign + continued;
            let others = if of_form == INTACT { 0 } else { window.cost_of_groups() + others };
            Some(Window { cost: of_form + others, characters, ..window.clone() })
        });
        let best = windows.min_by_key(|window| window.cost)?;
        (best.cost <= MAX_COST[best.is_divided()]).then_some(best)
    }

    /// The cost of groups that continue beside the window.
    fn continued(&self, first: usize, last: usize, window: &Window) -> i32 {
        let size = window.groups[0];
        let is_before = first > 0 && self.tokens[first - 1].len() == size;
        let is_after = window.groups.last() == Some(&size)
            && self.tokens.get(last + 1).is_some_and(|token| token.len() <= size);
        let sides = i32::from(is_before) + i32::from(is_after);
        match size {
            _ if !window.has_equal_groups() => 0,
            // Single characters are all of one text, which may be a part of a key.
            1 => MAX_COST[1] * sides,
            _ => (DIVIDED[0] + DIVIDED[1]) * sides,
        }
    }

    /// The addresses that are shortened in one place.
    fn shortened(&self) -> Vec<Window> {
        let gaps = (0..self.text.len()).filter(|&at| self.text[at].0 == GAP);
        let beside = |at: usize| {
            let next = self.tokens.partition_point(|token| token.start < at);
            let is_near = |token: &&Range<usize>| {
                let (begin, end) = (token.end.min(at + 1), token.start.max(at));
                let between = &self.text[begin.min(end)..end.max(begin)];
                let has_digit = has_digit(&self.text[(*token).clone()]);
                between.iter().all(|&(c, _)| c == GAP || c == '.' || has_digit && is_space(c))
            };
            let before = next.checked_sub(1).and_then(|it| self.tokens.get(it)).filter(is_near);
            let after = self.tokens.get(next).filter(is_near);
            let part = |token: Option<&Range<usize>>| {
                token.map_or(&[][..], |token| &self.text[token.clone()])
            };
            let characters = [part(before), &self.text[at..=at], part(after)].concat();
            let has_digit = has_digit(&characters);
            let is_address =
                has_digit && (MIN_SHORTENED + 1..=MAX_LENGTH).contains(&places(&characters));
            is_address.then(|| Window { groups: vec![0], characters, ..Window::default() })
        };
        gaps.filter_map(beside).collect()
    }

    /// The longest token or tokens of a known format that is not one of addresses.
    fn of_another_format(&self) -> Option<Window> {
        let words = self.text.split(|(c, _)| c.is_whitespace()).map(bare);
        let parts = words.flat_map(|word| {
            let tokens = Self::of(word).tokens.into_iter().map(move |token| &word[token]);
            [word].into_iter().chain(tokens)
        });
        let foreign = parts.filter(|part| foreign::recognise("", &spelled(part)).is_some());
        let longest = foreign.max_by_key(|part| part.len())?;
        Some(Window { characters: longest.to_vec(), ..Window::default() })
    }
}

impl Window {
    /// Appends a token.
    fn push(&mut self, token: &[Placed]) {
        let mut rest = token;
        // The last member of a set precedes it.
        if let [first, after @ ..] = token
            && self.characters.pop_if(|(c, _)| *c == '/').is_some()
        {
            self.characters.extend([*first, (']', first.1)]);
            rest = after;
        }
        self.characters.extend_from_slice(rest);
        if let Some(group) = self.groups.last_mut() {
            *group += places(rest);
        }
        let is_letter = |(c, _): &Placed| c.is_ascii_alphabetic();
        let is_capital = |(c, _): &Placed| c.is_ascii_uppercase();
        let has_one_case = token[1..].iter().all(is_capital) || !token[1..].iter().any(is_capital);
        let is_word = token.len() <= 12 && token.iter().all(is_letter) && has_one_case
            || token.len() > 2 && token.iter().all(|(c, _)| c.is_ascii_digit());
        self.words += if is_word { WORD } else { 0 };
    }

    /// Appends what is between two tokens. `None` if it divides addresses.
    fn join(&mut self, between: &[Placed], how: Between) -> Option<()> {
        let is_mark = |c: char| matches!(c, '?' | '_' | '*');
        let has_space = between.iter().any(|&(c, _)| is_space(c));
        if matches!(between, [('/', _)]) && how == Between::Alternatives {
            let (last, at) = *self.characters.last().filter(|&&(c, _)| c != '[')?;
            match last {
                ']' => drop(self.characters.pop()),
                _ => self.characters.insert(self.characters.len() - 1, ('[', at)),
            }
            self.characters.push(('/', between[0].1));
            self.foreign += FOREIGN[0];
            return Some(());
        }
        let (mut skipped, mut taken) = (String::new(), 0);
        let mut is_divided = has_space;
        let spaces = || (0..between.len()).filter(|&at| is_space(between[at].0));
        let (first, last) = (spaces().next(), spaces().next_back());
        for (at, &(c, position)) in between.iter().enumerate() {
            let is_beside =
                first.is_none_or(|first| at < first) || last.is_none_or(|last| at > last);
            match c {
                GAP => return None,
                _ if is_space(c) => {
                    self.divide();
                    continue;
                }
                '?' => {}
                _ if how == Between::Skipped || !is_beside && !is_mark(c) => {
                    skipped.push(c);
                    is_divided = true;
                    self.divide();
                    continue;
                }
                _ => {
                    taken += 1;
                    self.foreign += foreign_cost(c);
                }
            }
            self.characters.push(('?', position));
            if let Some(group) = self.groups.last_mut() {
                *group += 1;
            }
        }
        if is_divided {
            self.divided += DIVIDED[usize::from(self.divided > 0)];
        }
        let visible = between.iter().filter(|&&(c, _)| !is_space(c) && !"\"'".contains(c));
        let is_join = visible.clone().all(|&(c, _)| "+>=→\\·_*?".contains(c));
        if !skipped.is_empty() && !is_join {
            self.divided += DIVIDED[2];
            self.is_in_sentences = true;
        }
        self.is_uneven |= *self.skipped.get_or_insert_with(|| skipped.clone()) != skipped;
        (taken <= MAX_FOREIGN).then_some(())
    }

    /// Begins another group.
    fn divide(&mut self) {
        if self.groups.last() != Some(&0) {
            self.groups.push(0);
        }
    }

    /// 1 if it has several tokens.
    fn is_divided(&self) -> usize {
        usize::from(self.groups.len() > 1 || self.foreign > 0)
    }

    /// Whether there are several groups, all as long as the first, except the last.
    fn has_equal_groups(&self) -> bool {
        let size = self.groups[0];
        let (last, others) = self.groups.split_last().unwrap_or((&0, &[]));
        !self.is_uneven
            && others.len() > 1
            && (size > 1 || others.len() >= MIN_LENGTH)
            && *last <= size
            && others.iter().all(|&group| group == size)
    }

    fn cost_of_groups(&self) -> i32 {
        match self.groups.len() {
            _ if self.has_equal_groups() && has_digit(&self.characters) => DIVIDED[0],
            1 if self.foreign == 0 => 0,
            _ if has_digit(&self.characters) => self.divided + self.words,
            _ => NUMBER + self.divided + self.words,
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
        && let Some(cost) = foreign::cost(&word)
    {
        return Some(cost);
    }
    if length > MAX_LENGTH + MAX_LIKELY_EXTRA {
        return None;
    }
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let is_number = 3 * letters < length || word.chars().all(|c| c.is_ascii_hexdigit());
    let first = match text.first()?.0 {
        '?' => DigitSet::ALL,
        '[' => {
            let set = text.iter().skip(1).take_while(|&&(c, _)| c != ']');
            set.fold(DigitSet::EMPTY, |set, &(c, _)| set | DigitSet::in_either_case(c))
        }
        c => DigitSet::in_either_case(c),
    };
    let may_begin = |begin: &DigitSet| begin.without(first) != *begin || *begin == DigitSet::ALL;
    let costs = FORMS.iter().filter(|(begin, ..)| may_begin(begin));
    let costs = costs.map(|(_, lengths, cost)| {
        let nearest = length.clamp(*lengths.start(), *lengths.end());
        cost + LENGTH * length.abs_diff(nearest) as i32
    });
    let cost = costs.min()? + if is_number { NUMBER } else { 0 };
    let cost = cost + if word.starts_with('?') { FOREIGN[1] } else { 0 };
    // One character may be missing or extra.
    (MIN_LENGTH - 1 <= length).then_some(cost)
}

/// The first characters of addresses, their lengths, and what these cost.
static FORMS: LazyLock<Vec<(DigitSet, RangeInclusive<usize>, i32)>> = LazyLock::new(|| {
    let mut forms = vec![(DigitSet::ALL, USUAL_LENGTH..=USUAL_LENGTH, UNCOMMON[1])];
    let common = Kind::common_versions();
    for version in Kind::all_versions() {
        let characters = version.first_characters();
        let first = characters.chars().fold(DigitSet::EMPTY, |all, c| all | DigitSet::exactly(c));
        let base = if common.contains(&version) { 0 } else { UNCOMMON[0] };
        let (least, greatest) = version.interval();
        let [shortest, longest] = [least, greatest].map(|number| number.digits().len());
        if version.value() == 0 {
            // The first digit is another one, and the next may be zero.
            forms.push((first, longest + 1..=longest + 1, base));
            forms.push((first, longest..=longest, base + LENGTH / 2));
        } else {
            forms.push((first, shortest..=longest, base));
        }
    }
    forms
});

/// Whether the checksum of a Base58Check or a Bech32 address is right.
pub(super) fn is_intact(text: &str) -> bool {
    (MIN_LENGTH..=MAX_LENGTH).contains(&text.len()) && crate::version_of(text).is_some()
        || Bech32Network::of(&text.to_ascii_lowercase()).is_some()
            && bech32::segwit::decode(text).is_ok()
}

/// Whether a character outside sets is part of a pattern, and nothing else.
fn is_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '?' | ']' | GAP)
}

/// Whether a character beside a token may be an unreadable one, and not punctuation.
fn is_edge(character: char) -> bool {
    matches!(character, '?' | '_' | '*' | '~' | '#' | '$' | '%' | '□' | '▯' | '\u{fffd}')
        || matches!(character, '\u{c0}'..='\u{24f}')
}

pub(super) fn has_digit(text: &[Placed]) -> bool {
    text.iter().any(|(character, _)| character.is_ascii_digit())
}

fn foreign_cost(character: char) -> i32 {
    match character {
        '?' => 0,
        '_' | '*' => FOREIGN[0],
        _ => FOREIGN[1],
    }
}

/// The text without the `?` of a question: without it, the text is more like an address.
fn without_question_mark(text: &[Placed]) -> &[Placed] {
    match text.split_last() {
        Some((('?', _), rest))
            if cost(rest).zip(cost(text)).is_some_and(|(rest, text)| rest < text) =>
        {
            without_question_mark(rest)
        }
        _ => text,
    }
}
