//! Bech32, Bech32m and CashAddr. Their letter case carries no information. Their checksums are
//! linear codes over 32 symbols, which restore characters.

use std::iter::successors;

use addr_recover::Bech32Network;
use bech32::{Fe32, segwit};

use super::{Answer, Repair, Text, repaired};

/// Wrong characters that the checksum can restore.
const MAX_WRONG: usize = 2;

/// The networks of CashAddr, and what precedes the colon in their addresses, which may be left out.
const CASH_ADDR: [(&str, &str); 3] =
    [("bitcoincash", "Bitcoin Cash"), ("bchtest", "Bitcoin Cash testnet"), ("ecash", "eCash")];

/// The number of characters after the colon of a CashAddr address, for a hash of 20 bytes.
const CASH_ADDR_LENGTH: usize = 42;

/// The address in lower case and with its prefix, with up to two wrong or three unreadable
/// characters restored, or one that is missing or extra. `None` if the word is no such address.
/// `input` is the text that it is from.
pub(super) fn answer(input: &str, word: &str) -> Option<Answer> {
    let small = word.to_ascii_lowercase();
    match Bech32Network::of(&small) {
        // The checksum does not tell errors in longer texts apart (BIP 173).
        Some(_) if small.len() > 90 => None,
        Some((network, data)) => Format::bech32(network).answer(data),
        None => Format::cash_addr(input, &small)?.answer(&small),
    }
}

/// A format, and the checksums that its addresses may have.
struct Format {
    name: &'static str,
    network: &'static str,
    codes: Vec<Code>,
    /// One in this many texts is correct.
    checksums: u64,
    /// The numbers of characters that the checksum protects.
    lengths: &'static [usize],
    /// The number of characters before them in what was typed.
    before: usize,
    is_address: fn(&str) -> bool,
}

/// The checksum of the addresses of a network.
struct Code {
    network: &'static str,
    /// What precedes the characters that the checksum protects.
    prefix: String,
    /// The prefix as symbols.
    symbols: Vec<u8>,
    polynomial: &'static Polynomial,
    /// The remainder of an address.
    target: u64,
}

/// What the checksum is the remainder of a division by.
struct Polynomial {
    /// The number of bits of the checksum.
    bits: u32,
    /// The remainders of each bit of the symbol after the checksum.
    terms: [u64; 5],
}

/// From BIP 173.
const BECH32: Polynomial = Polynomial {
    bits: 30,
    terms: [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3],
};

/// The remainders of Bech32 and Bech32m (BIP 350).
const BECH32_TARGETS: [u64; 2] = [1, 0x2bc8_30a3];

/// From the specification of CashAddr, whose remainder is 1.
const CASH_ADDR_POLYNOMIAL: Polynomial = Polynomial {
    bits: 40,
    terms: [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470],
};

impl Format {
    fn bech32(network: &Bech32Network) -> Self {
        let prefix = network.prefix.bytes();
        let high = prefix.clone().map(|letter| letter >> 5);
        let symbols: Vec<u8> = high.chain([0]).chain(prefix.map(|letter| letter & 31)).collect();
        let code = |target| Code {
            network: network.name,
            prefix: format!("{}1", network.prefix),
            symbols: symbols.clone(),
            polynomial: &BECH32,
            target,
        };
        Self {
            name: "Bech32",
            network: network.id,
            codes: BECH32_TARGETS.map(code).into(),
            // The version tells which of the two it is.
            checksums: 1 << BECH32.bits,
            // Addresses of 20 and of 32 bytes.
            lengths: &[39, 59],
            before: network.prefix.len() + 1,
            is_address: |address| segwit::decode(address).is_ok(),
        }
    }

    fn cash_addr(input: &str, word: &str) -> Option<Self> {
        if word.len().abs_diff(CASH_ADDR_LENGTH) > 1 {
            return None;
        }
        let input = input.to_ascii_lowercase();
        let has_prefix = |(prefix, _): &&(&str, &str)| input.contains(&format!("{prefix}:"));
        let named = CASH_ADDR.iter().rfind(has_prefix);
        let networks = named.map_or(&CASH_ADDR[..], std::slice::from_ref);
        let code = |&(prefix, network): &(&str, &'static str)| Code {
            network,
            prefix: format!("{prefix}:"),
            symbols: prefix.bytes().map(|letter| letter & 31).chain([0]).collect(),
            polynomial: &CASH_ADDR_POLYNOMIAL,
            target: 1,
        };
        Some(Self {
            name: "CashAddr",
            network: "bitcoin-cash",
            codes: networks.iter().map(code).collect(),
            checksums: (1 << CASH_ADDR_POLYNOMIAL.bits) / networks.len() as u64,
            lengths: &[CASH_ADDR_LENGTH],
            before: named.map_or(0, |(prefix, _)| prefix.len() + 1),
            is_address: is_cash_addr,
        })
    }

    /// Reads the text, corrects it or, if that fails, adds or removes one character.
    fn answer(&self, data: &str) -> Option<Answer> {
        let symbol = |character| Fe32::from_char(character).map(Fe32::to_u8).ok();
        let read: Text = data.chars().map(symbol).collect();
        let length = read.len();
        let is_intact = read.iter().all(Option::is_some);
        let is_short = self.lengths.contains(&(length + 1));
        let is_long = self.lengths.contains(&length.saturating_sub(1));
        let with = |at: usize| [&read[..at], &[None], &read[at..]].concat();
        let without = |at: usize| [&read[..at], &read[at + 1..]].concat();
        let attempts: [(_, _, Vec<Text>); 4] = [
            (None, 0, vec![read.clone(); usize::from(is_intact)]),
            (
                Some(("restores the character{s}", "up to two wrong characters")),
                MAX_WRONG,
                vec![read.clone()],
            ),
            (
                Some(("restores the character missing", "one missing character")),
                0,
                (0..=length).filter(|_| is_short).map(with).collect(),
            ),
            (
                Some(("is right without the character", "one extra character")),
                0,
                (0..length).filter(|_| is_long).map(without).collect(),
            ),
        ];
        let attempt = |(repair, max_wrong, texts): (_, _, Vec<_>)| {
            let (found, candidates) = self.corrected(&texts, max_wrong);
            (!found.is_empty()).then_some((repair, found, candidates))
        };
        let (repair, found, candidates) = attempts.into_iter().find_map(attempt)?;
        let (first, code) = &found[0];
        let differ = |&at: &usize| first.chars().nth(at) != data.chars().nth(at);
        let places = (0..=length).filter(differ).map(|at| self.before + at + 1);
        // After one that is missing or extra, all may differ.
        let places = places.take(if first.len() == length { length } else { 1 });
        let repaired = |(repair, _)| repaired(candidates, self.checksums, repair, places);
        let (estimate, note) = repair.map_or((None, None), repaired);
        let mut pairs = read.iter().zip(data.chars().zip(first.chars()));
        let is_guess =
            first.len() != length || pairs.any(|(it, (c, own))| it.is_some() && c != own);
        let guess = repair.map(|(_, damage)| damage).filter(|_| is_guess);
        Some(Answer {
            addresses: found.iter().map(|(data, code)| code.address(data)).collect(),
            format: format!("{}, {}", code.network, self.name),
            network: self.network,
            estimate,
            note,
            guess,
        })
    }

    /// What some texts may have been with their unreadable symbols and up to `max_wrong` others
    /// restored, and the number of candidates.
    fn corrected(&self, texts: &[Text], max_wrong: usize) -> (Vec<(String, &Code)>, u64) {
        let (mut found, mut candidates) = (Vec::new(), 0);
        for text in texts {
            let mut tried = 0;
            for code in &self.codes {
                let repair = Repair { alphabet: 32, effects: &code.effects(text.len()), max_wrong };
                let residue = |symbols: &[u8]| code.residue(symbols);
                tried = repair.restore(text, residue, |symbols| {
                    let spell = |&symbol: &u8| Fe32::try_from(symbol).map_or('?', Fe32::to_char);
                    let data: String = symbols.iter().map(spell).collect();
                    let is_address = (self.is_address)(&code.address(&data));
                    found.extend(is_address.then_some((data, code)));
                });
            }
            candidates += tried;
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        found.dedup_by(|(a, _), (b, _)| a == b);
        (found, candidates)
    }
}

impl Code {
    fn address(&self, data: &str) -> String {
        format!("{}{data}", self.prefix)
    }

    /// The remainder after one more symbol.
    fn next(&self, remainder: u64, symbol: u8) -> u64 {
        let Polynomial { bits, terms } = self.polynomial;
        let out = remainder >> (bits - 5);
        let shifted = (remainder << 5) & ((1 << bits) - 1) ^ u64::from(symbol);
        let terms = terms.iter().enumerate().filter(|(bit, _)| out >> bit & 1 == 1);
        terms.fold(shifted, |sum, (_, term)| sum ^ term)
    }

    /// What is wrong with the checksum of a whole address, or zero, from the symbols after its
    /// prefix.
    fn residue(&self, symbols: &[u8]) -> u64 {
        let all = self.symbols.iter().chain(symbols);
        self.target ^ all.fold(1, |remainder, &symbol| self.next(remainder, symbol))
    }

    /// How each change of the symbol in each place changes the residue. The code is linear, so the
    /// effects of several changes add up, whatever the text is.
    fn effects(&self, length: usize) -> Vec<[u64; 32]> {
        let last: [u64; 32] = std::array::from_fn(|change| change as u64);
        let before = |effects: &[u64; 32]| Some(effects.map(|effect| self.next(effect, 0)));
        let mut effects: Vec<_> = successors(Some(last), before).take(length).collect();
        effects.reverse();
        effects
    }
}

/// Whether a CashAddr address has a known type, a hash of 20 bytes, and no padding but zeros.
fn is_cash_addr(address: &str) -> bool {
    let data = address.split_once(':').map_or("", |(_, data)| data);
    let symbols: Vec<u8> = data.chars().flat_map(Fe32::from_char).map(Fe32::to_u8).collect();
    // The type takes five bits, the size of the hash three, the hash 160, and its padding two.
    symbols.len() == CASH_ADDR_LENGTH
        && matches!(symbols[..], [0..=3, 0..=3, ..])
        && symbols[CASH_ADDR_LENGTH - 9] & 3 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn read(text: &str) -> Option<Answer> {
        answer(text, text.rsplit(':').next().unwrap())
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
                    let (_, note) = repaired(1, 1, "restores the character{s}", wrong.into_iter());
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

    #[test]
    fn other_texts_are_not_answered() {
        let four = |address| replaced(address, &[(16, '?'), (19, '?'), (22, '?'), (30, '?')]);
        for text in [
            "xy1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            &ADDRESSES[4].replace("bitcoincash", "bchtest"),
            &four(ADDRESSES[0]),
            &four(ADDRESSES[4]),
            &"q".repeat(42),
            &("bc1p".to_owned() + &"q".repeat(86)),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
