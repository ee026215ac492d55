//! Every fault that a checksum restores, and the table of them in the documentation.

use super::*;
use crate::formats::{cash_addr, restored};

/// From BIP 173, BIP 350 and the specification of CashAddr.
const ADDRESSES: [&str; 7] = [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
    "bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37",
];

/// The number of characters before those that the checksum protects.
fn before(address: &str) -> usize {
    address.find([':', '1']).unwrap() + 1
}

/// The answer to a text, of which a reader leaves out the prefix of CashAddr.
fn read(text: &str) -> Option<Corrected> {
    restored(None, text, text.rsplit(':').next().unwrap())
}

fn replaced(address: &str, places: &[(usize, char)]) -> String {
    let mut characters: Vec<char> = address.chars().collect();
    places.iter().for_each(|&(place, character)| characters[place] = character);
    characters.into_iter().collect()
}

#[test]
fn two_wrong_and_three_unreadable_characters_are_restored() {
    for address in ADDRESSES {
        for first in (before(address) + 1..address.len() - 9).step_by(5) {
            let second = first + 1 + first % 7;
            let other = |at: usize| if address.as_bytes()[at] == b'q' { 'p' } else { 'q' };
            for places in [
                vec![(first, other(first))],
                vec![(first, other(first)), (second, other(second))],
                vec![(first, '?'), (second, '?'), (address.len() - 1, '?')],
                vec![(first, 'b'), (second, 'o')],
                vec![(first, '?'), (second, other(second))],
            ] {
                let damaged = replaced(address, &places);
                let answer = read(&damaged).unwrap();
                assert_eq!(answer.addresses, [address], "{damaged}");
                let mut wrong: Vec<usize> = places.iter().map(|(at, _)| at + 1).collect();
                wrong.sort_unstable();
                let (_, note) = repaired(1.0, 1, "restores the character{s}", wrong.into_iter());
                assert_eq!(answer.note, note, "{damaged}");
                // Any symbol in place of each unreadable one, and up to two changes in all.
                let unread = damaged[before(address)..].matches(['?', 'b', 'o']).count();
                let read = (address.len() - before(address) - unread) as u64;
                let changed = [1, 31 * read, 31 * 31 * read * (read - 1) / 2];
                let max_wrong = MAX_WRONG.saturating_sub(unread);
                let candidates =
                    32_u64.pow(unread as u32) * changed[..=max_wrong].iter().sum::<u64>();
                let expected = candidates as f64;
                assert_eq!(answer.estimate.unwrap().candidates, expected, "{damaged}");
            }
        }
    }
}

#[test]
fn a_missing_or_an_extra_character_is_restored() {
    // One has a length that no other address has.
    for address in ADDRESSES.into_iter().filter(|address| address.len() < 70) {
        for at in (before(address) + 1..address.len()).step_by(5) {
            let (first, rest) = address.split_at(at);
            let mut texts = vec![format!("{first}{}", &rest[1..])];
            texts.extend(['p', 'b'].map(|extra| format!("{first}{extra}{rest}")));
            for text in texts {
                let answer = read(&text).unwrap();
                assert!(answer.addresses.iter().any(|found| found == address), "{text}");
                let note = answer.note.unwrap();
                let words = note.split([' ', ',']);
                let place: usize = words.filter_map(|word| word.parse().ok()).next().unwrap();
                // Without its character there, the longer one is the shorter one.
                let mut both = [answer.addresses[0].clone(), text.clone()];
                both.sort_by_key(String::len);
                both[1].remove(place - 1);
                assert_eq!(both[0], both[1], "{text}: {note}");
                let candidates = answer.estimate.unwrap().candidates;
                assert!((40.0..2000.0).contains(&candidates), "{text}");
            }
        }
    }
}

/// Two faults of which a character is missing or extra, and three wrong ones if the checksum is
/// long enough.
#[test]
fn more_damage_is_undone_if_few_addresses_fit_by_chance() {
    let other = |c: u8| if c == b'q' { 'p' } else { 'q' };
    for address in [ADDRESSES[0], ADDRESSES[1], ADDRESSES[2], ADDRESSES[4], ADDRESSES[5]] {
        let (before, bytes) = (before(address), address.as_bytes());
        for first in (before + 2..address.len() - 12).step_by(7) {
            let second = first + 2 + first % 8;
            let wrong = replaced(address, &[(second, other(bytes[second]))]);
            let (begin, rest) = wrong.split_at(first);
            let (intact, end) = address.split_at(first);
            let (middle, end) = end.split_at(second - first);
            let swap = |at: usize| {
                replaced(address, &[(at, bytes[at + 1].into()), (at + 1, bytes[at].into())])
            };
            let swapped = swap(second);
            let (before_swap, swapped_end) = swapped.split_at(first);
            let mut texts = vec![
                (format!("{before_swap}{}", &swapped_end[1..]), "missing and swapped"),
                (format!("{before_swap}x{swapped_end}"), "extra and swapped"),
                (format!("{begin}{}", &rest[1..]), "one missing and one wrong character"),
                (format!("{begin}p{rest}"), "one extra and one wrong character"),
                (format!("{intact}{}{}", &middle[1..], &end[1..]), "two missing characters"),
                (format!("{intact}x{middle}z{end}"), "two extra characters"),
                (format!("{intact}{}z{end}", &middle[1..]), "one missing and one extra character"),
            ];
            if address.len() > 90 || before > 4 {
                let third = (second + 3, other(bytes[second + 3]));
                let places = [(first, other(bytes[first])), third];
                texts.push((replaced(&wrong, &places), "up to three wrong characters"));
                let at = before + (first - before) / BLOCK * BLOCK;
                let lost = format!("{}{}", &address[..at], &address[at + BLOCK..]);
                texts.push((lost, "a block of four characters missing"));
            }
            for (text, damage) in texts {
                let answer = read(&text).unwrap_or_else(|| panic!("{text}: {damage}"));
                assert!(answer.addresses.contains(&address.to_owned()), "{text}: {answer:?}");
                assert!(answer.guess.is_some(), "{text}");
                let expected = answer.estimate.unwrap().expected_by_chance;
                assert!(expected > 0.0 && expected < DOUBTFUL_GUESS, "{text}: {expected}");
            }
        }
        // Blocks of four, with the prefix of Bech32.
        let data = &address[if before > 4 { before } else { 0 }..];
        let blocks: Vec<&str> = (0..data.len() / 4).map(|at| &data[4 * at..4 * at + 4]).collect();
        let rest = &data[blocks.len() * 4..];
        let prefix = &address[..address.len() - data.len()];
        let mut swapped = blocks.clone();
        swapped.swap(3, 6);
        let mut repeated = blocks.clone();
        repeated.insert(4, blocks[4]);
        for blocks in [swapped, repeated] {
            let text = format!("{prefix}{}{rest}", blocks.concat());
            let answer = read(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(answer.addresses, [address], "{text}");
        }
    }
}

#[test]
fn hidden_parts_of_up_to_five_characters_are_restored() {
    for address in [ADDRESSES[0], ADDRESSES[2], ADDRESSES[4]] {
        for (at, hidden) in [(24, 1), (25, 4), (30, 5)] {
            let text = format!("{}…{}", &address[..at], &address[at + hidden..]);
            let answer = read(&text).unwrap_or_else(|| panic!("{text}"));
            assert!(answer.addresses.contains(&address.to_owned()), "{text}: {answer:?}");
            let candidates = answer.estimate.unwrap().candidates;
            assert!(candidates >= 32_f64.powi(hidden as i32), "{text}: {candidates}");
        }
    }
}

#[test]
fn other_texts_are_not_answered() {
    let six = |address| {
        let places = [16, 19, 22, 30, 33, 35].map(|at| (at, '?'));
        replaced(address, &places)
    };
    for text in [
        "xy1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        &ADDRESSES[4].replace("bitcoincash", "bchtest"),
        &six(ADDRESSES[0]),
        &six(ADDRESSES[4]),
        &"q".repeat(42),
        &("bc1p".to_owned() + &"q".repeat(86)),
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

/// Encoded by the crate `bech32`. BIP 173 says that its checksum does not notice a `q` more or
/// less before a `p` at the end.
#[test]
fn zeros_before_the_end_are_counted() {
    let hrp = bech32::Hrp::parse("bc").unwrap();
    let of = |number: u32| {
        let program: Vec<u8> =
            (0..20).map(|at| (number >> (at % 4 * 8)) as u8 ^ at as u8).collect();
        bech32::segwit::encode_v0(hrp, &program).unwrap()
    };
    let address = (0..).map(of).find(|address| address.ends_with('p')).unwrap();
    for count in 1..=4 {
        let text = format!("{}{}p", &address[..address.len() - 1], "q".repeat(count));
        let answer = read(&text).unwrap();
        assert!(answer.addresses.contains(&address), "{text}: {answer:?}");
        assert!(answer.guess.is_some());
    }
}

/// The table in docs/damage.md: the lookups for what may be an address of Bech32 with 39
/// symbols after its prefix, and what fits it by chance, and one of CashAddr with 42.
#[test]
fn the_table_in_the_documentation_has_the_counts() {
    let table = [
        ("up to two wrong characters", &["up to two wrong characters"][..], false),
        (
            "one missing character, or one extra",
            &["one missing character", "one extra character"],
            false,
        ),
        ("two blocks of four swapped", &["two blocks of four characters swapped"], false),
        (
            "two extra characters, or two pairs swapped",
            &["two extra characters", "two pairs of swapped characters"],
            false,
        ),
        ("one extra, and a pair swapped", &["one extra character and a swapped pair"], false),
        ("one extra and one wrong", &["one extra and one wrong character"], false),
        (
            "one missing, and one extra or a pair swapped",
            &["one missing and one extra character", "one missing character and a swapped pair"],
            false,
        ),
        ("one wrong, and a pair swapped", &["one wrong character and a swapped pair"], false),
        ("two missing", &["two missing characters"], false),
        ("one missing and one wrong", &["one missing and one wrong character"], false),
        ("a block of four missing", &["a block of four characters missing"], true),
        ("up to three wrong characters", &["up to three wrong characters"], true),
    ];
    // The texts of each length that has the damage.
    let counts = |whole: usize, before: usize, damage: &str| {
        let format = Linear { lengths: [whole; 2], before, ..Linear::default() };
        let of_length = |length: usize| {
            // No symbol is that of its neighbour.
            let read: Text = (0..length).map(|at| Some((at * 7 % 31) as u8)).collect();
            let attempts = format.attempts(&read).into_iter();
            let mut attempts =
                attempts.filter(|it| it.repair.is_some_and(|it| it.damage == damage));
            let Attempt { texts, wrong, .. } = attempts.next()?;
            let sum = |of: fn(&Text, usize) -> f64| {
                texts().iter().map(|text| of(text, wrong)).sum::<f64>()
            };
            Some((sum(lookups), sum(candidates))).filter(|it| it.0 > 0.0)
        };
        let typed = [whole, whole - 1, whole + 1, whole - 2, whole + 2, whole - BLOCK];
        typed.into_iter().find_map(of_length).unwrap()
    };
    let grouped = |count: f64| match (count / 1000.0).trunc() {
        0.0 => format!("{count}"),
        thousands => format!("{thousands},{:03}", count % 1000.0),
    };
    let documented = include_str!("../../../docs/damage.md");
    for (row, damages, is_too_much) in table {
        let sum = |whole, before| {
            damages
                .iter()
                .map(|it| counts(whole, before, it))
                .fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
        };
        let (of_bech32, of_cash_addr) = (sum(39, 3), sum(42, 0));
        let by_chance = |candidates: f64, bits: i32| match candidates / 2_f64.powi(bits) {
            it if it < 1e-4 => format!("{it:.0e}"),
            it => format!("{it:.4}").trim_end_matches('0').to_owned(),
        };
        let bech32 = by_chance(of_bech32.1, 30);
        let bech32 = if is_too_much { format!("{bech32}: not tried") } else { bech32 };
        let cash_addr = by_chance(of_cash_addr.1, 40);
        let (of_bech32, of_cash_addr) = (grouped(of_bech32.0), grouped(of_cash_addr.0));
        let line = format!("| {row} | {of_bech32} | {of_cash_addr} | {bech32} | {cash_addr} |");
        assert!(documented.contains(&line), "{line}");
    }
}

#[test]
fn a_prefix_is_completed() {
    let address = ADDRESSES[0];
    for text in [&address[3..], &address.replacen('1', "", 1)] {
        let answer = read(text).unwrap();
        assert_eq!(answer.addresses, [address], "{text}");
        assert!(answer.note.unwrap().contains("missing"));
        assert!(answer.estimate.unwrap().expected_by_chance < 1e-6);
    }
    // With another wrong character, one of 14 networks is right.
    let wrong = address[3..].replacen("508", "50q", 1);
    assert!(read(&wrong).unwrap().addresses.contains(&address.to_owned()));
}

/// The addresses of the documentation of the Cosmos SDK, and of NIP-19.
#[test]
fn bech32_of_other_networks_is_corrected() {
    for address in [
        "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
        "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6",
    ] {
        assert_eq!(read(address).unwrap().estimate, None, "{address}");
        for at in before(address)..address.len() {
            let other = if address.as_bytes()[at] == b'q' { 'p' } else { 'q' };
            let answer = read(&replaced(address, &[(at, other)])).unwrap();
            assert_eq!(answer.addresses, [address]);
        }
    }
}

/// From the specification of CashAddr: the same hash with the prefix of SLP tokens has another
/// checksum.
#[test]
fn addresses_of_slp_have_a_prefix_of_their_own() {
    const LENGTH: usize = 42;
    let data = &ADDRESSES[4]["bitcoincash:".len()..];
    let symbols: Vec<u8> = data.chars().flat_map(|c| BECH32_SPELLING.symbol(c)).collect();
    let format = cash_addr::linear("simpleledger:", data).unwrap();
    let payload = [&symbols[..LENGTH - 8], &[0; 8]].concat();
    let residue = format.codes[0].residue(&payload);
    let checksum = (0..8).rev().map(|at| (residue >> (5 * at)) as u8 & 31);
    let all: Vec<u8> = payload[..LENGTH - 8].iter().copied().chain(checksum).collect();
    let spelled: String = all.iter().map(|&it| BECH32_SPELLING.character(it)).collect();
    let address = format!("simpleledger:{spelled}");
    assert_eq!(read(&address).unwrap().addresses, [&*address]);
    let damaged = replaced(&address, &[(20, 'b')]);
    assert_eq!(read(&damaged).unwrap().addresses, [&*address]);
    assert_ne!(spelled, data);
}
