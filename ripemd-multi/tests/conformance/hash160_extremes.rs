//! Tests extreme arguments of HASH160.

use hash_lanes_testing::extremes::{Lying, assert_panics};
use ripemd::{Digest as _, Ripemd160};
use ripemd_multi::{Backend, Ripemd160Lanes, hash160, hash160_many, hash160_many_into};
use sha2::Sha256;

#[test]
fn keys() {
    let of_nothing: [u8; 20] = Ripemd160::digest(Sha256::digest([])).into();
    assert_eq!(hash160(&[]), of_nothing);
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let lanes = Ripemd160Lanes::on(backend);
        lanes.hash160_many_into([""; 0], &mut []);
        assert_eq!(lanes.hash160_many([""; 70]), [of_nothing; 70], "{backend}");
        assert_eq!(lanes.hash160(&[]), of_nothing, "{backend}");
    }
    for (keys, hashes) in [(0, 1), (1, 0), (1, 2), (65, 64)] {
        let message = format!("{keys} messages cannot be hashed into {hashes} digests");
        let (keys, mut hashes) = (vec![[2; 33]; keys], vec![[0; 20]; hashes]);
        assert_panics(&message, || hash160_many_into(&keys, &mut hashes));
    }
}

#[test]
fn hints_that_lie() {
    let keys = [[2; 33]; 70];
    let right: [u8; 20] = Ripemd160::digest(Sha256::digest(keys[0])).into();
    for len in [0, 2, 69, 71, usize::MAX] {
        let lying = || Lying { messages: keys.iter(), len };
        let message = format!("{len} messages cannot be hashed into 70 digests");
        assert_panics(&message, || hash160_many_into(lying(), &mut [[0; 20]; 70]));
        assert_eq!(hash160_many(lying()), [right; 70]);
    }
}
