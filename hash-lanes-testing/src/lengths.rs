//! Tests messages of equal length: every count with every length.

use hash_lanes::Backend;

use crate::{Batch, Subject, painted, unwritten};

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

pub fn without_a_backend_argument<S: Subject<WORDS>, const WORDS: usize>() {
    let messages: Vec<Vec<u8>> = (0..21).map(|i| painted(i, 5 * i)).collect();
    for way in S::ways() {
        let (mut digests, mut digests_with) = ([unwritten(); 21], [unwritten(); 21]);
        (way.hash_many)(&messages, &mut digests);
        (way.hash_many_with)(Backend::detect(), &messages, &mut digests_with);
        assert_eq!(digests, digests_with, "{}", way.name);
        let expected: Vec<_> = messages.iter().map(|message| (way.reference)(message)).collect();
        assert_eq!(digests[..], expected, "{}", way.name);
    }
}

pub fn messages_of_any_kind<S: Subject<WORDS>, const WORDS: usize>() {
    let bytes = painted(5, 1000);
    let mut digests = vec![unwritten(); 11];
    S::hash_many(bytes.chunks(96), &mut digests);
    let expected: Vec<_> = bytes.chunks(96).map(S::reference).collect();
    assert_eq!(digests, expected);

    let arrays = [[1_u8; 48], [2; 48], [3; 48]];
    S::hash_many(&arrays, &mut digests[..3]);
    assert_eq!(digests[..3], arrays.map(|array| S::reference(&array)));

    let texts = [String::from("a"), String::from("bc"), String::new()];
    S::hash_many(texts.iter().rev(), &mut digests[..3]);
    assert_eq!(digests[..3], ["", "bc", "a"].map(|text| S::reference(text.as_bytes())));
}
