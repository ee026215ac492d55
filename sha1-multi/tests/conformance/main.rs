//! Runs the tests of `hash-lanes-testing`, which every multi-lane hash must pass. The package
//! excludes them, because that crate is not published.

mod doors;
mod subject;

use hash_lanes_testing::{hmac_tests, keyed, lane_hash_tests};
#[cfg(any(feature = "sha1", feature = "sha1-0_10", feature = "sha1-checked-0_10"))]
use sha1_multi::DigestMany;

lane_hash_tests!(crate::subject::Sha1);
#[cfg(feature = "collision-detection")]
mod checked {
    hash_lanes_testing::lane_hash_tests!(crate::subject::Checked);
}
#[cfg(feature = "collision-detection")]
hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt");
// The list of this crate has doors that are not here.
#[cfg(not(feature = "collision-detection"))]
hash_lanes_testing::law_tests!(crate::doors::doors);
hmac_tests!(crate::subject::Sha1);
keyed!(subject::Sha1, 20, "sha1", sha1::Sha1, sha1_multi::Sha1Lanes);

#[cfg(feature = "sha1")]
hash_lanes_testing::digest_many_tests!(of_0_11, sha1, Sha1);
#[cfg(feature = "sha1-0_10")]
hash_lanes_testing::digest_many_tests!(of_0_10, sha1_0_10, Sha1);
#[cfg(feature = "sha1-checked-0_10")]
hash_lanes_testing::digest_many_tests!(of_checked_0_10, sha1_checked_0_10, Sha1);
