//! The panics that the documentation names, which only this hash has.

use hash_lanes::engine::{Start, Times};
use sha1_multi::{Backend, Sha1Lanes};

#[test]
#[should_panic(expected = "this hash is not offered twice")]
fn digests_of_digests() {
    let start = Start::of::<Sha1Lanes>();
    let mut digests = [[0; 20]; 3];
    hash_lanes::engine::hash_many::<Sha1Lanes, 5, _, _, _>(
        Backend::detect(),
        start,
        Times::Twice,
        ["a", "b", "c"],
        &mut digests,
    );
}
