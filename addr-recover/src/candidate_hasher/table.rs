//! All choices of some places before the tail, summed up beforehand.

use super::layout::{LIMBS, Layout};
use super::tail::Tail;
use crate::number::{Number, TAIL_PLACES, weight};
use crate::search_space::dfa::{Dfa, StateId};

/// The most sums in a table: 80 KiB in five lists, which stay in the second-level cache and are
/// read in order.
const MAX_SUMS: u64 = 4096;

/// With fewer than this, lanes would stay empty; then candidates are collected one by one.
const MIN_SUMS: u64 = 24;

/// Places that a table may cover. Their sums have five words, the highest of which is small: so the
/// carry out of it, for which there is no lane, hardly ever comes.
const MAX_PLACES: usize = 20;

/// Words of a number that differ between the candidates of a table: 2 to 6. The words 0 and 1 are
/// the same for all.
pub(crate) const TABLE_LIMBS: usize = 5;

/// So many entries behind the last may be read, and belong to nothing.
pub(crate) const PADDING: usize = 32;

/// Words 2 to 6 of numbers, as lanes read them.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    count: usize,
    /// A list for each word, with padding.
    pub(crate) limbs: [Vec<u32>; TABLE_LIMBS],
}

impl Sums {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Takes the place of what was there, with the memory of it.
    pub(crate) fn fill(&mut self, sums: impl ExactSizeIterator<Item = [u32; TABLE_LIMBS]>) {
        self.count = sums.len();
        for list in &mut self.limbs {
            list.clear();
            list.resize(self.count + PADDING, 0);
        }
        for (at, sum) in sums.enumerate() {
            for i in 0..TABLE_LIMBS {
                self.limbs[i][at] = sum[i];
            }
        }
    }

    pub(crate) fn at(&self, at: usize) -> [u32; TABLE_LIMBS] {
        self.limbs.each_ref().map(|list| list[at])
    }
}

/// The sums of the places that follow a state, in ascending order.
#[derive(Debug)]
pub(crate) struct Table {
    /// The sums, as numbers.
    pub(crate) numbers: Vec<Number>,
    pub(crate) sums: Sums,
    /// What all of them lead to.
    pub(crate) tail: Tail,
}

impl Table {
    /// Whether the places after a state are worth a table.
    pub(crate) fn pays(dfa: &Dfa, state: StateId, places: usize) -> bool {
        (TAIL_PLACES..=MAX_PLACES).contains(&places)
            && (MIN_SUMS..=MAX_SUMS).contains(&dfa.heads(state))
    }

    /// `None` when the tail depends on the places before.
    pub(crate) fn new(dfa: &Dfa, state: StateId, places: usize, layout: Layout) -> Option<Self> {
        let mut heads = vec![(state, Number::ZERO)];
        for place in (TAIL_PLACES..places).rev() {
            let mut longer = Vec::new();
            for (state, sum) in heads {
                let digits = dfa.digits(state);
                longer.extend(
                    digits.map(|(digit, next)| {
                        (next, sum + Number::from(digit as u64) * weight(place))
                    }),
                );
            }
            heads = longer;
        }
        let tail_state = heads[0].0;
        if heads.iter().any(|&(state, _)| state != tail_state) {
            return None;
        }
        let numbers: Vec<Number> = heads.into_iter().map(|(_, sum)| sum).collect();
        let mut sums = Sums::default();
        sums.fill(numbers.iter().map(|&sum| {
            let [_, _, lower @ ..] = layout.limbs(sum);
            lower
        }));
        Some(Self { numbers, sums, tail: Tail::new(dfa, tail_state) })
    }

    /// Whether word 2 of `base`, the highest that differs between candidates, has room for all
    /// sums, a carry, and another into the prefix that follows.
    pub(crate) fn fits(&self, base: &[u32; LIMBS]) -> bool {
        let greatest = self.sums.limbs[0][self.sums.len() - 1];
        base[LIMBS - TABLE_LIMBS].checked_add(greatest).is_some_and(|top| top < u32::MAX - 1)
    }
}

/// What came out for a table: bit masks, one for each group of as many candidates as there are
/// lanes.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// The tail can be spelled as the checksum asks.
    pub(crate) hits: Vec<u32>,
    /// Some tail carries into the prefix, so that there is another prefix to hash.
    pub(crate) carries: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Version;
    use crate::pattern::Pattern;
    use crate::pattern::damage::Damage;

    #[test]
    fn sums_ascend_and_are_those_of_the_places() {
        let dfa = Dfa::new(&Pattern::short("a1[7ZT]1bc2345", Damage::default()), 11).unwrap();
        let root = dfa.root();
        assert!(root.is_none());
        let dfa = Dfa::new(&Pattern::short("a1[7ZT]1bc2345", Damage::default()), 10).unwrap();
        let root = dfa.root().unwrap();
        let table = Table::new(&dfa, root, 10, Layout::of(Version::byte(0))).unwrap();
        assert_eq!(table.sums.len() as u64, dfa.heads(root));
        assert!(table.numbers.is_sorted_by(|a, b| a < b));
        let first = table.numbers[0] + Number::from(table.tail.first);
        assert_eq!(first, dfa.numbers(root).first);
        assert!(table.sums.limbs.iter().all(|list| list.len() == table.sums.len() + PADDING));
    }

    #[test]
    fn places_that_decide_about_the_tail_have_no_table() {
        let damage = Damage::default().swapped(true);
        let dfa = Dfa::new(&Pattern::short("abcdefgh", damage), 8).unwrap();
        let root = dfa.root().unwrap();
        assert!(Table::new(&dfa, root, 8, Layout::of(Version::byte(0))).is_none());
    }

    #[test]
    fn a_carry_out_of_the_highest_word_is_foreseen() {
        let text = "a1bc1def1111111111";
        let dfa = Dfa::new(&Pattern::short(text, Damage::default()), text.len()).unwrap();
        let root = dfa.root().unwrap();
        let table = Table::new(&dfa, root, text.len(), Layout::of(Version::byte(0))).unwrap();
        let greatest = table.sums.limbs[0][table.sums.len() - 1];
        assert!(greatest > 0);
        let base = |word: u32| [0, 0, word, 0, 0, 0, 0];
        assert!(table.fits(&base(u32::MAX - 2 - greatest)));
        assert!(!table.fits(&base(u32::MAX - 1 - greatest)));
    }
}
