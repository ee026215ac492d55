//! Keys: what the bytes of a kind mean for a search, and how prefixes are hashed.

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;
use zeroize::{Zeroize, Zeroizing};

use super::decode::decode;
use super::hit::KeyHit;
use super::mini::{self, MiniKeys};
use super::{KEY_KINDS, KeyKind, MAX_LENGTH, Marker};
use crate::format::{Anchor, Approach, Batch, Entry, Format, Subtree};
use crate::number::wide::Wide;
use crate::number::{CHECKSUMS, Natural, Number};
use crate::pattern::alphabet::{Alphabet, BASE};
use crate::pattern::{ParseError, Pattern};
use crate::search_space::dfa::{Dfa, StateId};
use crate::search_space::number_set::NumberSet;
use crate::search_space::{Part, SearchSpace};

/// The number of messages per call of the hash.
const BATCH: usize = 1024;

/// The number of candidates that are drawn to see how many have a legal marker.
const SAMPLES: u64 = 1 << 12;

/// The maximum number of candidates from which some are drawn: 2^72. With more, the answer is noise
/// whatever their markers are.
const MAX_SAMPLED: f64 = 4_722_366_482_869_645_213_696.0;

impl Format for KeyKind {
    type Number = Wide;
    type Hit = KeyHit;
    type Batch = Messages;

    const IS_SECRET: bool = true;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn space(pattern: &Pattern, kinds: &[Self]) -> Result<SearchSpace<Self>, ParseError> {
        // In the order of all kinds, and each once.
        let kinds: Vec<Self> =
            KEY_KINDS.iter().filter(|kind| kinds.contains(kind)).copied().collect();
        let mut dfas = Vec::new();
        for length in pattern.lengths(MAX_LENGTH) {
            if kinds.iter().any(|kind| kind.bounds(length, 0).is_some()) {
                dfas.push(Dfa::new(pattern, length, Alphabet::Bitcoin)?);
            }
        }
        Ok(SearchSpace::of(dfas, &kinds))
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
            Some(marker) => count * legal_fraction(dfa, part, marker) / CHECKSUMS.as_f64(),
            None => count / CHECKSUMS.as_f64(),
        }
    }

    fn hashes(self, numbers: NumberSet<Wide>) -> f64 {
        if self.is_mini() { numbers.count.rounded() } else { numbers.prefixes() }
    }

    fn hit(self, text: &str) -> Option<KeyHit> {
        let (_, kind) = decode(text)?;
        KeyHit::of(text).filter(|_| kind == self)
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

/// Estimates the fraction of candidates with a legal marker from a sample, or from all if there are
/// few.
fn legal_fraction(dfa: &Dfa<Wide>, part: &Part<KeyKind>, marker: Marker) -> f64 {
    let count = part.numbers.count;
    if count.rounded() > MAX_SAMPLED {
        return marker.values.len() as f64 / 256.0;
    }
    let are_few = count <= SAMPLES.into();
    let samples = if are_few { count.low() } else { SAMPLES };
    let mut branches = Vec::new();
    append(dfa, part, (part.root, part.places, 0.into()), &mut branches);
    let mut random = SplitMix(0);
    let is_legal = |&at: &u64| {
        let rank = if are_few { at.into() } else { random.below(count) };
        part.format.has_marker(candidate(dfa, &branches, rank))
    };
    let legal = (0..samples).filter(is_legal).count() as u64;
    // A fraction that is too small to be seen is not zero.
    let unseen = u64::from(!are_few);
    (legal + unseen) as f64 / (samples + unseen) as f64
}

/// Some first digits, after which all numbers are legal: the state that they lead to, the number of
/// digits that follow, and the number that they make.
type Branch = (StateId, usize, Wide);

/// Appends the branches of the candidates that begin like a branch.
fn append(dfa: &Dfa<Wide>, part: &Part<KeyKind>, branch: Branch, branches: &mut Vec<Branch>) {
    let (state, places, number) = branch;
    let all = dfa.numbers(state).shifted(number);
    let (low, high) = part.bounds;
    if all.first >= low && all.last <= high {
        branches.push(branch);
    } else if all.last >= low && all.first <= high {
        for (digit, next) in dfa.digits(state) {
            let number = number + Wide::product(digit, places - 1);
            append(dfa, part, (next, places - 1, number), branches);
        }
    }
}

/// The candidate of some branches that has this many before it.
fn candidate(dfa: &Dfa<Wide>, branches: &[Branch], mut rank: Wide) -> Wide {
    let mut is_here = |state| {
        let count = dfa.count(state);
        let is_here = rank < count;
        rank = if is_here { rank } else { rank - count };
        is_here
    };
    let branch = branches.iter().find(|&&(state, ..)| is_here(state));
    let &(mut state, places, mut number) =
        branch.expect("ranks are below the number of candidates");
    for place in (0..places).rev() {
        if let Some((digit, next)) = dfa.digits(state).find(|&(_, next)| is_here(next)) {
            (state, number) = (next, number + Wide::product(digit, place));
        }
    }
    number
}

/// The generator `SplitMix64`: its draws are the same on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn word(&mut self) -> u128 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(word ^ word >> 31)
    }

    /// A number below a limit of at most 2^72.
    fn below(&mut self, limit: Wide) -> Wide {
        let mut wide = || self.word() << 64 | self.word();
        let random = Number::from_words(wide(), wide());
        let limit = limit.digits().iter().fold(Number::ZERO, |sum, &digit| {
            sum * Number::from(BASE as u64) + Number::from(digit)
        });
        (random % limit).into()
    }
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

    fn widen_to_all(&mut self) {
        if let Some((entry, checksums)) = self.entries.last_mut().filter(|_| self.is_legal) {
            entry.has_more_anchors = true;
            *checksums = [0, u32::MAX];
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
