//! Tests HASH160: batches of public keys, of one length and of both, and extreme arguments.

use hash_lanes_testing::extremes::{Lying, assert_panics};
use ripemd::{Digest as _, Ripemd160};
use ripemd_multi::{Backend, Hash160Lanes, hash160, hash160_many, hash160_many_into};
use sha2::Sha256;

use crate::subject;

type Batch = hash_lanes_testing::Batch<subject::Ripemd160>;

/// Up to two groups of 64 keys and the beginning of a third. The other lengths are next to those of
/// keys, or those of other data with a HASH160.
#[test]
fn every_count_of_one_length() {
    for length in [33, 65, 0, 20, 22, 32, 34, 64, 66, 71, 105] {
        let is_key = length == 33 || length == 65;
        let batch = Batch::painted([length; 130]);
        for count in (34..=70).chain(if is_key { 71..=130 } else { 130..=130 }) {
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

/// Groups of keys come before and after messages that wait in lanes.
#[test]
fn keys_between_other_messages() {
    for run in [16, 64, 70, 128] {
        let length = |i: usize| if (i / run).is_multiple_of(2) { 33 } else { i * 7919 % 300 };
        Batch::painted((0..4 * run + 1).map(length)).assert_hashed();
    }
}

#[test]
fn keys() {
    let of_nothing: [u8; 20] = Ripemd160::digest(Sha256::digest([])).into();
    assert_eq!(hash160([]), of_nothing);
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let lanes = Hash160Lanes::on(backend);
        lanes.hash_many_into([""; 0], &mut []);
        assert_eq!(lanes.hash_many([""; 70]), [of_nothing; 70], "{backend}");
        assert_eq!(lanes.hash([]), of_nothing, "{backend}");
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
