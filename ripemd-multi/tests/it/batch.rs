//! Messages with the digests that are expected of them.

use std::ops::Range;

use ripemd_multi::{Backend, hash_many_with, hash160_many_with};

use crate::{UNWRITTEN, hash160, painted, ripemd160};

pub(crate) struct Batch {
    messages: Vec<Vec<u8>>,
    ripemd160: Vec<[u8; 20]>,
    hash160: Vec<[u8; 20]>,
}

impl Batch {
    pub(crate) fn new(messages: Vec<Vec<u8>>) -> Self {
        let ripemd160 = messages.iter().map(ripemd160).collect();
        let hash160 = messages.iter().map(hash160).collect();
        Self { messages, ripemd160, hash160 }
    }

    /// Messages of these lengths, no two alike.
    pub(crate) fn painted(lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::new(lengths.into_iter().enumerate().map(|(seed, length)| painted(seed, length)).collect())
    }

    /// Asserts that every backend hashes all messages right, in both ways of hashing many.
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
            assert!(digests == self.ripemd160[range.clone()], "{backend}: {:?}", lengths());

            digests.fill(UNWRITTEN);
            hash160_many_with(backend, messages, &mut digests);
            assert!(digests == self.hash160[range.clone()], "HASH160, {backend}: {:?}", lengths());
        }
    }
}
