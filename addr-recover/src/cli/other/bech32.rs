//! Bech32 and Bech32m, whose letter case carries no information, and whose checksum restores
//! characters.

use std::collections::HashMap;

use addr_recover::Bech32Network;
use bech32::primitives::checksum::Engine;
use bech32::{Bech32, Bech32m, Checksum, Fe32, Hrp, segwit};

use super::{Answer, Certainty, Repair};

/// Unreadable characters that the checksum can restore, if there is no other error.
const MAX_UNREADABLE: usize = 3;

/// How many other characters the checksum can restore besides the unreadable ones.
fn max_wrong(unreadable: usize) -> usize {
    2_usize.saturating_sub(unreadable)
}

/// The address in lower case, with up to two wrong or three unreadable characters restored. `None`
/// if the word is not an address of a known network.
pub(super) fn answer(word: &str) -> Option<Answer> {
    if word.len() > Bech32Network::MAX_LENGTH {
        return None;
    }
    let small = word.to_ascii_lowercase();
    let (network, data) = Bech32Network::of(&small)?;
    let (prefix, format) = (network.prefix, format!("{}, Bech32", network.name));
    if segwit::decode(&small).is_ok() {
        return Some(Answer {
            addresses: vec![small],
            format,
            network: network.id,
            certainty: Certainty::Intact,
        });
    }
    let is_unreadable = |(at, character)| Fe32::from_char(character).is_err().then_some(at);
    let unreadable: Vec<usize> = data.char_indices().filter_map(is_unreadable).collect();
    if !data.is_ascii() || unreadable.len() > MAX_UNREADABLE {
        return None;
    }
    let hrp = Hrp::parse(prefix).ok()?;
    // What stands for an unreadable character does not matter.
    let symbols: Vec<Fe32> = data.chars().map(|c| Fe32::from_char(c).unwrap_or(Fe32::Q)).collect();
    let mut found = corrected::<Bech32>(hrp, &symbols, &unreadable);
    found.extend(corrected::<Bech32m>(hrp, &symbols, &unreadable));
    let mut found: Vec<String> = found
        .into_iter()
        .map(|data| format!("{prefix}1{}", data.into_iter().map(Fe32::to_char).collect::<String>()))
        .filter(|address| segwit::decode(address).is_ok())
        .collect();
    found.sort();
    found.dedup();
    let positions = |address: &str| {
        let pairs = address.chars().zip(small.chars()).zip(1..);
        pairs.filter(|((new, old), _)| new != old).map(|(_, position)| position).collect()
    };
    let wrong = found.first().map(|address| positions(address)).unwrap_or_default();
    let repair = Repair {
        wrong,
        max_wrong: max_wrong(unreadable.len()),
        candidates: candidates(symbols.len(), unreadable.len()),
    };
    Some(Answer {
        addresses: found,
        format,
        network: network.id,
        certainty: Certainty::Repaired(repair),
    })
}

/// The number of texts that may have become this one: with any character in place of each
/// unreadable one, and with up to [`max_wrong`] others changed.
fn candidates(length: usize, unreadable: usize) -> u64 {
    let readable = (length - unreadable) as u64;
    let changed = [1, readable * 31, readable * readable.saturating_sub(1) / 2 * 31 * 31];
    32_u64.pow(unreadable as u32) * changed[..=max_wrong(unreadable)].iter().sum::<u64>()
}

/// The data parts whose checksum is right, with the unreadable characters and up to
/// [`max_wrong`] others restored.
///
/// The checksum is linear: each change of a character has its own effect on it, and the effects of
/// several changes add up. So the changes that undo the damage are looked up by their effects.
fn corrected<Ck: Checksum<MidstateRepr = u32>>(
    hrp: Hrp,
    symbols: &[Fe32],
    unreadable: &[usize],
) -> Vec<Vec<Fe32>> {
    let given = residue::<Ck>(hrp, symbols);
    let changes = |at: usize| {
        Fe32::iter_alpha().map(move |symbol| {
            let changed = with(symbols, at, symbol);
            (residue::<Ck>(hrp, &changed) ^ given, (at, symbol))
        })
    };
    // What is still wrong with the checksum.
    let mut readings = vec![(given ^ Ck::TARGET_RESIDUE, symbols.to_vec())];
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
    let effects: HashMap<u32, (usize, Fe32)> =
        readable.flat_map(changes).filter(|&(effect, _)| effect != 0).collect();
    let max_wrong = max_wrong(unreadable.len());
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
    found
}

fn with(symbols: &[Fe32], at: usize, symbol: Fe32) -> Vec<Fe32> {
    let mut changed = symbols.to_vec();
    changed[at] = symbol;
    changed
}

/// The state of the checksum after the whole address.
fn residue<Ck: Checksum<MidstateRepr = u32>>(hrp: Hrp, symbols: &[Fe32]) -> u32 {
    let mut engine = Engine::<Ck>::new();
    engine.input_hrp(hrp);
    symbols.iter().for_each(|&symbol| engine.input_fe(symbol));
    *engine.residue()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From BIP 173 and BIP 350.
    const ADDRESSES: [&str; 4] = [
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    ];

    fn replaced(address: &str, places: &[(usize, char)]) -> String {
        let mut characters: Vec<char> = address.chars().collect();
        places.iter().for_each(|&(place, character)| characters[place] = character);
        characters.into_iter().collect()
    }

    #[test]
    fn intact_addresses_are_written_in_lower_case() {
        for address in ADDRESSES {
            for text in [address.to_owned(), address.to_ascii_uppercase()] {
                let answer = answer(&text).unwrap();
                assert_eq!(answer.addresses, [address]);
                assert_eq!(answer.certainty, Certainty::Intact);
            }
        }
    }

    #[test]
    fn two_wrong_and_three_unreadable_characters_are_restored() {
        for address in ADDRESSES {
            for first in (5..address.len() - 9).step_by(5) {
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
                    let answer = answer(&damaged).unwrap();
                    assert_eq!(answer.addresses, [address], "{damaged}");
                    let mut wrong: Vec<usize> = places.iter().map(|(at, _)| at + 1).collect();
                    wrong.sort_unstable();
                    assert!(
                        matches!(answer.certainty, Certainty::Repaired(repair) if repair.wrong == wrong),
                        "{damaged}"
                    );
                }
            }
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

    #[test]
    fn more_damage_is_not_undone() {
        let address = ADDRESSES[0];
        let four = replaced(address, &[(6, '?'), (9, '?'), (12, '?'), (20, '?')]);
        assert!(answer(&four).is_none());
        for other in ["", "1", "bc1", "xy1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1Lbcfr7sAHTD"]
        {
            assert!(answer(other).is_none_or(|answer| answer.addresses.is_empty()), "{other}");
        }
        // As long as an address may be, and longer.
        let long = "bc1p".to_owned() + &"q".repeat(86);
        assert!(answer(&long).is_some());
        assert!(answer(&(long + "q")).is_none());
        // One character too few.
        assert!(answer(&address[..41]).unwrap().addresses.is_empty());
    }
}
