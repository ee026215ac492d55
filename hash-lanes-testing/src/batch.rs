//! Messages with their expected digests.

use std::marker::PhantomData;
use std::ops::Range;

use crate::{Subject, Way, painted, unwritten};

type Expected<D> = (Way<D>, Vec<D>);

/// Messages with their expected digests for every [`Way`].
#[derive(Debug)]
pub struct Batch<S: Subject<WORDS>, const WORDS: usize> {
    messages: Vec<Vec<u8>>,
    expected: Vec<Expected<S::Digest>>,
    subject: PhantomData<S>,
}

impl<S: Subject<WORDS>, const WORDS: usize> Batch<S, WORDS> {
    /// Computes the expected digests of `messages`.
    #[must_use]
    pub fn new(messages: Vec<Vec<u8>>) -> Self {
        let digests =
            |way: Way<S::Digest>| messages.iter().map(|message| (way.reference)(message)).collect();
        let expected = S::ways().into_iter().map(|way| (way, digests(way))).collect();
        Self { messages, expected, subject: PhantomData }
    }

    /// Creates messages of these lengths, no two equal.
    #[must_use]
    pub fn painted(lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::new(
            lengths.into_iter().enumerate().map(|(seed, length)| painted(seed, length)).collect(),
        )
    }

    /// Asserts that every backend hashes all messages correctly, in every way.
    ///
    /// # Panics
    ///
    /// Panics if a digest is wrong.
    #[track_caller]
    pub fn assert_hashed(&self) {
        self.assert_range_hashed(0..self.messages.len());
    }

    /// Like [`Self::assert_hashed`], for a range of the messages.
    ///
    /// # Panics
    ///
    /// Panics if a digest is wrong.
    #[track_caller]
    pub fn assert_range_hashed(&self, range: Range<usize>) {
        let messages = &self.messages[range.clone()];
        let lengths = || messages.iter().map(Vec::len).collect::<Vec<_>>();
        for backend in crate::backends() {
            for (way, expected) in &self.expected {
                let mut digests = vec![unwritten(); messages.len()];
                (way.hash_many_into)(backend, messages, &mut digests);
                for digests in [digests, (way.hash_many)(backend, messages)] {
                    assert!(
                        digests == expected[range.clone()],
                        "{}, {backend}: {:?}",
                        way.name,
                        lengths()
                    );
                }
            }
        }
    }
}
