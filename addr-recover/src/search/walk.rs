//! Searches units on one thread, one after another: lists of prefixes that are hashed together.

use std::collections::HashMap;
use std::mem::take;
use std::rc::Rc;

use zeroize::Zeroize;

use crate::dfa::{Dfa, Node};
use crate::edits::StateId;
use crate::format::{Anchor, Batch, CAPACITY, Entry, Format, Hasher, Hit, clear};
use crate::number::{CHECKSUMS, Natural, TAIL_PLACES};
use crate::search_space::{Part, SearchSpace, Unit};
use crate::tail::Tail;

/// The maximum number of texts of a format without a checksum that are hashed together.
const MAX_TEXTS: u64 = 4096;

/// The places whose candidates have one anchor: candidates that differ only here may share a
/// prefix.
const BLOCK_PLACES: usize = TAIL_PLACES + 1;

/// The maximum number of heads that are listed, unless they are those of a block. In the order in
/// which lanes read them, they stay in the L2 cache.
const MAX_HEADS: u64 = 4096;

/// Fewer prefixes would leave lanes empty.
const MIN_HEADS: u64 = 24;

/// The maximum number of places whose numbers are below 2^118. When they are added to a base, the
/// highest limbs rarely change, and lanes that have them in common take 2 % less time.
const MAX_LOW_PLACES: usize = 20;

/// The maximum number of leaves that a thread keeps: 24 MiB.
const MAX_KEPT: usize = 1 << 18;

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
        if self.near.entries.len() == CAPACITY {
            self.flush(part)?;
        }
        self.near.entries.push(entry);
        Some(())
    }

    /// Hashes the prefixes that were collected.
    fn flush(&mut self, part: &Part<F>) -> Option<()> {
        let mut near = take(&mut self.near);
        F::lay_out(&near.entries, &mut near.columns);
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

/// The tails that follow one head.
#[derive(Clone, Copy, Debug)]
struct Leaf<N> {
    /// The prefix of the candidates, or of some of them. They are above the number of the state
    /// where the list begins.
    entry: Entry<N>,
    /// How far they are above those of the leaf before, if that is less than 2^32.
    gap: Option<u32>,
    /// The state before the tails.
    tail: StateId,
}

/// The difference of two numbers if it is less than 2^32.
fn gap<N: Natural>(smaller: N, greater: N) -> Option<u32> {
    let gap = greater - smaller;
    (gap < CHECKSUMS.into()).then(|| gap.low() as u32)
}

impl<N: Natural> Zeroize for Leaf<N> {
    fn zeroize(&mut self) {
        self.entry.zeroize();
    }
}

/// The leaves of a state, in two lists.
#[derive(Debug)]
struct List<F: Format> {
    /// Those whose prefixes no other leaf has, whatever is added to their numbers.
    far: Batch<F>,
    /// The others, in ascending order: candidates before or after the first and the last may share
    /// their prefixes, too.
    near: Vec<Leaf<F::Number>>,
}

impl<F: Format> List<F> {
    fn new(dfa: &Dfa<F::Number>, node: Node<F::Number>) -> Self {
        let count = usize::try_from(dfa.state(node.state).heads).unwrap_or(0);
        let mut list = Self { far: Batch::default(), near: Vec::with_capacity(count) };
        append(dfa, node, &mut list.near);
        let leaves = &list.near;
        let are_far: Vec<bool> = leaves
            .windows(3)
            .map(|leaves| leaves[1].gap.is_none() && leaves[2].gap.is_none())
            .collect();
        let far = are_far.iter().filter(|&&is_far| is_far).count();
        if (far as u64) < MIN_HEADS {
            return list;
        }
        list.far.entries = Vec::with_capacity(far);
        let (mut at, mut tails) = (0, Vec::new());
        list.near.retain(|leaf| {
            let is_far = at > 0 && are_far.get(at - 1).is_some_and(|&is_far| is_far);
            at += 1;
            if is_far {
                list.far.entries.push(leaf.entry);
                tails.push(leaf.tail);
            }
            !is_far
        });
        tails.dedup();
        if let [tail] = tails[..] {
            list.far.tail = Some(Tail::new(dfa, tail));
        }
        F::lay_out(&list.far.entries, &mut list.far.columns);
        list
    }

    fn len(&self) -> usize {
        self.far.entries.len() + self.near.len()
    }
}

impl<F: Format> Drop for List<F> {
    fn drop(&mut self) {
        clear::<F>(&mut self.near);
    }
}

/// The lists that a thread has made, by DFA and state.
#[derive(Debug)]
struct Lists<F: Format> {
    lists: HashMap<(usize, StateId), Rc<List<F>>>,
    kept: usize,
}

impl<F: Format> Default for Lists<F> {
    fn default() -> Self {
        Self { lists: HashMap::new(), kept: 0 }
    }
}

impl<F: Format> Lists<F> {
    /// Whether the leaves of a node are to be listed.
    fn are_few(dfa: &Dfa<F::Number>, node: Node<F::Number>) -> bool {
        let are_enough = |(_, next)| dfa.state(next).heads >= MIN_HEADS;
        let is_better_divided =
            || node.places > MAX_LOW_PLACES && dfa.digits(node.state).all(are_enough);
        node.places <= BLOCK_PLACES
            || (dfa.state(node.state).heads <= MAX_HEADS && !is_better_divided())
    }

    /// The leaves of a node whose base is zero.
    fn of(&mut self, dfa_at: usize, dfa: &Dfa<F::Number>, node: Node<F::Number>) -> Rc<List<F>> {
        if let Some(list) = self.lists.get(&(dfa_at, node.state)) {
            return Rc::clone(list);
        }
        let list = Rc::new(List::new(dfa, node));
        if self.kept + list.len() > MAX_KEPT {
            *self = Self::default();
        }
        self.kept += list.len();
        self.lists.insert((dfa_at, node.state), Rc::clone(&list));
        list
    }
}

/// Appends all leaves of a node.
fn append<N: Natural>(dfa: &Dfa<N>, node: Node<N>, leaves: &mut Vec<Leaf<N>>) {
    if node.places > TAIL_PLACES && dfa.state(node.state).heads == 1 {
        // Most candidates of damage that may be anywhere come through here.
        let (state, head) = dfa.state(node.state).only_head;
        let tail = Node { state, places: TAIL_PLACES, base: node.base + head };
        append_block(dfa, tail, leaves);
    } else if node.places <= BLOCK_PLACES {
        append_block(dfa, node, leaves);
    } else {
        dfa.longer(node).for_each(|longer| append(dfa, longer, leaves));
    }
}

/// Appends the leaves of a node. They have one anchor: its state.
fn append_block<N: Natural>(dfa: &Dfa<N>, node: Node<N>, leaves: &mut Vec<Leaf<N>>) {
    let Node { state, places, base } = node;
    let anchor = Anchor { base: base.low(), state, places: places as u32 };
    let mut append_tails = |tail: Node<N>| {
        let tails = dfa.numbers(tail);
        let span = (tails.last - tails.first).low() as u32;
        let gap = leaves.last().and_then(|last| gap(last.entry.greatest(), tails.first));
        let entry = Entry { smallest: tails.first, span, anchor };
        leaves.push(Leaf { entry, gap, tail: tail.state });
    };
    if places <= TAIL_PLACES {
        append_tails(node);
    } else {
        dfa.longer(node).for_each(append_tails);
    }
}
