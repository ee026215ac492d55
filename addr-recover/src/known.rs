//! Lists of addresses that are known to exist.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::address_space::AddressSpace;
use crate::answer::Repaired;

/// Addresses that are known to exist. If the damage allows one of them, it is the answer, without a
/// search. Copies share the list.
///
/// ```
/// use addr_recover::{AskOptions, Known, KnownMatch, ask};
///
/// let (known, wrong) = Known::read("# mine\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n1Lbc\n");
/// assert_eq!(wrong, [3]);
/// let mut options = AskOptions::default();
/// options.known = known;
/// let answer = ask("1Lbcfr7s...4ZnX71", &options)?;
/// assert_eq!(answer.from_known, Some(KnownMatch::Fits));
/// assert_eq!(answer.addresses[0].address, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
/// let answer = ask("1lxcfr7sahxd9cgxqo3htmtxv8l4znx", &options)?;
/// assert_eq!(answer.from_known, Some(KnownMatch::Nearest { distance: 7 }));
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By their spelling.
    addresses: Arc<BTreeMap<String, Repaired>>,
}

/// How a list of known addresses answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnownMatch {
    /// The damage allows the addresses.
    Fits,
    /// Nothing certain fits, and the addresses are the nearest.
    Nearest {
        /// In how many characters they differ from the text.
        distance: usize,
    },
}

impl Known {
    /// Reads a list with one address per line, whatever its format. Empty lines and lines that
    /// begin with `#` are skipped.
    ///
    /// Also returns the numbers, counted from 1, of the lines that are not valid addresses.
    #[must_use]
    pub fn read(text: &str) -> (Self, Vec<usize>) {
        let mut addresses = BTreeMap::new();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Repaired::intact(line) {
                Some(it) => {
                    addresses.insert(it.address.clone(), Repaired { is_known: true, ..it });
                }
                None => wrong.push(number),
            }
        }
        (Self { addresses: Arc::new(addresses) }, wrong)
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
