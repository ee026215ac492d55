//! Finds secrets that have a form of their own beside whatever else a text has: private keys in
//! hexadecimal digits and in Bech32, in groups of any size, and short keys in one word.
//!
//! A *run* is a sequence of groups of hexadecimal digits with nothing but separators between them.
//! All its digits count, so no part of a run that is too long for an Ethereum address is read as
//! one.

use std::cell::LazyCell;
use std::ops::{Range, RangeInclusive};

use zeroize::Zeroizing;

use super::super::foreign;
use super::super::places::has_both_cases;
use super::super::plain::{self, GAP, Placed, is_digit, outside_sets, spelled, spelled_small};
use super::super::windows::{has_digit, is_intact, is_like_address};
use super::{FIRST_OF_BITCOIN, MAX_LINES_OF_KEY};
use crate::alphabet::{Alphabet, exactly};
use crate::formats::{BECH32_ALPHABET, ethereum};
use crate::key::mini;
use crate::parse_error::Foreign;

/// The number of hexadecimal digits of an Ethereum address, with up to two missing or extra.
const ADDRESS: RangeInclusive<usize> = 38..=42;

/// The number of digits of a private key of which one group is as long as an address.
const KEY: RangeInclusive<usize> = 58..=68;

/// An address with a number beside it has no more digits.
const MAX_WITH_NUMBER: usize = 52;

/// The minimum number of digits of a part of a private key: whatever precedes it, and after a word
/// that says so. Fewer are worth nothing without the others.
const MIN_PART: usize = 24;
const MIN_NAMED: usize = 16;

/// A longer group is a script or a message. A private key with its public key has as many.
const MAX_GROUP: usize = 128;

/// What an address of Tron in hexadecimal digits begins with, and their number.
const TRON: (&str, usize) = ("41", 42);

/// One in so many characters of a group may be wrong.
const CHARACTERS_PER_FAULT: usize = 8;

/// The minimum share of letters and of decimal digits: words and numbers have fewer.
const MIN_SHARE: [usize; 2] = [8, 4];

/// One in so many characters of a part of a key may be unreadable or wrong.
const MIN_VISIBLE: usize = 5;

/// The only prefix of Bech32 addresses that may be hexadecimal digits.
const BECH32_PREFIX: &str = "bc1";

/// The lengths of the groups of a UUID, which are divided by hyphens.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// How many words before a run may say that it is a key.
const MAX_LABEL: usize = 4;

/// Words that name what follows them as an address, in lower case.
const LABELS_OF_ADDRESSES: [&str; 4] = ["address", "addr", "eth", "ethereum"];

/// Words that name what follows them as a secret, in lower case.
const LABELS: [&str; 8] = ["key", "keys", "secret", "wif", "priv", "private", "seed", "sk"];

/// The numbers of characters of a family seed of XRP, which begins with `s`, and of mini keys, with
/// one missing or extra.
const FAMILY_SEED: RangeInclusive<usize> = 28..=32;
const MINI_KEYS: [RangeInclusive<usize>; 2] = [21..=23, 29..=31];

/// The maximum number of characters of an undamaged family seed or mini key.
const MAX_IN_GROUPS: usize = 31;

/// The numbers of characters of 32 bytes in Base58.
const BYTES: RangeInclusive<usize> = 43..=44;

/// The number of characters of a private key in Bech32 after its `1`, with two missing.
const MIN_BECH32: usize = 56;

/// A word, or a group of digits.
struct Token {
    /// Where it is in the text.
    range: Range<usize>,
    /// The number of digits. `None` for a word.
    digits: Option<usize>,
    /// How many of them are letters, and how many are decimal digits.
    letters: usize,
    decimals: usize,
    has_0x: bool,
    /// Whether it is an Ethereum address whose letters have the right case.
    is_checked: bool,
}

/// What may not be shown, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Secret {
    pub(in super::super) range: Range<usize>,
    pub(in super::super) format: Foreign,
}

/// The secrets of a text, in order. They do not overlap.
pub(in super::super) fn secrets(text: &[Placed]) -> Vec<Secret> {
    let tokens = tokens(text);
    let mut found = in_bech32(text, &tokens);
    found.extend(in_words(text, &tokens));
    found.extend(in_groups(text, &tokens));
    found.sort_by_key(|it| it.range.start);
    found.dedup_by(|next, before| next.range.start < before.range.end);
    let is_free = |token: &Token| {
        let begun = found.partition_point(|it| it.range.start <= token.range.start);
        begun == 0 || found[begun - 1].range.end <= token.range.start
    };
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_run = token.digits.is_some() || is_damaged(&tokens, at);
        match runs.last_mut() {
            _ if !is_run || !is_free(token) => {}
            Some(run) if run.end == at && !is_new(text, &tokens[run.clone()], token) => {
                run.end += 1;
            }
            _ => runs.push(at..at + 1),
        }
    }
    for run in runs {
        for part in parts(&tokens, run) {
            if is_secret(text, &tokens, &part) {
                let range = tokens[part.start].range.start..tokens[part.end - 1].range.end;
                let is_whole = count(&tokens[part]) >= *KEY.start();
                let format = if is_whole { Foreign::PrivateKey } else { Foreign::PartOfKey };
                found.push(Secret { range, format });
            }
        }
    }
    found.sort_by_key(|it| it.range.start);
    found
}

/// Family seeds, mini keys and 32 bytes in Base58, perhaps damaged, each in one word, and whatever
/// is not like an address and is named as a key.
fn in_words(text: &[Placed], tokens: &[Token]) -> Vec<Secret> {
    let word = |token: &Token| &text[token.range.clone()];
    let is_base58 =
        |word: &[Placed]| word.iter().all(|&(c, _)| c == '?' || exactly(c) != 0) && has_digit(word);
    // The rest of a key that a word begins or ends.
    let is_code = |token: &Token| {
        let word = word(token);
        has_digit(word)
            && word.iter().any(|it| it.0.is_ascii_alphabetic())
            && !is_like_address(word)
    };
    let codes = LazyCell::new(|| tokens.iter().filter(|it| is_code(it)).take(2).count());
    // Whether the rest of a key may be after a word, or between it and its label. Such a rest may
    // be as long as an address.
    let may_go_on = |at: usize| {
        let beside = tokens[at.saturating_sub(MAX_LABEL)..at].iter().chain(&tokens[at + 1..]);
        let words = beside.map(word).filter(|it| it.len() >= MIN_NAMED && has_digit(it));
        words.into_iter().any(|it| !is_intact(&spelled(it)))
    };
    let format = |(at, token): (usize, &Token)| {
        let (word, length) = (word(token), token.range.len());
        let is_secret = |format| Some(Secret { range: token.range.clone(), format });
        let is_named = || is_named(text, tokens, at);
        match word.first()?.0 {
            _ if !is_apart(text, &token.range) => None,
            _ if !is_base58(word) || is_intact(&spelled(word)) => None,
            's' if FAMILY_SEED.contains(&length)
                && (is_mixed(word) && has_length_of_seed(word) || is_named())
                && *codes == 1 =>
            {
                is_secret(Foreign::FamilySeed)
            }
            'S' if MINI_KEYS.iter().any(|it| it.contains(&length))
                && is_mixed(word)
                && *codes == 1 =>
            {
                is_secret(Foreign::MiniKey)
            }
            first if BYTES.contains(&length) && has_both_cases(word) => {
                let is_wif = FIRST_OF_BITCOIN.contains(first);
                (is_named() || is_wif && *codes == 1).then(|| is_secret(Foreign::PrivateKey))?
            }
            _ if length >= MIN_NAMED
                && is_code(token)
                && *codes == 1
                && is_named()
                && !may_go_on(at) =>
            {
                is_secret(Foreign::PrivateKey)
            }
            _ => None,
        }
    };
    tokens.iter().enumerate().filter_map(format).collect()
}

/// Family seeds and mini keys in groups. Groups of much else begin like them, so their checksum has
/// to be right.
fn in_groups(text: &[Placed], tokens: &[Token]) -> Vec<Secret> {
    let group = |token: &Token| spelled(&text[token.range.clone()]);
    let format = |whole: &str| match whole.len() {
        29 | 31 if Alphabet::Ripple.decode(whole).is_some() => Some(Foreign::FamilySeed),
        // A check of one byte is little.
        22 | 30 if has_all_classes(whole) && mini::decode(whole).is_some() => {
            Some(Foreign::MiniKey)
        }
        _ => None,
    };
    let from = |first: usize| {
        let mut whole = Zeroizing::new(String::with_capacity(MAX_IN_GROUPS));
        let is_first = matches!(text[tokens[first].range.start].0, 's' | 'S');
        let last = tokens[first..].iter().take(if is_first { MAX_IN_GROUPS } else { 0 });
        last.map_while(|last| {
            let is_short = whole.len() + last.range.len() <= MAX_IN_GROUPS;
            is_short.then(|| whole.push_str(&group(last)))?;
            Some(format(&whole).map(|format| (last.range.end, format)))
        })
        .flatten()
        .next()
        .map(|(end, format)| Secret { range: tokens[first].range.start..end, format })
    };
    (0..tokens.len()).filter_map(from).collect()
}

/// Whether a text has small letters, capital letters and digits.
fn has_all_classes(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|c| is(&c));
    has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit)
}

/// Whether nothing is beside a word that may be one of its characters.
fn is_apart(text: &[Placed], range: &Range<usize>) -> bool {
    let divides = |it: Option<&Placed>| {
        it.is_none_or(|&(c, _)| {
            c.is_whitespace() || ":=,;.!|/\"'`()[]{}<>\u{201c}\u{201d}".contains(c)
        })
    };
    divides(range.start.checked_sub(1).and_then(|at| text.get(at))) && divides(text.get(range.end))
}

/// Whether a word that begins with `s` is as long as a family seed that begins like it: longer ones
/// begin with `sEd`, of which a character may be wrong or extra.
fn has_length_of_seed(word: &[Placed]) -> bool {
    match word.len().checked_sub(*FAMILY_SEED.end() - 1) {
        Some(extra) => word[1].0 == 'E' || word[2 + extra].0 == 'd',
        None => true,
    }
}

/// Whether small letters, capital letters and digits alternate as they hardly do in words.
fn is_mixed(word: &[Placed]) -> bool {
    let class = |c: char| (c.is_ascii_digit(), c.is_ascii_uppercase());
    let changes = word.windows(2).filter(|it| class(it[0].0) != class(it[1].0)).count();
    has_both_cases(word) && 3 * changes >= word.len()
}

/// Which of some lines have digits of a secret that is in several of them.
pub(super) fn in_lines(lines: &[&str]) -> Vec<bool> {
    let mut secret = vec![false; lines.len()];
    // Most lines end in a word that has other characters, too.
    let ends_in_digits = |line: &str| {
        let mut words = line.rsplit(|c: char| !c.is_ascii_alphanumeric());
        let last = words.find(|word| !word.is_empty());
        last.is_some_and(|word| word.bytes().filter(|c| !c.is_ascii_hexdigit()).count() <= 1)
    };
    let is_of_digits = |line: &&str| ends_in_digits(line) && is_of_digits(&plain::characters(line));
    let is_of_digits: Vec<bool> = lines.iter().map(is_of_digits).collect();
    let mut first = 0;
    for run in is_of_digits.chunk_by(|one, other| one == other) {
        // A key has no more lines.
        for part in run[0].then_some(run).into_iter().flat_map(|run| run.chunks(MAX_LINES_OF_KEY)) {
            mark(&lines[first..first + part.len()], &mut secret[first..]);
            first += part.len();
        }
        first += if run[0] { 0 } else { run.len() };
    }
    secret
}

/// Marks the lines of a text that have a secret together.
fn mark(lines: &[&str], secret: &mut [bool]) {
    if lines.len() < 2 {
        return;
    }
    let text = Zeroizing::new(lines.join("\n"));
    let characters = plain::characters(&text);
    // The positions after each line, from 1 as those of characters.
    let ends: Vec<usize> = lines
        .iter()
        .scan(1, |end, line| {
            *end += line.chars().count() + 1;
            Some(*end)
        })
        .collect();
    for Secret { range: found, .. } in secrets(&characters) {
        let line = |at: usize| ends.partition_point(|end| *end <= characters[at].1);
        let lines = line(found.start)..=line(found.end - 1);
        if lines.start() < lines.end() {
            lines.for_each(|line| secret[line] = true);
        }
    }
}

/// Whether a line has nothing but groups of hexadecimal digits, perhaps after a label.
fn is_of_digits(line: &[Placed]) -> bool {
    let tokens = tokens(line);
    let first = tokens.iter().position(|it| it.digits.is_some());
    first.is_some_and(|first| {
        first <= MAX_LABEL && tokens[first..].iter().all(|it| it.digits.is_some())
    })
}

fn tokens(text: &[Placed]) -> Vec<Token> {
    let is_in_token = |it: &Placed| is_digit(it.0) || matches!(it.0, '?' | '[' | ']');
    let (mut tokens, mut at) = (Vec::new(), 0);
    for part in text.chunk_by(|one, other| is_in_token(one) == is_in_token(other)) {
        let range = at..at + part.len();
        at = range.end;
        if is_in_token(&part[0]) {
            tokens.push(token(part, range));
        }
    }
    tokens
}

fn token(part: &[Placed], range: Range<usize>) -> Token {
    let has_0x = match part {
        [('0' | 'o' | 'O', _), ('x' | 'X', _), ..] => true,
        // Another character for the zero, before as many digits as an address has.
        [_, ('x' | 'X', _), digits @ ..] => digits.len() == ethereum::LENGTH,
        _ => false,
    };
    let digits = if has_0x { &part[2..] } else { part };
    let (mut count, mut letters, mut decimals, mut wrong) = (0, 0, 0, 0);
    for ((c, _), is_outside) in outside_sets(digits) {
        count += usize::from(is_outside);
        letters += usize::from(c.is_ascii_hexdigit() && c.is_ascii_alphabetic());
        decimals += usize::from(c.is_ascii_digit());
        wrong += usize::from(c.is_ascii_alphanumeric() && !c.is_ascii_hexdigit());
    }
    let is_group = wrong * CHARACTERS_PER_FAULT <= count && count <= MAX_GROUP;
    let is_checked = ADDRESS.contains(&count) && ethereum::is_checked(&spelled(part));
    let digits = is_group.then_some(count);
    Token { range, digits, letters, decimals, has_0x, is_checked }
}

/// Whether a group has a wrong character: it is as long as a group beside it, between two. A word
/// of three letters divides them.
fn is_damaged(tokens: &[Token], at: usize) -> bool {
    let beside = [at.checked_sub(1), Some(at + 1)].map(|at| tokens.get(at?)?.digits);
    let [Some(before), Some(after)] = beside else { return false };
    let Token { range, letters, decimals, .. } = &tokens[at];
    let is_word = range.len() > 2 && *decimals == 0;
    letters + decimals > 0 && !is_word && [before, after].contains(&range.len())
}

/// Whether a number begins with this group: after its `0x`, unless each group has one. After an
/// Ethereum address, the prefix of a Bech32 address is no group.
fn is_new(text: &[Placed], run: &[Token], token: &Token) -> bool {
    let is_part = |it: &Token| it.has_0x && it.digits.is_some_and(|it| it < *ADDRESS.start());
    let is_bech32 = || {
        // Hardly any private key is written in letters of both cases.
        let is_address = || {
            token.digits.is_none() || has_both_cases(&text[run[0].range.start..token.range.start])
        };
        run[0].has_0x
            && ADDRESS.contains(&count(run))
            && spelled_small(&text[token.range.clone()]).starts_with(BECH32_PREFIX)
            && is_address()
    };
    token.has_0x && !(is_part(&run[0]) && is_part(&run[run.len() - 1])) || is_bech32()
}

/// Divides a run where it has whole addresses.
fn parts(tokens: &[Token], run: Range<usize>) -> Vec<Range<usize>> {
    let is_address = |at: &usize| {
        let token = &tokens[*at];
        token.is_checked || token.digits.is_some_and(|digits| ADDRESS.contains(&digits))
    };
    let addresses: Vec<usize> = run.clone().filter(is_address).collect();
    let is_checked = addresses.iter().any(|&at| tokens[at].is_checked);
    if addresses.len() == 1 && !is_checked && KEY.contains(&count(&tokens[run.clone()])) {
        return vec![run];
    }
    let (mut parts, mut begin) = (Vec::new(), run.start);
    for at in addresses {
        parts.extend([begin..at, at..at + 1]);
        begin = at + 1;
    }
    parts.push(begin..run.end);
    parts.retain(|part| !part.is_empty());
    parts
}

fn count(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| token.digits.unwrap_or(token.range.len())).sum()
}

/// Whether a run is a private key, a part of one, or as many digits. It is, unless it is too short
/// or an address.
fn is_secret(text: &[Placed], tokens: &[Token], run: &Range<usize>) -> bool {
    let groups = &tokens[run.clone()];
    let digits = count(groups);
    // A list that grows would leave copies behind.
    let length = groups.iter().map(|it| it.range.len()).sum();
    let mut joined = Zeroizing::new(Vec::with_capacity(length));
    groups.iter().for_each(|it| joined.extend_from_slice(&text[it.range.clone()]));
    if groups.iter().any(|it| it.is_checked) || !is_number(groups, &joined) {
        return false;
    }
    if digits > *ADDRESS.end() {
        return !is_address_with_number(text, groups, digits);
    }
    if digits < MIN_NAMED || ethereum::is_checked(&spelled(&joined)) {
        return false;
    }
    if is_named(text, tokens, run.start) {
        return true;
    }
    let is_shortened = || {
        let end = groups.last().map_or(0, |it| it.range.end);
        text[groups[0].range.start..text.len().min(end + 1)].iter().any(|it| it.0 == GAP)
    };
    let is_tron = || digits == TRON.1 && spelled(&joined).starts_with(TRON.0);
    let is_address = match digits {
        // Cut off or shortened, it is one, too.
        _ if groups[0].has_0x && (has_both_cases(&joined) || is_shortened()) => true,
        _ if !ADDRESS.contains(&digits) => false,
        _ => {
            groups[0].has_0x
                || has_both_cases(&joined)
                || is_tron()
                || is_named_by(text, tokens, run.start, &LABELS_OF_ADDRESSES)
        }
    };
    digits >= MIN_PART && !is_address && !is_uuid(text, groups)
}

/// Whether groups are the name of something in the form of RFC 9562.
fn is_uuid(text: &[Placed], groups: &[Token]) -> bool {
    let is_divided =
        |it: &[Token]| text[it[0].range.end..it[1].range.start].iter().map(|it| it.0).eq(['-']);
    groups.iter().map(|it| it.range.len()).eq(UUID) && groups.windows(2).all(is_divided)
}

/// Whether half of the digits are the same one, as in no key. A set is one digit.
fn is_repeated(joined: &[Placed], digits: usize) -> bool {
    let times = |c: char| joined.iter().filter(|it| it.0.eq_ignore_ascii_case(&c)).count();
    "0123456789abcdef".chars().any(|c| 2 * times(c) >= digits)
}

fn size(group: &Token) -> usize {
    group.digits.unwrap_or(group.range.len())
}

/// Whether all groups have one size, except the last one, which may be shorter.
fn has_one_size(groups: &[Token]) -> bool {
    groups.split_last().is_some_and(|(last, others)| {
        others.iter().all(|it| size(it) == size(&others[0]))
            && size(last) <= others.first().map_or(usize::MAX, size)
    })
}

/// Whether the last group belongs to a number in one case that is in groups of one size.
fn is_cut_in_groups(text: &[Placed], groups: &[Token]) -> bool {
    let [first, _, .., last] = groups else { return false };
    has_one_size(groups) && !has_both_cases(&text[first.range.start..last.range.end])
}

/// Whether groups are digits of a number, and not words, dates and amounts.
fn is_number(groups: &[Token], joined: &[Placed]) -> bool {
    let digits = count(groups);
    let count_of = |part: fn(&Token) -> usize| groups.iter().map(part).sum::<usize>();
    let (letters, decimals) = (count_of(|it| it.letters), count_of(|it| it.decimals));
    // A number may be beside them.
    let (first, end) = (usize::from(groups.len() > 2), groups.len().max(3) - 1);
    let are_equal =
        [groups, &groups[first..], &groups[..end.min(groups.len())]].into_iter().any(has_one_size);
    let has_share = |of_letters: usize, of_decimals: usize| {
        letters * of_letters >= digits && decimals * of_decimals >= digits
    };
    let is_mixed = |group: &&Token| group.letters > 0 && group.decimals > 0;
    let mixed = groups.iter().filter(is_mixed).map(size).sum::<usize>();
    let [of_letters, of_decimals] = MIN_SHARE;
    match () {
        () if digits > *ADDRESS.end() && has_share(of_letters, of_decimals) => true,
        // Most of a text with wrong and unreadable characters is of another alphabet.
        () if MIN_VISIBLE * (letters + decimals) < (MIN_VISIBLE - 1) * digits => false,
        () if is_repeated(joined, digits) => false,
        () if are_equal => letters > 0 && decimals > 0,
        () => has_share(of_letters, of_decimals) && 2 * mixed >= digits,
    }
}

/// Whether some groups are an address after `0x` and numbers or words after it.
fn is_address_with_number(text: &[Placed], groups: &[Token], digits: usize) -> bool {
    let numbers = groups.iter().rev().take_while(|it| it.letters == 0 || it.decimals == 0);
    let lengths = numbers.scan(digits, |left, number| {
        *left -= number.digits.unwrap_or_default().min(*left);
        Some(*left)
    });
    groups[0].has_0x
        && digits <= MAX_WITH_NUMBER
        && !is_cut_in_groups(text, groups)
        && lengths.into_iter().any(|it| ADDRESS.contains(&it))
}

/// Whether the words before a run say that it is a key.
fn is_named(text: &[Placed], tokens: &[Token], first: usize) -> bool {
    let words = words_before(text, tokens, first);
    let is_private = words.first().is_some_and(|it| it.starts_with("priv"));
    is_private || name_key(&words.iter().map(|it| it.as_str()))
}

/// Whether words in lower case say that a private key is beside them, such as `KEY2`.
pub(super) fn name_key<'a>(words: &(impl Iterator<Item = &'a str> + Clone)) -> bool {
    let is_key = |word: &str| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        LABELS.contains(&word) || word.ends_with("key")
    };
    words.clone().any(is_key) && !words.clone().any(|it| it.starts_with("pub"))
}

/// Whether one of the words before a run is one of `labels`.
fn is_named_by(text: &[Placed], tokens: &[Token], first: usize, labels: &[&str]) -> bool {
    words_before(text, tokens, first).iter().any(|word| labels.contains(&word.as_str()))
}

/// The words before a run that may be its label, in lower case, the last one first.
fn words_before(text: &[Placed], tokens: &[Token], first: usize) -> Vec<Zeroizing<String>> {
    let words = text[..tokens[first].range.start].rsplit(|it| !it.0.is_alphanumeric());
    words.filter(|word| !word.is_empty()).take(MAX_LABEL).map(spelled_small).collect()
}

/// Private keys in Bech32, such as `nsec1...`, in groups.
fn in_bech32(text: &[Placed], tokens: &[Token]) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = |token: &Token| spelled_small(&text[token.range.clone()]);
        let first = word(token);
        let (prefix, data) = first.split_once('1').unwrap_or((&first, ""));
        let is_in_other = found.last().is_some_and(|it| it.range.contains(&token.range.start));
        let has_prefix = first.contains('1');
        let is_secret = foreign::is_prefix_of_secret(prefix)
            || has_prefix && foreign::may_be_prefix_of_secret(prefix);
        if is_in_other || !is_secret {
            continue;
        }
        let mut length = data.len();
        let mut last = None;
        for (next, token) in tokens.iter().enumerate().skip(at) {
            if next > at {
                let word = word(token);
                let begin = usize::from(!has_prefix && next == at + 1 && word.starts_with('1'));
                let data = &word[begin..];
                let is_outside = |&c: &char| c != '?' && !BECH32_ALPHABET.contains(c);
                let wrong = data.chars().filter(is_outside).count();
                // The prefix alone is also a word.
                if wrong > data.len() / CHARACTERS_PER_FAULT
                    || next == at + 1 && !has_prefix && begin == 0
                {
                    break;
                }
                length += data.len();
            }
            if length >= MIN_BECH32 {
                last = Some(token.range.end);
                break;
            }
        }
        let range = last.map(|end| token.range.start..end);
        found.extend(range.map(|range| Secret { range, format: Foreign::PrivateKey }));
    }
    found
}
