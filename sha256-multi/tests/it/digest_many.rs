//! The digest type of RustCrypto with lanes.

use sha256_multi::{Backend, DigestMany};

use crate::{double_sha256, painted};

/// Code that knows of no hash and of no lanes.
fn digests_of<D: DigestMany<L>, L>(messages: &[Vec<u8>]) -> Vec<D::Output> {
    D::digest_many(messages)
}

/// Tests one generation of the digest traits.
macro_rules! generation {
    ($feature:literal, $module:ident, $sha2:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $sha2::Sha256;
            use $sha2::digest::Output;

            use super::*;

            #[test]
            fn digests_are_those_of_the_digest_type() {
                let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
                let expected: Vec<Output<Sha256>> =
                    messages.iter().map(<Sha256 as $sha2::Digest>::digest).collect();
                let digests: Vec<Output<Sha256>> = Sha256::digest_many(&messages);
                assert_eq!(digests, expected);
                assert_eq!(digests_of::<Sha256, _>(&messages), expected);

                let mut digests = vec![Output::<Sha256>::default(); messages.len()];
                Sha256::digest_many_into(&messages, &mut digests);
                assert_eq!(digests, expected);
                for backend in Backend::available() {
                    digests.fill(Default::default());
                    Sha256::digest_many_into_with(backend, &messages, &mut digests);
                    assert_eq!(digests, expected, "{backend}");
                    assert_eq!(Sha256::digest_many_with(backend, &messages), expected, "{backend}");
                }
            }

            #[test]
            fn digests_can_be_hashed_on() {
                let digests = Sha256::digest_many(&Sha256::digest_many(["a", "b", "c"]));
                for (digest, message) in digests.iter().zip(["a", "b", "c"]) {
                    assert_eq!(digest[..], double_sha256(message));
                }
            }

            #[test]
            fn no_messages() {
                assert!(Sha256::digest_many(&[[0; 0]; 0]).is_empty());
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                Sha256::digest_many_into(["", ""], &mut [Output::<Sha256>::default()]);
            }
        }
    };
}
generation!("digest", of_0_11, sha2);
generation!("digest-0_10", of_0_10, sha2_0_10);

#[cfg(all(feature = "digest", feature = "digest-0_10"))]
#[test]
fn both_generations_together() {
    let messages = vec![painted(1, 100), painted(2, 200)];
    let new: Vec<Vec<u8>> =
        digests_of::<sha2::Sha256, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    let old: Vec<Vec<u8>> =
        digests_of::<sha2_0_10::Sha256, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    assert_eq!(new, old);
}
