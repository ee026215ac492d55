//! Tests messages of equal length: every count with every length.

use crate::{Batch, Subject};

/// 0 to 33 messages: every remainder after one pass, and after two passes with up to 16 lanes.
fn assert_every_count<S: Subject<WORDS>, const WORDS: usize>(length: usize) {
    let batch = Batch::<S, WORDS>::painted([length; 33]);
    for count in 0..=33 {
        batch.assert_range_hashed(0..count);
    }
}

pub fn every_count_of_up_to_three_blocks<S: Subject<WORDS>, const WORDS: usize>() {
    for length in 0..=200 {
        assert_every_count::<S, WORDS>(length);
    }
}

/// Every remainder after two passes of 32 lanes, and after a scheduler group of 64 messages.
pub fn every_count_of_more_messages<S: Subject<WORDS>, const WORDS: usize>() {
    for length in [32, 55, 64, 100] {
        let batch = Batch::<S, WORDS>::painted([length; 70]);
        for count in 34..=70 {
            batch.assert_range_hashed(0..count);
        }
    }
}

pub fn every_count_around_later_block_boundaries<S: Subject<WORDS>, const WORDS: usize>() {
    for blocks in [4, 5, 8, 16, 17] {
        for length in
            [blocks * 64 - 9, blocks * 64 - 8, blocks * 64 - 1, blocks * 64, blocks * 64 + 1]
        {
            assert_every_count::<S, WORDS>(length);
        }
    }
}

pub fn many_more_messages_than_lanes<S: Subject<WORDS>, const WORDS: usize>() {
    for (count, length) in [(64, 100), (100, 64), (257, 3), (1000, 55), (1003, 56)] {
        Batch::<S, WORDS>::painted(std::iter::repeat_n(length, count)).assert_hashed();
    }
}
