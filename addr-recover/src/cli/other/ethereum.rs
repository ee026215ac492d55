//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3::{Digest, Keccak256};

use super::{Answer, Repair, Text, UNCHECKED, repaired};

/// The number of hexadecimal digits.
const LENGTH: usize = 40;

/// The EIP-55 spelling of an address. Restores up to three unreadable digits, a wrong one or a
/// letter in the wrong case. `None` if the word is not an address. Letters of one case may have
/// lost the checksum, but only after `0x`: digits alone may be anything.
pub(super) fn answer(word: &str) -> Option<Answer> {
    let after_0x = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let typed = after_0x.unwrap_or(word);
    if typed.len() != LENGTH || !typed.is_ascii() {
        return None;
    }
    // The only digits that these look like.
    let digits = &*typed.replace(['O', 'o'], "0").replace(['I', 'i', 'l'], "1");
    let read: Text = digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let has_checksum = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_readable = read.iter().all(Option::is_some);
    let spelling = is_readable.then(|| spelled(digits));
    let is_right = spelling.as_ref().is_some_and(|address| address[2..] == *digits);
    let is_wrong = is_readable && !is_right;
    let (addresses, (estimate, note)) = match (spelling, has_checksum) {
        (Some(address), true) if is_right && digits == typed => (vec![address], (None, None)),
        (Some(address), false) if after_0x.is_some() => {
            (vec![address], (None, Some(UNCHECKED.to_owned())))
        }
        (_, true) => {
            let mut addresses: Vec<String> = Vec::new();
            let is_same =
                |address: &str, at: usize| address.as_bytes()[at + 2] == digits.as_bytes()[at];
            let max_wrong = usize::from(is_wrong);
            let repair = Repair { alphabet: 16, effects: &[[0; 32]; LENGTH], max_wrong };
            let candidates = repair.restore(
                &read,
                |_| 0,
                |text| {
                    let address =
                        spelled(&text.iter().map(|digit| format!("{digit:x}")).collect::<String>());
                    let differs = |&at: &usize| read[at].is_some() && !is_same(&address, at);
                    let wrong = (0..LENGTH).filter(differs).count();
                    addresses.extend((wrong <= max_wrong).then_some(address));
                },
            );
            let first = addresses.first()?.clone();
            let places = (0..LENGTH).filter(|&at| first.as_bytes()[at + 2] != typed.as_bytes()[at]);
            let places = places.map(|at| word.len() - LENGTH + at + 1);
            // Each letter that was read is one bit of the checksum, unless it is the wrong one.
            let letters = digits.bytes().filter(u8::is_ascii_alphabetic).count();
            let checksums = 1 << (letters - max_wrong);
            // The wrong character may be the case of any letter.
            let candidates = candidates + (max_wrong * letters) as u64;
            (addresses, repaired(candidates, checksums, "restores the character{s}", places))
        }
        _ => return None,
    };
    let guess = (estimate.is_some() && is_wrong).then_some("one wrong character");
    let (format, network) = ("Ethereum".to_owned(), "ethereum");
    Some(Answer { addresses, format, network, estimate, note, guess })
}

/// Letters are upper case where the hash of the lower-case digits has a hexadecimal digit from 8.
fn spelled(digits: &str) -> String {
    let small = digits.to_ascii_lowercase();
    let hash = hex::encode(Keccak256::digest(&small));
    let spell = |(digit, hashed): (char, char)| {
        if hashed >= '8' { digit.to_ascii_uppercase() } else { digit }
    };
    "0x".chars().chain(small.chars().zip(hash.chars()).map(spell)).collect()
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
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe"), None);
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
                let candidates =
                    if is_readable { 601 + letters } else { 16_usize.pow(places.len() as u32) };
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
}
