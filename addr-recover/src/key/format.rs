//! Keys: what the bytes of a kind mean for a search, and how prefixes are hashed.

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;
use zeroize::{Zeroize, Zeroizing};

use super::hit::KeyHit;
use super::mini::{self, MiniKeys};
use super::{KEY_KINDS, KeyKind, MAX_LENGTH, Marker};
use crate::format::{Anchor, Approach, Batch, Entry, Format, Subtree};
use crate::number::{CHECKSUMS, Natural, Wide};
use crate::pattern::Pattern;
use crate::pattern::alphabet::Alphabet;
use crate::search_space::Part;
use crate::search_space::dfa::{Dfa, Node};
use crate::search_space::number_set::NumberSet;

/// The number of messages per call of the hash.
const BATCH: usize = 1024;

/// The number of candidates that are drawn to see how many have a legal marker.
const SAMPLES: u64 = 1 << 12;

/// The maximum number of candidates from which some are drawn: 2^72.
const MAX_SAMPLED: f64 = 4_722_366_482_869_645_213_696.0;

impl Format for KeyKind {
    type Number = Wide;
    type Hit = KeyHit;
    type Batch = Messages;

    const IS_SECRET: bool = true;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn is_possible(self, _: &Pattern, length: usize) -> bool {
        self.bounds(length, 0).is_some()
    }

    fn alphabet(self) -> Alphabet {
        Alphabet::Bitcoin
    }

    /// No key begins with a zero byte, and so none with a `1`.
    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Wide, Wide)> {
        let of_length = (Wide::product(1, length - 1), Wide::product(1, length) - 1.into());
        let (first, last) = if self.is_mini() {
            mini::LENGTHS.contains(&length).then_some(())?;
            let begin = |digit| Wide::product(digit, length - 1);
            let first = usize::from(mini::FIRST.1);
            (begin(first), begin(first + 1) - 1.into())
        } else {
            let filled = |byte| {
                let mut bytes = self.prefix.to_vec();
                bytes.resize(self.bytes(), byte);
                Wide::of_bytes(&bytes)
            };
            (filled(0), filled(0xff))
        };
        let bounds = (first.max(of_length.0), last.min(of_length.1));
        (leading_ones == 0 && bounds.0 <= bounds.1).then_some(bounds)
    }

    fn by_chance(dfa: &Dfa<Wide>, part: &Part<Self>) -> f64 {
        let count = part.numbers.count.rounded();
        match part.format.marker {
            _ if part.format.is_mini() => count / mini::CHECKS,
            Some(marker) => count * legal_fraction(dfa, part, marker) / CHECKSUMS as f64,
            None => count / CHECKSUMS as f64,
        }
    }

    fn hashes(self, numbers: NumberSet<Wide>) -> f64 {
        if self.is_mini() { numbers.count.rounded() } else { numbers.prefixes() }
    }

    fn hit(self, text: &str) -> Option<KeyHit> {
        KeyHit::of(text).filter(|hit| hit.kind == self)
    }

    fn text(hit: &KeyHit) -> &str {
        hit.key()
    }

    fn of(hit: &KeyHit) -> Self {
        hit.kind()
    }
}

impl KeyKind {
    /// Whether a number has a legal marker.
    fn has_marker(self, number: Wide) -> bool {
        self.marker.is_none_or(|Marker { offset, values }| {
            values.contains(&number.byte(self.bytes() - 1 - offset))
        })
    }
}

/// Estimates the fraction of candidates with a legal marker from some of them, or from all if there
/// are few.
fn legal_fraction(dfa: &Dfa<Wide>, part: &Part<KeyKind>, marker: Marker) -> f64 {
    let count = part.numbers.count;
    // The answer is noise whatever the markers are.
    if count.rounded() > MAX_SAMPLED {
        return marker.values.len() as f64 / 256.0;
    }
    let are_few = count <= SAMPLES.into();
    let samples = if are_few { count.low() } else { SAMPLES };
    let mut branches = Vec::new();
    dfa.inside(part.root, part.bounds, &mut |node| branches.push(node));
    let is_legal = |&at: &u64| {
        // Multiples of the golden ratio spread evenly, and are the same on every machine.
        let rank = || count.fraction(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rank = if are_few { at.into() } else { rank() };
        part.format.has_marker(candidate(dfa, &branches, rank))
    };
    let legal = (0..samples).filter(is_legal).count() as u64;
    // A fraction that is too small to be seen is not zero.
    let unseen = u64::from(!are_few);
    (legal + unseen) as f64 / (samples + unseen) as f64
}

/// The candidate of some nodes that has this many before it.
fn candidate(dfa: &Dfa<Wide>, nodes: &[Node<Wide>], mut rank: Wide) -> Wide {
    let mut is_here = |state| {
        let count = dfa.count(state);
        let is_here = rank < count;
        rank = if is_here { rank } else { rank - count };
        is_here
    };
    let node = nodes.iter().find(|node| is_here(node.state));
    let &Node { mut state, places, base: mut number } =
        node.expect("ranks are below the number of candidates");
    for place in (0..places).rev() {
        if let Some((digit, next)) = dfa.digits(state).find(|&(_, next)| is_here(next)) {
            (state, number) = (next, number + Wide::product(digit, place));
        }
    }
    number
}

/// Prefixes that are hashed as messages, or mini keys.
pub struct Messages {
    backend: Backend,
    kind: KeyKind,
    /// The smallest number with each prefix that has a legal marker.
    prefixes: Zeroizing<Vec<Wide>>,
    entries: Vec<(Entry, [u32; 2])>,
    /// Whether the last prefix has a legal marker.
    is_legal: bool,
    /// The number of prefixes, of any marker.
    tried: usize,
    messages: Zeroizing<Vec<u8>>,
    digests: Vec<[u8; 32]>,
    mini: MiniKeys,
}

impl Batch<KeyKind> for Messages {
    fn new(backend: Backend) -> Self {
        Self {
            backend,
            kind: KEY_KINDS[0],
            prefixes: Zeroizing::new(Vec::with_capacity(BATCH)),
            entries: Vec::with_capacity(BATCH),
            is_legal: false,
            tried: 0,
            messages: Zeroizing::new(Vec::with_capacity(BATCH * MAX_LENGTH)),
            digests: vec![[0; 32]; BATCH],
            mini: MiniKeys::new(backend),
        }
    }

    fn begin(&mut self, kind: KeyKind) {
        self.clear();
        self.kind = kind;
    }

    fn len(&self) -> usize {
        self.tried
    }

    fn is_full(&self) -> bool {
        self.entries.len() == BATCH
    }

    fn push(&mut self, begin: Wide, anchor: &Anchor, shift: u64, from: u32, to: u32) {
        self.tried += 1;
        self.is_legal = self.kind.has_marker(begin);
        if self.is_legal {
            self.prefixes.push(begin);
            let entry = Entry { anchor: *anchor, shift, has_more_anchors: false };
            self.entries.push((entry, [from, to]));
        }
    }

    fn widen(&mut self, anchor: &Anchor, shift: u64, to: u32) {
        if let Some((entry, [_, end])) = self.entries.last_mut().filter(|_| self.is_legal) {
            entry.widen(anchor, shift);
            *end = to;
        }
    }

    fn hash(&mut self, dfa: &Dfa<Wide>, found: &mut Vec<Wide>) -> u64 {
        let length = self.kind.message_bytes;
        for prefix in self.prefixes.iter() {
            prefix.append_message(length, &mut self.messages);
        }
        let digests = &mut self.digests[..self.prefixes.len()];
        let messages = self.messages.chunks_exact(length);
        Sha256Lanes::on(self.backend).double_hash_many_into(messages, digests);
        for ((&prefix, (entry, [from, to])), &[a, b, c, d, ..]) in
            self.prefixes.iter().zip(&self.entries).zip(&*digests)
        {
            let checksum = u32::from_be_bytes([a, b, c, d]);
            let number = prefix + u64::from(checksum).into();
            if (*from..=*to).contains(&checksum) && entry.allows(dfa, number.low()) {
                found.push(number);
            }
        }
        let hashes = self.prefixes.len() as u64;
        self.clear();
        hashes
    }

    fn search(&mut self, at: &Subtree<'_, KeyKind>, found: &mut Vec<Wide>) -> Approach {
        if at.format.is_mini() { self.mini.search(at, found) } else { Approach::Collect }
    }
}

impl Messages {
    fn clear(&mut self) {
        self.prefixes.zeroize();
        self.messages.clear();
        self.entries.clear();
        self.tried = 0;
    }
}
