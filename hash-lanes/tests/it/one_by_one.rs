//! Tests `OneByOne`: `HashMany` for digests without lanes.

use hash_lanes::{Backend, HashMany};

fn digests_of<H: HashMany>(messages: &[Vec<u8>]) -> Vec<H::Output> {
    H::hash_many(messages)
}

/// Tests one generation of the digest traits.
macro_rules! generation {
    ($feature:literal, $module:ident, $sha2:ident, $OneByOne:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use hash_lanes::$OneByOne;
            use $sha2::{Digest, Sha512};

            use super::*;

            #[test]
            fn hashes_one_after_another() {
                let messages: Vec<Vec<u8>> = (0..20).map(|i| crate::painted(i, i * 29)).collect();
                let digests: Vec<$sha2::digest::Output<Sha512>> =
                    digests_of::<$OneByOne<Sha512>>(&messages);
                let expected: Vec<_> = messages.iter().map(Sha512::digest).collect();
                assert_eq!(digests, expected);
                assert!($OneByOne::<Sha512>::hash_many(&[[0; 0]; 0]).is_empty());
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                let mut digests = [Default::default()];
                $OneByOne::<Sha512>::hash_many_into_with(Backend::detect(), ["", ""], &mut digests);
            }
        }
    };
}
generation!("digest", of_0_11, sha2, OneByOne);
generation!("digest-0_10", of_0_10, sha2_0_10, OneByOne0_10);
