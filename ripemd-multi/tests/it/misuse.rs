//! Tests the documented panics that only this hash has.

use ripemd_multi::hash160_many_into;

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn hash160_many_into_too_few() {
    hash160_many_into(&[[2; 33]; 3], &mut [[0; 20]; 2]);
}

#[test]
#[should_panic(expected = "65 messages cannot be hashed into 66 digests")]
fn hash160_many_into_too_many() {
    hash160_many_into(&[[2; 33]; 65], &mut [[0; 20]; 66]);
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 0 digests")]
fn hash160_of_one_into_none() {
    hash160_many_into([[2; 33]; 1].iter(), &mut []);
}
