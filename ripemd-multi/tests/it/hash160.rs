//! RIPEMD-160 of SHA-256, of public keys and of all else.

use ripemd_multi::{Backend, hash160_many, hash160_many_with};

use crate::{UNWRITTEN, painted};

/// Asserts it for the first of these keys, how many of them stands in `counts`.
fn assert_counts_hashed<const BYTES: usize>(counts: impl IntoIterator<Item = usize>, most: usize) {
    let keys: Vec<[u8; BYTES]> =
        (0..most).map(|seed| painted(seed, BYTES).try_into().unwrap()).collect();
    let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
    for count in counts {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
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

/// Each bit of the key tells: none of its bytes is left out, none is put at two places.
#[test]
fn keys_of_one_bit() {
    fn assert_hashed<const BYTES: usize>() {
        let mut keys = vec![[0; BYTES]; 8 * BYTES];
        for (bit, key) in keys.iter_mut().enumerate() {
            key[bit / 8] = 1 << (bit % 8);
        }
        let expected: Vec<_> = keys.iter().map(crate::hash160).collect();
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let mut hashes = vec![UNWRITTEN; keys.len()];
            hash160_many_with(backend, &keys, &mut hashes);
            assert!(hashes == expected, "{backend}, {BYTES} bytes");
        }
    }
    assert_hashed::<33>();
    assert_hashed::<65>();
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
