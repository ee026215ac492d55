//! Bech32, Bech32m and CashAddr. Their letter case carries no information. Their checksums are linear
//! codes over 32 symbols, which restore characters.

use std::collections::HashMap;

use addr_recover::Bech32Network;
use bech32::primitives::checksum::Engine;
use bech32::{Bech32, Bech32m, Checksum, Fe32, Hrp, segwit};

use super::{Answer, Certainty, Edit, Repair};

/// Unreadable characters that the checksum can restore, if there is no other error.
const MAX_UNREADABLE: usize = 3;

/// The networks of CashAddr, and what precedes the colon in their addresses, which may be left out.
const CASH_ADDR: [(&str, &str); 4] = [
    ("bitcoincash", "Bitcoin Cash"),
    ("bchtest", "Bitcoin Cash testnet"),
    ("bchreg", "Bitcoin Cash regtest"),
    ("ecash", "eCash"),
];

/// The number of characters after the colon of a CashAddr address, for a hash of 20 bytes.
const CASH_ADDR_LENGTH: usize = 42;

/// The number of checksums of CashAddr, which have eight characters.
const CASH_ADDR_CHECKSUMS: u64 = 1 << 40;

/// From the specification of CashAddr.
const GENERATOR: [u64; 5] =
    [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];

/// The address in lower case and with its prefix, with up to two wrong or three unreadable
/// characters restored, or one that is missing or extra. `None` if the word is no such address.
/// `input` is the text that it is from.
pub(super) fn answer(input: &str, word: &str) -> Option<Answer> {
    let small = word.to_ascii_lowercase();
    match Bech32Network::of(&small) {
        // The time that a repair takes grows with the length.
        Some(_) if small.len() > Bech32Network::MAX_LENGTH => None,
        Some((network, data)) => Format::bech32(network)?.answer(data),
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
}

/// What is wrong with the checksum of a whole address, or zero, from the symbols after its prefix.
type Residue = dyn Fn(&[Fe32]) -> u64;

struct Code {
    network: &'static str,
    /// What precedes the characters that the checksum protects.
    prefix: String,
    residue: Box<Residue>,
    is_address: fn(&str) -> bool,
}

impl Format {
    fn bech32(network: &Bech32Network) -> Option<Self> {
        let hrp = Hrp::parse(network.prefix).ok()?;
        let code = |residue: fn(Hrp, &[Fe32]) -> u64| Code {
            network: network.name,
            prefix: format!("{}1", network.prefix),
            residue: Box::new(move |symbols| residue(hrp, symbols)),
            is_address: |address| segwit::decode(address).is_ok(),
        };
        Some(Self {
            name: "Bech32",
            network: network.id,
            codes: vec![code(bech32_residue::<Bech32>), code(bech32_residue::<Bech32m>)],
            // They have six characters, and the version tells which of the two it is.
            checksums: 1 << 30,
            // Addresses of 20 and of 32 bytes.
            lengths: &[39, 59],
            before: network.prefix.len() + 1,
        })
    }

    fn cash_addr(input: &str, word: &str) -> Option<Self> {
        if word.len().abs_diff(CASH_ADDR_LENGTH) > 1 {
            return None;
        }
        let input = input.to_ascii_lowercase();
        let has_prefix = |(prefix, _): &&(&str, &str)| input.contains(&format!("{prefix}:"));
        let named = CASH_ADDR.iter().rfind(has_prefix);
        let networks = named.map_or(&CASH_ADDR[..], std::slice::from_ref);
        let code = |&(prefix, network): &(&'static str, &'static str)| Code {
            network,
            prefix: format!("{prefix}:"),
            residue: Box::new(|symbols| cash_addr_residue(prefix, symbols)),
            is_address: is_cash_addr,
        };
        Some(Self {
            name: "CashAddr",
            network: "bitcoin-cash",
            codes: networks.iter().map(code).collect(),
            checksums: CASH_ADDR_CHECKSUMS / networks.len() as u64,
            lengths: &[CASH_ADDR_LENGTH],
            before: named.map_or(0, |(prefix, _)| prefix.len() + 1),
        })
    }

    fn answer(&self, data: &str) -> Option<Answer> {
        let damaged = Damaged::of(data)?;
        let mut found = self.corrected(&damaged);
        let certainty = if let Some(intact) = found.iter().position(|it| it.data == data) {
            found = vec![found.swap_remove(intact)];
            Certainty::Intact
        } else if let Some(first) = found.first() {
            let pairs = first.data.chars().zip(data.chars()).zip(self.before + 1..);
            let wrong = pairs.filter(|((new, old), _)| new != old).map(|(_, at)| at).collect();
            let candidates = candidates(data.len(), damaged.unreadable.len());
            let (edit, checksums) = (Edit::Replaced, self.checksums);
            Certainty::Repaired(Repair { wrong, edit, candidates, checksums })
        } else {
            let (edited, repair) = self.edited(data)?;
            found = edited;
            Certainty::Repaired(repair)
        };
        let network = found.first()?.code.network;
        Some(Answer {
            addresses: found.iter().map(|it| it.code.prefix.clone() + &it.data).collect(),
            format: format!("{network}, {}", self.name),
            network: self.network,
            certainty,
        })
    }

    /// The addresses that a text may have been, sorted.
    fn corrected(&self, damaged: &Damaged) -> Vec<Found<'_>> {
        let mut found: Vec<Found<'_>> = Vec::new();
        for code in &self.codes {
            let is_address = |data: &String| (code.is_address)(&format!("{}{data}", code.prefix));
            let corrected = damaged.corrected(&code.residue).into_iter().filter(is_address);
            found.extend(corrected.map(|data| Found { data, code }));
        }
        found.sort_by(|a, b| a.data.cmp(&b.data));
        found.dedup_by(|a, b| a.data == b.data);
        found
    }

    /// The addresses that a text may have been if it lacks a character, or has one too many, and how
    /// the first was restored. `None` if there are none.
    fn edited(&self, text: &str) -> Option<(Vec<Found<'_>>, Repair)> {
        if !text.is_ascii() {
            return None;
        }
        let (edit, edits): (_, Vec<(usize, String)>) = if self.lengths.contains(&(text.len() + 1)) {
            let with = |at: usize| (at, format!("{}?{}", &text[..at], &text[at..]));
            (Edit::Missing, (0..=text.len()).map(with).collect())
        } else if self.lengths.contains(&text.len().saturating_sub(1)) {
            let without = |at: usize| (at, format!("{}{}", &text[..at], &text[at + 1..]));
            (Edit::Extra, (0..text.len()).map(without).collect())
        } else {
            return None;
        };
        let (mut found, mut place, mut candidates) = (Vec::<Found<'_>>::new(), None, 0);
        for (at, text) in edits {
            let Some(damaged) = Damaged::of(&text) else { continue };
            let damaged = Damaged { max_wrong: 0, ..damaged };
            candidates += 32_u64.pow(damaged.unreadable.len() as u32);
            for hit in self.corrected(&damaged) {
                place.get_or_insert(self.before + at + 1);
                if found.iter().all(|earlier| earlier.data != hit.data) {
                    found.push(hit);
                }
            }
        }
        let (wrong, checksums) = (place.into_iter().collect(), self.checksums);
        let repair = Repair { wrong, edit, candidates, checksums };
        (!found.is_empty()).then_some((found, repair))
    }
}

/// The characters of an address that its checksum protects, and the checksum that is right.
struct Found<'a> {
    data: String,
    code: &'a Code,
}

/// The part of an address that its checksum protects.
struct Damaged {
    symbols: Vec<Fe32>,
    unreadable: Vec<usize>,
    /// How many other characters may be wrong.
    max_wrong: usize,
}

impl Damaged {
    /// Reads a text, in which characters of other alphabets are unreadable. `None` if they are too
    /// many.
    fn of(text: &str) -> Option<Self> {
        let is_unreadable = |(at, character)| Fe32::from_char(character).is_err().then_some(at);
        let unreadable: Vec<usize> = text.chars().enumerate().filter_map(is_unreadable).collect();
        // What stands for an unreadable character does not matter.
        let symbols = text.chars().map(|c| Fe32::from_char(c).unwrap_or(Fe32::Q)).collect();
        let max_wrong = max_wrong(unreadable.len());
        (unreadable.len() <= MAX_UNREADABLE).then_some(Self { symbols, unreadable, max_wrong })
    }

    /// The texts whose checksum is right, with the unreadable characters and up to [`max_wrong`]
    /// others restored.
    ///
    /// The checksum is linear: each change of a character has its own effect on it, and the effects
    /// of several changes add up. So the changes that undo the damage are looked up by their
    /// effects.
    fn corrected(&self, residue: impl Fn(&[Fe32]) -> u64) -> Vec<String> {
        let &Self { ref symbols, ref unreadable, max_wrong } = self;
        let given = residue(symbols);
        let effect = |at, symbol| residue(&with(symbols, at, symbol)) ^ given;
        let changes = |at: usize| {
            let effect = &effect;
            Fe32::iter_alpha().map(move |symbol| (effect(at, symbol), (at, symbol)))
        };
        // What is still wrong with the checksum.
        let mut readings = vec![(given, symbols.clone())];
        for &at in unreadable {
            let changes: Vec<_> = changes(at).collect();
            let restored = readings.iter().flat_map(|(wrong, symbols)| {
                changes
                    .iter()
                    .map(move |&(effect, (at, symbol))| (wrong ^ effect, with(symbols, at, symbol)))
            });
            readings = restored.collect();
        }
        let readable = (0..symbols.len()).filter(|at| !unreadable.contains(at));
        let effects: HashMap<u64, (usize, Fe32)> =
            readable.flat_map(changes).filter(|&(effect, _)| effect != 0).collect();
        let mut found = Vec::new();
        for (wrong, symbols) in readings {
            if wrong == 0 {
                found.push(symbols);
                continue;
            }
            if let Some(&(at, symbol)) = effects.get(&wrong).filter(|_| max_wrong >= 1) {
                found.push(with(&symbols, at, symbol));
            }
            for (&effect, &(at, symbol)) in effects.iter().filter(|_| max_wrong >= 2) {
                if let Some(&(other, second)) = effects.get(&(wrong ^ effect))
                    && other > at
                {
                    found.push(with(&with(&symbols, at, symbol), other, second));
                }
            }
        }
        found.into_iter().map(|symbols| symbols.into_iter().map(Fe32::to_char).collect()).collect()
    }
}

/// How many other characters the checksum can restore besides the unreadable ones.
fn max_wrong(unreadable: usize) -> usize {
    2_usize.saturating_sub(unreadable)
}

/// The number of texts that may have become this one: with any character in place of each
/// unreadable one, and with up to [`max_wrong`] others changed.
fn candidates(length: usize, unreadable: usize) -> u64 {
    let readable = (length - unreadable) as u64;
    let changed = [1, readable * 31, readable * readable.saturating_sub(1) / 2 * 31 * 31];
    32_u64.pow(unreadable as u32) * changed[..=max_wrong(unreadable)].iter().sum::<u64>()
}

fn with(symbols: &[Fe32], at: usize, symbol: Fe32) -> Vec<Fe32> {
    let mut changed = symbols.to_vec();
    changed[at] = symbol;
    changed
}

fn bech32_residue<Ck: Checksum<MidstateRepr = u32>>(hrp: Hrp, symbols: &[Fe32]) -> u64 {
    let mut engine = Engine::<Ck>::new();
    engine.input_hrp(hrp);
    symbols.iter().for_each(|&symbol| engine.input_fe(symbol));
    u64::from(engine.residue() ^ Ck::TARGET_RESIDUE)
}

fn cash_addr_residue(prefix: &str, symbols: &[Fe32]) -> u64 {
    let prefix = prefix.bytes().map(|letter| letter & 31).chain([0]);
    let symbols = symbols.iter().map(|symbol| symbol.to_u8());
    let remainder = prefix.chain(symbols).fold(1, |remainder: u64, symbol| {
        let shifted = ((remainder << 5) % CASH_ADDR_CHECKSUMS) ^ u64::from(symbol);
        let out = remainder >> 35;
        let terms = GENERATOR.iter().enumerate().filter(|(bit, _)| out >> bit & 1 == 1);
        terms.fold(shifted, |sum, (_, term)| sum ^ term)
    });
    remainder ^ 1
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
    fn intact_addresses_are_written_in_lower_case_with_their_prefix() {
        for address in ADDRESSES {
            let without = address.rsplit(':').next().unwrap();
            for text in [address, &address.to_ascii_uppercase(), without] {
                let answer = read(text).unwrap();
                assert_eq!(answer.addresses, [address]);
                assert_eq!(answer.certainty, Certainty::Intact);
            }
        }
        let cash_addr = read(ADDRESSES[4]).unwrap();
        assert_eq!(
            (&*cash_addr.format, cash_addr.network),
            ("Bitcoin Cash, CashAddr", "bitcoin-cash")
        );
        assert_eq!(read(&ADDRESSES[4].replace("bitcoincash", "bchtest")), None);
    }

    /// The specification has the same hashes in Base58Check.
    #[test]
    fn hashes_of_cash_addr_are_those_of_base58check() {
        for (base58, address) in [
            ("1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", ADDRESSES[4]),
            ("3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", ADDRESSES[5]),
            ("31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw", ADDRESSES[6]),
        ] {
            let symbols = address[12..].chars().map(|c| Fe32::from_char(c).unwrap().to_u8());
            let bits: String = symbols.map(|symbol| format!("{symbol:05b}")).collect();
            let bytes = bs58::decode(base58).with_check(None).into_vec().unwrap();
            let hash: String = bytes[1..].iter().map(|byte| format!("{byte:08b}")).collect();
            assert_eq!(bits[8..168], hash);
        }
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
                    let Certainty::Repaired(repair) = answer.certainty else { panic!("{damaged}") };
                    assert_eq!(repair.wrong, wrong, "{damaged}");
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
                    let Certainty::Repaired(repair) = answer.certainty else { panic!("{text}") };
                    // One of equal characters in a row may be the missing one.
                    assert!(repair.wrong[0] <= at + 1, "{text}");
                    assert!((40..2000).contains(&repair.candidates), "{text}");
                }
            }
        }
    }

    #[test]
    fn other_texts_are_not_answered() {
        let four = |address| replaced(address, &[(16, '?'), (19, '?'), (22, '?'), (30, '?')]);
        for text in [
            "",
            "1",
            "bc1",
            "xy1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "1Lbcfr7sAHTD",
            "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu",
            &ADDRESSES[0][..40],
            &ADDRESSES[4][..52],
            &four(ADDRESSES[0]),
            &four(ADDRESSES[4]),
            &"q".repeat(42),
            &"q".repeat(43),
            &("bc1p".to_owned() + &"q".repeat(86)),
            &("bc1p".to_owned() + &"q".repeat(100_000)),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// Counted one by one.
    #[test]
    fn candidates_are_the_texts_that_may_have_been_damaged() {
        for length in 0..4_usize {
            for unreadable in 0..=length.min(MAX_UNREADABLE) {
                let texts = (0..32_u64.pow(length as u32)).filter(|text| {
                    let read = (unreadable..length).filter(|at| text >> (5 * at) & 31 != 0);
                    read.count() <= max_wrong(unreadable)
                });
                assert_eq!(candidates(length, unreadable), texts.count() as u64);
            }
        }
    }
}
