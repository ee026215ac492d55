//! Searches units on one thread, one after another.

use std::mem::take;

use super::batch::{Batch, Entry, List, Lists, gap};
use crate::format::{Format, Hasher, Hit};
use crate::number::Natural;
use crate::search_space::Unit;
use crate::search_space::dfa::Node;
use crate::search_space::{Part, SearchSpace};

/// The maximum number of texts of a format without a checksum that are hashed together.
const MAX_TEXTS: u64 = 4096;

/// A thread, which reuses its memory for all units. Its functions return `None` if told to stop.
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
    /// The greatest candidate of those that may share their prefix with the next one.
    last: Option<F::Number>,
    hits: Vec<Hit<F>>,
    hashes: u64,
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
            last: None,
            hits: Vec::new(),
            hashes: 0,
        }
    }

    /// Searches a unit. Returns what was found, and the number of hashes.
    pub(super) fn search(&mut self, unit: Unit<F::Number>) -> Option<(Vec<Hit<F>>, u64)> {
        (self.last, self.hits, self.hashes) = (None, Vec::new(), 0);
        self.near.clear();
        let part = &self.space.parts[unit.part];
        self.node(part, unit.node)?;
        self.flush(part)?;
        Some((take(&mut self.hits), self.hashes))
    }

    /// Searches all candidates of a node.
    fn node(&mut self, part: &Part<F>, node: Node<F::Number>) -> Option<()> {
        let (space, format) = (self.space, part.format);
        let dfa = space.dfa(part);
        if !format.has_checksum() && dfa.numbers(node).count <= MAX_TEXTS.into() {
            let hashes = self.hasher.hash_texts(dfa, node, &mut self.found);
            return self.keep(part, hashes, hashes, |_, _| true);
        }
        if format.has_checksum() && Lists::<F>::are_few(dfa, node) {
            let from_zero = Node { base: 0.into(), ..node };
            let list = self.lists.of(part.dfa, dfa, from_zero);
            self.collect(part, &list, node.base)?;
            return self.hash(part, node.base, &list.far);
        }
        dfa.longer(node).try_for_each(|longer| self.node(part, longer))
    }

    /// Collects the prefixes of a list that others may share, to hash each once.
    fn collect(&mut self, part: &Part<F>, list: &List<F>, base: F::Number) -> Option<()> {
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
            match self.near.entries.last_mut() {
                Some(before) if is_shared => before.widen(&entry),
                _ => self.push(part, entry)?,
            }
            if let Some(next) = next {
                self.push(part, next)?;
            }
        }
        self.last = Some(base + last.entry.greatest());
        Some(())
    }

    /// Collects a prefix that is greater than all before it.
    #[inline]
    fn push(&mut self, part: &Part<F>, entry: Entry<F::Number>) -> Option<()> {
        if self.near.is_full() {
            self.flush(part)?;
        }
        self.near.entries.push(entry);
        Some(())
    }

    /// Hashes the prefixes that were collected.
    fn flush(&mut self, part: &Part<F>) -> Option<()> {
        let mut near = take(&mut self.near);
        near.lay_out();
        self.hash(part, 0.into(), &near)?;
        near.clear();
        self.near = near;
        Some(())
    }

    /// Hashes the prefixes of a batch, to which `base` is added.
    fn hash(&mut self, part: &Part<F>, base: F::Number, batch: &Batch<F>) -> Option<()> {
        if batch.entries.is_empty() {
            return Some(());
        }
        let hashes = self.hasher.hash(part.format, base, batch, &mut self.found);
        // Those of keys that cannot be legal are not hashed.
        let tried = hashes.max(batch.entries.len() as u64);
        let (space, base) = (self.space, base.low());
        let dfa = space.dfa(part);
        self.keep(part, hashes, tried, |at, number| {
            batch.entries[at].allows(dfa, base, number.low())
        })
    }

    /// Counts hashes, spells what was found, and keeps it if an independent decoder accepts it and
    /// the damage allows it.
    fn keep(
        &mut self,
        part: &Part<F>,
        hashes: u64,
        tried: u64,
        allows: impl Fn(usize, F::Number) -> bool,
    ) -> Option<()> {
        self.hashes += hashes;
        let alphabet = part.format.alphabet();
        for (_, number) in self.found.drain(..).filter(|&(at, number)| allows(at, number)) {
            let text = number.text(part.leading_ones, alphabet);
            let hit = Hit::in_alphabet(&text, alphabet);
            let is_legal = |hit: &Hit<F>| hit.format == part.format && self.space.allows(&text);
            self.hits.extend(hit.filter(|hit| is_legal(hit) && (self.keeps)(hit)));
        }
        (self.on_hashes)(tried).then_some(())
    }
}
