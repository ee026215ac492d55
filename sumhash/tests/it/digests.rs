//! The digest types, through the traits of both generations of `digest`.

/// Lengths around the ends of blocks, for the tests of the crate `digest`.
const LENGTHS: [usize; 13] = [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 129, 200, 1000];

#[cfg(feature = "digest-0_10")]
#[test]
fn tests_of_digest_0_10() {
    use digest_0_10::dev::{fixed_reset_test, fixed_test};
    use sumhash512::digest_0_10::Sumhash512;

    let reference = crate::reference::Reference::new();
    for length in LENGTHS {
        let input = crate::painted(length, length);
        let output = reference.digest(&input);
        assert_eq!(fixed_reset_test::<Sumhash512>(&input, &output), None);
        assert_eq!(fixed_test::<Sumhash512>(&input, &output), None);
    }
}

#[cfg(feature = "digest")]
#[test]
fn trait_objects() {
    use digest::{Digest as _, DynDigest};

    let mut hasher: Box<dyn DynDigest> = Box::new(sumhash512::Sumhash512::new());
    let message = crate::painted(1, 200);
    hasher.update(&message);
    assert_eq!(*hasher.finalize(), crate::reference::Reference::new().digest(&message));
}

#[cfg(feature = "digest-0_10")]
#[test]
fn write_and_format() {
    use std::io::Write as _;

    use digest_0_10::Digest as _;

    let mut hasher = sumhash512::digest_0_10::Sumhash512::new();
    hasher.write_all(b"M").unwrap();
    hasher.write_all(b"B").unwrap();
    assert_eq!(format!("{:x}", hasher.finalize())[..16], *"c1a359d33a5e2872");
}

#[cfg(feature = "digest")]
#[test]
fn tests_of_digest_0_11() {
    use digest::dev::{TestVector, fixed_reset_test, fixed_test};
    use sumhash512::Sumhash512;

    let reference = crate::reference::Reference::new();
    for length in LENGTHS {
        let input = crate::painted(length, length);
        let output = reference.digest(&input).to_vec();
        // These tests take static vectors.
        let vector: &'static TestVector =
            Box::leak(Box::new(TestVector { input: input.leak(), output: output.leak() }));
        fixed_reset_test::<Sumhash512>(vector).unwrap();
        fixed_test::<Sumhash512>(vector).unwrap();
    }
}

#[cfg(feature = "digest")]
#[test]
fn names() {
    use digest::common::AlgorithmName;
    use sumhash512::Sumhash512;

    struct Named<T>(core::marker::PhantomData<T>);

    impl<T: AlgorithmName> core::fmt::Display for Named<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }

    assert_eq!(Named::<Sumhash512>(Default::default()).to_string(), "Sumhash512");
    assert_eq!(format!("{:?}", Sumhash512::default()), "Sumhash512 { ... }");
}
