//! Lists of addresses that are known to exist.

use std::collections::HashMap;

use super::hit::Hit;
use crate::search_space::SearchSpace;

/// Addresses that are known to exist. If the damage allows one of them, it is the answer, without a
/// search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    by_length: HashMap<usize, Vec<Hit>>,
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
                Some(hit) => known.by_length.entry(line.len()).or_default().push(hit),
                None => wrong.push(number),
            }
        }
        for list in known.by_length.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        (known, wrong)
    }

    /// Whether an address is in the list.
    #[must_use]
    pub fn contains(&self, hit: &Hit) -> bool {
        self.by_length.get(&hit.address.len()).is_some_and(|list| list.binary_search(hit).is_ok())
    }

    /// The addresses that a search space allows, sorted.
    #[must_use]
    pub fn answers(&self, space: &SearchSpace) -> Vec<Hit> {
        let allowed = |hit: &&Hit| space.has_version(hit.version) && space.allows(&hit.address);
        let mut answers: Vec<Hit> =
            self.by_length.values().flatten().filter(allowed).cloned().collect();
        answers.sort_unstable();
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Version};

    #[test]
    fn a_list_answers_without_a_search() {
        let list = "# sites\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\n\n1lbcfr\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n";
        let (known, wrong) = Known::read(list);
        assert_eq!(wrong, [4]);
        let space = |text: &str, versions: &[Version]| {
            SearchSpace::new(&text.parse().unwrap(), versions).unwrap()
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
}
