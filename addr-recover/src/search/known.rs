//! Lists of addresses that are known to exist.

use std::collections::BTreeSet;

use crate::format::Hit;
use crate::search_space::SearchSpace;

/// Addresses that are known to exist. If the damage allows one of them, it is the answer, without a
/// search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    hits: BTreeSet<Hit>,
    /// Addresses of other formats than Base58Check.
    others: BTreeSet<String>,
}

impl Known {
    /// Reads a list with one address per line. Empty lines and lines that begin with `#` are
    /// skipped.
    ///
    /// Also returns the numbers, counted from 1, of the lines that are not valid addresses of
    /// Base58Check.
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

    /// Adds an address of another format than Base58Check, in the spelling of its format.
    pub fn add_other(&mut self, address: String) {
        self.others.insert(address);
    }

    /// The addresses of other formats, sorted.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(String::as_str)
    }

    /// Whether it has no address of any format.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty() && self.others.is_empty()
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
        let (distance, hits) = nearest(text, &self.hits, |hit| &hit.text)?;
        Some((distance, hits.into_iter().cloned().collect()))
    }

    /// The [nearest](Self::nearest) addresses of other formats.
    #[must_use]
    pub fn nearest_others(&self, text: &str) -> Option<(usize, Vec<&str>)> {
        let (distance, others) = nearest(text, &self.others, |address| address)?;
        Some((distance, others.into_iter().map(String::as_str).collect()))
    }

    /// The addresses that a search space allows, sorted.
    #[must_use]
    pub fn answers(&self, space: &SearchSpace) -> Vec<Hit> {
        self.hits.iter().filter(|hit| space.has(hit)).cloned().collect()
    }
}

/// The addresses nearest to a text, and in how many characters they differ.
fn nearest<'a, T: Ord>(
    text: &str,
    addresses: &'a BTreeSet<T>,
    text_of: impl Fn(&T) -> &str,
) -> Option<(usize, Vec<&'a T>)> {
    let text: Vec<char> = text.to_ascii_lowercase().chars().collect();
    let near = |address: &'a T| (distance(&text, &text_of(address).to_ascii_lowercase()), address);
    let mut all: Vec<(usize, &T)> = addresses.iter().map(near).collect();
    all.sort_unstable();
    let &(least, nearest) = all.first()?;
    let nearby = all.iter().take_while(|(distance, _)| *distance == least);
    let is_near = 3 * least <= text_of(nearest).len();
    is_near.then(|| (least, nearby.map(|(_, address)| *address).collect()))
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
