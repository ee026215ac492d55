//! CashAddr, whose letter case carries no information, and whose checksum of 40 bits restores
//! characters. The constants are those of its specification.

use bech32::Fe32;

use super::correction::{Damaged, edited};
use super::{Answer, Certainty};

/// The networks, and what precedes the colon in their addresses, which may be left out.
const NETWORKS: [(&str, &str); 4] = [
    ("bitcoincash", "Bitcoin Cash"),
    ("bchtest", "Bitcoin Cash testnet"),
    ("bchreg", "Bitcoin Cash regtest"),
    ("ecash", "eCash"),
];

/// The number of characters after the colon, for a hash of 20 bytes.
const LENGTH: usize = 42;

/// The number of checksums, which have eight characters.
const CHECKSUMS: u64 = 1 << 40;

const GENERATOR: [u64; 5] =
    [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];

/// The address in lower case and with its prefix, with up to two wrong or three unreadable
/// characters restored, or one that is missing or extra. `None` if the word is no such address. `input` is the text that it is from.
pub(super) fn answer(input: &str, word: &str) -> Option<Answer> {
    let small = word.to_ascii_lowercase();
    if !small.is_ascii() || small.len().abs_diff(LENGTH) > 1 {
        return None;
    }
    let damaged = Damaged::of(&small)?;
    let (mut networks, mut before) = (NETWORKS.to_vec(), String::new());
    for (prefix, name) in NETWORKS {
        let begin = format!("{prefix}:");
        if input.to_ascii_lowercase().contains(&begin) {
            (networks, before) = (vec![(prefix, name)], begin);
        }
    }
    let corrected = |damaged: &Damaged| {
        let of = |&(prefix, name): &(&'static str, &'static str)| {
            let data = damaged.corrected(|symbols| residue(prefix, symbols)).into_iter();
            data.filter(|data| is_address(data)).map(move |data| (prefix, name, data))
        };
        networks.iter().flat_map(of).collect::<Vec<_>>()
    };
    let checksums = CHECKSUMS / networks.len() as u64;
    let mut found = corrected(&damaged);
    let intact = found.iter().position(|(.., data)| *data == small);
    let certainty = if let Some(intact) = intact {
        found = vec![found.swap_remove(intact)];
        Certainty::Intact
    } else if let Some((.., first)) = found.first() {
        let (given, first) = (before.clone() + &small, before + first);
        Certainty::Repaired(damaged.repair(checksums, &given, Some(&first)))
    } else {
        let (edited, repair) = edited(&small, &[LENGTH], before.len(), checksums, corrected)?;
        found = edited;
        Certainty::Repaired(repair)
    };
    let (_, name, _) = found.first()?;
    Some(Answer {
        format: format!("{name}, CashAddr"),
        addresses: found.iter().map(|(prefix, _, data)| format!("{prefix}:{data}")).collect(),
        network: "bitcoin-cash",
        certainty,
    })
}

/// Whether the data have a known type, a hash of 20 bytes, and no padding but zeros.
fn is_address(data: &str) -> bool {
    let symbols: Vec<u8> = data.chars().flat_map(Fe32::from_char).map(Fe32::to_u8).collect();
    // The type takes five bits, the size of the hash three, the hash 160, and its padding two.
    symbols.len() == LENGTH
        && matches!(symbols[..], [0..=3, 0..=3, ..])
        && symbols[LENGTH - 9] & 3 == 0
}

/// What is wrong with the checksum of the whole address.
fn residue(prefix: &str, symbols: &[Fe32]) -> u64 {
    let prefix = prefix.bytes().map(|letter| letter & 31).chain([0]);
    let symbols = symbols.iter().map(|symbol| symbol.to_u8());
    let remainder = prefix.chain(symbols).fold(1, |remainder: u64, symbol| {
        let shifted = ((remainder << 5) % CHECKSUMS) ^ u64::from(symbol);
        let out = remainder >> 35;
        let terms = GENERATOR.iter().enumerate().filter(|(bit, _)| out >> bit & 1 == 1);
        terms.fold(shifted, |sum, (_, term)| sum ^ term)
    });
    remainder ^ 1
}

#[cfg(test)]
mod tests {
    use super::super::correction::tests::replaced;
    use super::*;

    /// From the specification, with the Base58Check addresses of the same hashes.
    const ADDRESSES: [(&str, &str); 6] = [
        ("1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"),
        ("1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR", "qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy"),
        ("16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb", "qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r"),
        ("3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", "ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"),
        ("3LDsS579y7sruadqu11beEJoTjdFiFCdX4", "pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e"),
        ("31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw", "pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37"),
    ];

    #[test]
    fn intact_addresses_are_written_in_lower_case_with_their_prefix() {
        for (_, data) in ADDRESSES {
            let whole = format!("bitcoincash:{data}");
            for input in [data, &whole, &whole.to_ascii_uppercase()] {
                let answer = answer(input, &data.to_ascii_uppercase()).unwrap();
                assert_eq!(
                    (&answer.addresses, answer.network),
                    (&vec![whole.clone()], "bitcoin-cash")
                );
                assert_eq!(
                    (&*answer.format, answer.certainty),
                    ("Bitcoin Cash, CashAddr", Certainty::Intact)
                );
            }
            assert_eq!(answer(&format!("bchtest:{data}"), data), None);
        }
    }

    /// The hashes in the data are those in Base58Check.
    #[test]
    fn hashes_are_those_of_base58check() {
        for (base58, data) in ADDRESSES {
            let symbols = data.chars().map(|c| Fe32::from_char(c).unwrap().to_u8());
            let bits: String = symbols.map(|symbol| format!("{symbol:05b}")).collect();
            let bytes = bs58::decode(base58).with_check(None).into_vec().unwrap();
            let hash: String = bytes[1..].iter().map(|byte| format!("{byte:08b}")).collect();
            assert_eq!(bits[8..168], hash);
            assert!(is_address(data));
        }
    }

    #[test]
    fn two_wrong_and_three_unreadable_characters_are_restored() {
        for (_, data) in ADDRESSES {
            let whole = format!("bitcoincash:{data}");
            for first in (0..LENGTH - 9).step_by(4) {
                let second = first + 1 + first % 7;
                let other = |at: usize| if data.as_bytes()[at] == b'q' { 'p' } else { 'q' };
                for places in [
                    vec![(first, other(first))],
                    vec![(first, other(first)), (second, other(second))],
                    vec![(first, '?'), (second, '?'), (LENGTH - 1, '?')],
                    vec![(first, 'b'), (second, 'o')],
                    vec![(first, '?'), (second, other(second))],
                ] {
                    let damaged = replaced(data, &places);
                    for (input, before) in
                        [(damaged.clone(), 0), (format!("bitcoincash:{damaged}"), 12)]
                    {
                        let answer = answer(&input, &damaged).unwrap();
                        assert_eq!(answer.addresses, [&*whole], "{damaged}");
                        let wrong: Vec<usize> =
                            places.iter().map(|(at, _)| at + 1 + before).collect();
                        assert!(
                            matches!(&answer.certainty, Certainty::Repaired(repair) if repair.wrong == wrong),
                            "{damaged}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn other_texts_are_not_addresses() {
        let (base58, data) = ADDRESSES[0];
        let four = replaced(data, &[(6, '?'), (9, '?'), (12, '?'), (20, '?')]);
        for text in ["", base58, &data[2..], &four, &"q".repeat(42), &"q".repeat(43)] {
            assert_eq!(answer(text, text), None, "{text}");
        }
    }

    #[test]
    fn a_missing_or_an_extra_character_is_restored() {
        for (_, data) in ADDRESSES {
            for at in (0..data.len()).step_by(7) {
                let (before, after) = data.split_at(at);
                for text in [format!("{before}{}", &after[1..]), format!("{before}z{after}")] {
                    let answer = answer(&text, &text).unwrap();
                    assert_eq!(answer.addresses, [format!("bitcoincash:{data}")], "{text}");
                    let Certainty::Repaired(repair) = answer.certainty else { panic!("{text}") };
                    assert!(repair.wrong[0] <= at + 1, "{text}");
                }
            }
        }
    }
}
