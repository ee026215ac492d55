//! The traits of `digest` 0.10.
#![cfg(feature = "digest-0_10")]

use std::io::Write as _;

use digest_0_10::dev::{fixed_reset_test, fixed_test};
use digest_0_10::{Digest, FixedOutput, FixedOutputReset, Mac, Reset, Update};
use hmac_0_12::Hmac;
use sumhash512::SaltedSumhash512Core;
use sumhash512::digest_0_10::{SaltedSumhash512, Sumhash512};

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
    assert_eq!(Sumhash512::digest(&message)[..], Reference::sumhash512().hash(None, &message));
}

/// HMAC over sumhash512 works but has no security claim, because the hash is linear.
#[test]
fn hmac_is_two_hashes() {
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(b"key").for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sumhash512::new_with_prefix(pad(0x36)).chain_update(b"message").finalize();
    let outer = Sumhash512::new_with_prefix(pad(0x5c)).chain_update(inner).finalize();
    let mut hmac = <Hmac<Sumhash512> as Mac>::new_from_slice(b"key").unwrap();
    Mac::update(&mut hmac, b"message");
    assert_eq!(hmac.finalize().into_bytes(), outer);
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
