//! Tests `DigestMany` for RustCrypto's digest types.

use hash_lanes::HashMany;

use crate::{Subject, backends, painted};

/// Code that is generic over the hash.
fn digests_of<H: HashMany>(hash: &H, messages: &[Vec<u8>]) -> Vec<H::Output> {
    let mut digests = vec![H::Output::default(); messages.len()];
    hash.hash_many_into(messages, &mut digests);
    assert!(digests == hash.hash_many(messages));
    digests
}

pub fn code_generic_over_the_hash<S: Subject<WORDS>, const WORDS: usize>() {
    let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
    let expected: Vec<S::Digest> = messages.iter().map(|message| S::reference(message)).collect();
    assert_eq!(digests_of(&S::Lanes::default(), &messages), expected);
    for backend in backends() {
        assert_eq!(digests_of(&S::on(backend), &messages), expected, "{backend}");
    }
}

/// Generates the `#[test]` functions for one generation of the digest traits, in the module
/// `$module`.
///
/// `$krate` is the RustCrypto crate and `$Digest` its type. `DigestMany` must be in scope.
#[macro_export]
macro_rules! digest_many_tests {
    ($module:ident, $krate:ident, $Digest:ident) => {
        mod $module {
            use $crate::painted;
            use $krate::digest::{Digest, Output};
            use $krate::$Digest;

            use super::*;

            #[test]
            fn digests_match_the_digest_type() {
                let messages: Vec<Vec<u8>> = (0..40).map(|i| painted(i, i * 19)).collect();
                let expected: Vec<Output<$Digest>> =
                    messages.iter().map(<$Digest as Digest>::digest).collect();
                let digests: Vec<Output<$Digest>> = $Digest::digest_many(&messages);
                assert_eq!(digests, expected);

                let mut digests = vec![Output::<$Digest>::default(); messages.len()];
                $Digest::digest_many_into(&messages, &mut digests);
                assert_eq!(digests, expected);
            }

            #[test]
            fn digests_can_be_hashed_again() {
                let digests = $Digest::digest_many(&$Digest::digest_many(["a", "b", "c"]));
                for (digest, message) in digests.iter().zip(["a", "b", "c"]) {
                    assert_eq!(*digest, $Digest::digest($Digest::digest(message)));
                }
            }

            #[test]
            #[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
            fn fewer_digests_than_messages() {
                $Digest::digest_many_into(["", ""], &mut [Output::<$Digest>::default()]);
            }
        }
    };
}

/// Generates a `#[test]` function that compares two generations of a digest type.
#[macro_export]
macro_rules! both_generations_test {
    ($Old:ty, $New:ty) => {
        #[test]
        fn both_generations_together() {
            let messages = [$crate::painted(1, 100), $crate::painted(2, 200)];
            let (new, old) = (<$New>::digest_many(&messages), <$Old>::digest_many(&messages));
            assert_eq!((&new[0][..], &new[1][..]), (&old[0][..], &old[1][..]));
        }
    };
}
