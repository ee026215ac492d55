//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3::{Digest, Keccak256};

use super::{Corrected, Repair, Text, UNCHECKED, repaired};

/// The number of hexadecimal digits.
const LENGTH: usize = 40;

/// The addresses that some damage allows, and how many candidates they are of.
#[derive(Default)]
struct Found {
    addresses: Vec<String>,
    candidates: u64,
}

/// The EIP-55 spelling of an address. Restores up to three unreadable digits, or a digit that is
/// wrong, missing, extra or swapped with its neighbour, or a letter in the wrong case. `None` if
/// the word is not an address. Letters of one case may have lost the checksum, but only after `0x`:
/// digits alone may be anything.
pub(super) fn answer(word: &str) -> Option<Corrected> {
    let after_0x = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let typed = after_0x.unwrap_or(word);
    if typed.len().abs_diff(LENGTH) > 1 || !typed.is_ascii() {
        return None;
    }
    // The only digits that these look like.
    let digits = &*typed.replace(['O', 'o'], "0").replace(['I', 'i', 'l'], "1");
    let read: Text = digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let has_checksum = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_readable = read.iter().all(Option::is_some);
    let corrected = |addresses, (estimate, note), guess| {
        let (format, network) = ("Ethereum".to_owned(), "ethereum");
        Corrected { addresses, format, network, estimate, note, guess }
    };
    if is_readable && digits.len() == LENGTH {
        let address = spelled(digits);
        if has_checksum && address[2..] == *digits && digits == typed {
            return Some(corrected(vec![address], (None, None), None));
        }
        if !has_checksum && after_0x.is_some() {
            return Some(corrected(vec![address], (None, Some(UNCHECKED.to_owned())), None));
        }
    }
    if !has_checksum {
        return None;
    }
    let (mut found, mut guess) = (Found::default(), None);
    if digits.len() == LENGTH {
        found = with_wrong(digits, &read, 0);
    }
    if found.addresses.is_empty() && is_readable {
        found.candidates = 0;
        let likely: &[(Find, _)] = match digits.len() {
            LENGTH => &[
                (|digits, read| with_wrong(digits, read, 1), "one wrong character"),
                (|digits, _| with_swapped(digits), "two swapped characters"),
            ],
            39 => &[(|digits, _| with_missing(digits), "one missing character")],
            _ => &[(|digits, _| without_extra(digits), "one extra character")],
        };
        for (find, damage) in likely {
            let more = find(digits, &read);
            if found.addresses.is_empty() && !more.addresses.is_empty() {
                guess = Some((*damage, 1));
            }
            found.candidates += more.candidates;
            found.addresses.extend(more.addresses);
        }
    }
    found.addresses.sort_unstable();
    found.addresses.dedup();
    let first = found.addresses.first()?.as_bytes();
    // Each letter that was read is one bit of the checksum, unless it is the wrong one.
    let letters = digits.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_one_wrong = guess.is_some_and(|(_, faults)| faults > 0) && digits.len() >= LENGTH;
    let checksums = 1 << (letters - usize::from(is_one_wrong));
    let before = word.len() - typed.len();
    let differs = |&at: &usize| first.get(at + 2) != typed.as_bytes().get(at);
    let places = (0..LENGTH.max(typed.len())).filter(differs);
    // After one that is missing or extra, all may differ.
    let count = if typed.len() == LENGTH { LENGTH } else { 1 };
    let places = places.take(count).map(|at| before + at + 1);
    let repair = match typed.len() {
        LENGTH => "restores the character{s}",
        39 => "restores the character missing",
        _ => "is right without the character",
    };
    let note = repaired(found.candidates, checksums, repair, places);
    Some(corrected(found.addresses, note, guess))
}

/// Finds the addresses that differ from some digits in one way.
type Find = fn(&str, &Text) -> Found;

/// Restores unreadable digits and, if there are none, up to `max_wrong` other characters.
fn with_wrong(digits: &str, read: &Text, max_wrong: usize) -> Found {
    let mut found = Found::default();
    let repair = Repair { alphabet: 16, effects: &[[0; 32]; LENGTH], max_wrong };
    let candidates = repair.restore(
        read,
        |_| 0,
        |text| {
            let digit = |&digit: &u8| char::from_digit(digit.into(), 16).unwrap_or('?');
            let address = spelled(&text.iter().map(digit).collect::<String>());
            let differs = |&at: &usize| {
                read[at].is_some() && address.as_bytes()[at + 2] != digits.as_bytes()[at]
            };
            let wrong = (0..LENGTH).filter(differs).count();
            found.addresses.extend((wrong <= max_wrong).then_some(address));
        },
    );
    // The wrong character may be the case of any letter.
    let letters = digits.bytes().filter(u8::is_ascii_alphabetic).count();
    found.candidates = candidates + (max_wrong * letters) as u64;
    found
}

/// Swaps two neighbours.
fn with_swapped(digits: &str) -> Found {
    let texts = (1..digits.len()).filter_map(|at| {
        let mut text = digits.as_bytes().to_vec();
        text.swap(at - 1, at);
        (text[at - 1] != text[at]).then(|| String::from_utf8(text).ok()).flatten()
    });
    right(texts, None)
}

/// Leaves a character out.
fn without_extra(digits: &str) -> Found {
    let is_first_of_run = |&at: &usize| at == 0 || digits[at - 1..at] != digits[at..=at];
    let places = (0..digits.len()).filter(is_first_of_run);
    right(places.map(|at| [&digits[..at], &digits[at + 1..]].concat()), None)
}

/// Adds a digit, whose case is not known.
fn with_missing(digits: &str) -> Found {
    let mut found = Found::default();
    for at in 0..=digits.len() {
        // After an equal digit, it is the same as before it, unless both have a case.
        let is_other = |digit: &char| {
            let before = digits[..at].chars().next_back();
            digit.is_ascii_alphabetic() || before != Some(*digit)
        };
        let added = "0123456789abcdef".chars().filter(is_other);
        let texts = added.map(|digit| format!("{}{digit}{}", &digits[..at], &digits[at..]));
        let more = right(texts, Some(at));
        found.candidates += more.candidates;
        found.addresses.extend(more.addresses);
    }
    found
}

/// The texts that are spelled as their checksum says, except in a place whose case is not known.
fn right(texts: impl Iterator<Item = String>, unknown: Option<usize>) -> Found {
    let mut found = Found::default();
    for text in texts {
        found.candidates += 1;
        let address = spelled(&text);
        let mut pairs = address[2..].bytes().zip(text.bytes()).enumerate();
        let is_right = pairs.all(|(at, (own, c))| own == c || unknown == Some(at));
        found.addresses.extend(is_right.then_some(address));
    }
    found
}

/// Letters are upper case where the hash of the lower-case digits has a hexadecimal digit from 8.
fn spelled(digits: &str) -> String {
    let small = digits.to_ascii_lowercase();
    let hash = Keccak256::digest(&small);
    let spell = |(at, digit): (usize, char)| {
        let hashed = hash[at / 2] >> (4 * (1 - at % 2)) & 15;
        if hashed >= 8 { digit.to_ascii_uppercase() } else { digit }
    };
    "0x".chars().chain(small.chars().enumerate().map(spell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_spelled_as_in_eip_55() {
        let read = |text: &str| answer(text).map(|answer| (answer.addresses, answer.note));
        for address in [
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "0xde709f2102306220921060314715629080e2fb77",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            let small = address.to_ascii_lowercase();
            let has_both_cases =
                address[2..] != address[2..].to_ascii_uppercase() && address != small;
            let of = |note: Option<&str>| Some((vec![address.to_owned()], note.map(str::to_owned)));
            assert_eq!(read(address), of((!has_both_cases).then_some(UNCHECKED)), "{address}");
            // Without 0x, a checksum is needed: these may be the name of a commit.
            assert_eq!(read(&address[2..]), of(None).filter(|_| has_both_cases));
            assert_eq!(read(&small[2..]), None);
            for text in [&small, &address.to_ascii_uppercase()] {
                assert_eq!(read(text), of(Some(UNCHECKED)), "{text}");
            }
        }
        // Two letters have the wrong case.
        assert_eq!(answer("0x5aaEb6053F3E94C9b9A09f33669435E7Ef1BeAed"), None);
        // Letters of one case are no checksum.
        assert_eq!(answer("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae"), None);
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Be"), None);
        assert_eq!(answer("0x5AaEB6053f3e94c9b9A09f33669435E7EF1bEaEg"), None);
    }

    /// From EIP-55.
    #[test]
    fn one_wrong_and_three_unreadable_digits_are_restored() {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        for at in 2..address.len() - 4 {
            let with = |places: &[usize], character: &str| {
                let mut text = address.to_owned();
                places.iter().for_each(|&at| text.replace_range(at..=at, character));
                text
            };
            let other = if address.as_bytes()[at] == b'7' { "3" } else { "7" };
            for (text, places, is_readable) in [
                (with(&[at], other), &[at][..], true),
                (with(&[at], "?"), &[at], false),
                (with(&[at, at + 2, at + 4], "?"), &[at, at + 2, at + 4], false),
            ] {
                let letters = text[2..].bytes().filter(u8::is_ascii_alphabetic).count();
                // A digit or the case of a letter may be wrong, or two neighbours swapped.
                let digits = &text.as_bytes()[2..];
                let pairs = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
                let wrong = 601 + letters + pairs;
                let candidates =
                    if is_readable { wrong } else { 16_usize.pow(places.len() as u32) };
                for text in [&text, &text[2..]] {
                    let answer = answer(text).unwrap();
                    assert!(answer.addresses.iter().any(|it| it == address), "{text}");
                    let before = address.len() - text.len();
                    let places = places.iter().map(|at| at + 1 - before);
                    let (_, note) = repaired(1, 1, "restores the character{s}", places);
                    assert_eq!(answer.note, note, "{text}");
                    assert_eq!(answer.estimate.unwrap().candidates, candidates as f64);
                }
            }
        }
        // Four are too many, and letters of one case are no checksum.
        let small = address.to_ascii_lowercase();
        for text in [address.replace("5aAe", "????"), small.replacen("5a", "?a", 1)] {
            assert_eq!(answer(&text), None, "{text}");
        }
    }

    #[test]
    fn a_letter_in_the_wrong_case_and_letters_for_digits_are_restored() {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        for (text, places) in [
            ("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", &[5][..]),
            ("0x5aAeb6O53F3E94C9b9A09f33669435E7EflBeAed", &[9, 37]),
            ("0x5aAeb6o53F3E94C9b9AO9f33669435E7EfIBeAed", &[9, 22, 37]),
        ] {
            let answer = answer(text).unwrap();
            assert_eq!(answer.addresses, [address], "{text}");
            let (_, note) = repaired(1, 1, "restores the character{s}", places.iter().copied());
            assert_eq!(answer.note, note, "{text}");
        }
    }

    /// From EIP-55. Its 15 letters are a checksum of as many bits, which most of the 601 digits
    /// that may be missing do not have.
    #[test]
    fn a_digit_that_is_missing_extra_or_swapped_is_restored() {
        for address in [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            let mut unique = 0;
            for at in 2..address.len() - 1 {
                let (first, rest) = address.split_at(at);
                let (own, next) = (&rest[..1], &rest[1..2]);
                for (text, damage) in [
                    (format!("{first}{}", &rest[1..]), "one missing character"),
                    (format!("{first}7{rest}"), "one extra character"),
                    (format!("{first}{own}{rest}"), "one extra character"),
                    (format!("{first}{next}{own}{}", &rest[2..]), "two swapped characters"),
                ] {
                    if text == address {
                        continue;
                    }
                    let answer = answer(&text).unwrap();
                    assert!(answer.addresses.iter().any(|it| it == address), "{text}");
                    let is_one = answer.addresses == [address];
                    unique += usize::from(is_one);
                    // One of the others may need no other fault.
                    assert!(!is_one || answer.guess == Some((damage, 1)), "{text}: {answer:?}");
                    let candidates = answer.estimate.unwrap().candidates;
                    assert!((30.0..=700.0).contains(&candidates), "{text}: {candidates}");
                }
            }
            assert!(unique > 140, "{address}: {unique}");
        }
    }
}
