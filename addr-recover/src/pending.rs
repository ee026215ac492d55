//! Prefixes that are collected one by one until there are enough of them to fill the lanes.

use crate::language::StateId;
use crate::layout::{Layout, MESSAGE_WORDS};
use crate::number::{CHECKSUMS, Number, first_of_prefix};
use crate::table::PADDING;

/// Prefixes hashed by one call: a multiple of every number of lanes.
pub(crate) const CAPACITY: usize = 512;

/// Entries that may be read, those behind the last included.
pub(crate) const LENGTH: usize = CAPACITY + PADDING;

/// One prefix, and how to find out quickly whether a number with it is a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) prefix: Number,
    pub(crate) anchor: Anchor,
    /// Whether candidates with this prefix have other anchors, too.
    pub(crate) has_more_anchors: bool,
}

/// A state that candidates pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) state: StateId,
    /// How many digits follow.
    pub(crate) places: usize,
    /// The number with no digits after the state.
    pub(crate) base: Number,
}

/// The prefixes, ready to be hashed.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) entries: Vec<Entry>,
    /// The message's words: a list for each.
    pub(crate) words: [[u32; LENGTH]; MESSAGE_WORDS],
    /// The least checksum that some candidate has.
    pub(crate) from: [u32; LENGTH],
    /// How much greater the greatest is.
    pub(crate) width: [u32; LENGTH],
    pub(crate) layout: Layout,
    /// What came out: the first word of each hash.
    pub(crate) hashes: [u32; LENGTH],
    /// Bit masks of those whose checksum is in range, one for each group of as many as there are lanes.
    pub(crate) in_range: [u32; LENGTH],
}

impl Pending {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            entries: Vec::with_capacity(CAPACITY),
            words: [[0; LENGTH]; MESSAGE_WORDS],
            from: [0; LENGTH],
            width: [0; LENGTH],
            layout: Layout::of(crate::kind::Version::byte(0)),
            hashes: [0; LENGTH],
            in_range: [0; LENGTH],
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len() == CAPACITY
    }

    /// Adds a prefix of which some candidates, passing through `anchor`, have the checksums `from..=to`.
    #[inline]
    pub(crate) fn push(&mut self, prefix: Number, anchor: Anchor, from: u32, to: u32) {
        let at = self.len();
        let message = self.layout.message(prefix);
        for i in 0..MESSAGE_WORDS {
            self.words[i][at] = message[i];
        }
        self.from[at] = from;
        self.width[at] = to - from;
        self.entries.push(Entry { prefix, anchor, has_more_anchors: false });
    }

    /// More candidates of the prefix added last, with greater checksums up to `to`.
    pub(crate) fn widen(&mut self, anchor: Anchor, to: u32) {
        let at = self.len() - 1;
        self.width[at] = to - self.from[at];
        self.entries[at].has_more_anchors |= self.entries[at].anchor != anchor;
    }

    /// The prefix added last may have candidates that are not known here.
    pub(crate) fn widen_to_all(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.has_more_anchors = true;
            let at = self.entries.len() - 1;
            (self.from[at], self.width[at]) = (0, u32::MAX);
        }
    }

    /// The number that an entry and its checksum make.
    pub(crate) fn number(&self, at: usize) -> Number {
        first_of_prefix(self.entries[at].prefix) + Number::from(self.hashes[at])
    }

    /// Some prefixes that no checksum fits.
    pub(crate) fn fill_for_measuring(&mut self) {
        let anchor = Anchor { state: 0, places: 0, base: Number::ZERO };
        for i in 0..CAPACITY as u64 {
            self.push(CHECKSUMS * CHECKSUMS + Number::from(i), anchor, 0, 0);
        }
    }
}
