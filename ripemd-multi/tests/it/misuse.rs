//! Tests the documented panics that only this hash has.

use hash_lanes::engine::{Hashing, InitialState};
use ripemd_multi::{Backend, Ripemd160Lanes, hash160_many};

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn hash160_many_into_too_few() {
    hash160_many(&[[2; 33]; 3], &mut [[0; 20]; 2]);
}

#[test]
#[should_panic(expected = "65 messages cannot be hashed into 66 digests")]
fn hash160_many_into_too_many() {
    hash160_many(&[[2; 33]; 65], &mut [[0; 20]; 66]);
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 0 digests")]
fn hash160_of_one_into_none() {
    hash160_many([[2; 33]; 1].iter(), &mut []);
}

#[test]
#[should_panic(expected = "this hash does not support double hashing")]
fn double_hashing() {
    let initial = InitialState::of::<Ripemd160Lanes>();
    let mut digests = [[0; 20]; 3];
    hash_lanes::engine::hash_many::<Ripemd160Lanes, 5, _, _, _>(
        Backend::detect(),
        initial,
        Hashing::Double,
        ["a", "b", "c"],
        &mut digests,
    );
}
