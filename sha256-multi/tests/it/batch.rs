//! Messages with the digests that are expected of them.

use std::ops::Range;
use std::sync::LazyLock;

use sha256_multi::{Backend, Midstate, double_hash_many_with, hash_many_with};

use crate::{UNWRITTEN, double_sha256, painted, sha256};

/// The common beginning of the messages that are hashed from a midstate.
static PREFIX: LazyLock<Vec<u8>> = LazyLock::new(|| painted(1000, 192));
static MIDSTATE: LazyLock<Midstate> = LazyLock::new(|| Midstate::new(&PREFIX));

pub(crate) struct Batch {
    messages: Vec<Vec<u8>>,
    once: Vec<[u8; 32]>,
    twice: Vec<[u8; 32]>,
    behind_prefix: Vec<[u8; 32]>,
}

impl Batch {
    pub(crate) fn new(messages: Vec<Vec<u8>>) -> Self {
        let once = messages.iter().map(sha256).collect();
        let twice = messages.iter().map(double_sha256).collect();
        let behind_prefix = messages.iter().map(|message| sha256([&PREFIX[..], message].concat())).collect();
        Self { messages, once, twice, behind_prefix }
    }

    /// Messages of these lengths, no two alike.
    pub(crate) fn painted(lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::new(lengths.into_iter().enumerate().map(|(seed, length)| painted(seed, length)).collect())
    }

    /// Asserts that every backend hashes all messages right, in all ways of hashing many.
    pub(crate) fn assert_hashed(&self) {
        self.assert_range_hashed(0..self.messages.len());
    }

    /// The same for some of the messages.
    pub(crate) fn assert_range_hashed(&self, range: Range<usize>) {
        let messages = &self.messages[range.clone()];
        let lengths = || messages.iter().map(Vec::len).collect::<Vec<_>>();
        for backend in Backend::available() {
            let mut digests = vec![UNWRITTEN; messages.len()];
            hash_many_with(backend, messages, &mut digests);
            assert!(digests == self.once[range.clone()], "{backend}: {:?}", lengths());

            digests.fill(UNWRITTEN);
            double_hash_many_with(backend, messages, &mut digests);
            assert!(digests == self.twice[range.clone()], "twice, {backend}: {:?}", lengths());

            digests.fill(UNWRITTEN);
            MIDSTATE.hash_many_with(backend, messages, &mut digests);
            assert!(digests == self.behind_prefix[range.clone()], "midstate, {backend}: {:?}", lengths());
        }
    }
}
