//! Tests 32-byte messages.

use ripemd_multi::{Backend, Ripemd160Lanes};

use crate::{painted, ripemd160};

fn messages(count: usize) -> Vec<[u8; 32]> {
    (0..count).map(|seed| painted(seed, 32).try_into().unwrap()).collect()
}

fn assert_counts_hashed(counts: impl IntoIterator<Item = usize>, max: usize) {
    let messages = messages(max);
    let expected: Vec<_> = messages.iter().map(ripemd160).collect();
    for count in counts {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let digests = Ripemd160Lanes::on(backend).hash_many(&messages[..count]);
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

/// Each bit of the message affects the digest.
#[test]
fn messages_of_one_bit() {
    let mut messages = vec![[0; 32]; 256];
    for (bit, message) in messages.iter_mut().enumerate() {
        message[bit / 8] = 1 << (bit % 8);
    }
    let expected: Vec<_> = messages.iter().map(ripemd160).collect();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Ripemd160Lanes::on(backend).hash_many(&messages);
        assert!(digests == expected, "{backend}");
    }
}
