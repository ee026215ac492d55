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
    /// of characters to replace, add or remove, whatever their case. `None` if even the nearest ones
    /// differ in more than a third of their characters, as all do that have nothing to do with it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Pattern, Version};

    #[test]
    fn a_list_answers_without_a_search() {
        let list = "# sites\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\n\n1lbcfr\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n";
        let (known, wrong) = Known::read(list);
        assert_eq!(wrong, [4]);
        let space = |text: &str, versions: &[Version]| {
            SearchSpace::new(&Pattern::parse(text).unwrap(), versions).unwrap()
        };
        let damaged = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
        let answers = known.answers(&space(damaged, &Kind::common_versions()));
        assert_eq!(answers, [Hit::of("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71").unwrap()]);
        assert!(known.contains(&answers[0]));
        assert!(known.answers(&space(damaged, &[Version::byte(5)])).is_empty());
        assert!(
            known.answers(&space(&damaged.replace('7', "8"), &Kind::common_versions())).is_empty()
        );
        assert!(!known.contains(&Hit::of("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa").unwrap()));
    }

    #[test]
    fn the_nearest_addresses_differ_in_the_fewest_characters() {
        let (known, _) =
            Known::read("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n");
        let nearest = |text| known.nearest(text).map(|(distance, hits)| (distance, hits.len()));
        assert_eq!(nearest("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"), Some((0, 1)));
        // Two wrong, two missing and an extra one; an unreadable one.
        assert_eq!(nearest("1Lzcfr7sAHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((4, 1)));
        assert_eq!(nearest("1Lzcfr7sHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((5, 1)));
        assert_eq!(nearest("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"), None);
        assert_eq!(Known::default().nearest(""), None);
    }
}
