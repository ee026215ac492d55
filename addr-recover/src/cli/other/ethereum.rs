//! Ethereum addresses, whose letter case is a checksum (EIP-55).

use sha3::{Digest, Keccak256};

use super::Answer;

/// The number of hexadecimal digits.
const LENGTH: usize = 40;

/// The EIP-55 spelling of an address. `None` if the word is not one, or if it has letters of both
/// cases that are not the checksum.
pub(super) fn answer(word: &str) -> Option<Answer> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    if digits.len() != LENGTH || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let address = spelled(digits);
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let has_both_cases = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_right = !has_both_cases || address[2..] == *digits;
    is_right.then(|| Answer::intact(address, "Ethereum".to_owned()))
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
        for address in [
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "0xde709f2102306220921060314715629080e2fb77",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            let small = address.to_ascii_lowercase();
            for text in [address, &small, &address.to_ascii_uppercase(), &small[2..]] {
                assert_eq!(answer(text).unwrap().addresses, [address], "{text}");
            }
        }
        assert_eq!(answer("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), None);
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe"), None);
        assert_eq!(answer("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg"), None);
    }
}
