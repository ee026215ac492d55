//! Finds keys in a text: so that none is taken for an address, and to recover one.

use zeroize::Zeroizing;

use super::foreign::{self, Foreign};
use super::form::{has_digit, is_digit, is_intact, is_unreadable, spelled};
use super::input::{is_break, trimmed, without_labels, without_scheme};
use super::plain::{self, Placed, joined, outside_sets};
use super::reading::has_both_cases;
use crate::key::mini;

/// The lengths of private keys in the wallet import format, with one character missing or extra.
const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 50..=53;

/// How long a run of characters has to be for each unreadable one in it. Otherwise, underscores
/// between words would make a private key of them.
const MIN_RUN_PER_UNREADABLE: usize = 8;

/// The least number of characters of what begins like an extended key, and so is one.
const MIN_EXTENDED: usize = 100;

/// What a text has that may be a damaged key, perhaps in groups.
pub(super) fn key_instead_of_address(text: &str) -> Option<Foreign> {
    let is_public = || {
        let small = Zeroizing::new(spelled(&key_in(text)).to_ascii_lowercase());
        let begins = ["xpub", "ypub", "zpub", "tpub", "upub", "vpub"];
        small.len() >= MIN_EXTENDED && begins.iter().any(|&begin| small.starts_with(begin))
    };
    let kind = || match () {
        () if is_mini_key(&key_in(text)) => Foreign::MiniKey,
        () if is_public() => Foreign::ExtendedPublicKey,
        () if has_long_key(text) => Foreign::PrivateKey,
        () => Foreign::MiniKey,
    };
    has_private_key(text).then(kind)
}

/// Whether a text without its surroundings has the form of a mini key.
fn is_mini_key(text: &[Placed]) -> bool {
    mini::LENGTHS.contains(&text.len())
        && text[0].0 == mini::FIRST.0
        && text.iter().all(|&(c, _)| is_digit(c))
        && has_digit(text)
        && has_both_cases(text)
}

/// Whether a text is a mini key, perhaps in groups, or has one in it.
fn has_mini_key(text: &str) -> bool {
    is_mini_key(&key_in(text))
        || plain::characters(text).split(|&(c, _)| !is_digit(c)).any(is_mini_key)
}

/// Whether a text has what may be a damaged private key, perhaps in groups.
pub(super) fn has_private_key(text: &str) -> bool {
    has_mini_key(text) || has_long_key(text)
}

/// Whether a text has what may be a damaged private key other than a mini key.
fn has_long_key(text: &str) -> bool {
    let characters = plain::characters(text);
    // Brackets may belong to a set of characters, or surround the key.
    [&*without_sets(&characters), &characters].into_iter().any(|text| {
        let runs = text.split(|&(c, _)| !is_digit(c)).map(without_emphasis);
        let is_outside =
            |placed: &Placed| !(is_digit(placed.0) || is_break(placed) || plain::is_dash(placed.0));
        runs.into_iter().any(has_length_of_key) || text.split(is_outside).any(has_groups_of_key)
    })
}

/// Whether a run of Base58 characters, some of them unreadable, is long enough for a private key
/// and of no other known format. Its first character may be wrong, and others may surround it.
fn has_length_of_key(run: &[Placed]) -> bool {
    let unreadable = run.iter().filter(|(c, _)| is_unreadable(*c)).count();
    let is_hexadecimal = run.iter().all(|(c, _)| c.is_ascii_hexdigit());
    run.len() >= *KEY_LENGTHS.start()
        && unreadable <= run.len() / MIN_RUN_PER_UNREADABLE
        && has_digit(run)
        && !is_hexadecimal
        && plain::is_longer_than_a_set(run)
        && matches!(foreign::recognise("", &spelled(run)), None | Some(Foreign::PrivateKey))
}

/// Whether consecutive words are the groups of a private key.
fn has_groups_of_key(text: &[Placed]) -> bool {
    let words = text.split(is_break).map(|word| joined(without_emphasis(word)));
    let words: Vec<Vec<Placed>> = words.filter(|word| !word.is_empty()).collect();
    let has_key = |words: &[Vec<Placed>]| {
        let length_before = |first: usize| first.checked_sub(1).map_or(0, |at| words[at].len());
        (0..words.len()).any(|first| begins_with_key(length_before(first), &words[first..]))
    };
    words.split(|word| is_intact(word)).any(has_key)
}

/// Whether the first words have the length and the first character of a private key in the wallet
/// import format: one word, two, or groups of equal length. The last group may be shorter.
/// `length_before` is the length of the word before them. If it is that of the groups, they began
/// earlier.
fn begins_with_key(length_before: usize, words: &[Vec<Placed>]) -> bool {
    let begins_key = |c: char| matches!(c, '5' | 'K' | 'k' | 'L' | 'l') || is_unreadable(c);
    let Some(size) = words.first().filter(|word| begins_key(word[0].0)).map(Vec::len) else {
        return false;
    };
    let mut length = 0;
    for (at, word) in words.iter().enumerate() {
        length += word.len();
        if length > *KEY_LENGTHS.end() {
            break;
        }
        let are_groups = || {
            size != length_before
                && word.len() <= size
                && words[..at].iter().all(|word| word.len() == size)
        };
        let is_key = match at {
            0 => plain::is_longer_than_a_set(word),
            1 => true,
            _ => are_groups(),
        };
        if length >= *KEY_LENGTHS.start() && is_key {
            return true;
        }
    }
    false
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
    let characters = plain::characters(text);
    let (_, rest) = without_scheme(trimmed(&characters));
    Zeroizing::new(joined(without_labels(rest)))
}
