//! Precomputes the sums of all digit choices in some places before the tail.

use super::layout::{LIMBS, Layout};
use super::tail::Tail;
use crate::number::{Number, TAIL_PLACES};
use crate::search_space::dfa::{Dfa, Node};

/// The maximum number of sums in a table: 80 KiB in five lists, which stay in the L2 cache and are
/// read sequentially.
const MAX_SUMS: u64 = 4096;

/// Smaller tables would leave lanes empty, so their candidates are collected one by one.
const MIN_SUMS: u64 = 24;

/// The maximum number of places in a table. Their sums have five words, the highest of which is
/// small. So it rarely carries into the words that the lanes do not compute.
const MAX_PLACES: usize = 20;

/// The number of words that differ between the candidates of a table: words 2 to 6. Words 0 and 1
/// are the same for all.
pub(crate) const TABLE_LIMBS: usize = 5;

/// The number of meaningless entries after the last that may be read.
pub(crate) const PADDING: usize = 32;

/// Words 2 to 6 of numbers, in the order in which lanes read them.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    count: usize,
    /// One list per word, with padding.
    pub(crate) limbs: [Vec<u32>; TABLE_LIMBS],
}

impl Sums {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Replaces the sums, and reuses their memory.
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
    /// The sums as numbers.
    pub(crate) numbers: Vec<Number>,
    pub(crate) sums: Sums,
    /// The tail that follows all of them.
    pub(crate) tail: Tail,
}

impl Table {
    /// Whether a table pays off for the places of a node.
    pub(crate) fn pays(dfa: &Dfa, node: Node) -> bool {
        (TAIL_PLACES..=MAX_PLACES).contains(&node.places)
            && (MIN_SUMS..=MAX_SUMS).contains(&dfa.heads(node.state))
    }

    /// Whether a table may pay off for fewer places than those of a node, which are too many.
    pub(crate) fn may_pay_later(dfa: &Dfa, node: Node) -> bool {
        node.places > MAX_PLACES && dfa.heads(node.state) >= MIN_SUMS
    }

    /// Builds the table; `None` if the tail depends on the places before it.
    pub(crate) fn new(dfa: &Dfa, node: Node, layout: Layout) -> Option<Self> {
        let mut heads = vec![Node { base: Number::ZERO, ..node }];
        for _ in TAIL_PLACES..node.places {
            heads = heads.into_iter().flat_map(|head| dfa.longer(head)).collect();
        }
        let tail_state = heads[0].state;
        if heads.iter().any(|head| head.state != tail_state) {
            return None;
        }
        let numbers: Vec<Number> = heads.into_iter().map(|head| head.base).collect();
        let mut sums = Sums::default();
        sums.fill(numbers.iter().map(|&sum| {
            let [_, _, lower @ ..] = layout.limbs(sum);
            lower
        }));
        Some(Self { numbers, sums, tail: Tail::new(dfa, tail_state) })
    }

    /// Whether word 2 of `base`, the highest that differs between candidates, has room for every
    /// sum, a carry, and one more carry into the next prefix.
    pub(crate) fn fits(&self, base: &[u32; LIMBS]) -> bool {
        let greatest = self.sums.limbs[0][self.sums.len() - 1];
        base[LIMBS - TABLE_LIMBS].checked_add(greatest).is_some_and(|top| top < u32::MAX - 1)
    }
}

/// The results for a table: one bit mask per group of lanes.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// Candidates whose tail can spell the checksum.
    pub(crate) hits: Vec<u32>,
    /// Candidates for which some tail carries into the prefix, so that a second one must be hashed.
    pub(crate) carries: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Version;
    use crate::pattern::Pattern;
    use crate::pattern::alphabet::Alphabet;
    use crate::pattern::damage::Damage;

    #[test]
    fn no_table_if_the_tail_depends_on_the_places_before() {
        let damage = Damage::default().swapped(1);
        let dfa = Dfa::new(&Pattern::short("abcdefgh", damage), 8, Alphabet::Bitcoin).unwrap();
        let root = dfa.root().unwrap();
        assert!(Table::new(&dfa, root, Layout::of(Version::byte(0))).is_none());
    }

    #[test]
    fn a_carry_out_of_the_highest_word_is_detected() {
        let text = "a1bc1def1111111111";
        let dfa = Dfa::new(&Pattern::short(text, Damage::default()), text.len(), Alphabet::Bitcoin)
            .unwrap();
        let root = dfa.root().unwrap();
        let table = Table::new(&dfa, root, Layout::of(Version::byte(0))).unwrap();
        let greatest = table.sums.limbs[0][table.sums.len() - 1];
        assert!(greatest > 0);
        let base = |word: u32| [0, 0, word, 0, 0, 0, 0];
        assert!(table.fits(&base(u32::MAX - 2 - greatest)));
        assert!(!table.fits(&base(u32::MAX - 1 - greatest)));
    }
}
