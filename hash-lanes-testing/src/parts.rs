//! Tests messages in parts, after a prefix of any length.

use hash_lanes::Prefix;
use proptest::prelude::*;

use crate::extremes::assert_panics;
use crate::{Subject, backends, painted, unwritten};

/// Lengths of parts, short and long, which are hashed in different ways.
fn any_length() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0..=70_usize, 1 => 70..=300_usize, 1 => 0..=2000_usize]
}

pub fn random_parts<S: Subject>() {
    let parts = prop::collection::vec((any_length(), any_length(), any_length()), 0..=140);
    proptest!(ProptestConfig::with_cases(32), |(prefix in any_length(), parts in parts)| {
        let prefix = painted(7, prefix);
        let messages: Vec<[Vec<u8>; 3]> = parts
            .iter()
            .enumerate()
            .map(|(i, &(a, b, c))| [painted(i, a), painted(3 * i, b), painted(5 * i + 1, c)])
            .collect();
        let expected: Vec<_> = messages
            .iter()
            .map(|message| S::reference(&[&prefix[..], &message.concat()].concat()))
            .collect();
        for backend in backends() {
            let prefix = Prefix::<S::Hash>::with_backend(backend, &prefix);
            let slices = messages.iter().map(|[a, b, c]| [&a[..], b, c]);
            prop_assert!(prefix.hash_many(slices) == expected, "{}, slices", backend);
            let mut digests = vec![unwritten(); messages.len()];
            prefix.hash_many_into(messages.iter().map(|[a, b, c]| (a, b, c)), &mut digests);
            prop_assert!(digests == expected, "{}, tuples", backend);
        }
    });
}

/// Prefixes and messages of every length around a block, in one to four parts.
pub fn every_length<S: Subject>() {
    let bytes = painted(1, 400);
    for prefix_len in [0, 1, 20, 32, 55, 63, 64, 65, 96, 126, 127, 128, 129, 200] {
        let prefix = Prefix::<S::Hash>::new(&bytes[..prefix_len]);
        let end = |len: usize| prefix_len + len;
        let whole = |len: usize| S::reference(&bytes[..end(len)]);
        let expected: Vec<_> = (0..200).map(whole).collect();
        let parts = |len: usize| {
            let (a, b, c) = (len / 4, len / 3, len / 2);
            let part = |from: usize, to: usize| &bytes[end(from)..end(to)];
            (part(0, a), part(a, b), part(b, c), part(c, len))
        };
        assert_eq!(prefix.hash_many((0..200).map(parts)), expected, "{prefix_len}, four");
        let two = (0..200).map(|len| (parts(len).0, &bytes[end(len / 4)..end(len)]));
        assert_eq!(prefix.hash_many(two), expected, "{prefix_len}, two");
        let one = (0..200).map(|len| (&bytes[end(0)..end(len)],));
        assert_eq!(prefix.hash_many(one), expected, "{prefix_len}, one");
        let none: [[&[u8]; 0]; 3] = [[]; 3];
        assert_eq!(prefix.hash_many(none), [expected[0]; 3], "{prefix_len}, none");
    }
}

/// Short messages that end at every byte around the end of the buffer in which they are joined.
pub fn joined_to_the_last_byte<S: Subject>() {
    let bytes = painted(5, 300);
    let prefix = Prefix::<S::Hash>::new(&bytes[..1]);
    for cut in 0..300 {
        let lens = (0..66).map(|i| match i {
            16 => cut,
            0..33 => 255,
            _ => i % 3,
        });
        let lens: Vec<usize> = lens.map(|len| len.min(298)).collect();
        let digests = prefix.hash_many(lens.iter().map(|&len| (&bytes[1..1 + len],)));
        for (digest, len) in digests.iter().zip(lens) {
            assert_eq!(*digest, S::reference(&bytes[..1 + len]), "{cut}");
        }
    }
}

pub fn mismatched_counts<S: Subject>() {
    let prefix = Prefix::<S::Hash>::new(b"prefix");
    assert_panics("2 messages cannot be hashed into 1 digests", || {
        prefix.hash_many_into([("a",), ("b",)], &mut [unwritten()]);
    });
    let endless = std::iter::repeat(("a", "b")).filter(|_| true);
    assert_panics("more than 3 messages cannot be hashed into 3 digests", || {
        prefix.hash_many_into(endless, &mut [unwritten(); 3]);
    });
}
