//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3::{Digest, Keccak256};

use super::{Answer, Certainty, Edit, Repair};

/// The number of hexadecimal digits.
const LENGTH: usize = 40;

/// The maximum number of unreadable digits to restore: 4096 addresses.
const MAX_UNREADABLE: usize = 3;

/// The EIP-55 spelling of an address, with up to three unreadable digits or a wrong one restored.
/// `None` if the word is not one. Letters of one case may have lost the checksum, but only after
/// `0x`: digits alone may be anything.
pub(super) fn answer(word: &str) -> Option<Answer> {
    let after_0x = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let digits = after_0x.unwrap_or(word);
    let is_unreadable = |&at: &usize| !digits.as_bytes()[at].is_ascii_hexdigit();
    let unreadable: Vec<usize> = (0..digits.len()).filter(is_unreadable).collect();
    if digits.len() != LENGTH || !digits.is_ascii() || unreadable.len() > MAX_UNREADABLE {
        return None;
    }
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let has_checksum = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let spelling = Some(spelled(digits)).filter(|_| unreadable.is_empty());
    let (addresses, certainty) = match (spelling, has_checksum) {
        (Some(address), true) if address[2..] == *digits => (vec![address], Certainty::Intact),
        (Some(address), false) if after_0x.is_some() => (vec![address], Certainty::Unchecked),
        (_, true) => {
            let (addresses, repair) = repaired(digits, unreadable, word.len() - LENGTH)?;
            (addresses, Certainty::Repaired(repair))
        }
        _ => return None,
    };
    Some(Answer { addresses, format: "Ethereum".to_owned(), network: "ethereum", certainty })
}

/// The addresses whose letters are the checksum, with any digit in place of each unreadable one or,
/// if there is none, with one digit changed. `before` is the number of characters before the digits.
fn repaired(digits: &str, unreadable: Vec<usize>, before: usize) -> Option<(Vec<String>, Repair)> {
    // Each letter that was read is one bit of the checksum.
    let letters = digits.bytes().filter(u8::is_ascii_alphabetic).count();
    let (places, candidates, letters) = if unreadable.is_empty() {
        ((0..LENGTH).map(|at| vec![at]).collect(), 1 + LENGTH as u64 * 15, letters - 1)
    } else {
        let candidates = 1 << (4 * unreadable.len());
        (vec![unreadable], candidates, letters)
    };
    let (mut found, mut wrong) = (Vec::new(), None);
    for places in places {
        for number in 0..16_u32.pow(places.len() as u32) {
            let mut text: Vec<char> = digits.chars().collect();
            for (place, &at) in places.iter().enumerate() {
                text[at] = char::from_digit(number >> (4 * place) & 15, 16).unwrap_or('?');
            }
            let text: String = text.into_iter().collect();
            let address = spelled(&text);
            let mut pairs = address[2..].chars().zip(digits.chars()).enumerate();
            let is_right = pairs.all(|(at, (new, old))| new == old || places.contains(&at));
            if is_right && !text.eq_ignore_ascii_case(digits) {
                wrong.get_or_insert_with(|| places.clone());
                found.push(address);
            }
        }
    }
    let wrong = wrong?.iter().map(|at| before + at + 1).collect();
    Some((found, Repair { wrong, edit: Edit::Replaced, candidates, checksums: 1 << letters }))
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
        let read = |text: &str| answer(text).map(|answer| (answer.addresses, answer.certainty));
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
            let certainty = if has_both_cases { Certainty::Intact } else { Certainty::Unchecked };
            let of = |certainty| Some((vec![address.to_owned()], certainty));
            assert_eq!(read(address), of(certainty), "{address}");
            // Without 0x, a checksum is needed: these may be the name of a commit.
            assert_eq!(read(&address[2..]), of(Certainty::Intact).filter(|_| has_both_cases));
            assert_eq!(read(&small[2..]), None);
            for text in [&small, &address.to_ascii_uppercase()] {
                assert_eq!(read(text), of(Certainty::Unchecked), "{text}");
            }
        }
        assert_eq!(answer("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), None);
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe"), None);
        assert_eq!(answer("0x5AaEB6053f3e94c9b9A09f33669435E7EF1bEaEg"), None);
    }

    /// From EIP-55.
    #[test]
    fn one_wrong_and_three_unreadable_digits_are_restored() {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        for at in 2..address.len() - 4 {
            let other = if address.as_bytes()[at] == b'7' { "3" } else { "7" };
            let wrong = format!("{}{other}{}", &address[..at], &address[at + 1..]);
            let one = format!("{}?{}", &address[..at], &address[at + 1..]);
            let three = format!(
                "{}?{}?{}?{}",
                &address[..at],
                &address[at + 1..at + 2],
                &address[at + 3..at + 4],
                &address[at + 5..]
            );
            for (text, count, candidates) in [(&wrong, 1, 601), (&one, 1, 16), (&three, 3, 4096)] {
                for text in [text, &text[2..]] {
                    let answer = answer(text).unwrap();
                    assert!(answer.addresses.iter().any(|it| it == address), "{text}");
                    let Certainty::Repaired(repair) = answer.certainty else { panic!("{text}") };
                    let first = at + 1 - (address.len() - text.len());
                    assert!(
                        repair.wrong.len() <= count && repair.wrong.contains(&first),
                        "{text}: {repair:?}"
                    );
                    assert_eq!(repair.candidates, candidates);
                }
            }
        }
        // Four are too many, and letters of one case are no checksum.
        let small = address.to_ascii_lowercase();
        for text in [address.replace("5aAe", "????"), small.replacen("5a", "?a", 1)] {
            assert_eq!(answer(&text), None, "{text}");
        }
    }
}
