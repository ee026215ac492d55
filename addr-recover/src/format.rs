//! What a search for addresses and one for keys have in common, and how they differ: in the width
//! of their numbers, in which numbers are legal, and in how prefixes are hashed.

use std::fmt::Debug;

use hash_lanes::Backend;

use crate::number::Natural;
use crate::pattern::Pattern;
use crate::pattern::alphabet::Alphabet;
use crate::search_space::Part;
use crate::search_space::dfa::{Dfa, Node, StateId};
use crate::search_space::number_set::NumberSet;

/// What to search for: addresses with a [`Version`](crate::Version), or keys of a
/// [`KeyKind`](crate::KeyKind).
pub trait Format: Copy + Ord + Debug + Send + Sync + 'static {
    /// The numbers that texts make.
    type Number: Natural;

    /// A text whose checksum is correct.
    type Hit: Clone + Debug + PartialEq + Send + Sync;

    /// Hashes prefixes.
    type Batch: Batch<Self>;

    /// Whether what is known of a text is to be wiped.
    const IS_SECRET: bool;

    /// The maximum number of characters of a text.
    const MAX_LENGTH: usize;

    /// Whether a pattern may stand for a text of this length; `true` if that is not known.
    fn is_possible(self, pattern: &Pattern, length: usize) -> bool;

    /// The alphabet of the texts.
    fn alphabet(self) -> Alphabet;

    /// The smallest and the greatest legal number of texts of a length, without their leading `1`s.
    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Self::Number, Self::Number)>;

    /// How many of the candidates in a part are expected to be correct by chance.
    fn by_chance(dfa: &Dfa<Self::Number>, part: &Part<Self>) -> f64;

    /// The number of hashes for the candidates of a set.
    fn hashes(self, numbers: NumberSet<Self::Number>) -> f64 {
        numbers.prefixes()
    }

    /// The hit for a text; `None` if an independent decoder does not accept it.
    fn hit(self, text: &str) -> Option<Self::Hit>;

    /// The text of a hit.
    fn text(hit: &Self::Hit) -> &str;

    /// The format of a hit.
    fn of(hit: &Self::Hit) -> Self;
}

/// Prefixes of candidates of one part, collected until there are enough to hash them together.
pub trait Batch<F: Format> {
    /// Creates an empty batch.
    fn new(backend: Backend) -> Self;

    /// Begins with the prefixes of another part.
    fn begin(&mut self, format: F);

    /// The number of prefixes.
    fn len(&self) -> usize;

    /// Whether there is no room for another one.
    fn is_full(&self) -> bool;

    /// Adds the prefix of `begin`, its smallest number. It has candidates that pass through
    /// `anchor`, `shift` above its base, and have the checksums `from..=to`.
    fn push(&mut self, begin: F::Number, anchor: &Anchor, shift: u64, from: u32, to: u32);

    /// Adds candidates to the last prefix, with greater checksums up to `to`.
    fn widen(&mut self, anchor: &Anchor, shift: u64, to: u32);

    /// Hashes and removes all prefixes. Appends what may be candidates with the right checksum, and
    /// returns how many were hashed.
    fn hash(&mut self, dfa: &Dfa<F::Number>, found: &mut Vec<F::Number>) -> u64;

    /// Searches all candidates of a subtree at once, if there is a faster way than collecting their
    /// prefixes.
    fn search(&mut self, at: &Subtree<'_, F>, found: &mut Vec<F::Number>) -> Approach;
}

/// All candidates of a node. All are legal numbers.
pub struct Subtree<'a, F: Format> {
    pub(crate) format: F,
    /// The index of the part.
    pub(crate) part: usize,
    /// Whether candidates with different heads may share a prefix.
    pub(crate) dense: bool,
    pub(crate) dfa: &'a Dfa<F::Number>,
    pub(crate) node: Node<F::Number>,
}

/// How to search a subtree.
pub enum Approach {
    /// It was searched, with this many hashes.
    Searched(u64),
    /// With each further digit by itself.
    Divide,
    /// By collecting the prefixes of its candidates.
    Collect,
}

/// A state that candidates pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    pub(crate) state: StateId,
    /// The number of digits that follow. They make less than 2^64.
    pub(crate) places: usize,
    /// The lowest 64 bits of the number whose digits after the state are all zero.
    pub(crate) base: u64,
}

/// What it takes to tell quickly whether a number with a prefix is a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) anchor: Anchor,
    /// What is added to the base of the anchor.
    pub(crate) shift: u64,
    /// Whether candidates with this prefix also have other anchors.
    pub(crate) has_more_anchors: bool,
}

impl Entry {
    /// Whether a number, given as its lowest 64 bits, may be a candidate.
    #[inline]
    pub(crate) fn allows<N: Natural>(&self, dfa: &Dfa<N>, low: u64) -> bool {
        let Anchor { state, places, base } = self.anchor;
        // With a single anchor, the number is less than 58^6 above its base.
        self.has_more_anchors
            || dfa.accepts(state, places, low.wrapping_sub(base.wrapping_add(self.shift)))
    }

    pub(crate) fn widen(&mut self, anchor: &Anchor, shift: u64) {
        self.has_more_anchors |= (&self.anchor, self.shift) != (anchor, shift);
    }
}
