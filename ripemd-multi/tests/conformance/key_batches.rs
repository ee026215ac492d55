//! Tests batches of public keys: of one length, of both lengths, and mixed with other messages.

use hash_lanes_testing::proptest::prelude::*;

use crate::subject::Ripemd160;

type Batch = hash_lanes_testing::Batch<Ripemd160, 5>;

/// Lengths next to those of keys, and of other data with a HASH160.
#[test]
fn every_count_of_other_messages() {
    for length in [0, 20, 22, 32, 34, 64, 66, 71, 105] {
        let batch = Batch::painted([length; 70]);
        for count in 34..=70 {
            batch.assert_range_hashed(0..count);
        }
    }
}

#[test]
fn keys_of_both_lengths() {
    for count in [2, 3, 8, 9, 16, 17, 33, 64, 65, 130] {
        Batch::painted((0..count).map(|i| if i % 2 == 0 { 33 } else { 65 })).assert_hashed();
        Batch::painted((0..count).map(|i| if i < count / 2 { 65 } else { 33 })).assert_hashed();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_keys_of_one_length(
        bytes in prop::collection::vec(any::<u8>(), 0..=65 * 150),
        is_compressed in any::<bool>(),
    ) {
        let length = if is_compressed { 33 } else { 65 };
        Batch::new(bytes.chunks_exact(length).map(<[u8]>::to_vec).collect()).assert_hashed();
    }

    #[test]
    fn random_runs_of_equal_lengths(
        runs in prop::collection::vec((prop_oneof![Just(33), Just(65), 0..=130_usize], 1..=100_usize), 0..=5),
    ) {
        let lengths = runs.into_iter().flat_map(|(length, count)| std::iter::repeat_n(length, count));
        Batch::painted(lengths).assert_hashed();
    }
}
