//! Runs the tests of `hash-lanes-testing`, which every multi-lane hash must pass. The package
//! excludes them, because that crate is not published.

mod after_prefix;
mod doors;
mod sha256_extremes;
mod subject;

use hash_lanes_testing::{hmac_tests, keyed, lane_hash_tests};
#[cfg(any(feature = "sha2", feature = "sha2-0_10"))]
use sha256_multi::DigestMany;

lane_hash_tests!(crate::subject::Sha256);
hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt", "../../../hash-lanes/api.txt");
hmac_tests!(crate::subject::Sha256);
keyed!(subject::Sha256, 32, "sha256", sha2::Sha256, sha256_multi::Sha256Lanes);

#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(of_0_11, sha2, Sha256);
#[cfg(feature = "sha2")]
hash_lanes_testing::digest_many_tests!(sha224_of_0_11, sha2, Sha224);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(of_0_10, sha2_0_10, Sha256);
#[cfg(feature = "sha2-0_10")]
hash_lanes_testing::digest_many_tests!(sha224_of_0_10, sha2_0_10, Sha224);
