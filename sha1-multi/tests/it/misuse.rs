//! Tests the documented panics that only this hash has.

use hash_lanes::engine::{Hashing, InitialState};
use sha1_multi::{Backend, Sha1Lanes};

#[test]
#[should_panic(expected = "this hash does not support double hashing")]
fn double_hashing() {
    let initial = InitialState::of::<Sha1Lanes>();
    let mut digests = [[0; 20]; 3];
    hash_lanes::engine::hash_many::<Sha1Lanes, 5, _, _, _>(
        Backend::detect(),
        initial,
        Hashing::Double,
        ["a", "b", "c"],
        &mut digests,
    );
}
