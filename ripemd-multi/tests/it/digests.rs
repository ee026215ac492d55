//! Tests 32-byte messages.

use ripemd_multi::{Backend, hash_digests, hash_digests_with, hash_many_with};

use crate::{UNWRITTEN, painted, ripemd160};

fn messages(count: usize) -> Vec<[u8; 32]> {
    (0..count).map(|seed| painted(seed, 32).try_into().unwrap()).collect()
}

fn assert_counts_hashed(counts: impl IntoIterator<Item = usize>, max: usize) {
    let messages = messages(max);
    let expected: Vec<_> = messages.iter().map(ripemd160).collect();
    for count in counts {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let mut digests = vec![UNWRITTEN; count];
            hash_digests_with(backend, &messages[..count], &mut digests);
            assert!(digests == expected[..count], "{backend}, {count} messages");
        }
    }
}

/// With two groups of 16 lanes: up to two full passes and a partial third.
#[test]
fn every_count() {
    assert_counts_hashed(0..=70, 70);
}

#[test]
fn many_more_messages_than_lanes() {
    assert_counts_hashed(
        [100, 127, 128, 129, 257, 1000, 4096, 4096 + 5, 4096 + 32 + 16 + 8 + 1],
        4200,
    );
}

#[test]
fn same_digests_as_messages_of_any_length() {
    let messages = messages(37);
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let (mut as_digests, mut as_messages) = ([UNWRITTEN; 37], [UNWRITTEN; 37]);
        hash_digests_with(backend, &messages, &mut as_digests);
        hash_many_with(backend, &messages, &mut as_messages);
        assert_eq!(as_digests, as_messages, "{backend}");
    }
}

/// Each bit of the message affects the digest.
#[test]
fn messages_of_one_bit() {
    let mut messages = vec![[0; 32]; 256];
    for (bit, message) in messages.iter_mut().enumerate() {
        message[bit / 8] = 1 << (bit % 8);
    }
    let expected: Vec<_> = messages.iter().map(ripemd160).collect();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let mut digests = vec![UNWRITTEN; messages.len()];
        hash_digests_with(backend, &messages, &mut digests);
        assert!(digests == expected, "{backend}");
    }
}

#[test]
fn without_a_backend_argument() {
    let messages = messages(21);
    let mut digests = [UNWRITTEN; 21];
    hash_digests(&messages, &mut digests);
    assert_eq!(digests[..], messages.iter().map(ripemd160).collect::<Vec<_>>());
}
