//! Tests messages in parts after a common prefix.

use hash_lanes_testing::many_hasher::{MAX_MESSAGES, any_step, assert_finalized, take_steps};
use hash_lanes_testing::painted;
use hash_lanes_testing::proptest::prelude::*;
use sha256_multi::{Backend, Midstate};

use crate::subject::Sha256;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_parts_after_a_prefix(
        count in 0..=MAX_MESSAGES,
        blocks in 0..=3_usize,
        steps in prop::collection::vec(any_step(), 0..=30),
    ) {
        let prefix = painted(700, blocks * 64);
        for backend in Backend::available() {
            let midstate = Midstate::new(&prefix);
            let mut hasher = midstate.many_hasher_with(backend, count);
            let messages = take_steps::<Sha256>(&mut hasher, &prefix, &steps);
            assert_finalized::<Sha256>(hasher, &prefix, &messages, backend.name());
        }
    }
}
