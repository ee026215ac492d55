//! Turns a damaged key and its possible kinds into sets of texts to search.

use std::fmt;

use zeroize::Zeroize;

use super::wide::{LIMBS, Wide, weight};
use super::{KEY_KINDS, KeyKind, MAX_LENGTH, Marker, mini};
use crate::number::{CHECKSUMS, Number, SMALL_WEIGHTS, TAIL_PLACES};
use crate::pattern::alphabet::{Alphabet, BASE};
use crate::pattern::damage::Damage;
use crate::pattern::{ParseError, Pattern};
use crate::search_space::dfa::{Dfa, Rests, StateId};

/// The number of candidates that are drawn to see how many have a legal marker.
const SAMPLES: u64 = 1 << 13;

/// The maximum number of candidates from which some are drawn. With more, the answer is noise
/// whatever their markers are.
const MAX_SAMPLED: Number = Number::new(1 << 72);

/// A damaged key, written like a damaged address: see [`Pattern`]. Labels, quotation marks, white
/// space and dashes are ignored, but nothing else may surround it.
///
/// [`Case::Auto`](crate::Case::Auto) keeps the case of a text with letters of both cases.
///
/// The text is not kept, what it may stand for is wiped when it is dropped, and `Debug` does not
/// show it.
pub struct KeyPattern {
    pattern: Pattern,
}

impl KeyPattern {
    /// Parses a text with some damage.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] that concerns a character, `Empty` or `KeyLength`.
    pub fn new(text: &str, damage: Damage) -> Result<Self, ParseError> {
        Pattern::of_key(text, damage).map(|pattern| Self { pattern })
    }

    pub(crate) fn places(&self) -> &Pattern {
        &self.pattern
    }
}

impl fmt::Debug for KeyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyPattern").finish_non_exhaustive()
    }
}

/// Everything known about a key: its damaged text and its possible kinds.
///
/// ```
/// use addr_recover::{Damage, KeyKind, KeyPattern, KeySearch, KeySpace};
///
/// // From the wiki of Bitcoin, with two unreadable characters.
/// let text = "5HueCGU8rMjxEXxiPuD?BDku4MkFqeZyd4dZ1jvhTVqvbTLv?TJ";
/// let pattern = KeyPattern::new(text, Damage::default())?;
/// let space = KeySpace::new(&pattern, &KeyKind::matching("wif"))?;
/// let outcome = KeySearch::new(&space).run().expect("not cancelled");
/// assert_eq!(outcome.hits[0].key(), "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ");
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
pub struct KeySpace {
    dfas: Vec<Dfa<Counts>>,
    parts: Vec<Part>,
    candidates: Number,
    expected: f64,
    steps: u64,
}

/// The texts of one length that may be keys of one kind.
pub(crate) struct Part {
    /// The index of the DFA.
    dfa: usize,
    pub(crate) kind: KeyKind,
    /// The digits of the smallest and the greatest legal number.
    bounds: [Vec<u8>; 2],
}

/// Some first digits of the candidates of a part.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) state: StateId,
    /// The number of digits that follow.
    pub(crate) places: usize,
    /// The number that the digits make, if only zeros follow.
    pub(crate) number: Wide,
    /// Whether the digits are the first ones of the smallest and the greatest legal number.
    pub(super) on_bounds: [bool; 2],
}

impl KeySpace {
    /// Builds the search space of a damaged key for some kinds.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if the damage is too complex.
    pub fn new(pattern: &KeyPattern, kinds: &[KeyKind]) -> Result<Self, ParseError> {
        let pattern = pattern.places();
        let mut space = Self {
            dfas: Vec::new(),
            parts: Vec::new(),
            candidates: Number::ZERO,
            expected: 0.0,
            steps: 0,
        };
        for length in pattern.lengths(MAX_LENGTH) {
            // In the order of all kinds, and each once.
            let parts: Vec<Part> = KEY_KINDS
                .iter()
                .filter(|kind| kinds.contains(kind))
                .filter_map(|&kind| Part::new(space.dfas.len(), kind, length))
                .collect();
            if !parts.is_empty() {
                space.dfas.push(Dfa::new(pattern, length, Alphabet::Bitcoin)?);
                parts.into_iter().for_each(|part| space.add(part));
            }
        }
        Ok(space)
    }

    fn add(&mut self, part: Part) {
        let dfa = &self.dfas[part.dfa];
        let Some(root) = part.root(dfa) else { return };
        let count = part.count(dfa, root);
        if count == 0 {
            return;
        }
        self.candidates = self.candidates.saturating_add(count);
        self.expected += count.as_f64()
            * if part.kind.is_mini() {
                1.0 / mini::CHECKS
            } else {
                part.legal_fraction(dfa, root, count) / CHECKSUMS.as_f64()
            };
        self.steps = self.steps.saturating_add(part.steps(dfa, root));
        self.parts.push(part);
    }

    /// The number of texts that the damage allows and that have the length and the first bytes of
    /// a key, whatever their checksum: exact up to 2^256, in decimal.
    #[must_use]
    pub fn candidates(&self) -> String {
        self.candidates.to_string()
    }

    /// About how many keys are expected by chance: one in 2^32 candidates has a correct checksum,
    /// and one in 256 mini keys is legal. Most kinds also have a byte with few legal values.
    #[must_use]
    pub fn expected_by_chance(&self) -> f64 {
        self.expected
    }

    /// The number of steps of a search: one for all candidates that differ only in their last five
    /// characters, and at most two hashes; one for each mini key. Saturating.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn dfa(&self, part: &Part) -> &Dfa<Counts> {
        &self.dfas[part.dfa]
    }
}

impl Drop for KeySpace {
    fn drop(&mut self) {
        self.dfas.iter_mut().for_each(Dfa::wipe);
    }
}

impl fmt::Debug for KeySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySpace").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

impl Part {
    /// The texts of a length that are keys of a kind; `None` if none is as long.
    fn new(dfa: usize, kind: KeyKind, length: usize) -> Option<Self> {
        if kind.is_mini() {
            let filled = |digit| {
                let mut digits = vec![digit; length];
                digits[0] = mini::FIRST.1;
                digits
            };
            return mini::LENGTHS.contains(&length).then(|| Self {
                dfa,
                kind,
                bounds: [0, BASE as u8 - 1].map(filled),
            });
        }
        let filled = |byte| {
            let mut bytes = kind.prefix.to_vec();
            bytes.resize(kind.bytes(), byte);
            Wide::of_bytes(&bytes).digits().to_vec()
        };
        let [mut low, mut high] = [0, 0xff].map(filled);
        if !(low.len()..=high.len()).contains(&length) {
            return None;
        }
        if low.len() < length {
            low = vec![0; length];
            low[0] = 1;
        }
        if high.len() > length {
            high = vec![BASE as u8 - 1; length];
        }
        Some(Self { dfa, kind, bounds: [low, high] })
    }

    pub(crate) fn root(&self, dfa: &Dfa<Counts>) -> Option<Node> {
        let (places, number) = (dfa.length(), Wide::ZERO);
        dfa.root().map(|state| Node { state, places, number, on_bounds: [true; 2] })
    }

    /// The nodes with one more digit, ascending.
    pub(crate) fn children<'a>(
        &'a self,
        dfa: &'a Dfa<Counts>,
        node: &'a Node,
    ) -> impl Iterator<Item = Node> + 'a {
        let at = dfa.length() - node.places;
        let [low, high] = [0, 1].map(|end| usize::from(self.bounds[end][at]));
        let limbs = Wide::limbs_of(self.kind.bytes());
        let [on_low, on_high] = node.on_bounds;
        dfa.digits(node.state)
            .filter(move |&(digit, _)| !(on_low && digit < low || on_high && digit > high))
            .map(move |(digit, state)| {
                let weight = weight(node.places - 1);
                Node {
                    state,
                    places: node.places - 1,
                    number: node.number.plus_product(digit as u64, weight, limbs),
                    on_bounds: [on_low && digit == low, on_high && digit == high],
                }
            })
    }

    /// The only head that begins like a node, if all its candidates are legal numbers that differ
    /// only in their tails.
    pub(crate) fn only_head(&self, dfa: &Dfa<Counts>, node: &Node) -> Option<Node> {
        let Counts { heads, only_head: (state, head), .. } = dfa.rests(node.state);
        let is_inside = node.on_bounds == [false; 2] && node.places > TAIL_PLACES;
        (is_inside && *heads == 1).then(|| {
            let number = node.number.plus_product(1, head, Wide::limbs_of(self.kind.bytes()));
            Node { state: *state, places: TAIL_PLACES, number, on_bounds: [false; 2] }
        })
    }

    /// The number of candidates that begin like a node.
    fn count(&self, dfa: &Dfa<Counts>, node: Node) -> Number {
        if node.on_bounds == [false; 2] || node.places == 0 {
            return dfa.rests(node.state).count;
        }
        let counts = self.children(dfa, &node).map(|child| self.count(dfa, child));
        counts.fold(Number::ZERO, Number::saturating_add)
    }

    /// The number of steps for the candidates that begin like a node.
    pub(crate) fn steps(&self, dfa: &Dfa<Counts>, node: Node) -> u64 {
        if self.kind.is_mini() {
            return self.count(dfa, node).try_into().unwrap_or(u64::MAX);
        }
        self.heads(dfa, node)
    }

    /// The number of heads that begin like a node.
    fn heads(&self, dfa: &Dfa<Counts>, node: Node) -> u64 {
        if node.on_bounds == [false; 2] || node.places <= TAIL_PLACES {
            return dfa.rests(node.state).heads;
        }
        let heads = self.children(dfa, &node).map(|child| self.heads(dfa, child));
        heads.fold(0, u64::saturating_add)
    }

    /// Whether a number has a legal marker.
    pub(crate) fn is_legal(&self, number: &Wide) -> bool {
        self.kind.marker.is_none_or(|Marker { offset, values }| {
            values.contains(&number.byte(self.kind.bytes() - 1 - offset))
        })
    }

    /// Estimates the fraction of candidates with a legal marker from a sample, or from all if there
    /// are few.
    fn legal_fraction(&self, dfa: &Dfa<Counts>, root: Node, count: Number) -> f64 {
        let Some(Marker { values, .. }) = self.kind.marker else { return 1.0 };
        if count > MAX_SAMPLED {
            return values.len() as f64 / 256.0;
        }
        // Most keys begin with many known digits.
        let mut node = root;
        while let Some(only) = self.only_child(dfa, &node) {
            node = only;
        }
        let branches: Vec<(Node, Number)> = if node.places == 0 {
            vec![(node, Number::ONE)]
        } else {
            let children = self.children(dfa, &node);
            children.map(|child| (child, self.count(dfa, child))).collect()
        };
        let mut random = SplitMix(0);
        let are_few = count <= Number::from(SAMPLES);
        let samples = if are_few { count.as_u64() } else { SAMPLES };
        let is_legal = |&at: &u64| {
            let mut rank = if are_few { Number::from(at) } else { random.number() % count };
            let branch = branches.iter().find(|(_, count)| {
                let is_here = rank < *count;
                rank -= if is_here { Number::ZERO } else { *count };
                is_here
            });
            branch.is_some_and(|&(node, _)| self.is_legal(&self.candidate(dfa, node, rank)))
        };
        let legal = (0..samples).filter(is_legal).count();
        // A fraction that is too small to be seen is not zero.
        let unseen = u64::from(!are_few);
        (legal as u64 + unseen) as f64 / (samples + unseen) as f64
    }

    /// The candidate that begins like a node and has this many smaller ones that do.
    fn candidate(&self, dfa: &Dfa<Counts>, mut node: Node, mut rank: Number) -> Wide {
        while let Some(only) = self.only_child(dfa, &node) {
            node = only;
        }
        if node.places == 0 {
            return node.number;
        }
        let mut children = self.children(dfa, &node);
        let child = children.find(|child| {
            let count = self.count(dfa, *child);
            let is_here = rank < count;
            rank -= if is_here { Number::ZERO } else { count };
            is_here
        });
        child.map_or(node.number, |child| self.candidate(dfa, child, rank))
    }

    fn only_child(&self, dfa: &Dfa<Counts>, node: &Node) -> Option<Node> {
        if node.places == 0 {
            return None;
        }
        let mut children = self.children(dfa, node);
        children.next().filter(|_| children.next().is_none())
    }
}

/// The rests of texts of any length.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// The number of rests; saturating.
    pub(crate) count: Number,
    /// The number of heads, which are rests without their tails; saturating.
    pub(crate) heads: u64,
    /// If there is only one head: the state that it leads to, and the number that it makes.
    pub(crate) only_head: (StateId, Wide),
    /// Within the tail, the smallest and the greatest number that the rests make.
    pub(crate) ends: (u64, u64),
}

impl Zeroize for Counts {
    fn zeroize(&mut self) {
        self.only_head.1.zeroize();
        self.ends.zeroize();
    }
}

impl Rests for Counts {
    const ENDING: Self =
        Self { count: Number::ONE, heads: 1, only_head: (0, Wide::ZERO), ends: (0, 0) };

    fn new<'a>(
        state: StateId,
        place: usize,
        target: impl Fn(usize) -> Option<&'a Self>,
    ) -> Option<Self> {
        let rests = || (0..BASE).filter_map(|digit| Some((digit as u64, target(digit)?)));
        let ((first, first_rests), (last, last_rests)) = (rests().next()?, rests().last()?);
        let (mut heads, mut only_head, mut ends) = (1, (state, Wide::ZERO), (0, 0));
        if place >= TAIL_PLACES {
            let (state, head) = last_rests.only_head;
            only_head = (state, head.plus_product(last, weight(place), LIMBS));
            heads = rests().fold(0, |sum: u64, (_, next)| sum.saturating_add(next.heads));
        } else {
            let weight = SMALL_WEIGHTS[place];
            ends = (first * weight + first_rests.ends.0, last * weight + last_rests.ends.1);
        }
        let count = rests().fold(Number::ZERO, |sum, (_, next)| sum.saturating_add(next.count));
        Some(Self { count, heads, only_head, ends })
    }
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

    fn number(&mut self) -> Number {
        let mut wide = || self.word() << 64 | self.word();
        Number::from_words(wide(), wide())
    }
}
