//! Messages of different lengths in one batch.

use proptest::prelude::*;

use crate::batch::Batch;

/// The `nth` of the orders in which `N` things can stand.
fn permutation<const N: usize>(mut nth: usize) -> [usize; N] {
    let mut left: Vec<usize> = (0..N).collect();
    core::array::from_fn(|i| {
        let choices = N - i;
        let chosen = left.remove(nth % choices);
        nth /= choices;
        chosen
    })
}

#[test]
fn ending_in_every_order() {
    for nth in 0..24 {
        Batch::painted(permutation::<4>(nth).map(|i| i * 64 + 10)).assert_hashed();
        Batch::painted(permutation::<4>(nth).map(|i| i * 60 + 50)).assert_hashed();
    }
    for nth in 0..120 {
        Batch::painted(permutation::<5>(nth).map(|i| i * 64)).assert_hashed();
    }
}

#[test]
fn full_lanes_ending_in_many_orders() {
    for step in [1, 2, 3, 5, 7, 11, 13, 16] {
        for scale in [1, 9, 64, 100] {
            Batch::painted((0..17).map(|i| i * step % 17 * scale)).assert_hashed();
            Batch::painted((0..34).map(|i| i * step % 17 * scale)).assert_hashed();
        }
    }
}

#[test]
fn every_count_rising_and_falling() {
    for count in 0..=33 {
        Batch::painted((0..count).map(|i| i * 31)).assert_hashed();
        Batch::painted((0..count).map(|i| (count - i) * 31)).assert_hashed();
    }
}

#[test]
fn a_long_one_beside_empty_ones() {
    for count in [1, 2, 3, 4, 5, 8, 9, 16, 17, 33] {
        for long in 0..count {
            Batch::painted((0..count).map(|i| if i == long { 3000 } else { 0 })).assert_hashed();
            Batch::painted((0..count).map(|i| if i == long { 0 } else { 300 })).assert_hashed();
        }
    }
}

#[test]
fn padding_of_one_and_of_two_blocks() {
    for first in 0..=64 {
        Batch::painted((0..20).map(|i| first + i)).assert_hashed();
    }
}

#[test]
fn equal_ones_before_and_behind_others() {
    for equal in 0..=33 {
        Batch::painted((0..40).map(|i| if i < equal { 100 } else { i * 17 })).assert_hashed();
        Batch::painted((0..40).map(|i| if i < equal { i * 17 } else { 100 })).assert_hashed();
    }
}

proptest! {
    #[test]
    fn random_messages(
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=1000), 0..=80),
    ) {
        Batch::new(messages).assert_hashed();
    }
}
