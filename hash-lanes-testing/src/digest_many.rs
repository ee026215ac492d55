//! Tests `DigestMany` for RustCrypto's digest types.

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
