//! The search against one that tries all spellings.

use std::collections::HashSet;

use proptest::prelude::*;

use crate::{address, recover};

const ALPHABET: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

fn is_ambiguous(character: char) -> bool {
    ALPHABET.contains(character.to_ascii_lowercase())
        && ALPHABET.contains(character.to_ascii_uppercase())
        && character.is_ascii_alphabetic()
}

fn spellings(text: &str) -> Vec<String> {
    text.chars().fold(vec![String::new()], |spellings, character| {
        let mut digits = vec![character.to_ascii_lowercase(), character.to_ascii_uppercase()];
        digits.dedup();
        digits.retain(|&digit| ALPHABET.contains(digit));
        spellings.iter().flat_map(|text| digits.iter().map(move |digit| format!("{text}{digit}"))).collect()
    })
}

/// All addresses among the spellings, and the number of prefixes that spellings of version 0 and 25 bytes have.
fn naive(text: &str) -> (Vec<String>, u64) {
    let mut addresses = Vec::new();
    let mut prefixes = HashSet::new();
    for spelling in spellings(text) {
        let bytes = bs58::decode(&spelling).into_vec().unwrap();
        if bytes.len() == 25 && bytes[0] == 0 {
            prefixes.insert(bytes[..21].to_vec());
            if bs58::decode(&spelling).with_check(Some(0)).into_vec().is_ok() {
                addresses.push(spelling);
            }
        }
    }
    addresses.sort();
    (addresses, prefixes.len() as u64)
}

fn assert_agrees(text: &str) -> usize {
    let (addresses, prefixes) = naive(text);
    let outcome = recover(text);
    assert_eq!(outcome.addresses, addresses, "{text}");
    assert_eq!(outcome.hashes, prefixes, "{text}");
    addresses.len()
}

#[test]
fn long_addresses_with_few_letters() {
    // The ones with the fewest letters among some 600,000 random ones.
    for address in [
        "1929o795m6N7oK7DXWA5Kb4N8LF2j57fs9",
        "19sNYqQ1N22d2389s2t47366Q11VnK42h7",
        "1JF2Eo6GzoX375S311ty2x5pL24ZR5fii2",
        "1KL1AiS4QoQoa48CG3R4i8Cnii2EMVL582",
        "12Lp3ipCb3i66iX4iv2K44CzD32yeiT5yZ",
    ] {
        assert_eq!(assert_agrees(address), 1);
        // The checksum of a neighbour is wrong.
        assert_eq!(assert_agrees(&address.replacen('2', "3", 1)), 0);
    }
}

#[test]
fn short_addresses() {
    for last in 0..=255 {
        let mut payload = [0; 20];
        payload[19] = last;
        assert!(assert_agrees(&address(&payload)) >= 1);
    }
}

/// The greatest number of so many bytes, with as many leading 1s as it needs and with one less. Where its last characters have a
/// capital, the tail reaches over the end of the legal interval, from below and from above.
#[test]
fn tails_across_the_ends_of_the_legal_interval() {
    let mut across = 0;
    for bytes in 4..=10 {
        let greatest = bs58::encode(vec![0xff; bytes]).into_string();
        across += usize::from(
            greatest[greatest.len() - 5..].contains(|c: char| c.is_uppercase() && is_ambiguous(c)),
        );
        for ones in [25 - bytes, 24 - bytes] {
            // With 21 there is but one prefix, and whether it is hashed in vain does not matter.
            if ones <= 20 {
                assert_agrees(&format!("{}{greatest}", "1".repeat(ones)));
            }
        }
    }
    assert!(across >= 3);
}

/// An address in which most letters have been replaced, so that all spellings can be tried: no address any more, but near
/// the ends of the legal interval and with carries as often as real ones.
fn thinned() -> impl Strategy<Value = String> {
    (0usize..20, any::<[u8; 20]>(), any::<[prop::sample::Index; 11]>(), "[1-9iIoOlL]{34}").prop_map(
        |(zeros, mut payload, kept, replacements)| {
            payload[..zeros].fill(0);
            let address = address(&payload);
            let mut kept: HashSet<usize> = kept.iter().map(|index| index.index(address.len())).collect();
            // The first digit decides about the legality of all the others.
            kept.insert(address.chars().take_while(|&character| character == '1').count());
            address
                .chars()
                .zip(replacements.chars())
                .enumerate()
                .map(|(place, (character, replacement))| {
                    match is_ambiguous(character) && !kept.contains(&place) {
                        true => replacement,
                        false => character,
                    }
                })
                .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn texts_with_few_letters(text in thinned()) {
        assert_agrees(&text);
    }

    #[test]
    fn small_payloads(zeros in 15usize..20, mut payload: [u8; 20]) {
        payload[..zeros].fill(0);
        let address = address(&payload);
        prop_assume!(address.chars().filter(|&character| is_ambiguous(character)).count() <= 12);
        assert!(assert_agrees(&address) >= 1);
    }
}
