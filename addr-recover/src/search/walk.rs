//! Searches units on one thread, one after another.

use std::mem::take;

use super::Outcome;
use super::batch::{Batch, Entry, List, Lists, gap};
use crate::format::{Format, Hasher, Hit};
use crate::number::Natural;
use crate::search_space::Unit;
use crate::search_space::dfa::{Dfa, Node};
use crate::search_space::{Part, SearchSpace};

/// The maximum number of texts of a format without a checksum that are hashed together.
const MAX_TEXTS: u64 = 4096;

/// The state of a thread, which reuses its memory for all units.
pub(super) struct Worker<'a, F: Format> {
    space: &'a SearchSpace<F>,
    hasher: F::Hasher,
    /// Says whether to keep a hit.
    keeps: &'a dyn Fn(&Hit<F>) -> bool,
    /// Called with the number of prefixes tried; returns whether to continue.
    on_hashes: &'a dyn Fn(u64) -> bool,
    lists: Lists<F>,
    /// Prefixes that others may share.
    near: Batch<F>,
    /// What may be candidates, and the position of their prefix.
    found: Vec<(usize, F::Number)>,
    hits: Vec<Hit<F>>,
    hashes: u64,
}

/// A walk over the candidates of one unit, in numeric order. Its functions return `None` if told to
/// stop.
struct Walk<'w, 'a, F: Format> {
    worker: &'w mut Worker<'a, F>,
    part: &'a Part<F>,
    dfa: &'a Dfa<F::Number>,
    /// The greatest candidate of those that may share their prefix with the next one.
    last: Option<F::Number>,
}

impl<'a, F: Format> Worker<'a, F> {
    pub(super) fn new(
        search: &super::Search<'a, F>,
        keeps: &'a dyn Fn(&Hit<F>) -> bool,
        on_hashes: &'a dyn Fn(u64) -> bool,
    ) -> Self {
        Self {
            space: search.space,
            hasher: F::Hasher::new(search.backend),
            keeps,
            on_hashes,
            lists: Lists::default(),
            near: Batch::default(),
            found: Vec::new(),
            hits: Vec::new(),
            hashes: 0,
        }
    }

    /// Searches a unit. `None` if told to stop.
    pub(super) fn search(&mut self, unit: Unit<F::Number>) -> Option<Outcome<F>> {
        (self.hits, self.hashes) = (Vec::new(), 0);
        self.near.clear();
        let part = &self.space.parts[unit.part];
        let dfa = self.space.dfa(part);
        let mut walk = Walk { worker: self, part, dfa, last: None };
        walk.node(unit.node)?;
        walk.flush()?;
        Some(Outcome { hits: take(&mut self.hits), hashes: self.hashes })
    }
}

impl<F: Format> Walk<'_, '_, F> {
    /// Searches all candidates of a node.
    fn node(&mut self, node: Node<F::Number>) -> Option<()> {
        let (dfa, format) = (self.dfa, self.part.format);
        let worker = &mut *self.worker;
        if !format.has_checksum() && dfa.numbers(node).count <= MAX_TEXTS.into() {
            let hashes = worker.hasher.hash_texts(dfa, node, &mut worker.found);
            return self.keep(hashes, hashes, |_, _| true);
        }
        if format.has_checksum() && Lists::<F>::are_few(dfa, node) {
            let from_zero = Node { base: 0.into(), ..node };
            let list = worker.lists.of(self.part.dfa, dfa, from_zero);
            self.collect(&list, node.base)?;
            return self.hash(node.base, &list.far);
        }
        dfa.longer(node).try_for_each(|longer| self.node(longer))
    }

    /// Collects the prefixes of a list that others may share, to hash each once.
    fn collect(&mut self, list: &List<F>, base: F::Number) -> Option<()> {
        let Some(last) = list.near.last() else { return Some(()) };
        let mut to = self.last.map_or(0, |last| last.low() as u32);
        for (at, leaf) in list.near.iter().enumerate() {
            let mut entry = leaf.entry.above(base);
            let gap = match at {
                0 => self.last.and_then(|last| gap(last, entry.smallest)),
                _ => leaf.gap,
            };
            let is_shared = gap.is_some_and(|gap| to.checked_add(gap).is_some());
            to = entry.to();
            let next = entry.split();
            match self.worker.near.entries.last_mut() {
                Some(before) if is_shared => before.widen(&entry),
                _ => self.push(entry)?,
            }
            if let Some(next) = next {
                self.push(next)?;
            }
        }
        self.last = Some(base + last.entry.greatest());
        Some(())
    }

    /// Collects a prefix that is greater than all before it.
    #[inline]
    fn push(&mut self, entry: Entry<F::Number>) -> Option<()> {
        if self.worker.near.is_full() {
            self.flush()?;
        }
        self.worker.near.entries.push(entry);
        Some(())
    }

    /// Hashes the prefixes that were collected.
    fn flush(&mut self) -> Option<()> {
        let mut near = take(&mut self.worker.near);
        near.lay_out();
        self.hash(0.into(), &near)?;
        near.clear();
        self.worker.near = near;
        Some(())
    }

    /// Hashes the prefixes of a batch, to which `base` is added.
    fn hash(&mut self, base: F::Number, batch: &Batch<F>) -> Option<()> {
        if batch.entries.is_empty() {
            return Some(());
        }
        let Worker { hasher, found, .. } = &mut *self.worker;
        let hashes = hasher.hash(self.part.format, base, batch, found);
        // Those of keys that cannot be legal are not hashed.
        let tried = hashes.max(batch.entries.len() as u64);
        let (dfa, base) = (self.dfa, base.low());
        self.keep(hashes, tried, |at, number| batch.entries[at].allows(dfa, base, number.low()))
    }

    /// Counts hashes, spells what was found, and keeps it if an independent decoder accepts it and
    /// the damage allows it.
    fn keep(
        &mut self,
        hashes: u64,
        tried: u64,
        allows: impl Fn(usize, F::Number) -> bool,
    ) -> Option<()> {
        self.worker.hashes += hashes;
        let Worker { space, keeps, on_hashes, found, hits, .. } = &mut *self.worker;
        let alphabet = self.part.format.alphabet();
        for (_, number) in found.drain(..).filter(|&(at, number)| allows(at, number)) {
            let text = number.text(self.part.leading_ones, alphabet);
            let hit = Hit::in_alphabet(&text, alphabet);
            let is_legal = |hit: &Hit<F>| hit.format == self.part.format && space.allows(&text);
            hits.extend(hit.filter(|hit| is_legal(hit) && keeps(hit)));
        }
        on_hashes(tried).then_some(())
    }
}
