//! The digest type of RustCrypto with lanes.

use ripemd_multi::{Backend, DigestMany};

use crate::{painted, ripemd160};

/// Code that knows of no hash and of no lanes.
fn digests_of<D: DigestMany<L>, L>(messages: &[Vec<u8>]) -> Vec<D::Output> {
    D::digest_many(messages)
}

/// Tests one generation of the digest traits.
macro_rules! generation {
    ($feature:literal, $module:ident, $ripemd:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $ripemd::Ripemd160;
            use $ripemd::digest::Output;

            use super::*;

            #[test]
            fn digests_are_those_of_the_digest_type() {
                let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
                let expected: Vec<Output<Ripemd160>> =
                    messages.iter().map(<Ripemd160 as $ripemd::Digest>::digest).collect();
                let digests: Vec<Output<Ripemd160>> = Ripemd160::digest_many(&messages);
                assert_eq!(digests, expected);
                assert_eq!(digests_of::<Ripemd160, _>(&messages), expected);

                let mut digests = vec![Output::<Ripemd160>::default(); messages.len()];
                Ripemd160::digest_many_into(&messages, &mut digests);
                assert_eq!(digests, expected);
                for backend in Backend::available() {
                    digests.fill(Default::default());
                    Ripemd160::digest_many_into_with(backend, &messages, &mut digests);
                    assert_eq!(digests, expected, "{backend}");
                    assert_eq!(Ripemd160::digest_many_with(backend, &messages), expected, "{backend}");
                }
            }

            #[test]
            fn digests_can_be_hashed_on() {
                let digests = Ripemd160::digest_many(&Ripemd160::digest_many(["a", "b", "c"]));
                for (digest, message) in digests.iter().zip(["a", "b", "c"]) {
                    assert_eq!(digest[..], ripemd160(ripemd160(message)));
                }
            }

            #[test]
            fn no_messages() {
                assert!(Ripemd160::digest_many(&[[0; 0]; 0]).is_empty());
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                Ripemd160::digest_many_into(["", ""], &mut [Output::<Ripemd160>::default()]);
            }
        }
    };
}
generation!("digest", of_0_11, ripemd);
generation!("digest-0_10", of_0_10, ripemd_0_1);

#[cfg(all(feature = "digest", feature = "digest-0_10"))]
#[test]
fn both_generations_together() {
    let messages = vec![painted(1, 100), painted(2, 200)];
    let new: Vec<Vec<u8>> =
        digests_of::<ripemd::Ripemd160, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    let old: Vec<Vec<u8>> =
        digests_of::<ripemd_0_1::Ripemd160, _>(&messages).iter().map(|digest| digest.to_vec()).collect();
    assert_eq!(new, old);
}
