//! Runs the tests of `hash-lanes-testing`, which every multi-lane hash must pass. The package
//! excludes them, because that crate is not published.

mod doors;
mod hash160;
mod subject;

use hash_lanes_testing::lane_hash_tests;
#[cfg(any(feature = "ripemd", feature = "ripemd-0_1"))]
use ripemd_multi::DigestMany;

lane_hash_tests!(crate::subject::Ripemd160);
hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt");

#[cfg(feature = "ripemd")]
hash_lanes_testing::digest_many_tests!(of_0_11, ripemd, Ripemd160);
#[cfg(feature = "ripemd-0_1")]
hash_lanes_testing::digest_many_tests!(of_0_10, ripemd_0_1, Ripemd160);
