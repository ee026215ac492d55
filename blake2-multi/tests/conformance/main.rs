//! Runs the tests of `hash-lanes-testing`, which every multi-lane hash must pass. The package
//! excludes them, because that crate is not published.

mod doors;
mod reference;
mod truncated;

#[cfg(any(feature = "blake2", feature = "blake2-0_10"))]
use blake2_multi::DigestMany;

/// The tests of the function of a word that has its kernels.
macro_rules! conformance {
    ($module:ident, $Hash:ident, $Lanes:ident, $Mac:ident, $word:ident, $bytes:literal) => {
        mod $module {
            use blake2::Digest;
            use blake2::digest::{KeyInit, Mac};
            use blake2_multi::{engine, $Lanes};
            use hash_lanes::Backend;
            use hash_lanes::engine::RowOf;
            use hash_lanes_testing::{Subject, Way};

            use crate::reference;

            #[derive(Debug)]
            pub(crate) enum Tested {}

            /// With a key, and a message that may be empty.
            fn mac(message: &[u8]) -> [u8; $bytes] {
                let mac = blake2::$Mac::new_from_slice(KEY).unwrap();
                mac.chain_update(message).finalize().into_bytes().into()
            }

            const KEY: &[u8] = b"a key";

            fn keyed(backend: Backend) -> blake2_multi::Params<engine::$Hash> {
                blake2_multi::Params::new().key(KEY).on(backend)
            }

            impl Subject for Tested {
                type Digest = [u8; $bytes];
                type Hash = engine::$Hash;
                type Lanes = $Lanes;

                fn reference(message: &[u8]) -> [u8; $bytes] {
                    blake2::$Hash::digest(message).into()
                }

                fn on(backend: Backend) -> $Lanes {
                    $Lanes::on(backend)
                }

                fn ways() -> Vec<Way<[u8; $bytes]>> {
                    vec![
                        Way {
                            name: stringify!($Hash),
                            reference: Self::reference,
                            hash_many: |backend, messages| $Lanes::on(backend).hash_many(messages),
                            hash_many_into: |backend, messages, digests| {
                                $Lanes::on(backend).hash_many_into(messages, digests);
                            },
                            hash: Some(|backend, message| $Lanes::on(backend).hash(message)),
                        },
                        Way {
                            name: "keyed",
                            reference: mac,
                            hash_many: |backend, messages| keyed(backend).hash_many(messages),
                            hash_many_into: |backend, messages, digests| {
                                keyed(backend).hash_many_into(messages, digests);
                            },
                            hash: Some(|backend, message| keyed(backend).hash(message)),
                        },
                    ]
                }

                fn resumed(state: &RowOf<Self::Hash>, before: u64, message: &[u8]) -> Self::Digest {
                    reference::$word::resumed(state, before, message)
                }
            }

            hash_lanes_testing::lane_hash_tests!(crate::$module::Tested);
        }
    };
}

hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt");

conformance!(blake2s, Blake2s256, Blake2s256Lanes, Blake2sMac256, u32, 32);
conformance!(blake2b, Blake2b512, Blake2b512Lanes, Blake2bMac512, u64, 64);

#[cfg(feature = "blake2")]
hash_lanes_testing::digest_many_tests!(blake2s256_of_0_11, blake2, Blake2s256);
#[cfg(feature = "blake2")]
hash_lanes_testing::digest_many_tests!(blake2s128_of_0_11, blake2, Blake2s128);
#[cfg(feature = "blake2")]
hash_lanes_testing::digest_many_tests!(blake2b512_of_0_11, blake2, Blake2b512);
#[cfg(feature = "blake2")]
hash_lanes_testing::digest_many_tests!(blake2b256_of_0_11, blake2, Blake2b256);
#[cfg(feature = "blake2-0_10")]
hash_lanes_testing::digest_many_tests!(blake2b512_of_0_10, blake2_0_10, Blake2b512);
#[cfg(feature = "blake2-0_10")]
hash_lanes_testing::digest_many_tests!(blake2s256_of_0_10, blake2_0_10, Blake2s256);
