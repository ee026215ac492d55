//! Lists of addresses that are known to exist.

use std::collections::BTreeMap;

use crate::address_space::AddressSpace;
use crate::answer::Repaired;

/// Addresses that are known to exist. If the damage allows one of them, it is the answer, without a
/// search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By their spelling.
    addresses: BTreeMap<String, Repaired>,
}

impl Known {
    /// Reads a list with one address per line, whatever its format. Empty lines and lines that
    /// begin with `#` are skipped.
    ///
    /// Also returns the numbers, counted from 1, of the lines that are not valid addresses.
    #[must_use]
    pub fn read(text: &str) -> (Self, Vec<usize>) {
        let mut known = Self::default();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Repaired::intact(line) {
                Some(it) => drop(known.addresses.insert(it.address.clone(), it)),
                None => wrong.push(number),
            }
        }
        (known, wrong)
    }

    /// Whether it has no address of any format.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Whether an address is in the list, in the spelling of its format.
    #[must_use]
    pub fn contains(&self, address: &str) -> bool {
        self.addresses.contains_key(address)
    }

    /// The addresses nearest to a text, sorted, and in how many characters they differ: the number
    /// of characters to replace, add or remove, whatever their case. They are of Base58Check, or
    /// all of other formats. `None` if even the nearest ones differ in more than a third of their
    /// characters, as all do that have nothing to do with it.
    #[must_use]
    pub fn nearest(&self, text: &str, is_base58: bool) -> Option<(usize, Vec<Repaired>)> {
        let text: Vec<char> = text.to_ascii_lowercase().chars().collect();
        let near = |(address, it): (&String, _)| {
            (distance(&text, &address.to_ascii_lowercase()), address.len(), it)
        };
        let of_format = self.addresses.iter().filter(|(_, it)| it.version.is_some() == is_base58);
        let all: Vec<(usize, usize, &Repaired)> = of_format.map(near).collect();
        let &(least, length, _) = all.iter().min_by_key(|it| it.0)?;
        let nearby = all.into_iter().filter(|it| it.0 == least).map(|it| it.2.clone());
        (3 * least <= length).then(|| (least, nearby.collect()))
    }

    /// The addresses that a search space allows, sorted.
    #[must_use]
    pub fn answers(&self, space: &AddressSpace) -> Vec<Repaired> {
        self.addresses.values().filter(|it| space.allows(it)).cloned().collect()
    }
}

/// The Levenshtein distance of two texts. An unreadable character is any.
fn distance(text: &[char], address: &str) -> usize {
    let mut row: Vec<usize> = (0..=text.len()).collect();
    for (at, other) in address.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (i, &character) in text.iter().enumerate() {
            let is_same = character == other || matches!(character, '?' | '_' | '*');
            let replaced = diagonal + usize::from(!is_same);
            diagonal = row[i + 1];
            row[i + 1] = replaced.min(diagonal + 1).min(row[i] + 1);
        }
    }
    row[text.len()]
}
