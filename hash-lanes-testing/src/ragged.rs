//! Tests messages of different lengths in one batch.

use proptest::prelude::*;

use crate::{Batch, Subject};

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

pub fn ending_in_every_order<S: Subject<WORDS>, const WORDS: usize>() {
    for nth in 0..24 {
        Batch::<S, WORDS>::painted(permutation::<4>(nth).map(|i| i * 64 + 10)).assert_hashed();
        Batch::<S, WORDS>::painted(permutation::<4>(nth).map(|i| i * 60 + 50)).assert_hashed();
    }
    for nth in 0..120 {
        Batch::<S, WORDS>::painted(permutation::<5>(nth).map(|i| i * 64)).assert_hashed();
    }
}

pub fn every_count_rising_and_falling<S: Subject<WORDS>, const WORDS: usize>() {
    for count in 0..=33 {
        Batch::<S, WORDS>::painted((0..count).map(|i| i * 31)).assert_hashed();
        Batch::<S, WORDS>::painted((0..count).map(|i| (count - i) * 31)).assert_hashed();
    }
}

pub fn random_messages<S: Subject<WORDS>, const WORDS: usize>() {
    let messages = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=1000), 0..=80);
    proptest!(|(messages in messages)| {
        Batch::<S, WORDS>::new(messages).assert_hashed();
    });
}

/// As many messages as make three groups, in runs of equal lengths.
pub fn random_runs_of_equal_lengths<S: Subject<WORDS>, const WORDS: usize>() {
    let length = prop_oneof![0..=130_usize, Just(32), Just(33), 0..=2000_usize];
    let runs = prop::collection::vec((length, 1..=80_usize), 0..=5);
    proptest!(ProptestConfig::with_cases(64), |(runs in runs)| {
        let lengths = runs.iter().flat_map(|&(length, count)| std::iter::repeat_n(length, count));
        Batch::<S, WORDS>::painted(lengths).assert_hashed();
    });
}
