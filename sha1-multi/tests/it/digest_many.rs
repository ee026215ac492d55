//! The digest type of RustCrypto with lanes.

use sha1_multi::{Backend, DigestMany};

use crate::{painted, sha1};

/// Code that knows of no hash and of no lanes.
fn digests_of<D: DigestMany<L>, L>(messages: &[Vec<u8>]) -> Vec<D::Output> {
    D::digest_many(messages)
}

/// Tests one generation of the digest traits.
macro_rules! generation {
    ($feature:literal, $module:ident, $sha1:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $sha1::Sha1;
            use $sha1::digest::Output;

            use super::*;

            #[test]
            fn digests_are_those_of_the_digest_type() {
                let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
                let expected: Vec<Output<Sha1>> =
                    messages.iter().map(<Sha1 as $sha1::Digest>::digest).collect();
                let digests: Vec<Output<Sha1>> = Sha1::digest_many(&messages);
                assert_eq!(digests, expected);
                assert_eq!(digests_of::<Sha1, _>(&messages), expected);

                let mut digests = vec![Output::<Sha1>::default(); messages.len()];
                Sha1::digest_many_into(&messages, &mut digests);
                assert_eq!(digests, expected);
                for backend in Backend::available() {
                    digests.fill(Default::default());
                    Sha1::digest_many_into_with(backend, &messages, &mut digests);
                    assert_eq!(digests, expected, "{backend}");
                    assert_eq!(Sha1::digest_many_with(backend, &messages), expected, "{backend}");
                }
            }

            #[test]
            fn digests_can_be_hashed_on() {
                let digests = Sha1::digest_many(&Sha1::digest_many(["a", "b", "c"]));
                for (digest, message) in digests.iter().zip(["a", "b", "c"]) {
                    assert_eq!(digest[..], sha1(sha1(message)));
                }
            }

            #[test]
            fn no_messages() {
                assert!(Sha1::digest_many(&[[0; 0]; 0]).is_empty());
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                Sha1::digest_many_into(["", ""], &mut [Output::<Sha1>::default()]);
            }
        }
    };
}
generation!("digest", of_0_11, sha1);
generation!("digest-0_10", of_0_10, sha1_0_10);

#[cfg(all(feature = "digest", feature = "digest-0_10"))]
#[test]
fn both_generations_together() {
    let messages = vec![painted(1, 100), painted(2, 200)];
    let new: Vec<Vec<u8>> =
        digests_of::<sha1::Sha1, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    let old: Vec<Vec<u8>> =
        digests_of::<sha1_0_10::Sha1, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    assert_eq!(new, old);
}
