//! Tests HASH160 of public keys and other messages.

use ripemd_multi::{Backend, Ripemd160Lanes, hash160_many, hash160_many_into};

use crate::{UNWRITTEN, painted};

/// Asserts the hashes of the first `count` keys, for each of `counts`.
fn assert_counts_hashed<const BYTES: usize>(counts: impl IntoIterator<Item = usize>, max: usize) {
    let keys: Vec<[u8; BYTES]> =
        (0..max).map(|seed| painted(seed, BYTES).try_into().unwrap()).collect();
    let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
    for count in counts {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let hashes = Ripemd160Lanes::on(backend).hash160_many(&keys[..count]);
            assert!(hashes == expected[..count], "{backend}, {count} keys of {BYTES} bytes");
        }
    }
}

/// Up to two groups of 64 and the beginning of a third.
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

/// Each bit of the key affects the hash: no byte is missing or loaded twice.
#[test]
fn keys_of_one_bit() {
    fn assert_hashed<const BYTES: usize>() {
        let mut keys = vec![[0; BYTES]; 8 * BYTES];
        for (bit, key) in keys.iter_mut().enumerate() {
            key[bit / 8] = 1 << (bit % 8);
        }
        let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let hashes = Ripemd160Lanes::on(backend).hash160_many(&keys);
            assert!(hashes == expected, "{backend}, {BYTES} bytes");
        }
    }
    assert_hashed::<33>();
    assert_hashed::<65>();
}

#[test]
fn without_a_backend_argument() {
    let keys: Vec<Vec<u8>> = (0..21).map(|seed| painted(seed, 33)).collect();
    let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
    assert_eq!(hash160_many(&keys), expected);
    let mut hashes = [UNWRITTEN; 21];
    hash160_many_into(&keys, &mut hashes);
    assert_eq!(hashes, *expected);
}
