//! Collects prefixes one by one, until there are enough to fill the lanes.

use super::layout::{Layout, MESSAGE_WORDS};
use super::table::PADDING;
use crate::format::{Anchor, Entry};
use crate::number::{CHECKSUMS, Natural, Number};

/// Prefixes hashed per call: a multiple of every lane count.
pub(crate) const CAPACITY: usize = 512;

/// Entries that may be read, including padding after the last.
pub(crate) const LENGTH: usize = CAPACITY + PADDING;

/// Prefixes ready to be hashed.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) entries: Vec<Entry>,
    /// The words of the prefixes, the most significant first: one list per word.
    pub(crate) words: [[u32; LENGTH]; MESSAGE_WORDS],
    /// The smallest checksum of any candidate with the prefix.
    pub(crate) from: [u32; LENGTH],
    /// The difference between the greatest and the smallest.
    pub(crate) width: [u32; LENGTH],
    pub(crate) layout: Layout,
    /// The result: the first word of each hash.
    pub(crate) hashes: [u32; LENGTH],
    /// Bit masks of the prefixes whose checksum is in range, one mask per group of lanes.
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

    /// Adds a prefix, given as its words. It has candidates that pass through `anchor`, `shift`
    /// above its base, and have the checksums `from..=to`.
    ///
    /// An anchor with the sum as its base would be copied as a vector, which waits for the store of
    /// the sum.
    #[inline]
    pub(crate) fn push(
        &mut self,
        prefix: [u32; MESSAGE_WORDS],
        anchor: &Anchor,
        shift: u64,
        from: u32,
        to: u32,
    ) {
        let at = self.len();
        for i in 0..MESSAGE_WORDS {
            self.words[i][at] = prefix[i];
        }
        self.from[at] = from;
        self.width[at] = to - from;
        self.entries.push(Entry { anchor: *anchor, shift, has_more_anchors: false });
    }

    /// Adds candidates to the last prefix, with greater checksums up to `to`.
    pub(crate) fn widen(&mut self, anchor: &Anchor, shift: u64, to: u32) {
        let at = self.len() - 1;
        self.width[at] = to - self.from[at];
        self.entries[at].widen(anchor, shift);
    }

    /// The number that a prefix and its checksum make.
    pub(crate) fn number(&self, at: usize) -> Number {
        let words = self.words.iter().map(|list| list[at]).chain([self.hashes[at]]);
        words.fold(Number::ZERO, |number, word| number.times(CHECKSUMS) + u64::from(word).into())
    }

    /// The lowest 64 bits of [`number`](Self::number).
    #[inline]
    pub(crate) fn low_words(&self, at: usize) -> u64 {
        u64::from(self.words[MESSAGE_WORDS - 1][at]) << 32 | u64::from(self.hashes[at])
    }

    /// Replaces the list by this many prefixes that no checksum fits.
    pub(crate) fn fill_for_measuring(&mut self, count: usize) {
        let anchor = Anchor { state: 0, places: 0, base: 0 };
        self.entries.clear();
        for i in 0..count as u32 {
            self.push([i; MESSAGE_WORDS], &anchor, 0, 0, 0);
        }
    }
}
