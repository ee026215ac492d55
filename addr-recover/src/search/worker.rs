//! Searches units on one thread, one after another.

use zeroize::Zeroizing;

use super::leaves::{self, BLOCK_PLACES, Leaf, Leaves};
use crate::format::{Anchor, Approach, Batch, Format, Subtree};
use crate::number::{CHECKSUM_BITS, Natural};
use crate::search_space::dfa::{Dfa, StateId};
use crate::search_space::unit::Unit;
use crate::search_space::{Part, SearchSpace};

/// The search was told to stop.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The result of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Tally<F: Format> {
    pub(crate) hashes: u64,
    pub(crate) hits: Vec<F::Hit>,
}

/// The state of a thread, which reuses its memory for all units.
pub(crate) struct Worker<'a, F: Format> {
    space: &'a SearchSpace<F>,
    batch: F::Batch,
    /// Says whether to keep a hit.
    keeps: &'a dyn Fn(&F::Hit) -> bool,
    /// Called with the number of prefixes tried; returns whether to continue.
    on_hashes: &'a dyn Fn(u64) -> bool,
    leaves: Leaves<F::Number>,
    /// What may be candidates with the right checksum.
    found: Vec<F::Number>,
    tally: Tally<F>,
}

/// A walk over the candidates of one unit, in numeric order.
struct Walk<'w, 'a, F: Format> {
    worker: &'w mut Worker<'a, F>,
    part: &'a Part<F>,
    part_at: usize,
    dfa: &'a Dfa<F::Number>,
    /// The smallest number with the last prefix collected.
    last: Option<F::Number>,
    /// The smallest number with a prefix that belongs to the previous unit.
    taken: Option<F::Number>,
}

impl<'a, F: Format> Worker<'a, F> {
    pub(crate) fn new(
        space: &'a SearchSpace<F>,
        batch: F::Batch,
        keeps: &'a dyn Fn(&F::Hit) -> bool,
        on_hashes: &'a dyn Fn(u64) -> bool,
    ) -> Self {
        let tally = Tally { hashes: 0, hits: Vec::new() };
        let (leaves, found) = (Leaves::default(), Vec::new());
        Self { space, batch, keeps, on_hashes, leaves, found, tally }
    }

    /// Searches a unit. If told to stop, its partial result is discarded.
    pub(crate) fn search(&mut self, unit: Unit<F::Number>) -> Result<Tally<F>, Stopped> {
        self.tally = Tally { hashes: 0, hits: Vec::new() };
        let part = &self.space.parts()[unit.part];
        let dfa = self.space.dfa(part);
        self.batch.begin(part.format);
        let taken = self.taken_by_others(part, unit);
        let mut walk = Walk { worker: self, part, part_at: unit.part, dfa, last: None, taken };
        walk.node(unit.state, unit.places, unit.base)?;
        if part.numbers.dense {
            self.batch.widen_to_all();
        }
        self.flush(part, dfa)?;
        let tally = Tally { hashes: 0, hits: Vec::new() };
        Ok(std::mem::replace(&mut self.tally, tally))
    }

    /// The smallest number with the prefix of the unit's first candidate, if an earlier unit has
    /// candidates with that prefix, too.
    fn taken_by_others(&self, part: &Part<F>, unit: Unit<F::Number>) -> Option<F::Number> {
        if !part.numbers.dense {
            return None;
        }
        let dfa = self.space.dfa(part);
        let first = dfa.within(unit.state, unit.places, unit.base, part.bounds)?.first;
        let begin = first.first_with_prefix();
        let has_before = first > begin && self.space.has_up_to(part, begin, first - 1.into());
        has_before.then_some(begin)
    }

    /// Hashes the prefixes collected.
    fn flush(&mut self, part: &Part<F>, dfa: &Dfa<F::Number>) -> Result<(), Stopped> {
        let tried = self.batch.len() as u64;
        if tried == 0 {
            return Ok(());
        }
        self.tally.hashes += self.batch.hash(dfa, &mut self.found);
        self.keep_found(part);
        self.count(tried)
    }

    /// Spells what was found, and keeps it if an independent decoder accepts it and the damage
    /// allows it.
    fn keep_found(&mut self, part: &Part<F>) {
        let alphabet = part.format.alphabet();
        for number in self.found.drain(..) {
            let ones = std::iter::repeat_n(0, part.leading_ones);
            let digits = number.digits();
            let digits = ones.chain(digits.iter().copied());
            let mut text = Zeroizing::new(String::with_capacity(F::MAX_LENGTH));
            text.extend(digits.map(|digit| alphabet.character(digit.into())));
            let hit = part.format.hit(&text).filter(|_| self.space.allows(&text));
            self.tally.hits.extend(hit.filter(self.keeps));
        }
    }

    fn count(&self, tried: u64) -> Result<(), Stopped> {
        if (self.on_hashes)(tried) { Ok(()) } else { Err(Stopped) }
    }
}

impl<F: Format> Walk<'_, '_, F> {
    /// Searches all candidates that begin with the digits of `base`, which lead to `state`.
    fn node(&mut self, state: StateId, places: usize, base: F::Number) -> Result<(), Stopped> {
        let all = self.dfa.numbers(state).shifted(base);
        let (low, high) = self.part.bounds;
        if all.last < low || all.first > high {
            return Ok(());
        }
        if all.first >= low && all.last <= high {
            return self.inner_node(state, places, base);
        }
        if places <= BLOCK_PLACES {
            let mut leaves = Zeroizing::new(Vec::new());
            let bounds = Some(self.part.bounds);
            leaves::append_block(self.dfa, state, places, base, bounds, &mut leaves);
            return self.collect_all(&leaves, 0.into());
        }
        for (digit, next) in self.dfa.digits(state) {
            self.node(next, places - 1, base + F::Number::product(digit, places - 1))?;
        }
        Ok(())
    }

    /// Searches all candidates that begin with the digits of `base`, if all are legal numbers.
    fn inner_node(
        &mut self,
        state: StateId,
        places: usize,
        base: F::Number,
    ) -> Result<(), Stopped> {
        let Part { format, numbers, .. } = *self.part;
        let (dfa, part, dense) = (self.dfa, self.part_at, numbers.dense);
        let subtree = Subtree { format, part, dense, dfa, state, places, base };
        let Worker { batch, found, .. } = &mut *self.worker;
        match batch.search(&subtree, found) {
            Approach::Searched(hashes) => {
                self.worker.tally.hashes += hashes;
                self.worker.keep_found(self.part);
                return self.worker.count(hashes);
            }
            Approach::Collect if Leaves::are_few(dfa, state, places) => {
                let leaves = self.worker.leaves.of(part, dfa, state, places);
                return self.collect_all(&leaves, base);
            }
            Approach::Collect | Approach::Divide => {}
        }
        for (digit, next) in dfa.digits(state) {
            self.inner_node(next, places - 1, base + F::Number::product(digit, places - 1))?;
        }
        Ok(())
    }

    /// Collects the prefixes of all leaves, which are in ascending order.
    fn collect_all(&mut self, leaves: &[Leaf<F::Number>], base: F::Number) -> Result<(), Stopped> {
        let shift = base.low();
        for leaf in leaves {
            let first = base + leaf.first;
            let (begin, from) = (first.first_with_prefix(), first.low() as u32);
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
                    let next = begin + (1 << CHECKSUM_BITS).into();
                    self.collect(next, anchor, shift, 0, to)?;
                }
            }
        }
        Ok(())
    }

    /// Collects a prefix, if it belongs to this unit. `begin` is the smallest number with it.
    fn collect(
        &mut self,
        begin: F::Number,
        anchor: &Anchor,
        shift: u64,
        from: u32,
        to: u32,
    ) -> Result<(), Stopped> {
        // They come in ascending order, so none is smaller.
        let is_now = |number: Option<F::Number>| number.is_some_and(|number| number >= begin);
        if is_now(self.taken) {
            return Ok(());
        }
        self.taken = None;
        if is_now(self.last) {
            self.worker.batch.widen(anchor, shift, to);
            return Ok(());
        }
        self.push(begin, anchor, shift, from, to)
    }

    /// Collects a prefix that is greater than all before it.
    #[inline]
    fn push(
        &mut self,
        begin: F::Number,
        anchor: &Anchor,
        shift: u64,
        from: u32,
        to: u32,
    ) -> Result<(), Stopped> {
        if self.worker.batch.is_full() {
            self.worker.flush(self.part, self.dfa)?;
        }
        self.worker.batch.push(begin, anchor, shift, from, to);
        self.last = Some(begin);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
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
                Unit { state, places, base: unit.base + Number::product(digit, places), ..unit }
            })
        };
        while unit.places > BLOCK_PLACES {
            unit = longer(unit).next().unwrap();
        }
        for backend in Backend::available() {
            let mut worker = Worker::new(&space, Batch::new(backend), &|_| true, &|_| true);
            let whole = worker.search(unit).unwrap();
            assert_eq!(whole.hits[0].address, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
            let parts: Vec<Tally<_>> =
                longer(unit).map(|unit| worker.search(unit).unwrap()).collect();
            assert_eq!(parts.len(), 58);
            assert_eq!(parts.iter().map(|tally| tally.hashes).sum::<u64>(), whole.hashes);
            assert!(parts.iter().flat_map(|tally| &tally.hits).eq(&whole.hits));
        }
    }
}
