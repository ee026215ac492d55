//! Finds keys in a text: so that none is taken for an address, and to recover one.

use std::collections::HashSet;
use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::error::MIN_LENGTH;
use super::foreign::{self, Foreign};
use super::plain::{self, Placed, bare, joined, outside_sets, spelled};
use super::reading::has_both_cases;
use super::windows::{Tokens, has_digit, is_intact};
use crate::key::mini;
use crate::number::MAX_LENGTH;

/// The lengths of private keys in the wallet import format, with one character missing or extra.
const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 50..=53;

/// The least number of characters of a part of a key that is treated as one.
const MIN_PART: usize = 40;

/// The least length of a part of a key in two lines.
const MIN_LINE: usize = 16;

/// How long a run of characters has to be for each unreadable one in it. Otherwise, underscores
/// between words would make a private key of them.
const MIN_RUN_PER_UNREADABLE: usize = 8;

/// The least number of characters of what begins like an extended key, and so is one.
const MIN_EXTENDED: usize = 100;

/// The number of words in the shortest seed phrase, and how many of them may be misspelled.
const SEED_PHRASE: (usize, usize) = (12, 2);

/// The English words of BIP 39. Hardly any seed phrase has others.
static WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("bip39-english.txt").lines().collect());

/// What a text has that may be a damaged key, perhaps in groups.
pub(super) fn key_instead_of_address(text: &str) -> Option<Foreign> {
    let is_public = || {
        let small = Zeroizing::new(spelled(&key_in(text)).to_ascii_lowercase());
        let begins = ["xpub", "ypub", "zpub", "tpub", "upub", "vpub"];
        small.len() >= MIN_EXTENDED && begins.iter().any(|&begin| small.starts_with(begin))
    };
    let characters = plain::characters(text);
    // A run beside a set is a part of a longer text.
    let is_bracket = |c: char| matches!(c, '[' | ']');
    let runs = || {
        let runs = characters.split(move |&(c, _)| !is_digit(c) && !is_bracket(c));
        runs.map(move |run| {
            let begin = run.iter().take_while(|(c, _)| is_bracket(*c)).count();
            let end = run.iter().rev().take_while(|(c, _)| is_bracket(*c)).count();
            &run[begin..run.len().saturating_sub(end).max(begin)]
        })
    };
    match () {
        () if is_mini_key(&key_in(text)) => Some(Foreign::MiniKey),
        () if is_public() => Some(Foreign::ExtendedPublicKey),
        () if has_long_key(&characters) => Some(Foreign::PrivateKey),
        () if runs().any(is_mini_key) => Some(Foreign::MiniKey),
        () if has_seed_phrase(text) => Some(Foreign::SeedPhrase),
        () => None,
    }
}

/// Whether a text without its surroundings has the form of a mini key.
fn is_mini_key(text: &[Placed]) -> bool {
    mini::LENGTHS.contains(&text.len())
        && text[0].0 == mini::FIRST.0
        && text.iter().all(|&(c, _)| is_digit(c))
        && has_digit(text)
        && has_both_cases(text)
}

/// Whether a text has consecutive words of a seed phrase, perhaps numbered.
fn has_seed_phrase(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let are_known: Vec<bool> =
        words.map(|word| WORDS.contains(Zeroizing::new(word.to_lowercase()).as_str())).collect();
    let (length, max_wrong) = SEED_PHRASE;
    let is_phrase = |words: &[bool]| words.iter().filter(|known| !**known).count() <= max_wrong;
    are_known.windows(length).any(is_phrase)
}

/// Whether a text has what may be a damaged private key other than a mini key.
fn has_long_key(text: &[Placed]) -> bool {
    // Brackets may belong to a set of characters, or surround the key.
    [&*without_sets(text), text].into_iter().any(|text| {
        let mut runs = text.split(|&(c, _)| !is_digit(c)).map(without_emphasis);
        let parts = text.split(|(c, _)| !c.is_ascii_alphanumeric());
        let mut parts = parts.filter(|part| part.len() < *KEY_LENGTHS.start());
        runs.any(has_form_of_key) || parts.any(has_form_of_key) || has_groups_of_key(text)
    })
}

/// Whether a run of Base58 characters, some of them unreadable, is long enough for a private key or
/// a part of one, and of no other known format. The first character of a whole key may be wrong,
/// and others may surround it.
fn has_form_of_key(run: &[Placed]) -> bool {
    let is_whole = run.len() >= *KEY_LENGTHS.start();
    let unreadable = run.iter().filter(|(c, _)| is_unreadable(*c)).count();
    let parts = || run.split(|(c, _)| is_unreadable(*c)).filter(|part| !part.is_empty());
    // An address before a question mark is no part of a key.
    let is_query = || {
        parts().next().is_some_and(|part| part.len() < run.len() && (33..=42).contains(&part.len()))
    };
    // Underscores divide an address and the words and numbers of a name.
    let is_name = || {
        let of = |is: fn(&char) -> bool| move |part: &&[Placed]| part.iter().all(|(c, _)| is(c));
        let is_part_of_name = |part: &&[Placed]| {
            of(char::is_ascii_alphabetic)(part) || of(char::is_ascii_digit)(part)
        };
        let mut others = parts().filter(|part| !is_part_of_name(part));
        others.next().is_some_and(|part| (MIN_LENGTH..=MAX_LENGTH).contains(&part.len()))
            && others.next().is_none()
    };
    let read = |&(c, at): &Placed| (if is_unreadable(c) { '2' } else { c }, at);
    let read: Zeroizing<Vec<Placed>> = Zeroizing::new(run.iter().map(read).collect());
    let recognise = |text: &[Placed]| foreign::recognise("", &Zeroizing::new(spelled(text)));
    let format = || recognise(run).or_else(|| recognise(&read));
    run.len() >= MIN_PART
        && unreadable <= run.len() / MIN_RUN_PER_UNREADABLE
        && has_digit(run)
        && !run.iter().all(|(c, _)| c.is_ascii_hexdigit())
        && plain::is_longer_than_a_set(run)
        && !is_name()
        && match format() {
            Some(format) => format == Foreign::PrivateKey && (is_whole || !is_query()),
            None => is_whole,
        }
}

/// Whether consecutive tokens have the length and the first character of a private key in the
/// wallet import format: two of them, or groups of equal length. The last group may be shorter.
fn has_groups_of_key(text: &[Placed]) -> bool {
    let tokens = Tokens::of(text);
    tokens.any(*KEY_LENGTHS.end(), |first, last, groups| {
        let (token, before) = tokens.token(first);
        let is_cut = before.last().is_some_and(|&(c, _)| is_unreadable(c));
        let size = groups[0] + usize::from(is_cut);
        let begins = is_cut || matches!(token[0].0, '5' | 'K' | 'k' | 'L' | 'l');
        let length = groups.iter().sum::<usize>() + usize::from(is_cut);
        let are_equal = groups[1..].iter().all(|&group| group <= size)
            && groups[1..groups.len() - 1].iter().all(|&group| group == size)
            && (first == 0 || tokens.token(first - 1).0.len() != size);
        let are_lines = groups.len() == 2 && groups.iter().all(|&group| group >= MIN_LINE);
        let is_key = match length {
            MIN_PART.. if are_lines && size.abs_diff(groups[1]) < 2 => true,
            _ => length >= *KEY_LENGTHS.start() && (groups.len() == 2 || are_equal),
        };
        let is_address = |token: usize| is_intact(&spelled(tokens.token(token).0));
        begins && is_key && length <= *KEY_LENGTHS.end() && !(first..=last).any(is_address)
    })
}

/// Whether a character is a Base58 digit, perhaps a damaged one.
fn is_digit(character: char) -> bool {
    is_unreadable(character) || character.is_ascii_alphanumeric()
}

fn is_unreadable(character: char) -> bool {
    matches!(character, '?' | '_' | '*')
}

/// The text with one unreadable character in place of each set.
fn without_sets(text: &[Placed]) -> Vec<Placed> {
    let outside = outside_sets(text).filter(|&(_, is_outside)| is_outside);
    outside.map(|((c, position), _)| (if c == ']' { '?' } else { c }, position)).collect()
}

/// The text without the signs of emphasis around it.
fn without_emphasis(text: &[Placed]) -> &[Placed] {
    let is_kept = |&(c, _): &Placed| !matches!(c, '*' | '_');
    let begin = text.iter().position(is_kept).unwrap_or(text.len());
    let end = text.iter().rposition(is_kept).map_or(begin, |last| last + 1);
    &text[begin..end]
}

/// The key that a text is, without labels, quotation marks, white space and dashes.
pub(super) fn key_in(text: &str) -> Zeroizing<Vec<Placed>> {
    Zeroizing::new(joined(bare(&plain::characters(text))))
}
