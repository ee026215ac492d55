//! RIPEMD-160 of SHA-256, of public keys and of all else.

use proptest::prelude::*;
use ripemd_multi::{Backend, hash160, hash160_many, hash160_many_with, hash160_with};

use crate::batch::Batch;
use crate::{UNWRITTEN, painted};

/// Asserts it for the first of these keys, how many of them stands in `counts`.
fn assert_counts_hashed<const BYTES: usize>(counts: impl IntoIterator<Item = usize>, most: usize) {
    let keys: Vec<[u8; BYTES]> = (0..most).map(|seed| painted(seed, BYTES).try_into().unwrap()).collect();
    let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
    for count in counts {
        for backend in Backend::available() {
            let mut hashes = vec![UNWRITTEN; count];
            hash160_many_with(backend, &keys[..count], &mut hashes);
            assert!(hashes == expected[..count], "{backend}, {count} keys of {BYTES} bytes");
        }
    }
}

/// Two groups of 64 and the beginning of a third.
#[test]
fn every_count_of_keys() {
    assert_counts_hashed::<33>(0..=130, 130);
    assert_counts_hashed::<65>(0..=130, 130);
}

#[test]
fn many_more_keys_than_lanes() {
    assert_counts_hashed::<33>([257, 1000, 1024 + 17, 2000], 2000);
    assert_counts_hashed::<65>([257, 1000, 1024 + 17, 2000], 2000);
}

/// Lengths next to those of keys, and of other things that are hashed so.
#[test]
fn every_count_of_messages_that_are_no_keys() {
    for length in [0, 20, 22, 32, 34, 64, 66, 71, 105] {
        let batch = Batch::painted([length; 70]);
        for count in 34..=70 {
            batch.assert_range_hashed(0..count);
        }
    }
}

#[test]
fn keys_of_both_lengths() {
    for count in [2, 3, 8, 9, 16, 17, 33, 64, 65, 130] {
        Batch::painted((0..count).map(|i| if i % 2 == 0 { 33 } else { 65 })).assert_hashed();
        Batch::painted((0..count).map(|i| if i < count / 2 { 65 } else { 33 })).assert_hashed();
    }
}

/// Group by group of 64, another length.
#[test]
fn keys_of_another_length_from_some_place_on() {
    for first in [0, 1, 31, 63, 64, 65, 100, 127, 128, 129] {
        Batch::painted((0..192).map(|i| if i < first { 33 } else { 65 })).assert_hashed();
        Batch::painted((0..192).map(|i| if i < first { 65 } else { 33 })).assert_hashed();
    }
}

#[test]
fn one_of_another_length_among_equal_ones() {
    for (equal, other) in [(33, 65), (65, 33), (33, 32), (33, 34), (65, 64), (65, 66), (33, 0), (65, 200)] {
        for odd in [0, 1, 7, 8, 15, 16, 32, 62, 63, 64, 69] {
            Batch::painted((0..70).map(|i| if i == odd { other } else { equal })).assert_hashed();
        }
    }
}

/// Each bit of the key tells: none of its bytes is left out, none is put at two places.
#[test]
fn keys_of_one_bit() {
    fn assert_hashed<const BYTES: usize>() {
        let mut keys = vec![[0; BYTES]; 8 * BYTES];
        for (bit, key) in keys.iter_mut().enumerate() {
            key[bit / 8] = 1 << (bit % 8);
        }
        let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
        for backend in Backend::available() {
            let mut hashes = vec![UNWRITTEN; keys.len()];
            hash160_many_with(backend, &keys, &mut hashes);
            assert!(hashes == expected, "{backend}, {BYTES} bytes");
        }
    }
    assert_hashed::<33>();
    assert_hashed::<65>();
}

#[test]
fn one_message() {
    for length in (0..=200).chain([247, 248, 255, 256, 257, 1000, 4096, 4159, 70_000]) {
        let message = painted(length, length);
        let expected = crate::hash160(&message);
        assert_eq!(hash160(&message), expected, "{length} bytes");
        for backend in Backend::available() {
            assert_eq!(hash160_with(backend, &message), expected, "{backend}, {length} bytes");
        }
    }
}

#[test]
fn best_backend_unless_one_is_given() {
    let keys: Vec<Vec<u8>> = (0..21).map(|seed| painted(seed, 33)).collect();
    let mut hashes = [UNWRITTEN; 21];
    hash160_many(&keys, &mut hashes);
    assert_eq!(hashes[..], keys.iter().map(crate::hash160).collect::<Vec<_>>());
}

#[test]
fn messages_of_any_kind() {
    let bytes = painted(5, 1000);
    let mut hashes = vec![UNWRITTEN; 31];
    hash160_many(bytes.chunks(33), &mut hashes);
    let expected: Vec<_> = bytes.chunks(33).map(crate::hash160).collect();
    assert_eq!(hashes, expected);

    let texts = [String::from("a"), String::from("bc"), String::new()];
    hash160_many(texts.iter().rev(), &mut hashes[..3]);
    assert_eq!(hashes[..3], ["", "bc", "a"].map(crate::hash160));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_keys_of_one_length(
        bytes in prop::collection::vec(any::<u8>(), 0..=65 * 150),
        is_compressed in any::<bool>(),
    ) {
        let length = if is_compressed { 33 } else { 65 };
        Batch::new(bytes.chunks_exact(length).map(<[u8]>::to_vec).collect()).assert_hashed();
    }

    #[test]
    fn random_runs_of_equal_lengths(
        runs in prop::collection::vec((prop_oneof![Just(33), Just(65), 0..=130_usize], 1..=100_usize), 0..=5),
    ) {
        let lengths = runs.into_iter().flat_map(|(length, count)| std::iter::repeat_n(length, count));
        Batch::painted(lengths).assert_hashed();
    }
}
