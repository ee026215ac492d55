//! What a search for addresses and one for keys have in common, and how they differ: in the width
//! of their numbers, in which numbers are legal, and in how prefixes are hashed.

use std::cmp::Ordering;
use std::fmt;

use hash_lanes::Backend;
use zeroize::{Zeroize, Zeroizing};

use crate::alphabet::Alphabet;
use crate::dfa::{Dfa, Node};
use crate::edits::StateId;
use crate::kind::Version;
use crate::number::{CHECKSUMS, Natural};
use crate::pattern::Pattern;
use crate::tail::Tail;

/// Prefixes that are collected one by one before they are hashed: a multiple of every lane count.
pub(crate) const CAPACITY: usize = 512;

/// What to search for: addresses with a [`Version`], or keys of a [`KeyKind`](crate::KeyKind).
pub trait Format: Copy + Ord + fmt::Debug + Send + Sync + 'static {
    /// The numbers that texts make.
    type Number: Natural;

    /// Hashes prefixes.
    type Hasher: Hasher<Self>;

    /// Entries in the order in which the hasher reads them.
    type Columns: Default + fmt::Debug;

    /// Whether what is known of a text is to be wiped, and not to be shown.
    const IS_SECRET: bool;

    /// The maximum number of characters of a text.
    const MAX_LENGTH: usize;

    /// The format of a valid text, case included; `None` if an independent decoder does not accept
    /// it.
    fn of(text: &str, alphabet: Alphabet) -> Option<Self>;

    /// Whether a pattern may stand for a text of this length; `true` if that is not known.
    fn is_possible(self, pattern: &Pattern, length: usize) -> bool;

    /// The alphabet of the texts.
    fn alphabet(self) -> Alphabet;

    /// The smallest and the greatest legal number of texts of a length, without their leading `1`s.
    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Self::Number, Self::Number)>;

    /// Whether numbers end in a checksum of the rest. If not, every text is hashed.
    fn has_checksum(self) -> bool {
        true
    }

    /// How many candidates of a node are expected to be correct by chance.
    fn by_chance(self, dfa: &Dfa<Self::Number>, root: Node<Self::Number>) -> f64 {
        dfa.numbers(root).count.rounded() / CHECKSUMS as f64
    }

    /// Lays entries, which are in ascending order, out for the hasher.
    fn lay_out(_entries: &[Entry<Self::Number>], _columns: &mut Self::Columns) {}
}

/// Hashes prefixes of candidates of one part.
pub trait Hasher<F: Format> {
    /// Creates a hasher.
    fn new(backend: Backend) -> Self;

    /// Hashes the prefixes of a batch, with `base` added to its numbers. Appends what may be
    /// candidates with the right checksum, each with the position of its entry, and returns how
    /// many prefixes were hashed.
    fn hash(
        &mut self,
        format: F,
        base: F::Number,
        batch: &Batch<F>,
        found: &mut Vec<(usize, F::Number)>,
    ) -> u64;

    /// Hashes every text of a node, of a format without a checksum. Appends the legal ones, and
    /// returns how many were hashed.
    fn hash_texts(
        &mut self,
        _dfa: &Dfa<F::Number>,
        _node: Node<F::Number>,
        _found: &mut Vec<(usize, F::Number)>,
    ) -> u64 {
        0
    }
}

/// A state that candidates pass through. So small that it is copied in registers: as a vector, it
/// would wait for the store of its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The lowest 64 bits of the number whose digits after the state are all zero.
    pub(crate) base: u64,
    pub(crate) state: StateId,
    /// The number of digits that follow, which make less than 2^64; none if there are several
    /// anchors.
    pub(crate) places: u32,
}

/// The prefix of some candidates.
#[derive(Clone, Copy, Debug)]
pub struct Entry<N> {
    /// The smallest candidate.
    pub(crate) smallest: N,
    /// The difference between the greatest and the smallest.
    pub(crate) span: u32,
    /// What all candidates pass through.
    pub(crate) anchor: Anchor,
}

impl<N: Natural> Entry<N> {
    pub(crate) fn greatest(&self) -> N {
        self.smallest + u64::from(self.span).into()
    }

    /// The entry with `base` added to its candidates, although they may have the next prefix, too.
    #[inline]
    pub(crate) fn above(&self, base: N) -> Self {
        let anchor = Anchor { base: self.anchor.base.wrapping_add(base.low()), ..self.anchor };
        Self { smallest: base + self.smallest, span: self.span, anchor }
    }

    /// Leaves out the candidates with the next prefix, and returns these.
    #[inline]
    pub(crate) fn split(&mut self) -> Option<Self> {
        let from = self.smallest.low() as u32;
        let (to, carries) = from.overflowing_add(self.span);
        carries.then(|| {
            self.span = u32::MAX - from;
            let smallest = self.smallest.first_with_prefix() + CHECKSUMS.into();
            Self { smallest, span: to, anchor: self.anchor }
        })
    }

    /// The greatest checksum.
    #[inline]
    pub(crate) fn to(&self) -> u32 {
        (self.smallest.low() as u32).wrapping_add(self.span)
    }

    /// Adds greater candidates with the same prefix.
    #[inline]
    pub(crate) fn widen(&mut self, more: &Self) {
        self.span = more.to() - self.smallest.low() as u32;
        if self.anchor != more.anchor {
            self.anchor.places = 0;
        }
    }

    /// Whether a number, given as its lowest 64 bits, may be one of the candidates, to which `base`
    /// was added.
    pub(crate) fn allows(&self, dfa: &Dfa<N>, base: u64, low: u64) -> bool {
        let Anchor { base: own, state, places } = self.anchor;
        // With a single anchor, the number is less than 58^6 above its base.
        let rest = low.wrapping_sub(own).wrapping_sub(base);
        places == 0 || dfa.accepts(state, places as usize, rest)
    }
}

impl<N: Natural> Zeroize for Entry<N> {
    fn zeroize(&mut self) {
        self.smallest.zeroize();
        self.anchor.base.zeroize();
    }
}

/// Empties a list, and wipes it if it may be that of keys.
pub(crate) fn clear<F: Format>(list: &mut Vec<impl Zeroize>) {
    if F::IS_SECRET {
        list.zeroize();
    }
    list.clear();
}

/// Prefixes to be hashed together, in ascending order.
#[derive(Debug)]
pub struct Batch<F: Format> {
    pub(crate) entries: Vec<Entry<F::Number>>,
    /// The entries as the hasher reads them.
    pub(crate) columns: F::Columns,
    /// The tail of all candidates, if it is the same one.
    pub(crate) tail: Option<Tail>,
}

impl<F: Format> Default for Batch<F> {
    fn default() -> Self {
        Self { entries: Vec::new(), columns: F::Columns::default(), tail: None }
    }
}

impl<F: Format> Batch<F> {
    pub(crate) fn clear(&mut self) {
        clear::<F>(&mut self.entries);
        // A list that grows would leave copies behind.
        self.entries.reserve(CAPACITY);
    }
}

impl<F: Format> Drop for Batch<F> {
    fn drop(&mut self) {
        clear::<F>(&mut self.entries);
    }
}

/// An address or a key that the damage allows and whose checksum is correct. Its memory is wiped
/// when it is dropped, and `Debug` does not show a key.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit<F: Format = Version> {
    /// The address or the key, with its letter case restored.
    pub text: Zeroizing<String>,
    /// The version of the address, or the kind of the key.
    pub format: F,
}

impl<F: Format> Hit<F> {
    /// The hit for an address or a key; `None` if the text is not a valid one.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let alphabets = [Alphabet::Bitcoin, Alphabet::Ripple];
        alphabets.into_iter().find_map(|alphabet| Self::in_alphabet(text, alphabet))
    }

    pub(crate) fn in_alphabet(text: &str, alphabet: Alphabet) -> Option<Self> {
        let format = F::of(text, alphabet)?;
        Some(Self { text: Zeroizing::new(text.to_owned()), format })
    }
}

impl<F: Format> Ord for Hit<F> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.text.as_str(), self.format).cmp(&(other.text.as_str(), other.format))
    }
}

impl<F: Format> PartialOrd for Hit<F> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<F: Format> fmt::Debug for Hit<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Hit");
        if !F::IS_SECRET {
            debug.field("text", &*self.text);
        }
        debug.field("format", &self.format).finish_non_exhaustive()
    }
}
