//! Messages of equal length: every count with every length.

use sha1_multi::{Backend, hash, hash_many, hash_many_with, hash_with};

use crate::batch::Batch;
use crate::{UNWRITTEN, painted, sha1};

/// 0 to 33 messages: each tail of one kernel and of two in a row.
fn assert_every_count(length: usize) {
    let batch = Batch::painted([length; 33]);
    for count in 0..=33 {
        batch.assert_range_hashed(0..count);
    }
}

#[test]
fn every_count_of_up_to_three_blocks() {
    for length in 0..=200 {
        assert_every_count(length);
    }
}

#[test]
fn every_count_around_the_boundaries_of_further_blocks() {
    for blocks in [4, 5, 8, 16, 17] {
        for length in [blocks * 64 - 9, blocks * 64 - 8, blocks * 64 - 1, blocks * 64, blocks * 64 + 1] {
            assert_every_count(length);
        }
    }
}

#[test]
fn many_more_messages_than_lanes() {
    for (count, length) in [(64, 100), (100, 64), (257, 3), (1000, 55), (1003, 56)] {
        Batch::painted(std::iter::repeat_n(length, count)).assert_hashed();
    }
}

#[test]
fn one_message() {
    for length in (0..=200).chain([247, 248, 255, 256, 257, 1000, 4096, 4159, 70_000]) {
        let message = painted(length, length);
        assert_eq!(hash(&message), sha1(&message), "{length} bytes");
        for backend in Backend::available() {
            assert_eq!(hash_with(backend, &message), sha1(&message), "{backend}, {length} bytes");
        }
    }
}

#[test]
fn best_backend_unless_one_is_given() {
    let messages: Vec<Vec<u8>> = (0..21).map(|i| painted(i, 5 * i)).collect();
    let (mut digests, mut digests_with) = ([UNWRITTEN; 21], [UNWRITTEN; 21]);
    hash_many(&messages, &mut digests);
    hash_many_with(Backend::detect(), &messages, &mut digests_with);
    assert_eq!(digests, digests_with);
    assert_eq!(digests[..], messages.iter().map(sha1).collect::<Vec<_>>());
}

#[test]
fn messages_of_any_kind() {
    let bytes = painted(5, 1000);
    let mut digests = vec![UNWRITTEN; 11];
    hash_many(bytes.chunks(96), &mut digests);
    let expected: Vec<_> = bytes.chunks(96).map(sha1).collect();
    assert_eq!(digests, expected);

    let arrays = [[1_u8; 48], [2; 48], [3; 48]];
    hash_many(&arrays, &mut digests[..3]);
    assert_eq!(digests[..3], arrays.map(sha1));

    let texts = [String::from("a"), String::from("bc"), String::new()];
    hash_many(texts.iter().rev(), &mut digests[..3]);
    assert_eq!(digests[..3], ["", "bc", "a"].map(sha1));
}
