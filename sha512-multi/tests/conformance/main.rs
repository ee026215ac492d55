//! Runs the tests of `hash-lanes-testing`, which every multi-lane hash must pass. The package
//! excludes them, because that crate is not published.

mod doors;
mod subject;
mod truncated;

use hash_lanes_testing::{hmac_tests, keyed, lane_hash_tests};
#[cfg(any(feature = "sha2", feature = "sha2-0_10"))]
use sha512_multi::DigestMany;

lane_hash_tests!(crate::subject::Sha512);
hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt");
hmac_tests!(crate::subject::Sha512);
keyed!(subject::Sha512, 64, "sha512", sha2::Sha512, sha512_multi::Sha512Lanes);

#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(of_0_11, sha2, Sha512);
#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(sha384_of_0_11, sha2, Sha384);
#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(sha512_256_of_0_11, sha2, Sha512_256);
#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(sha512_224_of_0_11, sha2, Sha512_224);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(of_0_10, sha2_0_10, Sha512);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(sha384_of_0_10, sha2_0_10, Sha384);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(sha512_256_of_0_10, sha2_0_10, Sha512_256);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(sha512_224_of_0_10, sha2_0_10, Sha512_224);
