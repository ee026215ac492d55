//! Tests `OneByOne`: `HashMany` for digests without lanes.

use std::iter::repeat;

use hash_lanes::HashMany;

fn digests_of<H: HashMany>(hash: &H, messages: &[Vec<u8>]) -> Vec<H::Output> {
    hash.hash_many(messages)
}

/// Tests one generation of the digest traits.
macro_rules! generation {
    ($feature:literal, $module:ident, $sha2:ident, $OneByOne:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use hash_lanes::$OneByOne;
            use $sha2::digest::Output;
            use $sha2::{Digest, Sha512};

            use super::*;

            #[test]
            fn hashes_one_after_another() {
                let hash = $OneByOne::<Sha512>::default();
                let messages: Vec<Vec<u8>> = (0..20).map(|i| crate::painted(i, i * 29)).collect();
                let expected: Vec<Output<Sha512>> = messages.iter().map(Sha512::digest).collect();
                assert_eq!(digests_of(&hash, &messages), expected);
                let mut digests = vec![Output::<Sha512>::default(); 20];
                hash.hash_many_into(messages.iter().filter(|_| true), &mut digests);
                assert_eq!(digests, expected);
                assert!(hash.hash_many([""; 0]).is_empty());
                assert_eq!(hash.hash_many((0..2).map(|i| i.to_string()))[1], Sha512::digest("1"));
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                let mut digests = [Output::<Sha512>::default()];
                $OneByOne::<Sha512>::default().hash_many_into(["", ""], &mut digests);
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_filtered_messages() {
                let mut digests = [Output::<Sha512>::default()];
                let messages = ["", ""].into_iter().filter(|_| true);
                $OneByOne::<Sha512>::default().hash_many_into(messages, &mut digests);
            }

            #[test]
            #[should_panic(expected = "messages cannot be hashed into 3 digests")]
            fn endless_messages() {
                let mut digests = [Output::<Sha512>::default(); 3];
                $OneByOne::<Sha512>::default().hash_many_into(repeat(""), &mut digests);
            }
        }
    };
}
generation!("digest", of_0_11, sha2, OneByOne);
generation!("digest-0_10", of_0_10, sha2_0_10, OneByOne0_10);
