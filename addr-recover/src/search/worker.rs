//! Searches units on one thread, one after another.

use zeroize::Zeroizing;

use super::leaves::{self, BLOCK_PLACES, Leaf, Leaves};
use crate::format::{Anchor, Approach, Batch, Format, Subtree};
use crate::number::{CHECKSUMS, Natural};
use crate::search_space::dfa::{Dfa, Node};
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
    /// The smallest number with the last prefix of the lists before.
    last: Option<F::Number>,
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
        Walk { worker: self, part, part_at: unit.part, dfa, last: None }.node(unit.node)?;
        self.flush(part, dfa)?;
        let tally = Tally { hashes: 0, hits: Vec::new() };
        Ok(std::mem::replace(&mut self.tally, tally))
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
    /// Searches all candidates of a node.
    fn node(&mut self, node: Node<F::Number>) -> Result<(), Stopped> {
        let all = self.dfa.numbers(node);
        let (low, high) = self.part.bounds;
        if all.last < low || all.first > high {
            return Ok(());
        }
        if all.first >= low && all.last <= high {
            return self.inner_node(node);
        }
        if node.places <= BLOCK_PLACES {
            let mut leaves = Zeroizing::new(Vec::new());
            leaves::append_block(self.dfa, node, Some(self.part.bounds), &mut leaves);
            return self.collect_all(&leaves, 0.into());
        }
        self.dfa.longer(node).try_for_each(|longer| self.node(longer))
    }

    /// Searches all candidates of a node, if all are legal numbers.
    fn inner_node(&mut self, node: Node<F::Number>) -> Result<(), Stopped> {
        let Part { format, numbers, .. } = *self.part;
        let (dfa, part, dense) = (self.dfa, self.part_at, numbers.dense);
        let Worker { batch, found, .. } = &mut *self.worker;
        match batch.search(&Subtree { format, part, dense, dfa, node }, found) {
            Approach::Searched(hashes) => {
                self.worker.tally.hashes += hashes;
                self.worker.keep_found(self.part);
                self.worker.count(hashes)
            }
            Approach::Collect if Leaves::are_few(dfa, node) => {
                let from_zero = Node { base: 0.into(), ..node };
                let leaves = self.worker.leaves.of(part, dfa, from_zero);
                self.collect_all(&leaves, node.base)
            }
            Approach::Collect | Approach::Divide => {
                dfa.longer(node).try_for_each(|longer| self.inner_node(longer))
            }
        }
    }

    /// Collects the prefixes of all leaves, which are in ascending order.
    fn collect_all(&mut self, leaves: &[Leaf<F::Number>], base: F::Number) -> Result<(), Stopped> {
        let shift = base.low();
        let greatest = |leaf: &Leaf<F::Number>| {
            (base + leaf.first + u64::from(leaf.span).into()).first_with_prefix()
        };
        for (at, leaf) in leaves.iter().enumerate() {
            let first = base + leaf.first;
            let (begin, from) = (first.first_with_prefix(), first.low() as u32);
            let anchor = &leaf.anchor;
            let end = from.checked_add(leaf.span);
            let to = end.unwrap_or(u32::MAX);
            // To look at the last prefix would wait for the stores of its words, which takes longer
            // than everything else here.
            let before = || at.checked_sub(1).map_or(self.last, |at| Some(greatest(&leaves[at])));
            if leaf.is_near && before().is_some_and(|before| before >= begin) {
                self.worker.batch.widen(anchor, shift, to);
            } else {
                self.push(begin, anchor, shift, from, to)?;
            }
            if end.is_none() {
                let to = from.wrapping_add(leaf.span);
                self.push(begin + CHECKSUMS.into(), anchor, shift, 0, to)?;
            }
        }
        self.last = leaves.last().map(greatest).or(self.last);
        Ok(())
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
        Ok(())
    }
}
