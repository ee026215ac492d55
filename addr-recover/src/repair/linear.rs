//! Bech32, Bech32m and CashAddr. Their letter case carries no information. Their checksums are
//! linear codes over 32 symbols, which restore characters.

use std::iter::successors;

use bech32::Fe32;

use super::Corrected;
use crate::kind::{BECH32_NETWORKS, Bech32Network, CASH_ADDR_NETWORKS};
use crate::search_space::Estimate;

/// The number of symbols.
const ALPHABET: u8 = 32;

/// The maximum number of unreadable characters that a checksum restores, if there is no other
/// error.
const MAX_UNREADABLE: usize = 3;

/// Wrong characters that the checksum can restore.
const MAX_WRONG: usize = 2;

/// The maximum number of missing `q` before the last `p`.
const MAX_ZEROS: usize = 4;

/// The number of characters after the colon of a CashAddr address, for a hash of 20 bytes.
const CASH_ADDR_LENGTH: usize = 42;

/// The address in lower case and with its prefix, with up to two wrong or three unreadable
/// characters restored, or one that is missing or extra. `None` if the word is no such address.
/// `input` is the text that it is from.
pub(super) fn answer(input: &str, word: &str) -> Option<Corrected> {
    let small = word.to_ascii_lowercase();
    // The checksum does not tell errors in longer texts apart (BIP 173).
    if small.len() > 90 {
        return None;
    }
    if let Some((network, data)) = Bech32Network::of(&small) {
        return Format::bech32(network).answer(data);
    }
    if let Some((network, data)) = Bech32Network::without_separator(&small) {
        let (before, missing) = (network.prefix.len(), Some("`1` after the prefix"));
        return Format { before, missing, ..Format::bech32(network) }.answer(data);
    }
    if Bech32Network::is_data(&small) {
        return Format::any_bech32().answer(&small);
    }
    Format::cash_addr(input, &small)?.answer(&small)
}

/// A format, and the checksums that its addresses may have.
struct Format {
    name: &'static str,
    codes: Vec<Code>,
    /// One in this many texts is correct.
    checksums: u64,
    /// The numbers of characters that the checksum protects.
    lengths: [usize; 2],
    /// The number of characters before them in what was typed.
    before: usize,
    /// How many wrong characters to restore.
    max_wrong: usize,
    /// What is missing before them.
    missing: Option<&'static str>,
}

/// The checksum of the addresses of a network.
struct Code {
    /// The short name of the network, and its name.
    id: &'static str,
    name: &'static str,
    is_address: fn(&str) -> bool,
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
    fn bech32(network: &'static Bech32Network) -> Self {
        // The version tells which of the two it is.
        let count = if network.is_segwit { 2 } else { 1 };
        let code = |&target: &u64| Code::bech32(network, target);
        Self {
            name: "Bech32",
            codes: BECH32_TARGETS[..count].iter().map(code).collect(),
            checksums: 1 << BECH32.bits,
            lengths: network.lengths(),
            before: network.prefix.len() + 1,
            max_wrong: MAX_WRONG,
            missing: None,
        }
    }

    /// Addresses of Bitcoin and its relatives whose prefix is missing.
    fn any_bech32() -> Self {
        let networks = || BECH32_NETWORKS.iter().filter(|network| network.is_segwit);
        let codes = |network| BECH32_TARGETS.map(|target| Code::bech32(network, target));
        Self {
            codes: networks().flat_map(codes).collect(),
            checksums: (1 << BECH32.bits) / networks().count() as u64,
            before: 0,
            max_wrong: 1,
            missing: Some("prefix"),
            ..Self::bech32(&BECH32_NETWORKS[0])
        }
    }

    fn cash_addr(input: &str, word: &str) -> Option<Self> {
        if word.len().abs_diff(CASH_ADDR_LENGTH) > 1 {
            return None;
        }
        let input = input.to_ascii_lowercase();
        let has_prefix = |(prefix, ..): &&(&str, &str, &str)| input.contains(&format!("{prefix}:"));
        let named = CASH_ADDR_NETWORKS.iter().rfind(has_prefix);
        let networks = named.map_or(CASH_ADDR_NETWORKS, std::slice::from_ref);
        let code = |&(prefix, id, name): &(&str, &'static str, &'static str)| Code {
            id,
            name,
            is_address: is_cash_addr,
            prefix: format!("{prefix}:"),
            symbols: prefix.bytes().map(|letter| letter & 31).chain([0]).collect(),
            polynomial: &CASH_ADDR_POLYNOMIAL,
            target: 1,
        };
        Some(Self {
            name: "CashAddr",
            codes: networks.iter().map(code).collect(),
            checksums: (1 << CASH_ADDR_POLYNOMIAL.bits) / networks.len() as u64,
            lengths: [CASH_ADDR_LENGTH; 2],
            before: named.map_or(0, |(prefix, ..)| prefix.len() + 1),
            max_wrong: MAX_WRONG,
            missing: None,
        })
    }

    /// Reads the text, corrects it or, if that fails, adds or removes one character.
    fn answer(&self, data: &str) -> Option<Corrected> {
        let symbol = |character| Fe32::from_char(character).map(Fe32::to_u8).ok();
        let read: Text = data.chars().map(symbol).collect();
        let length = read.len();
        let is_intact = read.iter().all(Option::is_some);
        let is_short = self.lengths.contains(&(length + 1));
        let is_long = self.lengths.contains(&length.saturating_sub(1));
        let with = |at: usize| [&read[..at], &[None], &read[at..]].concat();
        let without = |at: usize| [&read[..at], &read[at + 1..]].concat();
        let attempts: [(_, _, Vec<Text>); 5] = [
            (None, 0, vec![read.clone(); usize::from(is_intact)]),
            (
                Some(("restores the character{s}", "up to two wrong characters", 2)),
                self.max_wrong,
                vec![read.clone()],
            ),
            (
                Some(("restores the character missing", "one missing character", 1)),
                0,
                (0..=length).filter(|_| is_short).map(with).collect(),
            ),
            (
                Some(("is right without the character", "one extra character", 1)),
                0,
                (0..length).filter(|_| is_long).map(without).collect(),
            ),
            (
                Some(("restores the number of `q` before the last `p`", "missing or extra `q`", 1)),
                0,
                self.lengths.iter().filter_map(|&length| with_other_zeros(&read, length)).collect(),
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
        let (estimate, note) = match repair {
            None => match self.missing {
                Some(part) => self.completed(part),
                None => (None, None),
            },
            Some((repair, ..)) => repaired(candidates, self.checksums, repair, places),
        };
        let mut pairs = read.iter().zip(data.chars().zip(first.chars()));
        let is_guess =
            first.len() != length || pairs.any(|(it, (c, own))| it.is_some() && c != own);
        let guess = repair.map(|(_, damage, faults)| (damage, faults)).filter(|_| is_guess);
        Some(Corrected {
            addresses: found.iter().map(|(data, code)| code.address(data)).collect(),
            format: format!("{}, {}", code.name, self.name),
            network: code.id,
            estimate,
            note,
            guess,
        })
    }

    /// The estimate and the note for a text without damage but for a part that is missing.
    fn completed(&self, part: &str) -> (Option<Estimate>, Option<String>) {
        let estimate = Estimate {
            candidates: 1.0,
            hashes: 0.0,
            expected_by_chance: 1.0 / self.checksums as f64,
        };
        (Some(estimate), Some(format!("the {part} was missing; the checksum is right with it")))
    }

    /// What some texts may have been with their unreadable symbols and up to `max_wrong` others
    /// restored, and the number of candidates.
    fn corrected(&self, texts: &[Text], max_wrong: usize) -> (Vec<(String, &Code)>, u64) {
        let (mut found, mut candidates) = (Vec::new(), 0);
        for text in texts {
            let mut tried = 0;
            for code in &self.codes {
                let repair = Repair { effects: &code.effects(text.len()), max_wrong };
                let residue = |symbols: &[u8]| code.residue(symbols);
                tried = repair.restore(text, residue, |symbols| {
                    let spell = |&symbol: &u8| Fe32::try_from(symbol).map_or('?', Fe32::to_char);
                    let data: String = symbols.iter().map(spell).collect();
                    let is_address = (code.is_address)(&code.address(&data));
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
    fn bech32(network: &Bech32Network, target: u64) -> Self {
        let prefix = network.prefix.bytes();
        let high = prefix.clone().map(|letter| letter >> 5);
        Self {
            id: network.id,
            name: network.name,
            is_address: is_bech32,
            prefix: format!("{}1", network.prefix),
            symbols: high.chain([0]).chain(prefix.map(|letter| letter & 31)).collect(),
            polynomial: &BECH32,
            target,
        }
    }

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

/// The text with as many zeros (`q`) before a `p` at its end as it needs for a length. The checksum
/// of BIP 173 does not notice how many there are.
fn with_other_zeros(text: &Text, length: usize) -> Option<Text> {
    let (last, rest) = text.split_last()?;
    let zeros = rest.iter().rev().take_while(|symbol| **symbol == Some(0)).count();
    let (head, count) = (rest.len() - zeros, (length - 1).checked_sub(rest.len() - zeros)?);
    let is_other = text.len() != length && *last == Some(1) && count <= zeros + MAX_ZEROS;
    is_other.then(|| [&rest[..head], &vec![Some(0); count], &[*last]].concat())
}

fn is_bech32(address: &str) -> bool {
    Bech32Network::of(address).is_some_and(|(network, _)| network.is_address(address))
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

/// The symbols of a text; `None` if unreadable.
type Text = Vec<Option<u8>>;

/// How a checksum restores a text.
struct Repair<'a> {
    /// What each change of a symbol adds to the residue, for each place.
    effects: &'a [[u64; 32]],
    /// How many symbols may be wrong. Each unreadable one counts as one of them.
    max_wrong: usize,
}

impl Repair<'_> {
    /// Calls a function with each text of residue zero that may have become this one. Returns the
    /// number of texts, whatever their residue: none if too many symbols are unreadable.
    fn restore(
        &self,
        text: &Text,
        residue: impl Fn(&[u8]) -> u64,
        mut found: impl FnMut(&[u8]),
    ) -> u64 {
        let unreadable: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_none()).collect();
        if unreadable.len() > MAX_UNREADABLE {
            return 0;
        }
        let max_wrong = self.max_wrong.saturating_sub(unreadable.len());
        // What stands for an unreadable character does not matter.
        let mut text: Vec<u8> = text.iter().map(|symbol| symbol.unwrap_or_default()).collect();
        let residue = residue(&text);
        self.change(&mut text, 0, residue, &unreadable, max_wrong, &mut found)
    }

    /// As [`restore`](Self::restore), with the symbols from `at` on.
    fn change(
        &self,
        text: &mut [u8],
        at: usize,
        residue: u64,
        unreadable: &[usize],
        max_wrong: usize,
        found: &mut impl FnMut(&[u8]),
    ) -> u64 {
        if at == text.len() || (unreadable.is_empty() && max_wrong == 0) {
            if residue == 0 {
                found(text);
            }
            return 1;
        }
        let rest = unreadable.strip_prefix(&[at]);
        let (rest, is_read) = (rest.unwrap_or(unreadable), rest.is_none());
        let changes = if is_read && max_wrong == 0 { 1 } else { ALPHABET };
        let mut count = 0;
        for change in 0..changes {
            let max_wrong = max_wrong - usize::from(is_read && change > 0);
            let residue = residue ^ self.effects[at][usize::from(change)];
            // Most are wrong.
            if residue != 0 && max_wrong == 0 && rest.is_empty() {
                count += 1;
                continue;
            }
            text[at] ^= change;
            count += self.change(text, at + 1, residue, rest, max_wrong, found);
            text[at] ^= change;
        }
        count
    }
}

/// The estimate and the note for a repair of some places, counted from 1, if one in `checksums`
/// candidates has the right checksum by chance.
fn repaired(
    candidates: u64,
    checksums: u64,
    repair: &str,
    places: impl Iterator<Item = usize>,
) -> (Option<Estimate>, Option<String>) {
    let candidates = candidates as f64;
    let estimate =
        Estimate { candidates, hashes: 0.0, expected_by_chance: candidates / checksums as f64 };
    let places: Vec<String> = places.map(|at| at.to_string()).collect();
    let plural = if places.len() == 1 { "" } else { "s" };
    let (repair, places) = (repair.replace("{s}", plural), places.join(", "));
    let note = format!("the checksum {repair} at {places}, right only if all others are");
    (Some(estimate), Some(note))
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
    fn read(text: &str) -> Option<Corrected> {
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
        let data = &ADDRESSES[4]["bitcoincash:".len()..];
        let symbols: Vec<u8> = data.chars().flat_map(Fe32::from_char).map(Fe32::to_u8).collect();
        let format = Format::cash_addr("simpleledger:", data).unwrap();
        let payload = [&symbols[..CASH_ADDR_LENGTH - 8], &[0; 8]].concat();
        let residue = format.codes[0].residue(&payload);
        let checksum = (0..8).rev().map(|at| (residue >> (5 * at)) as u8 & 31);
        let all: Vec<u8> =
            payload[..CASH_ADDR_LENGTH - 8].iter().copied().chain(checksum).collect();
        let spelled: String = all.iter().map(|&it| Fe32::try_from(it).unwrap().to_char()).collect();
        let address = format!("simpleledger:{spelled}");
        assert_eq!(read(&address).unwrap().addresses, [&*address]);
        let damaged = replaced(&address, &[(20, 'b')]);
        assert_eq!(read(&damaged).unwrap().addresses, [&*address]);
        assert_ne!(spelled, data);
    }
}
