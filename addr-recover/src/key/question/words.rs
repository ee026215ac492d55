//! Finds the key in a text that has more than it.

use zeroize::Zeroizing;

use super::KeyError;
use super::digits::{Digits, is_begin_of_wif};
use super::owner::{KeyOwner, KeyOwnerError};
use crate::damage::Damage;
use crate::format::Hit;
use crate::key::KeyKind;
use crate::pattern::Pattern;
use crate::search_space::SearchSpace;

/// The minimum number of characters of a key in a sentence: those of a mini key.
const MIN_WORD: usize = 22;

/// The word of a text that is a whole key or, if the text is like no key, the only one that is like
/// one.
pub(super) fn key_in_words<'a>(
    text: &'a str,
    kinds: &[KeyKind],
    may_be_bytes: bool,
) -> Result<Option<&'a str>, KeyError> {
    let mut whole = words(text, |c| !is_part(c));
    whole.retain(|word| Hit::<KeyKind>::of(word).is_some());
    whole.sort_unstable();
    whole.dedup();
    match whole[..] {
        [] => {}
        [key] => return Ok(Some(key)),
        _ => return Err(KeyError::Several(whole.len())),
    }
    let is_address =
        |text: &str| !matches!(text.parse(), Err::<KeyOwner, _>(KeyOwnerError::Invalid));
    let is_bytes = |text: &str| may_be_bytes && Digits::base58(text).is_some() && !is_address(text);
    let is_like_key = |text: &str| {
        let pattern = Pattern::key(text, Damage::default());
        let space = pattern.and_then(|pattern| SearchSpace::new(&pattern, kinds));
        let is_candidate = space.is_ok_and(|space| space.estimate().candidates > 0.0);
        is_candidate
            || Digits::hexadecimal(text).is_some_and(|digits| digits.has_length())
            || is_bytes(text)
    };
    // Its end may be lost.
    let is_begun = |text: &str| {
        let cut = || Zeroizing::new(format!("{text}..."));
        is_begin_of_wif(text) || Digits::part(text).is_some() || is_bytes(&cut())
    };
    // Other punctuation also divides sets, so it divides words only if these show no key.
    let divides = |c: char| c.is_whitespace() || c == ':' || c == '=';
    for words in [words(text, divides), words(text, |c| !is_part(c))] {
        let mut like_keys = words.into_iter().filter(|word| is_like_key(word));
        if let (Some(only), None) = (like_keys.next(), like_keys.next()) {
            return Ok(Some(only).filter(|_| !is_like_key(text)));
        }
    }
    // All others are words and numbers: nothing else is a group of it.
    let is_only = text.split(|c| !is_part(c)).filter(|it| !is_word(it)).count() == 1;
    Ok(match words(text, |c| !is_part(c))[..] {
        [only] if is_only && is_begun(only) && !is_like_key(text) => Some(only),
        _ => None,
    })
}

/// Whether a character may be one of a key, a mark, or a part of a set.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "?_*[]{}.…".contains(c)
}

/// Whether characters between words are a word or a number.
fn is_word(text: &str) -> bool {
    text.chars().all(|c| !c.is_ascii_digit()) || text.chars().all(|c| c.is_ascii_digit())
}

/// The words of a text that are as long as a key, if there are several words.
fn words(text: &str, divides: impl Fn(char) -> bool) -> Vec<&str> {
    let words = text.split(divides).map(|it| it.trim_matches(|c| !is_part(c)));
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.len() < 2 {
        return Vec::new();
    }
    // A point ends a sentence, three are a hidden part.
    for word in &mut words {
        let shorter = word.strip_suffix('.').filter(|it| !it.ends_with('.'));
        *word = shorter.unwrap_or(word);
    }
    words.retain(|word| word.len() >= MIN_WORD);
    words
}
