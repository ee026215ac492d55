//! Finds addresses in running text that white space divides: consecutive words that have the form
//! of an address together.

use super::alphabet::DigitSet;
use super::form::{
    USUAL_LENGTH, USUAL_LENGTHS, has_digit, is_base58, is_intact, overlap, places, spelled, unusual,
};
use super::plain::{Placed, joined, outside_sets};
use super::{error::MIN_LENGTH, foreign};
use crate::kind::{Bech32Network, Kind};

/// The maximum number of words among which to look for an address that is divided. More would take
/// long.
const MAX_WORDS: usize = 500;

/// The maximum number of words among which to look for one that is damaged, too. More have the form
/// of an address too often.
const MAX_WORDS_BESIDE_DAMAGED: usize = 60;

/// Words as long as this are hardly prose.
const MIN_LONG_WORD: usize = 10;

/// Adds the addresses that are divided in a text, or replaces the parts of them that were found.
/// `segments` are the parts of the text that may have an address each. Divided addresses that are
/// damaged are hard to tell from prose: one counts only if nothing else is found there.
pub(super) fn add_addresses<'a>(
    segments: impl Iterator<Item = &'a [Placed]>,
    found: &mut Vec<Vec<Placed>>,
) {
    let runs: Vec<Vec<Vec<Placed>>> = segments.flat_map(runs_of_words).collect();
    let words: usize = runs.iter().map(Vec::len).sum();
    if words > MAX_WORDS {
        return;
    }
    let mut intact: Vec<Vec<Placed>> = Vec::new();
    for window in runs.iter().flat_map(|words| windows(words)).map(|(_, window)| window) {
        if (MIN_LENGTH..=Bech32Network::MAX_LENGTH).contains(&window.len())
            && !intact.iter().any(|earlier| overlap(earlier, &window))
            && is_intact(&window)
        {
            intact.push(window);
        }
    }
    intact.retain(|window| !found.iter().any(|it| overlap(it, window) && is_intact(it)));
    found.retain(|address| !intact.iter().any(|window| overlap(window, address)));
    if let [] | [_] = &**found
        && intact.is_empty()
        && words <= MAX_WORDS_BESIDE_DAMAGED
        && found.iter().all(|address| unusual(address) >= least_unusual(address))
    {
        let damaged = runs.iter().filter_map(|words| damaged_address(words));
        if let Some((_, window)) = damaged.min_by_key(|(key, _)| *key) {
            *found = vec![window];
        }
    }
    found.extend(intact);
    found.sort_by_key(|address| address.first().map(|&(_, position)| position));
}

/// How unusual the length has to be for words beside the address to belong to it: a single word
/// may lack a character.
fn least_unusual(address: &[Placed]) -> usize {
    let is_word = address.windows(2).all(|pair| pair[0].1 + 1 == pair[1].1);
    if is_word { 2 } else { 1 }
}

/// The words of a text without dashes, in runs of those with the characters of an address.
fn runs_of_words(segment: &[Placed]) -> Vec<Vec<Vec<Placed>>> {
    let mut words = vec![Vec::new()];
    for (placed, is_outside) in outside_sets(segment) {
        if is_outside && placed.0.is_whitespace() {
            words.push(Vec::new());
        } else if let Some(word) = words.last_mut() {
            word.push(placed);
        }
    }
    let words = words.iter().map(|word| joined(word)).filter(|word| !word.is_empty());
    let words: Vec<Vec<Placed>> = words.collect();
    words.split(|word| !is_base58(word)).map(<[_]>::to_vec).collect()
}

/// Two or more consecutive words, and what they are together, up to the length of any address.
fn windows(words: &[Vec<Placed>]) -> impl Iterator<Item = (&[Vec<Placed>], Vec<Placed>)> {
    (0..words.len()).flat_map(move |first| {
        let ends = (first + 2..=words.len()).take_while(move |&end| {
            words[first..end].iter().map(Vec::len).sum::<usize>() <= Bech32Network::MAX_LENGTH
        });
        ends.map(move |end| (&words[first..end], words[first..end].concat()))
    })
}

/// The words that most likely are a damaged address together, and how unlikely that is.
fn damaged_address(words: &[Vec<Placed>]) -> Option<((bool, usize), Vec<Placed>)> {
    let candidates = windows(words).filter_map(|(words, window)| {
        let has_digits = words.iter().filter(|word| has_digit(word)).count() > 1
            || words.iter().any(|word| word.len() >= MIN_LONG_WORD && has_digit(word));
        let is_address = has_digits && has_form_of_address(&window);
        let key = (!has_digit(&words[0]), places(&window).abs_diff(USUAL_LENGTH));
        is_address.then_some((key, window))
    });
    candidates.min_by_key(|(key, _)| *key)
}

/// Whether the length is usual and the first character is that of a common network, or of another
/// format.
fn has_form_of_address(window: &[Placed]) -> bool {
    let begins = |digit| {
        Kind::common_versions().iter().any(|version| version.first_characters().contains(digit))
    };
    match foreign::unusual_length(&spelled(window)) {
        Some(unusual) => unusual == 0,
        None => {
            USUAL_LENGTHS.contains(&places(window))
                && DigitSet::in_either_case(window[0].0).characters().any(begins)
        }
    }
}
