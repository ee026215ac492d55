//! Messages of equal and of mixed lengths, owned and borrowed, in every number.

use std::marker::PhantomData;
use std::ops::Range;
use std::thread;

use hash_lanes::HashMany;
use proptest::prelude::*;

use crate::{Subject, Way, backends, block_bytes, painted, unwritten, word_bytes};

type Expected<D> = (Way<D>, Vec<D>);

/// Messages with their expected digests for every [`Way`].
#[derive(Debug)]
pub struct Batch<S: Subject> {
    messages: Vec<Vec<u8>>,
    expected: Vec<Expected<S::Digest>>,
    subject: PhantomData<S>,
}

impl<S: Subject> Batch<S> {
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
        for backend in backends() {
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

/// 0 to 33 messages: every remainder after one pass, and after two passes with up to 16 lanes.
fn assert_every_count<S: Subject>(length: usize) {
    let batch = Batch::<S>::painted([length; 33]);
    for count in 0..=33 {
        batch.assert_range_hashed(0..count);
    }
}

pub fn every_count_of_up_to_three_blocks<S: Subject>() {
    for length in 0..=3 * block_bytes::<S>() + 8 {
        assert_every_count::<S>(length);
    }
}

/// Every remainder after two passes of 32 lanes, and after a scheduler group of 64 messages.
pub fn every_count_of_more_messages<S: Subject>() {
    let row = 8 * word_bytes::<S>();
    for length in [row, 2 * row - 9, 2 * row, 3 * row + 4] {
        let batch = Batch::<S>::painted([length; 70]);
        for count in 34..=70 {
            batch.assert_range_hashed(0..count);
        }
    }
}

pub fn every_count_around_later_block_boundaries<S: Subject>() {
    for blocks in [4, 5, 8, 16, 17] {
        let (end, length_field) = (blocks * block_bytes::<S>(), 2 * word_bytes::<S>());
        for length in [end - length_field - 1, end - length_field, end - 1, end, end + 1] {
            assert_every_count::<S>(length);
        }
    }
}

pub fn many_more_messages_than_lanes<S: Subject>() {
    for (count, length) in
        [(64, 100), (100, 64), (257, 3), (1000, 55), (1003, 56), (2000 + 32 + 16 + 8 + 1, 32)]
    {
        Batch::<S>::painted(std::iter::repeat_n(length, count)).assert_hashed();
    }
}

/// The `nth` permutation of `0..N`.
fn permutation<const N: usize>(mut nth: usize) -> [usize; N] {
    let mut left: Vec<usize> = (0..N).collect();
    core::array::from_fn(|i| {
        let choices = N - i;
        let chosen = left.remove(nth % choices);
        nth /= choices;
        chosen
    })
}

pub fn ending_in_every_order<S: Subject>() {
    for nth in 0..24 {
        Batch::<S>::painted(permutation::<4>(nth).map(|i| i * 64 + 10)).assert_hashed();
        Batch::<S>::painted(permutation::<4>(nth).map(|i| i * 60 + 50)).assert_hashed();
    }
    for nth in 0..120 {
        Batch::<S>::painted(permutation::<5>(nth).map(|i| i * 64)).assert_hashed();
    }
}

pub fn random_messages<S: Subject>() {
    // Random bytes would take most of the time.
    let lengths = prop::collection::vec(0..=1000_usize, 0..=80);
    proptest!(|(lengths in lengths)| Batch::<S>::painted(lengths).assert_hashed());
}

/// Enough messages for several groups, in runs of equal lengths.
pub fn random_runs_of_equal_lengths<S: Subject>() {
    let row = 8 * word_bytes::<S>();
    let length = prop_oneof![0..=130_usize, Just(row), Just(row + 1), 0..=2000_usize];
    let runs = prop::collection::vec((length, 1..=80_usize), 0..=5);
    proptest!(ProptestConfig::with_cases(64), |(runs in runs)| {
        let lengths = runs.iter().flat_map(|&(length, count)| std::iter::repeat_n(length, count));
        Batch::<S>::painted(lengths).assert_hashed();
    });
}

/// 100 of one length, then 100 of another, and one alone at the end.
pub fn two_lengths_across_groups<S: Subject>() {
    let row = 8 * word_bytes::<S>();
    let one_block = 2 * row - 2 * word_bytes::<S>() - 1;
    let around_one_block = (one_block, one_block + 1);
    for (a, b) in [
        (row, row + 1),
        (100, 101),
        around_one_block,
        (2 * row, 0),
        (0, 300),
        (row - 1, row),
        (1000, 2 * row),
    ] {
        for first in [1, 15, 16, 63, 64, 65, 100, 128] {
            let lengths = (0..first + 100).map(|i| if i < first { a } else { b });
            Batch::<S>::painted(lengths.chain([b + 1])).assert_hashed();
        }
    }
}

/// Messages shorter and longer than a row inside buffers of other bytes: neither bytes that a
/// kernel loads past the end of a message nor those of an earlier message may affect a digest.
pub fn short_messages_beside_longer_neighbours<S: Subject>() {
    let noise: Vec<Vec<u8>> = (0..70).map(|i| painted(3 * i + 1, 128)).collect();
    let row = 8 * word_bytes::<S>();
    for length in 0..=row + 1 {
        for count in [2, 3, 7, 16, 17, 33, 64, 65, 70] {
            let parts: Vec<_> =
                noise[..count].iter().map(|bytes| &bytes[20..20 + length]).collect();
            let expected: Vec<_> = parts.iter().map(|part| S::reference(part)).collect();
            for backend in backends() {
                let digests = S::on(backend).hash_many(&parts);
                assert!(digests == expected, "{backend}: {count} messages of {length} bytes");
            }
        }
        // Longer before shorter ones, group after group.
        let lengths = (0..192).map(|i| {
            if i < 64 {
                row + 1
            } else if i < 128 {
                length
            } else {
                row - 1
            }
        });
        Batch::<S>::painted(lengths).assert_hashed();
    }
}

pub fn borrowed<S: Subject>() {
    let bytes = painted(5, 1000);
    let digests = S::Lanes::default().hash_many(bytes.chunks(96));
    assert_eq!(digests, bytes.chunks(96).map(S::reference).collect::<Vec<_>>());

    let arrays = [[1_u8; 48], [2; 48], [3; 48]];
    let digests = S::Lanes::default().hash_many(&arrays[..]);
    assert_eq!(digests, arrays.map(|array| S::reference(&array)));

    let texts = [String::from("a"), String::from("bc"), String::new()];
    let digests = S::Lanes::default().hash_many(texts.iter().rev());
    assert_eq!(digests, ["", "bc", "a"].map(|text| S::reference(text.as_bytes())));
}

/// Messages that are dropped as soon as they are hashed: a digest of bytes that were freed before
/// would be wrong, and equal messages would share one buffer.
pub fn owned<S: Subject>() {
    let text = |i: usize| format!("message {i}{}", ".".repeat(i * 37 % 300));
    let equal = |i: usize| painted(i, 100);
    let key = |i: usize| -> [u8; 33] { painted(i, 33).try_into().unwrap() };
    let block = |i: usize| -> [u8; 4096] { painted(i, 4096).try_into().unwrap() };
    for count in [0, 1, 2, 63, 64, 65, 200] {
        let texts: Vec<_> = (0..count).map(|i| S::reference(text(i).as_bytes())).collect();
        let equals: Vec<_> = (0..count).map(|i| S::reference(&equal(i))).collect();
        let keys: Vec<_> = (0..count).map(|i| S::reference(&key(i))).collect();
        let blocks: Vec<_> = (0..count).map(|i| S::reference(&block(i))).collect();
        for backend in backends() {
            let lanes = S::on(backend);
            assert_eq!(lanes.hash_many((0..count).map(text)), texts, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(equal)), equals, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(key)), keys, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(block)), blocks, "{backend}, {count}");
        }
    }
}

/// Iterators that do not know how many messages they yield.
pub fn filtered<S: Subject>() {
    for count in [0, 1, 2, 63, 64, 65, 127, 128, 129, 200] {
        let messages: Vec<_> = (0..2 * count).map(|i| painted(i, i % 131)).collect();
        let odd = || messages.iter().filter(|message| message.len() % 131 % 2 == 1);
        let expected: Vec<_> = odd().map(|message| S::reference(message)).collect();
        for backend in backends() {
            assert_eq!(S::on(backend).hash_many(odd()), expected, "{backend}, {count}");
            let mut digests = vec![unwritten(); expected.len()];
            S::on(backend).hash_many_into(odd(), &mut digests);
            assert_eq!(digests, expected, "{backend}, {count}");
        }
    }
}

/// A group of 64 such messages, held by value, would take 4 MiB of stack.
pub fn arrays_larger_than_the_stack<S: Subject>() {
    /// The arrays on their way into the heap, in a build without optimisation.
    const STACK: usize = 2 << 20;
    let hash = || {
        let message = |i: usize| [i as u8; 1 << 16];
        let digests = S::Lanes::default().hash_many((0..70).map(message));
        for (i, digest) in digests.iter().enumerate() {
            assert_eq!(*digest, S::reference(&vec![i as u8; 1 << 16]), "message {i}");
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(hash).unwrap().join().unwrap();
}

/// One message, without the scheduler.
pub fn every_length_alone<S: Subject>() {
    for length in (0..=200).chain([247, 248, 255, 256, 257, 1000, 4096, 4159, 70_000]) {
        let message = painted(length, length);
        for (way, hash) in S::ways().iter().filter_map(|way| Some((way, way.hash?))) {
            let expected = (way.reference)(&message);
            for backend in backends() {
                let digest = hash(backend, &message);
                assert_eq!(digest, expected, "{}, {backend}, {length} bytes", way.name);
            }
        }
    }
}
