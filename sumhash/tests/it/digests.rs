//! The digest types of both generations of `digest`, and `DigestMany`.

use sumhash512::DigestMany;

use crate::painted;

/// Lengths around the ends of blocks, for the tests of the crate `digest`.
const LENGTHS: [usize; 13] = [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 129, 200, 1000];

#[cfg(feature = "digest-0_10")]
#[test]
fn tests_of_digest_0_10() {
    use digest_0_10::dev::{fixed_reset_test, fixed_test};
    use sumhash512::digest_0_10::Sumhash512;

    let reference = crate::reference::Reference::new();
    for length in LENGTHS {
        let input = painted(length, length);
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
    let message = painted(1, 200);
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
        let input = painted(length, length);
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
    assert_eq!(format!("{:?}", sumhash512::Sumhash512::default()), "Sumhash512With { ... }");
}

/// A table that is dropped after the hashers that use it, under both generations; also resets,
/// which keep the table and the salt.
#[test]
fn own_tables_and_salts() {
    use sumhash512::{Sumhash512Core, Table};

    let (message, salt) = (painted(3, 300), [0x5a; 64]);
    let reference = crate::reference::Reference::new();
    let expected =
        [reference.digest(&message).to_vec(), reference.digest_salted(&message, Some(&salt))];
    let table = Table::new();
    let core = Sumhash512Core::with_table(&table);
    let cores = [core.clone(), core.with_salt(&salt)];
    for (core, expected) in cores.iter().zip(&expected) {
        #[cfg(feature = "digest")]
        {
            use digest::Digest as _;
            let mut hasher = sumhash512::Sumhash512With::from(core.clone());
            hasher.update(b"forgotten");
            digest::Reset::reset(&mut hasher);
            hasher.update(&message[..100]);
            hasher.update(&message[100..]);
            assert_eq!(hasher.finalize_reset()[..], *expected);
            hasher.update(&message);
            assert_eq!(hasher.finalize()[..], *expected);
        }
        #[cfg(feature = "digest-0_10")]
        {
            use digest_0_10::core_api::CoreWrapper;
            use digest_0_10::{Digest as _, Reset};
            let mut hasher = CoreWrapper::from_core(core.clone());
            hasher.update(b"forgotten");
            Reset::reset(&mut hasher);
            hasher.update(&message[..100]);
            hasher.update(&message[100..]);
            assert_eq!(hasher.finalize_reset()[..], *expected);
            hasher.update(&message);
            assert_eq!(hasher.finalize()[..], *expected);
        }
    }
    drop(table);
}

#[cfg(feature = "digest-0_10")]
#[test]
fn wrapped_by_default() {
    use digest_0_10::Digest as _;
    use digest_0_10::core_api::CoreWrapper;
    use sumhash512::Sumhash512Core;

    let hasher = CoreWrapper::<Sumhash512Core<'_>>::default().chain_update(b"MB");
    assert_eq!(format!("{:x}", hasher.finalize())[..16], *"c1a359d33a5e2872");
}

/// Tests `DigestMany` of one generation.
macro_rules! generation {
    ($feature:literal, $module:ident, $digest:ident, $sumhash512:path) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $digest::{Digest, Output};
            use $sumhash512 as Sumhash512;

            use super::*;

            #[test]
            fn digests_match_the_digest_type() {
                let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
                let expected: Vec<Output<Sumhash512>> =
                    messages.iter().map(Sumhash512::digest).collect();
                assert_eq!(Sumhash512::digest_many(&messages), expected);
                assert!(Sumhash512::digest_many(&[[0; 0]; 0]).is_empty());
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                Sumhash512::digest_many_into(["", ""], &mut [Output::<Sumhash512>::default()]);
            }
        }
    };
}
generation!("digest", of_0_11, digest, sumhash512::Sumhash512);
generation!("digest-0_10", of_0_10, digest_0_10, sumhash512::digest_0_10::Sumhash512);

/// Code that is generic over the hash.
#[cfg(feature = "digest")]
#[test]
fn generic_code() {
    use sumhash512::{HashMany, Sumhash512Lanes};

    fn digests_of<H: HashMany>(hash: H, messages: &[Vec<u8>]) -> Vec<H::Output> {
        hash.hash_many(messages)
    }
    let messages: Vec<Vec<u8>> = (0..20).map(|i| painted(i, i * 19)).collect();
    let expected = sumhash512::Sumhash512::digest_many(&messages);
    for backend in sumhash512::Backend::available() {
        let hash = Sumhash512Lanes::default().on(backend);
        assert_eq!(digests_of(hash, &messages), expected, "{backend}");
    }
}
