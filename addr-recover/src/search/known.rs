//! Lists of addresses that are known to exist.

use std::collections::BTreeSet;

use crate::format::Hit;
use crate::search_space::SearchSpace;

/// Addresses that are known to exist. If the damage allows one of them, it is the answer, without a
/// search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    hits: BTreeSet<Hit>,
}

impl Known {
    /// Reads a list with one address per line. Empty lines and lines that begin with `#` are
    /// skipped.
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
            match Hit::of(line) {
                Some(hit) => drop(known.hits.insert(hit)),
                None => wrong.push(number),
            }
        }
        (known, wrong)
    }

    /// Whether an address is in the list.
    #[must_use]
    pub fn contains(&self, hit: &Hit) -> bool {
        self.hits.contains(hit)
    }

    /// The addresses nearest to a text, sorted, and in how many characters they differ: the number
    /// of characters to replace, add or remove, whatever their case. `None` if even the nearest
    /// ones differ in more than a third of their characters, as all do that have nothing to do with
    /// it.
    #[must_use]
    pub fn nearest(&self, text: &str) -> Option<(usize, Vec<Hit>)> {
        let text: Vec<char> = text.to_ascii_lowercase().chars().collect();
        let near = |hit: &Hit| (distance(&text, &hit.text.to_ascii_lowercase()), hit.clone());
        let mut all: Vec<(usize, Hit)> = self.hits.iter().map(near).collect();
        all.sort_unstable();
        let (least, nearest) = all.first()?;
        let hits = all.iter().take_while(|(distance, _)| distance == least);
        let is_near = 3 * least <= nearest.text.len();
        is_near.then(|| (*least, hits.map(|(_, hit)| hit.clone()).collect()))
    }

    /// The addresses that a search space allows, sorted.
    #[must_use]
    pub fn answers(&self, space: &SearchSpace) -> Vec<Hit> {
        self.hits.iter().filter(|hit| space.has(hit)).cloned().collect()
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
