//! Restores characters of addresses whose checksums are linear codes over 32 symbols.

use std::collections::HashMap;

use bech32::Fe32;

use super::Repair;

/// Unreadable characters that the checksum can restore, if there is no other error.
const MAX_UNREADABLE: usize = 3;

/// How many other characters the checksum can restore besides the unreadable ones.
fn max_wrong(unreadable: usize) -> usize {
    2_usize.saturating_sub(unreadable)
}

/// The part of an address that its checksum protects.
pub(super) struct Damaged {
    symbols: Vec<Fe32>,
    unreadable: Vec<usize>,
}

impl Damaged {
    /// Reads a text, in which characters of other alphabets are unreadable. `None` if they are too
    /// many.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_unreadable = |(at, character)| Fe32::from_char(character).is_err().then_some(at);
        let unreadable: Vec<usize> = text.chars().enumerate().filter_map(is_unreadable).collect();
        // What stands for an unreadable character does not matter.
        let symbols = text.chars().map(|c| Fe32::from_char(c).unwrap_or(Fe32::Q)).collect();
        (unreadable.len() <= MAX_UNREADABLE).then_some(Self { symbols, unreadable })
    }

    /// The texts whose checksum is right, with the unreadable characters and up to [`max_wrong`]
    /// others restored. `residue` is what is wrong with the checksum of some symbols, or zero.
    ///
    /// The checksum is linear: each change of a character has its own effect on it, and the effects
    /// of several changes add up. So the changes that undo the damage are looked up by their
    /// effects.
    pub(super) fn corrected(&self, residue: impl Fn(&[Fe32]) -> u64) -> Vec<String> {
        let Self { symbols, unreadable } = self;
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
        found.into_iter().map(|symbols| symbols.into_iter().map(Fe32::to_char).collect()).collect()
    }

    /// How an address was restored, and its chances. `given` is the address as given, `found` the
    /// restored one.
    pub(super) fn repair(&self, checksums: u64, given: &str, found: Option<&String>) -> Repair {
        let pairs = found.into_iter().flat_map(|found| found.chars().zip(given.chars()).zip(1..));
        let unreadable = self.unreadable.len();
        Repair {
            wrong: pairs.filter(|((new, old), _)| new != old).map(|(_, at)| at).collect(),
            unreadable,
            max_wrong: max_wrong(unreadable),
            candidates: candidates(self.symbols.len(), unreadable),
            checksums,
        }
    }
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The address with other characters in some places.
    pub(in super::super) fn replaced(address: &str, places: &[(usize, char)]) -> String {
        let mut characters: Vec<char> = address.chars().collect();
        places.iter().for_each(|&(place, character)| characters[place] = character);
        characters.into_iter().collect()
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
