//! Finds keys in a text: so that none is taken for an address, and to recover one.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::error::{Foreign, MIN_LENGTH};
use super::foreign;
use super::plain::{self, Placed, bare, is_digit, is_mark, spelled, without_sets};
use super::reading::has_both_cases;
use super::windows::{DIVIDED, FOREIGN, Text, has_digit, is_intact, is_like_address};
use crate::key::mini;

/// The lengths of private keys in the wallet import format, with one character missing or extra.
const KEY_LENGTHS: RangeInclusive<usize> = 50..=53;

/// What these begin with on the networks of [`KEY_KINDS`](crate::KEY_KINDS), in lower case.
const FIRST: &str = "5kl9c6tq7x";

/// The least number of characters of a part of a key that is treated as one.
pub(super) const MIN_PART: usize = 39;

/// The number of words in the shortest seed phrase, and how many of them may be misspelled.
const SEED_PHRASE: (usize, usize) = (12, 2);

/// The English words of BIP 39. Hardly any seed phrase has others.
static WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("bip39-english.txt").lines().collect());

/// What a text has that may be a damaged key, perhaps in groups.
pub(super) fn key_instead_of_address(text: &str) -> Option<Foreign> {
    let characters = plain::characters(text);
    let whole = bare(&characters);
    let is_clear = |it: &Foreign| matches!(it, Foreign::ExtendedPublicKey | Foreign::Hexadecimal);
    let of_whole = foreign::of(&whole).map(|(it, _)| it).filter(is_clear);
    let text_of_key = without_sets(&characters);
    let runs = || text_of_key.split(|&(c, _)| !is_digit(c) && !is_mark(c));
    match () {
        () if is_mini_key(&whole) => Some(Foreign::MiniKey),
        () if of_whole.is_some() => of_whole,
        () if has_private_key(&text_of_key) => Some(Foreign::PrivateKey),
        () if runs().any(is_mini_key) => Some(Foreign::MiniKey),
        () if has_seed_phrase(text) => Some(Foreign::SeedPhrase),
        () => None,
    }
}

/// Whether a text without its surroundings has the form of a mini key. 30 known characters have to
/// pass the check, because they are as likely a part of an address.
fn is_mini_key(text: &[Placed]) -> bool {
    let may_pass = || {
        let is_known = text.iter().all(|&(c, _)| is_digit(c));
        !is_known || mini::decode(&Zeroizing::new(spelled(text))).is_some()
    };
    mini::LENGTHS.contains(&text.len())
        && text[0].0 == mini::FIRST.0
        && text.iter().all(|&(c, _)| is_digit(c) || is_mark(c))
        && has_digit(text)
        && has_both_cases(text)
        && (text.len() < MIN_LENGTH || may_pass())
}

/// Whether a text has consecutive words of a seed phrase, perhaps numbered.
pub(super) fn has_seed_phrase(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let are_known: Vec<bool> =
        words.map(|word| WORDS.contains(Zeroizing::new(word.to_lowercase()).as_str())).collect();
    let (length, max_wrong) = SEED_PHRASE;
    let is_phrase = |words: &[bool]| words.iter().filter(|known| !**known).count() <= max_wrong;
    are_known.windows(length).any(is_phrase)
}

/// Whether characters are enough for a private key or a part of one, and of no other known format.
/// The first character of a whole key may be wrong, and others may surround it.
fn has_form_of_key(run: &[Placed]) -> bool {
    run.len() >= MIN_PART
        && has_digit(run)
        && !run.iter().all(|(c, _)| c.is_ascii_hexdigit())
        && match foreign::of(run) {
            Some((format, _)) => format == Foreign::PrivateKey,
            None => run.len() >= *KEY_LENGTHS.start(),
        }
}

/// Whether consecutive tokens have the form of a private key, or the length and the first character
/// of one in the wallet import format: with unreadable characters between them, in two groups, or
/// in groups of equal length of which the last may be shorter. A part of a key is enough if it is
/// in one run, in two lines, or in more than three groups.
fn has_private_key(text: &[Placed]) -> bool {
    // An `O`, which no key has, does not divide it.
    let read = text.iter().map(|&(c, at)| (if c == '?' { 'O' } else { c }, at));
    let read: Zeroizing<Vec<Placed>> = Zeroizing::new(read.collect());
    let text = Text::new(&read);
    let mut has_key = false;
    text.visit(*KEY_LENGTHS.end(), |first, last, window| {
        let groups = &window.groups;
        let (length, size) = (groups.iter().sum::<usize>(), groups[0]);
        let length_of = |token: usize| text.token(token).len();
        // A label or a year is no group.
        let is_group = |token: usize| {
            let all = |is: fn(&char) -> bool| text.token(token).iter().all(|(c, _)| is(c));
            length_of(token) == 1 || !all(char::is_ascii_alphabetic) && !all(char::is_ascii_digit)
        };
        let is_after =
            groups.ends_with(&[size]) && is_group(last + 1) && length_of(last + 1) <= size;
        let before = (first.saturating_sub(*KEY_LENGTHS.end())..first).rev();
        let is_before = before.take_while(|&token| length_of(token) == size).any(is_group);
        let are_equal = window.has_equal_groups() && !is_before && !is_after;
        // Such characters divide the words of a name, too.
        let is_name = window.words > 0 && window.foreign > 0;
        let is_one = groups.len() == 1 && !is_name;
        let are_two = groups.len() == 2 && !is_name && window.divided <= DIVIDED[0];
        let is_whole = KEY_LENGTHS.contains(&length) && (is_one || are_two || are_equal);
        let are_lines = length >= MIN_PART && are_two && size.abs_diff(groups[1]) < 2;
        let begin = window.characters[0].0;
        let begins = begin == 'O' || FIRST.contains(begin.to_ascii_lowercase());
        let count = |c: char| window.characters.iter().filter(|it| it.0 == c).count();
        // Other characters than the usual marks divide addresses and names, too.
        let has_marks = window.foreign == count('?') as i32 * FOREIGN[0];
        let is_readable = has_marks && count('?') + count('O') <= length / 8;
        let is_part = is_one || are_lines || are_equal && begins && groups.len() > 3;
        // An address and words are as long.
        let is_address = |token: usize| {
            let token = text.token(token);
            is_intact(&spelled(token))
                || groups.len() > 1 && window.words > 0 && is_like_address(token)
        };
        has_key |= (begins && (is_whole || are_lines)
            || is_part && is_readable && has_form_of_key(&window.characters))
            && !(first..=last).any(is_address);
    });
    has_key
}
