//! Messages with the digests that are expected of them.

use std::ops::Range;

use sha1_multi::{Backend, hash_many_with};

use crate::{UNWRITTEN, painted, sha1};

pub(crate) struct Batch {
    messages: Vec<Vec<u8>>,
    digests: Vec<[u8; 20]>,
}

impl Batch {
    pub(crate) fn new(messages: Vec<Vec<u8>>) -> Self {
        let digests = messages.iter().map(sha1).collect();
        Self { messages, digests }
    }

    /// Messages of these lengths, no two alike.
    pub(crate) fn painted(lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::new(lengths.into_iter().enumerate().map(|(seed, length)| painted(seed, length)).collect())
    }

    /// Asserts that every backend hashes all messages right.
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
            assert!(digests == self.digests[range.clone()], "{backend}: {:?}", lengths());
        }
    }
}
