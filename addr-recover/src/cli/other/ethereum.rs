//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3::{Digest, Keccak256};

use super::{Answer, Certainty};

/// The number of hexadecimal digits.
const LENGTH: usize = 40;

/// The EIP-55 spelling of an address. `None` if the word is not one, or if its letters are not the
/// checksum. Letters of one case may have lost it, but only after `0x`: digits alone may be
/// anything.
pub(super) fn answer(word: &str) -> Option<Answer> {
    let after_0x = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let digits = after_0x.unwrap_or(word);
    if digits.len() != LENGTH || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let address = spelled(digits);
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let has_both_cases = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let certainty = match (has_both_cases, after_0x) {
        (true, _) if address[2..] == *digits => Certainty::Intact,
        (false, Some(_)) => Certainty::Unchecked,
        _ => return None,
    };
    Some(Answer {
        addresses: vec![address],
        format: "Ethereum".to_owned(),
        network: "ethereum",
        certainty,
    })
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
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg"), None);
    }
}
