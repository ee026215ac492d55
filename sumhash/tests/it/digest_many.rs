//! `DigestMany` for the digest types.

use sumhash512::DigestMany;
#[cfg(feature = "digest")]
use sumhash512::HashMany;

use crate::painted;

/// Code that is generic over the hash.
#[cfg(feature = "digest")]
fn digests_of<H: HashMany>(hash: H, messages: &[Vec<u8>]) -> Vec<H::Output> {
    hash.hash_many(messages)
}

/// Tests a digest type of one generation.
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
            }

            #[test]
            fn no_messages() {
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

#[cfg(feature = "digest")]
#[test]
fn code_generic_over_the_hash() {
    use sumhash512::Sumhash512Lanes;

    let messages: Vec<Vec<u8>> = (0..20).map(|i| painted(i, i * 19)).collect();
    let expected = sumhash512::Sumhash512::digest_many(&messages);
    for backend in hash_lanes::Backend::available() {
        let hash = Sumhash512Lanes::default().on(backend);
        assert_eq!(digests_of(hash, &messages), expected, "{backend}");
    }
}
