//! Tests batches of public keys: of one length, of both lengths, and mixed with other messages.

use crate::subject::Ripemd160;

type Batch = hash_lanes_testing::Batch<Ripemd160, 5>;

/// Up to two groups of 64 keys and the beginning of a third. The other lengths are next to those of
/// keys, or those of other data with a HASH160.
#[test]
fn every_count_of_one_length() {
    for length in [33, 65, 0, 20, 22, 32, 34, 64, 66, 71, 105] {
        let is_key = length == 33 || length == 65;
        let batch = Batch::painted([length; 130]);
        for count in (34..=70).chain(if is_key { 71..=130 } else { 130..=130 }) {
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
