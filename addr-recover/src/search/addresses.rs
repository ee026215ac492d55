//! Addresses: what the bytes of a version mean for a search, and how prefixes are hashed in lanes.

use std::collections::HashMap;
use std::rc::Rc;

use hash_lanes::Backend;

use super::{Hit, verify};
use crate::candidate_hasher::layout::{Layout, prefix_words};
use crate::candidate_hasher::pending::Pending;
use crate::candidate_hasher::table::{Masks, Sums, Table};
use crate::candidate_hasher::{CandidateHasher, HashTable};
use crate::format::{Anchor, Approach, Batch, Format, Subtree};
use crate::kind::Version;
use crate::number::{CHECKSUMS, MAX_LENGTH, Natural, Number};
use crate::pattern::Pattern;
use crate::pattern::alphabet::Alphabet;
use crate::search_space::Part;
use crate::search_space::dfa::{Dfa, StateId};

impl Format for Version {
    type Number = Number;
    type Hit = Hit;
    type Batch = InLanes;

    const IS_SECRET: bool = false;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn is_possible(self, pattern: &Pattern, _: usize) -> bool {
        self.alphabet() == Alphabet::Bitcoin || pattern.may_begin_like(self)
    }

    fn alphabet(self) -> Alphabet {
        Self::alphabet(self)
    }

    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Number, Number)> {
        let (bytes, places) = (self.address_bytes(), length - leading_ones);
        // Leading zeros cannot reach into the checksum: the checksum of an all-zero message does
        // not begin with 0.
        if leading_ones > bytes - 4 || places == 0 {
            return None;
        }
        let (first, last) = self.interval();
        // The smallest number with one more byte than this.
        let beyond = |bytes| Number::of_bytes(&[&[1], &vec![0; bytes][..]].concat());
        let min = beyond(bytes - 1 - leading_ones).max(Number::product(1, places - 1));
        let max = beyond(bytes - leading_ones) - 1.into();
        Some((first.max(min), last.min(max)))
    }

    fn by_chance(_: &Dfa, part: &Part) -> f64 {
        part.numbers.count.rounded() / CHECKSUMS as f64
    }

    fn hit(self, text: &str) -> Option<Hit> {
        let is_right = verify::version_in(text, self.alphabet()) == Some(self);
        is_right.then(|| Hit { address: text.to_owned(), version: self })
    }

    fn text(hit: &Hit) -> &str {
        &hit.address
    }

    fn of(hit: &Hit) -> Self {
        hit.version
    }
}

/// Prefixes, and tables of their sums, that are hashed in lanes.
pub struct InLanes {
    hasher: CandidateHasher,
    layout: Layout,
    pending: Box<Pending>,
    masks: Masks,
    /// The sums of a table from which some tail carries.
    carried: Sums,
    /// By part and state.
    tables: HashMap<(usize, StateId), Option<Rc<Table>>>,
}

impl Batch<Version> for InLanes {
    fn new(backend: Backend) -> Self {
        Self {
            hasher: CandidateHasher::new(backend),
            layout: Layout::of(Version::byte(0)),
            pending: Pending::new(),
            masks: Masks::default(),
            carried: Sums::default(),
            tables: HashMap::new(),
        }
    }

    fn begin(&mut self, version: Version) {
        self.layout = Layout::of(version);
        self.pending.layout = self.layout;
        self.pending.entries.clear();
    }

    fn len(&self) -> usize {
        self.pending.len()
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.pending.is_full()
    }

    #[inline]
    fn push(&mut self, begin: Number, anchor: &Anchor, shift: u64, from: u32, to: u32) {
        self.pending.push(prefix_words(begin), anchor, shift, from, to);
    }

    #[inline]
    fn widen(&mut self, anchor: &Anchor, shift: u64, to: u32) {
        self.pending.widen(anchor, shift, to);
    }

    fn hash(&mut self, dfa: &Dfa, found: &mut Vec<Number>) -> u64 {
        let pending = &mut *self.pending;
        self.hasher.hash_pending(pending);
        for at in set_bits(&pending.in_range, self.hasher.group(), pending.len()) {
            if pending.entries[at].allows(dfa, pending.low_words(at)) {
                found.push(pending.number(at));
            }
        }
        let hashes = pending.len() as u64;
        pending.entries.clear();
        hashes
    }

    fn search(&mut self, at: &Subtree<'_, Version>, found: &mut Vec<Number>) -> Approach {
        let &Subtree { dfa, node, .. } = at;
        // Candidates that may share prefixes are collected in order, which shows which ones do.
        if at.dense {
            return Approach::Collect;
        }
        if Table::pays(dfa, node) {
            let make = || Table::new(dfa, node, self.layout).map(Rc::new);
            let table = self.tables.entry((at.part, node.state)).or_insert_with(make).clone();
            if let Some(hashes) = table.and_then(|table| self.search_table(&table, at, found)) {
                return Approach::Searched(hashes);
            }
        }
        let pays_later = Table::may_pay_later(dfa, node);
        if pays_later { Approach::Divide } else { Approach::Collect }
    }
}

impl InLanes {
    /// Searches all candidates with a head from the table. Returns the number of hashes, or `None`
    /// if the sums do not fit.
    fn search_table(
        &mut self,
        table: &Table,
        at: &Subtree<'_, Version>,
        found: &mut Vec<Number>,
    ) -> Option<u64> {
        let Self { hasher, layout, masks, carried, .. } = self;
        let (hasher, layout, count) = (*hasher, *layout, table.sums.len());
        let first = at.node.base + u64::from(table.tail.first).into();
        let limbs = layout.limbs(first);
        if !table.fits(&limbs) {
            return None;
        }
        let (sums, tail) = (&table.sums, &table.tail);
        hasher.hash_table(HashTable { layout, base: limbs, sums, tail, masks });
        let hits = set_bits(&masks.hits, hasher.group(), count);
        let begin = |at: usize| (first + table.numbers[at]).first_with_prefix();
        let mut fitting: Vec<Number> = hits.map(begin).collect();

        // After the carry, the rest of the tail is the same modulo 2^32, so the test is the same.
        let carrying: Vec<usize> = set_bits(&masks.carries, hasher.group(), count).collect();
        carried.fill(carrying.iter().map(|&at| table.sums.at(at)));
        let next = layout.limbs(first + CHECKSUMS.into());
        hasher.hash_table(HashTable { layout, base: next, sums: carried, tail, masks });
        let hits = set_bits(&masks.hits, hasher.group(), carrying.len());
        fitting.extend(hits.map(|at| begin(carrying[at]) + CHECKSUMS.into()));

        for begin in fitting {
            let mut message = Vec::new();
            begin.append_message(at.format.message_bytes(), &mut message);
            found.push(begin + u64::from(verify::checksum(&message)).into());
        }
        Some((count + carrying.len()) as u64)
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
