//! Finds the key in a text that has more than it.

use super::KeyError;
use super::digits::Digits;
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
    let is_like_key = |text: &str| {
        let pattern = Pattern::key(text, Damage::default());
        let space = pattern.and_then(|pattern| SearchSpace::new(&pattern, kinds));
        let is_candidate = space.is_ok_and(|space| space.estimate().candidates > 0.0);
        is_candidate || Digits::hexadecimal(text).is_some_and(|digits| digits.has_length())
    };
    // Other punctuation also divides sets, so it divides words only if these show no key.
    let divides = |c: char| c.is_whitespace() || c == ':' || c == '=';
    for words in [words(text, divides), words(text, |c| !is_part(c))] {
        let mut like_keys = words.into_iter().filter(|word| is_like_key(word));
        if let (Some(only), None) = (like_keys.next(), like_keys.next()) {
            return Ok(Some(only).filter(|_| !is_like_key(text)));
        }
    }
    Ok(None)
}

/// Whether a character may be one of a key, a mark, or a part of a set.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "?_*[]{}.…".contains(c)
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
