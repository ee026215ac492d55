//! Tests extreme arguments of HASH160.

use hash_lanes_testing::extremes::{Lying, assert_panics};
use ripemd::{Digest as _, Ripemd160};
use ripemd_multi::{Backend, hash160, hash160_many, hash160_many_with, hash160_with};
use sha2::Sha256;

#[test]
fn keys() {
    let of_nothing: [u8; 20] = Ripemd160::digest(Sha256::digest([])).into();
    assert_eq!(hash160(&[]), of_nothing);
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        hash160_many_with::<_, [u8]>(backend, [], &mut []);
        let mut hashes = [[0; 20]; 70];
        hash160_many_with(backend, &[[0; 0]; 70], &mut hashes);
        assert_eq!(hashes, [of_nothing; 70], "{backend}");
        assert_eq!(hash160_with(backend, &[]), of_nothing, "{backend}");
    }
    for (keys, hashes) in [(0, 1), (1, 0), (1, 2), (65, 64)] {
        let message = format!("{keys} messages cannot be hashed into {hashes} digests");
        let (keys, mut hashes) = (vec![[2; 33]; keys], vec![[0; 20]; hashes]);
        assert_panics(&message, || hash160_many(&keys, &mut hashes));
    }
}

#[test]
fn iterators_with_a_wrong_length() {
    let none = Lying { messages: std::iter::empty::<&[u8]>(), len: usize::MAX };
    let message = format!("{} messages cannot be hashed into 0 digests", usize::MAX);
    assert_panics(&message, || hash160_many(none, &mut []));
    let keys = [[2; 33]; 70];
    for length in [1, 69, 71] {
        let lying = Lying { messages: keys.iter(), len: length };
        let message = if length > keys.len() {
            format!("the iterator yielded 70 messages, fewer than its length of {length}")
        } else {
            let more = length + 1;
            format!(
                "the iterator yielded {more} messages or more, more than its length of {length}"
            )
        };
        assert_panics(&message, || hash160_many(lying, &mut vec![[0; 20]; length]));
    }
}
