//! The digest types, through the traits of both generations of `digest`.

/// Keys and messages with their HMAC by go-sumhash 0.1.0 and Go's `crypto/hmac`.
fn hmacs() -> [(Vec<u8>, Vec<u8>, &'static str); 4] {
    let bytes: Vec<u8> = (0..100).collect();
    [
        (
            b"key".to_vec(),
            b"The quick brown fox jumps over the lazy dog".to_vec(),
            "9455fc6f02897c46b86b02b528f2d51884c1279cd42b02b7baf5fc3881aefcc23fe8888c77237624f12af6fae6300f28\
             23fa2f044a7bd5c2ff3c59d2051513f8",
        ),
        (
            vec![],
            vec![],
            "aa6d9d77e9fe27bc0c9d030f03bbf7203e5bfd2ed75044eda075bf5885a350884d580535f740a9fa1a6837a795110858\
             2c21db8dd4c1e93711a9eb7605da864f",
        ),
        (
            bytes[..64].to_vec(),
            b"block-sized key".to_vec(),
            "4ece4067633bf4dfea3e69607ceb03ede4a7a45a30f43edcbbb62267f180e672745531780afaac092e2c5d9ab45145d2\
             e8b2d24b1608781aac3d0a7c90c846bb",
        ),
        (
            bytes.clone(),
            bytes,
            "96715306b0cc24e6a917ebccd70dcd1578b3f338c507ce0721ad31bb14a71bdae7a55e0ac07ff7bbf1c98c35bc35e970\
             c1db063f23dfcda484dec01fda03db4a",
        ),
    ]
}

/// Tests one digest type of one generation.
macro_rules! digest_type {
    ($feature:literal, $module:ident, $digest:ident, $hmac:ident, $Type:path) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $Type as Hash;
            use $digest::{Digest, DynDigest, FixedOutput, Update};
            use $hmac::digest::KeyInit;
            use $hmac::{Hmac, Mac};

            use crate::painted;
            use crate::reference::Reference;

            #[test]
            fn hmacs() {
                for (key, message, expected) in super::hmacs() {
                    let mut mac = <Hmac<Hash> as KeyInit>::new_from_slice(&key).unwrap();
                    let (first, second) = message.split_at(message.len() / 3);
                    Mac::update(&mut mac, first);
                    Mac::update(&mut mac, second);
                    assert_eq!(hex::encode(mac.clone().finalize().into_bytes()), expected);
                    assert!(mac.verify_slice(&[0; 64]).is_err());
                }
            }

            /// More blocks than are copied at once.
            #[test]
            fn any_split_of_a_message() {
                let message = painted(1, 64 * 10 + 5);
                let expected = Reference::new().digest(&message);
                for split in 0..=message.len() {
                    let (first, second) = message.split_at(split);
                    let hasher = Update::chain(Update::chain(Hash::default(), first), second);
                    assert_eq!(hasher.finalize_fixed()[..], expected, "{split}");
                }
            }

            #[test]
            fn trait_objects() {
                let mut hasher: Box<dyn DynDigest> = Box::new(<Hash as Digest>::new());
                for len in [0, 1, 47, 48, 64, 200] {
                    let message = painted(len, len);
                    hasher.update(&message);
                    let digest = hasher.clone().finalize();
                    assert_eq!(*digest, Reference::new().digest(&message), "{len} bytes");
                    assert_eq!(hasher.finalize_reset(), digest, "{len} bytes");
                }
            }
        }
    };
}
digest_type!("digest", of_0_11, digest, hmac, sumhash512::Sumhash512);
digest_type!("digest", ct_of_0_11, digest, hmac, sumhash512::Sumhash512Ct);
digest_type!("digest-0_10", of_0_10, digest_0_10, hmac_0_12, sumhash512::digest_0_10::Sumhash512);

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
    use sumhash512::{Sumhash512, Sumhash512Ct};

    let reference = crate::reference::Reference::new();
    for length in LENGTHS {
        let input = crate::painted(length, length);
        let output = reference.digest(&input).to_vec();
        // These tests take static vectors.
        let vector: &'static TestVector =
            Box::leak(Box::new(TestVector { input: input.leak(), output: output.leak() }));
        fixed_reset_test::<Sumhash512>(vector).unwrap();
        fixed_test::<Sumhash512>(vector).unwrap();
        fixed_reset_test::<Sumhash512Ct>(vector).unwrap();
        fixed_test::<Sumhash512Ct>(vector).unwrap();
    }
}

#[cfg(feature = "digest")]
#[test]
fn names() {
    use digest::common::AlgorithmName;
    use sumhash512::{Sumhash512, Sumhash512Ct};

    struct Named<T>(core::marker::PhantomData<T>);

    impl<T: AlgorithmName> core::fmt::Display for Named<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }

    assert_eq!(Named::<Sumhash512>(Default::default()).to_string(), "Sumhash512");
    // It is the same algorithm.
    assert_eq!(Named::<Sumhash512Ct>(Default::default()).to_string(), "Sumhash512");
    assert_eq!(format!("{:?}", Sumhash512::default()), "Sumhash512 { ... }");
    assert_eq!(format!("{:?}", Sumhash512Ct::default()), "Sumhash512Ct { ... }");
}
