//! Restores characters of addresses whose checksums are linear codes over 32 symbols.

use std::collections::HashMap;

use bech32::Fe32;

use super::{Edit, Repair};

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
    /// How many other characters may be wrong.
    max_wrong: usize,
}

impl Damaged {
    /// Reads a text, in which characters of other alphabets are unreadable. `None` if they are too
    /// many.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_unreadable = |(at, character)| Fe32::from_char(character).is_err().then_some(at);
        let unreadable: Vec<usize> = text.chars().enumerate().filter_map(is_unreadable).collect();
        // What stands for an unreadable character does not matter.
        let symbols = text.chars().map(|c| Fe32::from_char(c).unwrap_or(Fe32::Q)).collect();
        let max_wrong = max_wrong(unreadable.len());
        (unreadable.len() <= MAX_UNREADABLE).then_some(Self { symbols, unreadable, max_wrong })
    }

    /// The texts whose checksum is right, with the unreadable characters and up to [`max_wrong`]
    /// others restored. `residue` is what is wrong with the checksum of some symbols, or zero.
    ///
    /// The checksum is linear: each change of a character has its own effect on it, and the effects
    /// of several changes add up. So the changes that undo the damage are looked up by their
    /// effects.
    pub(super) fn corrected(&self, residue: impl Fn(&[Fe32]) -> u64) -> Vec<String> {
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

    /// How an address was restored, and its chances. `given` is the address as given, `found` the
    /// restored one.
    pub(super) fn repair(&self, checksums: u64, given: &str, found: Option<&String>) -> Repair {
        let pairs = found.into_iter().flat_map(|found| found.chars().zip(given.chars()).zip(1..));
        let unreadable = self.unreadable.len();
        Repair {
            wrong: pairs.filter(|((new, old), _)| new != old).map(|(_, at)| at).collect(),
            unreadable,
            max_wrong: self.max_wrong,
            edit: Edit::Replaced,
            candidates: candidates(self.symbols.len(), unreadable),
            checksums,
        }
    }
}

/// What is found in the texts that a text may have been if it lacks a character, or has one too
/// many, and how the first was restored. `lengths` are those of addresses, and `before` is the
/// number of characters before the text. `None` if nothing is found.
pub(super) fn edited<T: PartialEq>(
    text: &str,
    lengths: &[usize],
    before: usize,
    checksums: u64,
    found_in: impl Fn(&Damaged) -> Vec<T>,
) -> Option<(Vec<T>, Repair)> {
    if !text.is_ascii() {
        return None;
    }
    let (edit, edits): (_, Vec<(usize, String)>) = if lengths.contains(&(text.len() + 1)) {
        let with = |at: usize| (at, format!("{}?{}", &text[..at], &text[at..]));
        (Edit::Missing, (0..=text.len()).map(with).collect())
    } else if lengths.contains(&text.len().saturating_sub(1)) {
        let without = |at: usize| (at, format!("{}{}", &text[..at], &text[at + 1..]));
        (Edit::Extra, (0..text.len()).map(without).collect())
    } else {
        return None;
    };
    let (mut found, mut place, mut candidates) = (Vec::new(), None, 0);
    for (at, text) in edits {
        let Some(damaged) = Damaged::of(&text) else { continue };
        let damaged = Damaged { max_wrong: 0, ..damaged };
        candidates += 32_u64.pow(damaged.unreadable.len() as u32);
        for hit in found_in(&damaged) {
            place.get_or_insert(before + at + 1);
            if !found.contains(&hit) {
                found.push(hit);
            }
        }
    }
    let (unreadable, max_wrong, wrong) = (0, 0, place.into_iter().collect());
    let repair = Repair { wrong, unreadable, max_wrong, edit, candidates, checksums };
    (!found.is_empty()).then_some((found, repair))
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
