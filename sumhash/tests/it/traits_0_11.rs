//! The traits of `digest` 0.11.
#![cfg(feature = "digest")]

use std::sync::LazyLock;

use digest::dev::{TestVector, fixed_reset_test, fixed_test};
use digest::{Digest, FixedOutput, FixedOutputReset, Reset, Update};
use sumhash512::{SaltedSumhash512, Sumhash512, Sumhash512Ct, Sumhash512With, Table};

use crate::painted;
use crate::reference::Reference;

/// Messages with their digests. They are static because the tests of `digest` require it.
static VECTORS: LazyLock<Vec<TestVector>> = LazyLock::new(|| {
    let reference = Reference::sumhash512();
    let vector = |length| {
        let input = painted(length, length);
        let output = reference.hash(None, &input);
        TestVector { input: input.leak(), output: output.leak() }
    };
    [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 129, 200, 1000].map(vector).into()
});

#[test]
fn tests_of_the_crate_digest() {
    for vector in VECTORS.iter() {
        fixed_reset_test::<Sumhash512>(vector).unwrap();
        fixed_test::<Sumhash512>(vector).unwrap();
        fixed_reset_test::<Sumhash512Ct>(vector).unwrap();
        fixed_test::<Sumhash512Ct>(vector).unwrap();
    }
}

#[test]
fn any_split_of_a_message() {
    let message = painted(1, 150);
    let expected = Sumhash512::digest(&message);
    let table = Table::new();
    let salted = SaltedSumhash512::new(&[5; 64]).chain(&message).finalize_fixed();
    for split in 0..=150 {
        let (first, second) = message.split_at(split);
        assert_eq!(
            Digest::chain_update(Sumhash512::new(), first).chain_update(second).finalize(),
            expected
        );
        assert_eq!(
            Sumhash512With::new(&table).chain(first).chain(second).finalize_fixed(),
            expected
        );
        let parts = SaltedSumhash512::new(&[5; 64]).chain(first).chain(second);
        assert_eq!(parts.finalize_fixed(), salted);
    }
}

#[test]
fn reset_keeps_the_salt() {
    let fresh = SaltedSumhash512::new(&[5; 64]).chain(b"abc").finalize_fixed();
    let mut used = SaltedSumhash512::new(&[5; 64]).chain([1; 200]);
    Reset::reset(&mut used);
    used.update(b"abc");
    assert_eq!(used.finalize_fixed_reset(), fresh);
    used.update(b"abc");
    assert_eq!(used.finalize_fixed(), fresh);
}

#[test]
fn names() {
    struct Named<T>(T);

    impl<T: digest::common::AlgorithmName> core::fmt::Display for Named<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }

    assert_eq!(Named(Sumhash512::new()).to_string(), "Sumhash512");
    assert_eq!(Named(SaltedSumhash512::new(&[5; 64])).to_string(), "SaltedSumhash512");
    // It is the same algorithm.
    assert_eq!(Named(Sumhash512Ct::new()).to_string(), "Sumhash512");
    assert_eq!(format!("{:?}", Sumhash512::new()), "Sumhash512 { ... }");
    assert_eq!(format!("{:?}", Sumhash512Ct::new()), "Sumhash512Ct { ... }");
}
