//! Keys: which of their numbers are legal, how prefixes are hashed, and how a text is decoded.

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;
use zeroize::{Zeroize, Zeroizing};

use super::{KeyFormat, KeyKind, MAX_LENGTH, MINI, Marker, mini};
use crate::alphabet::Alphabet;
use crate::dfa::{Dfa, Node};
use crate::format::Batch;
use crate::format::{Format, Hasher, Hit};
use crate::number::{CHECKSUMS, Natural, Wide};
use crate::pattern::Pattern;

/// The number of candidates that are drawn to see how many have a legal marker.
const SAMPLES: u64 = 1 << 12;

/// The maximum number of candidates from which some are drawn: 2^72.
const MAX_SAMPLED: f64 = 4_722_366_482_869_645_213_696.0;

impl Format for KeyKind {
    type Number = Wide;
    type Hasher = KeyHasher;
    type Columns = ();

    const IS_SECRET: bool = true;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn of(text: &str, alphabet: Alphabet) -> Option<Self> {
        (alphabet == Alphabet::Bitcoin).then(|| decode(text).map(|(_, kind)| kind)).flatten()
    }

    fn is_possible(self, _: &Pattern, length: usize) -> bool {
        self.bounds(length, 0).is_some()
    }

    fn alphabet(self) -> Alphabet {
        Alphabet::Bitcoin
    }

    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Wide, Wide)> {
        if !self.is_mini() {
            return Wide::written(self.prefix, self.bytes(), leading_ones, length - leading_ones);
        }
        let begin = |digit| Wide::product(digit, length - 1);
        let (first, next) = (usize::from(mini::FIRST.1), usize::from(mini::FIRST.1) + 1);
        let is_possible = leading_ones == 0 && mini::LENGTHS.contains(&length);
        is_possible.then(|| (begin(first), begin(next) - 1.into()))
    }

    fn by_chance(self, dfa: &Dfa<Wide>, root: Node<Wide>) -> f64 {
        let count = dfa.numbers(root).count.rounded();
        if self.is_mini() {
            return count / mini::CHECKS;
        }
        count * self.legal_fraction(dfa, root) / CHECKSUMS as f64
    }

    fn has_checksum(self) -> bool {
        !self.is_mini()
    }
}

impl KeyKind {
    /// Whether a number has a legal marker.
    fn has_marker(self, number: Wide) -> bool {
        self.marker.is_none_or(|Marker { offset, values }| {
            values.contains(&number.byte(self.bytes() - 1 - offset))
        })
    }

    /// Estimates the fraction of candidates with a legal marker from some of them, or from all if
    /// there are few.
    fn legal_fraction(self, dfa: &Dfa<Wide>, root: Node<Wide>) -> f64 {
        let Some(marker) = self.marker else { return 1.0 };
        let count = dfa.numbers(root).count;
        // The answer is noise whatever the markers are.
        if count.rounded() > MAX_SAMPLED {
            return marker.values.len() as f64 / 256.0;
        }
        let are_few = count <= SAMPLES.into();
        let samples = if are_few { count.low() } else { SAMPLES };
        let is_legal = |&at: &u64| {
            // Multiples of the golden ratio spread evenly, and are the same on every machine.
            let rank = || count.fraction(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            self.has_marker(candidate(dfa, root, if are_few { at.into() } else { rank() }))
        };
        let legal = (0..samples).filter(is_legal).count() as u64;
        // A fraction that is too small to be seen is not zero.
        let unseen = u64::from(!are_few);
        (legal + unseen) as f64 / (samples + unseen) as f64
    }
}

/// The candidate of a node that has this many before it.
fn candidate(dfa: &Dfa<Wide>, mut node: Node<Wide>, mut rank: Wide) -> Wide {
    while node.places > 0 {
        let is_here = |longer: &Node<Wide>| {
            let count = dfa.numbers(*longer).count;
            let is_here = rank < count;
            rank = if is_here { rank } else { rank - count };
            is_here
        };
        node = dfa.longer(node).find(is_here).expect("ranks are below the number of candidates");
    }
    node.base
}

/// Hashes prefixes of keys as messages, and mini keys.
pub struct KeyHasher {
    backend: Backend,
    /// The positions and the smallest numbers of prefixes that have a legal marker.
    prefixes: Vec<(usize, Wide)>,
    messages: Zeroizing<Vec<u8>>,
    digests: Vec<[u8; 32]>,
}

impl Hasher<KeyKind> for KeyHasher {
    fn new(backend: Backend) -> Self {
        Self {
            backend,
            prefixes: Vec::new(),
            messages: Zeroizing::new(Vec::new()),
            digests: Vec::new(),
        }
    }

    fn hash(
        &mut self,
        kind: KeyKind,
        base: Wide,
        batch: &Batch<KeyKind>,
        found: &mut Vec<(usize, Wide)>,
    ) -> u64 {
        self.prefixes.reserve(2 * batch.entries.len());
        for (at, entry) in batch.entries.iter().enumerate() {
            let smallest = base + entry.smallest;
            let carries = (smallest.low() as u32).checked_add(entry.span).is_none();
            let next = carries.then(|| smallest + CHECKSUMS.into());
            let legal = [Some(smallest), next].into_iter().flatten();
            let legal = legal.filter(|&number| kind.has_marker(number));
            self.prefixes.extend(legal.map(|number| (at, number)));
        }
        let length = kind.message_bytes;
        let all = length * self.prefixes.len();
        if all > self.messages.capacity() {
            // A list that grows by itself leaves copies behind.
            self.messages = Zeroizing::new(Vec::with_capacity(2 * all));
        }
        for (_, smallest) in &self.prefixes {
            smallest.append_message(length, &mut self.messages);
        }
        self.digests.resize(self.prefixes.len(), [0; 32]);
        let messages = self.messages.chunks_exact(length);
        Sha256Lanes::on(self.backend).double_hash_many_into(messages, &mut self.digests);
        for (&(at, smallest), &[a, b, c, d, ..]) in self.prefixes.iter().zip(&self.digests) {
            let checksum = u32::from_be_bytes([a, b, c, d]);
            if checksum.wrapping_sub(smallest.low() as u32) <= batch.entries[at].span {
                let number = smallest.first_with_prefix() + u64::from(checksum).into();
                found.push((at, number));
            }
        }
        self.prefixes.iter_mut().for_each(|(_, number)| number.zeroize());
        self.prefixes.clear();
        self.messages.clear();
        self.digests.len() as u64
    }

    fn hash_texts(
        &mut self,
        dfa: &Dfa<Wide>,
        node: Node<Wide>,
        found: &mut Vec<(usize, Wide)>,
    ) -> u64 {
        hash_texts(self.backend, dfa, node, found)
    }
}

/// Hashes every text of a node, for mini keys. Appends the legal ones, and returns the number of
/// texts.
fn hash_texts(
    backend: Backend,
    dfa: &Dfa<Wide>,
    node: Node<Wide>,
    found: &mut Vec<(usize, Wide)>,
) -> u64 {
    let (count, length) = (dfa.numbers(node).count.low() as usize, dfa.length + 1);
    // The first digit is not zero.
    let begin = node.base.text(0, Alphabet::Bitcoin);
    let mut text = Zeroizing::new(vec![b'?'; length]);
    text[..begin.len()].copy_from_slice(begin.as_bytes());
    let mut messages = Zeroizing::new(Vec::with_capacity(count * length));
    let mut numbers = Zeroizing::new(Vec::with_capacity(count));
    visit(dfa, node, &mut text, &mut |text, number| {
        messages.extend_from_slice(text);
        numbers.push(number);
    });
    let mut digests = vec![[0; 32]; count];
    let messages = messages.chunks_exact(length);
    Sha256Lanes::on(backend).hash_many_into(messages, &mut digests);
    let legal = numbers.iter().zip(&digests).filter(|(_, digest)| digest[0] == 0);
    found.extend(legal.map(|(&number, _)| (0, number)));
    count as u64
}

/// Visits the texts of a node, each followed by a question mark, and their numbers.
fn visit(
    dfa: &Dfa<Wide>,
    node: Node<Wide>,
    text: &mut [u8],
    visit_text: &mut impl FnMut(&[u8], Wide),
) {
    if node.places == 0 {
        return visit_text(text, node.base);
    }
    for ((digit, _), longer) in dfa.digits(node.state).zip(dfa.longer(node)) {
        text[dfa.length - node.places] = spelled(digit);
        visit(dfa, longer, text, visit_text);
    }
}

fn spelled(digit: usize) -> u8 {
    Alphabet::Bitcoin.character(digit) as u8
}

impl Hit<KeyKind> {
    /// The bytes of the key, without the checksum. For a mini key, the private key.
    #[must_use]
    pub fn bytes(&self) -> Zeroizing<Vec<u8>> {
        decode(&self.text).map(|(bytes, _)| bytes).unwrap_or_default()
    }
}

/// The order of the group of secp256k1 (SEC 2, section 2.4.1).
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The bytes and the kind of a text that is a valid key, case included; `None` if it is not.
fn decode(text: &str) -> Option<(Zeroizing<Vec<u8>>, KeyKind)> {
    if let Some(secret) = mini::decode(text) {
        return Some((secret, MINI));
    }
    let message = Alphabet::Bitcoin.decode(text)?;
    let kind = KeyKind::of(&message)?;
    is_legal(kind.format, &message).then_some((message, kind))
}

/// Whether the private key is in range, and an extended master key has no parent (BIP 32, test
/// vector 5). Whether a public key is on the curve is not checked.
fn is_legal(format: KeyFormat, message: &[u8]) -> bool {
    let is_in_range = |key: &[u8]| key < &ORDER[..] && key.iter().any(|&byte| byte != 0);
    let has_depth = || message[4] != 0 || message[5..13].iter().all(|&byte| byte == 0);
    match format {
        KeyFormat::Wif => is_in_range(&message[1..33]),
        KeyFormat::ExtendedPrivate => has_depth() && is_in_range(&message[46..]),
        KeyFormat::ExtendedPublic => has_depth(),
        KeyFormat::Encrypted | KeyFormat::Mini => true,
    }
}
