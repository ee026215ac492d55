//! Tests messages that arrive in parts.

use proptest::prelude::*;
use proptest::sample::Index;

use hash_lanes::ManyHasher;

use crate::{Subject, assert_shared_between_threads, painted};

/// A call of a method of the hasher.
#[derive(Clone, Debug)]
pub enum Step {
    /// Appends this many bytes to one message.
    Update(Index, usize),
    /// Appends bytes to each message; their lengths.
    UpdateAll(Vec<usize>),
    /// Takes the digest of one message and resets it.
    FinalizeOne(Index),
    /// Resets all messages.
    Reset,
}

/// The maximum number of messages for which [`any_step`] has parts.
pub const MAX_MESSAGES: usize = 36;

/// Lengths around the boundaries of a block and of the 1024-byte buffer, and far beyond.
fn any_length() -> impl Strategy<Value = usize> {
    prop_oneof![
        2 => Just(0),
        3 => 0..=130_usize,
        1 => (0..=17_usize).prop_map(|blocks| blocks * 64),
        2 => 900..=1200_usize,
        1 => 0..=4000_usize,
    ]
}

/// A step of any kind.
pub fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (any::<Index>(), any_length()).prop_map(|(index, len)| Step::Update(index, len)),
        4 => prop::collection::vec(any_length(), MAX_MESSAGES).prop_map(Step::UpdateAll),
        2 => any::<Index>().prop_map(Step::FinalizeOne),
        1 => Just(Step::Reset),
    ]
}

/// Takes the steps, each with different bytes, and returns the resulting messages without `prefix`.
///
/// # Panics
///
/// Panics if the digest of a [`Step::FinalizeOne`] is wrong.
pub fn take_steps<S: Subject>(
    hasher: &mut ManyHasher<S::Hash>,
    prefix: &[u8],
    steps: &[Step],
) -> Vec<Vec<u8>> {
    let count = hasher.len();
    let mut messages = vec![Vec::new(); count];
    for (seed, step) in steps.iter().enumerate() {
        match step {
            // There is no message to choose from.
            Step::Update(..) | Step::FinalizeOne(_) if count == 0 => {}
            Step::Update(index, length) => {
                let part = painted(seed, *length);
                hasher.update(index.index(count), &part);
                messages[index.index(count)].extend(part);
            }
            Step::FinalizeOne(index) => {
                let index = index.index(count);
                let message = std::mem::take(&mut messages[index]);
                assert_eq!(hasher.finalize_one(index), S::reference(&[prefix, &message].concat()));
            }
            Step::UpdateAll(lengths) => {
                let part =
                    |(nth, &length): (usize, &usize)| painted(seed * MAX_MESSAGES + nth, length);
                let parts: Vec<_> = lengths[..count].iter().enumerate().map(part).collect();
                hasher.update_all(&parts);
                for (message, part) in messages.iter_mut().zip(parts) {
                    message.extend(part);
                }
            }
            Step::Reset => {
                hasher.reset();
                messages.fill(Vec::new());
            }
        }
    }
    messages
}

/// Asserts the digests of `prefix` followed by each message.
///
/// # Panics
///
/// Panics if a digest is wrong.
pub fn assert_finalized<S: Subject>(
    hasher: ManyHasher<S::Hash>,
    prefix: &[u8],
    messages: &[Vec<u8>],
    context: &str,
) {
    let expected: Vec<_> =
        messages.iter().map(|message| S::reference(&[prefix, message].concat())).collect();
    assert!(hasher.finalize() == expected, "{context}");
}

pub fn random_parts_in_random_order<S: Subject>() {
    const { assert_shared_between_threads::<ManyHasher<S::Hash>>() };
    let steps = prop::collection::vec(any_step(), 0..=60);
    proptest!(ProptestConfig::with_cases(64), |(count in 0..=MAX_MESSAGES, steps in steps)| {
        for backend in crate::backends() {
            let mut hasher = ManyHasher::with_backend(backend, count);
            let messages = take_steps::<S>(&mut hasher, &[], &steps);
            assert_finalized::<S>(hasher, &[], &messages, backend.name());
        }
    });
}

/// After `before` bytes of each message, a part of every interesting length.
pub fn parts_around_the_buffer_size<S: Subject>() {
    for before in [0, 1, 63, 64, 65, 960, 1023, 1024] {
        for length in
            [0, 1, 63, 64, 65, 959, 960, 961, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 5000]
        {
            let messages: Vec<Vec<u8>> =
                (0..3).map(|seed| painted(seed, before + length)).collect();
            for backend in crate::backends() {
                let mut one_by_one = ManyHasher::<S::Hash>::with_backend(backend, 3);
                let mut together = one_by_one.clone();
                for (index, message) in messages.iter().enumerate() {
                    one_by_one.update(index, &message[..before]);
                    one_by_one.update(index, &message[before..]);
                }
                together.update_all(&[0, 1, 2].map(|index| &messages[index][..before]));
                together.update_all(&[0, 1, 2].map(|index| &messages[index][before..]));
                let context = format!("{backend}: {before} bytes, then {length}");
                assert_finalized::<S>(one_by_one, &[], &messages, &context);
                assert_finalized::<S>(together, &[], &messages, &context);
            }
        }
    }
}

/// Before the first whole block, after some of them, and with full buffers.
pub fn clones_are_independent<S: Subject>() {
    for (common, first, second) in [(6, 5, 6), (64, 5, 70), (3000, 2000, 1), (1023, 1, 5000)] {
        let (common, first, second) = (painted(1, common), painted(2, first), painted(3, second));
        let mut hasher = ManyHasher::<S::Hash>::new(2);
        hasher.update(0, &common);
        hasher.update(1, &common);
        let mut clone = hasher.clone();
        let mut late = hasher.clone();
        hasher.update(1, &first);
        clone.update(1, &second);
        late.update_all(&[&first, &second]);
        let expected =
            |parts: [&[u8]; 2]| parts.map(|part| S::reference(&[&common, part].concat()));
        assert_eq!(hasher.finalize(), expected([b"", &first]));
        assert_eq!(clone.finalize(), expected([b"", &second]));
        assert_eq!(late.finalize(), expected([&first, &second]));
    }
}

/// Messages that were reset while whole blocks wait, before others are hashed.
pub fn reset_while_blocks_wait<S: Subject>() {
    let (long, other) = (painted(1, 1000), painted(2, 5000));
    for backend in crate::backends() {
        let mut hasher = ManyHasher::<S::Hash>::with_backend(backend, 3);
        hasher.update(0, &long);
        hasher.update(1, &long);
        assert_eq!(hasher.finalize_one(0), S::reference(&long));
        hasher.update(0, &long[..100]);
        hasher.update(2, &other);
        hasher.update(0, &other);
        let messages = [[&long[..100], &other].concat(), long.clone(), other.clone()];
        assert_finalized::<S>(hasher, &[], &messages, backend.name());
    }
}

/// After beginnings of different lengths the states differ, and the parts that follow continue
/// their messages: all of one length, of two, and of many.
pub fn parts_of_equal_lengths_from_different_states<S: Subject>() {
    for count in [1, 2, 15, 16, 17, 70] {
        for length in [|_| 64, |_| 1024, |i| 64 + i % 2 * 64, |i| 64 * (i % 5), |i| i * 37 % 900] {
            let begin = |i: usize| painted(i, i % 4 * 64);
            let parts = |step: usize| -> Vec<Vec<u8>> {
                (0..count).map(|i| painted(count * step + i, length(i))).collect()
            };
            let messages: Vec<_> = (0..count)
                .map(|i| [begin(i), parts(1)[i].clone(), parts(2)[i].clone()].concat())
                .collect();
            for backend in crate::backends() {
                let mut hasher = ManyHasher::<S::Hash>::with_backend(backend, count);
                (0..count).for_each(|i| hasher.update(i, &begin(i)));
                hasher.update_all(&parts(1));
                hasher.update_all(&parts(2));
                let context = format!("{backend}: {count} messages");
                assert_finalized::<S>(hasher, &[], &messages, &context);
            }
        }
    }
}
