//! Bech32 and Bech32m, whose letter case carries no information, and whose checksum restores
//! characters.

use addr_recover::Bech32Network;
use bech32::primitives::checksum::Engine;
use bech32::{Bech32, Bech32m, Checksum, Fe32, Hrp, segwit};

use super::correction::{Damaged, edited};
use super::{Answer, Certainty};

/// The number of checksums, which have six characters.
const CHECKSUMS: u64 = 1 << 30;

/// The numbers of characters after the `1` of addresses of 20 and of 32 bytes.
const LENGTHS: [usize; 2] = [39, 59];

/// The address in lower case, with up to two wrong or three unreadable characters restored, or one
/// that is missing or extra. `None` if the word is not an address of a known network.
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
    let hrp = Hrp::parse(prefix).ok()?;
    let damaged = Damaged::of(data)?;
    let corrected = |damaged: &Damaged| {
        let mut found = damaged.corrected(|symbols| residue::<Bech32>(hrp, symbols));
        found.extend(damaged.corrected(|symbols| residue::<Bech32m>(hrp, symbols)));
        let mut found: Vec<String> = found
            .into_iter()
            .map(|data| format!("{prefix}1{data}"))
            .filter(|address| segwit::decode(address).is_ok())
            .collect();
        found.sort();
        found.dedup();
        found
    };
    let found = corrected(&damaged);
    let edited = || edited(data, &LENGTHS, small.len() - data.len(), CHECKSUMS, corrected);
    let (addresses, repair) = match found.is_empty().then(edited).flatten() {
        Some(edited) => edited,
        None => {
            let repair = damaged.repair(CHECKSUMS, &small, found.first());
            (found, repair)
        }
    };
    let certainty = Certainty::Repaired(repair);
    Some(Answer { certainty, addresses, format, network: network.id })
}

/// What is wrong with the checksum of the whole address.
fn residue<Ck: Checksum<MidstateRepr = u32>>(hrp: Hrp, symbols: &[Fe32]) -> u64 {
    let mut engine = Engine::<Ck>::new();
    engine.input_hrp(hrp);
    symbols.iter().for_each(|&symbol| engine.input_fe(symbol));
    u64::from(engine.residue() ^ Ck::TARGET_RESIDUE)
}

#[cfg(test)]
mod tests {
    use super::super::correction::tests::replaced;
    use super::*;

    /// From BIP 173 and BIP 350.
    const ADDRESSES: [&str; 4] = [
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    ];

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
        // Two characters too few.
        assert!(answer(&address[..40]).unwrap().addresses.is_empty());
    }

    #[test]
    fn a_missing_or_an_extra_character_is_restored() {
        for address in &ADDRESSES[..3] {
            for at in (4..address.len()).step_by(5) {
                let (before, after) = address.split_at(at);
                let with = |extra: char| format!("{before}{extra}{after}");
                let mut texts = vec![format!("{before}{}", &after[1..])];
                texts.extend(['p', 'b'].map(with));
                for text in texts {
                    let answer = answer(&text).unwrap();
                    assert!(answer.addresses.iter().any(|found| found == address), "{text}");
                    let Certainty::Repaired(repair) = answer.certainty else { panic!("{text}") };
                    // One of equal characters in a row may be the missing one.
                    assert!(repair.wrong[0] <= at + 1, "{text}");
                    assert!((40..2000).contains(&repair.candidates), "{text}");
                }
            }
        }
    }
}
