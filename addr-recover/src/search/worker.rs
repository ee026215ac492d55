//! Searches units on one thread, one after another.

use std::collections::HashMap;
use std::rc::Rc;

use super::Hit;
use super::leaves::{self, BLOCK_PLACES, Leaf, Leaves};
use super::verify;
use crate::candidate_hasher::CandidateHasher;
use crate::candidate_hasher::layout::{LIMBS, Layout, prefix_words};
use crate::candidate_hasher::pending::{Anchor, Pending};
use crate::candidate_hasher::table::Masks;
use crate::candidate_hasher::table::{Sums, Table};
use crate::number::{CHECKSUMS, Number, first_with_prefix, prefix, product};
use crate::search_space::dfa::{Dfa, StateId};
use crate::search_space::unit::Unit;
use crate::search_space::{Part, SearchSpace};

/// The search was told to stop.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The result of a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) hashes: u64,
    pub(crate) hits: Vec<Hit>,
}

/// The state of a thread, which reuses its memory for all units.
pub(crate) struct Worker<'a> {
    space: &'a SearchSpace,
    hasher: CandidateHasher,
    /// Called with the number of new hashes; returns whether to continue.
    on_hashes: &'a dyn Fn(u64) -> bool,
    pending: Box<Pending>,
    masks: Masks,
    /// The sums of a table from which some tail carries.
    carried: Sums,
    /// By part and state.
    tables: HashMap<(usize, StateId), Option<Rc<Table>>>,
    leaves: Leaves,
    tally: Tally,
}

/// A walk over the candidates of one unit, in numeric order.
struct Walk<'w, 'a> {
    worker: &'w mut Worker<'a>,
    part: &'a Part,
    part_at: usize,
    dfa: &'a Dfa,
    layout: Layout,
    /// The smallest number with the last prefix collected.
    last: Option<Number>,
    /// The smallest number with a prefix that belongs to the previous unit.
    taken: Option<Number>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        space: &'a SearchSpace,
        hasher: CandidateHasher,
        on_hashes: &'a dyn Fn(u64) -> bool,
    ) -> Self {
        Self {
            space,
            hasher,
            on_hashes,
            pending: Pending::new(),
            masks: Masks::default(),
            carried: Sums::default(),
            tables: HashMap::new(),
            leaves: Leaves::default(),
            tally: Tally::default(),
        }
    }

    /// Searches a unit. If told to stop, its partial result is discarded.
    pub(crate) fn search(&mut self, unit: Unit) -> Result<Tally, Stopped> {
        self.tally = Tally::default();
        self.pending.entries.clear();
        let part = &self.space.parts()[unit.part];
        let dfa = self.space.dfa(part);
        let layout = Layout::of(part.version);
        self.pending.layout = layout;
        let taken = self.taken_by_others(part, unit);
        let mut walk =
            Walk { worker: self, part, part_at: unit.part, dfa, layout, last: None, taken };
        walk.node(unit.state, unit.places, unit.base)?;
        if part.numbers.dense {
            self.pending.widen_to_all();
        }
        self.flush(unit.part)?;
        Ok(std::mem::take(&mut self.tally))
    }

    /// The smallest number with the prefix of the unit's first candidate, if an earlier unit has
    /// candidates with that prefix, too.
    fn taken_by_others(&self, part: &Part, unit: Unit) -> Option<Number> {
        if !part.numbers.dense {
            return None;
        }
        let dfa = self.space.dfa(part);
        let first = dfa.within(unit.state, unit.places, unit.base, part.bounds)?.first;
        let begin = first_with_prefix(first);
        let has_before = first > begin && self.space.has_up_to(part, begin, first - 1);
        has_before.then_some(begin)
    }

    /// Hashes the prefixes collected.
    fn flush(&mut self, part_at: usize) -> Result<(), Stopped> {
        if self.pending.len() == 0 {
            return Ok(());
        }
        self.hasher.hash_pending(&mut self.pending);
        let part = &self.space.parts()[part_at];
        let dfa = self.space.dfa(part);
        for at in set_bits(&self.pending.in_range, self.hasher.group(), self.pending.len()) {
            let entry = &self.pending.entries[at];
            let Anchor { state, places, base } = entry.anchor;
            let base = base.wrapping_add(entry.shift);
            // With a single anchor, the number is less than 58^6 above its base.
            let is_candidate = entry.has_more_anchors
                || dfa.accepts(state, places, self.pending.low_words(at).wrapping_sub(base));
            if is_candidate {
                keep_if_address(self.space, part, self.pending.number(at), &mut self.tally.hits);
            }
        }
        let hashes = self.pending.len() as u64;
        self.pending.entries.clear();
        self.count(hashes)
    }

    fn count(&mut self, hashes: u64) -> Result<(), Stopped> {
        self.tally.hashes += hashes;
        if (self.on_hashes)(hashes) { Ok(()) } else { Err(Stopped) }
    }
}

impl Walk<'_, '_> {
    /// Searches all candidates that begin with the digits of `base`, which lead to `state`.
    fn node(&mut self, state: StateId, places: usize, base: Number) -> Result<(), Stopped> {
        let all = self.dfa.numbers(state).shifted(base);
        let (low, high) = self.part.bounds;
        if all.last < low || all.first > high {
            return Ok(());
        }
        if all.first >= low && all.last <= high {
            return self.inner_node(state, places, base);
        }
        if places <= BLOCK_PLACES {
            let mut leaves = Vec::new();
            leaves::append_block(self.dfa, state, places, base, self.part.bounds, &mut leaves);
            return self.collect_all(&leaves, Number::ZERO);
        }
        for (digit, next) in self.dfa.digits(state) {
            self.node(next, places - 1, base + product(digit, places - 1))?;
        }
        Ok(())
    }

    /// Searches all candidates that begin with the digits of `base`, if all are legal numbers.
    fn inner_node(&mut self, state: StateId, places: usize, base: Number) -> Result<(), Stopped> {
        // Candidates that may share prefixes are collected in order, which shows which ones do.
        let may_use_tables = !self.part.numbers.dense;
        let pays = may_use_tables && Table::pays(self.dfa, state, places);
        if let Some(table) = if pays { self.table(state, places) } else { None } {
            let limbs = self.layout.limbs(base + Number::from(table.tail.first));
            if table.fits(&limbs) {
                return self.search_table(&table, base, limbs);
            }
        }
        let pays_later = may_use_tables && Table::may_pay_later(self.dfa, state, places);
        if !pays_later && Leaves::are_few(self.dfa, state, places) {
            let leaves = self.worker.leaves.of(self.part_at, self.dfa, state, places);
            return self.collect_all(&leaves, base);
        }
        for (digit, next) in self.dfa.digits(state) {
            self.inner_node(next, places - 1, base + product(digit, places - 1))?;
        }
        Ok(())
    }

    fn table(&mut self, state: StateId, places: usize) -> Option<Rc<Table>> {
        let make = || Table::new(self.dfa, state, places, self.layout).map(Rc::new);
        self.worker.tables.entry((self.part_at, state)).or_insert_with(make).clone()
    }

    /// Searches all candidates with `base` and a head from the table. `limbs` are the words of
    /// `base` plus the smallest tail.
    fn search_table(
        &mut self,
        table: &Table,
        base: Number,
        limbs: [u32; LIMBS],
    ) -> Result<(), Stopped> {
        let Worker { hasher, masks, carried, .. } = &mut *self.worker;
        let (hasher, count) = (*hasher, table.sums.len());
        let first = base + Number::from(table.tail.first);

        hasher.hash_table(self.layout, limbs, &table.sums, &table.tail, masks);
        let hits = set_bits(&masks.hits, hasher.group(), count);
        let begin = |at: usize| first_with_prefix(first + table.numbers[at]);
        let mut fitting: Vec<Number> = hits.map(begin).collect();

        // After the carry, the rest of the tail is the same modulo 2^32, so the test is the same.
        let carrying: Vec<usize> = set_bits(&masks.carries, hasher.group(), count).collect();
        carried.fill(carrying.iter().map(|&at| table.sums.at(at)));
        let next = self.layout.limbs(first + CHECKSUMS);
        hasher.hash_table(self.layout, next, carried, &table.tail, masks);
        let hits = set_bits(&masks.hits, hasher.group(), carrying.len());
        fitting.extend(hits.map(|at| begin(carrying[at]) + CHECKSUMS));

        for begin in fitting {
            let bytes = prefix(begin).to_be_bytes();
            let checksum =
                verify::checksum(&bytes[bytes.len() - self.part.version.message_bytes()..]);
            let number = begin + Number::from(checksum);
            keep_if_address(self.worker.space, self.part, number, &mut self.worker.tally.hits);
        }
        self.worker.count((count + carrying.len()) as u64)
    }

    /// Collects the prefixes of all leaves, which are in ascending order.
    fn collect_all(&mut self, leaves: &[Leaf], base: Number) -> Result<(), Stopped> {
        let shift = base.as_u64();
        for leaf in leaves {
            let first = base + leaf.first;
            let (begin, from) = (first_with_prefix(first), first.as_u32());
            let anchor = &leaf.anchor;
            match from.checked_add(leaf.span) {
                // To look at the last prefix would wait for the stores of its words, which takes
                // longer than everything else here.
                Some(to) if !leaf.is_near && self.taken.is_none() => {
                    self.push(begin, anchor, shift, from, to)?;
                }
                Some(to) => self.collect(begin, anchor, shift, from, to)?,
                None => {
                    self.collect(begin, anchor, shift, from, u32::MAX)?;
                    let to = from.wrapping_add(leaf.span);
                    self.collect(begin + CHECKSUMS, anchor, shift, 0, to)?;
                }
            }
        }
        Ok(())
    }

    /// Collects a prefix, if it belongs to this unit. `begin` is the smallest number with it.
    fn collect(
        &mut self,
        begin: Number,
        anchor: &Anchor,
        shift: u64,
        from: u32,
        to: u32,
    ) -> Result<(), Stopped> {
        // They come in ascending order, so none is smaller.
        let is_now = |number: Option<Number>| number.is_some_and(|number| number >= begin);
        if is_now(self.taken) {
            return Ok(());
        }
        self.taken = None;
        if is_now(self.last) {
            self.worker.pending.widen(anchor, shift, to);
            return Ok(());
        }
        self.push(begin, anchor, shift, from, to)
    }

    /// Collects a prefix that is greater than all before it.
    #[inline]
    fn push(
        &mut self,
        begin: Number,
        anchor: &Anchor,
        shift: u64,
        from: u32,
        to: u32,
    ) -> Result<(), Stopped> {
        if self.worker.pending.is_full() {
            self.worker.flush(self.part_at)?;
        }
        self.worker.pending.push(prefix_words(begin), anchor, shift, from, to);
        self.last = Some(begin);
        Ok(())
    }
}

/// The positions of set bits below `count`, in masks of `group` bits.
fn set_bits(masks: &[u32], group: usize, count: usize) -> impl Iterator<Item = usize> {
    let places = move |(at, &mask): (usize, &u32)| Ones(mask).map(move |bit| at * group + bit);
    masks[..count.div_ceil(group)].iter().enumerate().flat_map(places).filter(move |&at| at < count)
}

/// The positions of set bits in a word, lowest first.
struct Ones(u32);

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (place < u32::BITS).then_some(place as usize)
    }
}

/// Spells a number, and keeps the text if an independent decoder accepts it as an address and the
/// damage allows it.
fn keep_if_address(space: &SearchSpace, part: &Part, number: Number, hits: &mut Vec<Hit>) {
    let alphabet = part.version.alphabet();
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 {
        digits.push(alphabet.character((rest % Number::new(58)).as_usize()));
        rest /= Number::new(58);
    }
    let ones = std::iter::repeat_n(alphabet.character(0), part.leading_ones);
    let address: String = ones.chain(digits.into_iter().rev()).collect();
    if verify::version_in(&address, alphabet) == Some(part.version) && space.allows(&address) {
        hits.push(Hit { address, version: part.version });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Kind, Pattern};

    /// Six or seven digits in the sixth place from the right share a prefix. The unit of the first
    /// one hashes it.
    #[test]
    fn units_that_share_prefixes_find_what_the_whole_finds() {
        let pattern: Pattern = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK?ZnX71".parse().unwrap();
        let space = SearchSpace::new(&pattern, &Kind::common_versions()).unwrap();
        let [part] = space.parts() else { panic!("one version") };
        let dfa = space.dfa(part);
        let mut unit = Unit { part: 0, state: part.root, places: part.places, base: Number::ZERO };
        let longer = |unit: Unit| {
            dfa.digits(unit.state).map(move |(digit, state)| {
                let places = unit.places - 1;
                Unit { state, places, base: unit.base + product(digit, places), ..unit }
            })
        };
        while unit.places > BLOCK_PLACES {
            unit = longer(unit).next().unwrap();
        }
        for backend in Backend::available() {
            let mut worker = Worker::new(&space, CandidateHasher::new(backend), &|_| true);
            let whole = worker.search(unit).unwrap();
            assert_eq!(whole.hits[0].address, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
            let parts: Vec<Tally> = longer(unit).map(|unit| worker.search(unit).unwrap()).collect();
            assert_eq!(parts.len(), 58);
            assert_eq!(parts.iter().map(|tally| tally.hashes).sum::<u64>(), whole.hashes);
            assert!(parts.iter().flat_map(|tally| &tally.hits).eq(&whole.hits));
        }
    }

    #[test]
    fn set_bits_come_in_order_and_end_at_the_count() {
        let places =
            |masks: &[u32], group, count| set_bits(masks, group, count).collect::<Vec<_>>();
        assert_eq!(places(&[0b1001, 0, 0b0010], 4, 12), [0, 3, 9]);
        assert_eq!(places(&[0b1001, 0, 0b0110], 4, 10), [0, 3, 9]);
        assert_eq!(places(&[1 << 31 | 1, u32::MAX], 32, 33), [0, 31, 32]);
        assert_eq!(places(&[1, 0, 1, 7], 1, 3), [0, 2]);
        assert_eq!(places(&[5], 16, 0), [0; 0]);
    }
}
