//! The traits of `digest` 0.10.
#![cfg(feature = "digest-0_10")]

use std::io::Write as _;

use digest_0_10::dev::{fixed_reset_test, fixed_test};
use digest_0_10::{Digest, FixedOutput, FixedOutputReset, Reset, Update};
use sumhash512::SaltedSumhash512Core;
use sumhash512::digest_0_10::{SaltedSumhash512, Sumhash512, Sumhash512Ct};

use crate::painted;
use crate::reference::Reference;

#[test]
fn tests_of_the_crate_digest() {
    let reference = Reference::sumhash512();
    for length in [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 129, 200, 1000] {
        let input = painted(length, length);
        let output = reference.hash(None, &input);
        assert_eq!(fixed_reset_test::<Sumhash512>(&input, &output), None);
        assert_eq!(fixed_test::<Sumhash512>(&input, &output), None);
        assert_eq!(fixed_reset_test::<Sumhash512Ct>(&input, &output), None);
        assert_eq!(fixed_test::<Sumhash512Ct>(&input, &output), None);
    }
}

#[test]
fn write_and_format() {
    let mut hasher = Sumhash512::new();
    hasher.write_all(b"M").unwrap();
    hasher.write_all(b"B").unwrap();
    assert_eq!(format!("{:x}", hasher.finalize())[..16], *"c1a359d33a5e2872");
}

#[test]
fn more_blocks_than_are_copied_at_once() {
    let message = painted(3, 64 * 21 + 5);
    let expected = Reference::sumhash512().hash(None, &message);
    assert_eq!(Sumhash512::digest(&message)[..], expected);
    assert_eq!(Sumhash512Ct::digest(&message)[..], expected);
}

#[test]
fn reset_keeps_the_salt() {
    let new = || SaltedSumhash512::from_core(SaltedSumhash512Core::new(&[5; 64]));
    let fresh = new().chain(b"abc").finalize_fixed();
    let mut used = new().chain([1; 200]);
    Reset::reset(&mut used);
    Update::update(&mut used, b"abc");
    assert_eq!(used.finalize_fixed_reset(), fresh);
    Update::update(&mut used, b"abc");
    assert_eq!(used.finalize_fixed(), fresh);
}
