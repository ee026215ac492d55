//! Tests the functions that share the kernels of another: they begin with another state, and keep
//! fewer bytes.

use blake2::Digest;
use blake2_multi::{Blake2b256Lanes, Blake2s128Lanes};
use hash_lanes_testing::{backends, painted};

/// Messages of equal lengths, in every number of blocks, and of many lengths.
fn batches() -> impl Iterator<Item = Vec<Vec<u8>>> {
    let equal = [0, 1, 31, 32, 48, 63, 64, 65, 127, 128, 129, 240, 256, 300];
    let equal = equal.into_iter().flat_map(|length| {
        [1, 2, 5, 17, 70].map(|count| (0..count).map(|i| painted(i, length)).collect())
    });
    equal.chain([(0..150).map(|i| painted(i, i * 37 % 900)).collect()])
}

macro_rules! truncated {
    ($name:ident, $Lanes:ident, $Hash:ident) => {
        #[test]
        fn $name() {
            for messages in batches() {
                let expected: Vec<_> =
                    messages.iter().map(|bytes| blake2::$Hash::digest(bytes).0).collect();
                for backend in backends() {
                    let lanes = $Lanes::on(backend);
                    assert_eq!(lanes.hash_many(&messages), expected, "{backend}");
                    assert_eq!(lanes.hash(&messages[0]), expected[0], "{backend}");
                    let halves = messages.iter().map(|bytes| bytes.split_at(bytes.len() / 3));
                    assert_eq!(lanes.hash_concat_many(halves), expected, "{backend}");
                    let mut hasher = lanes.many_hasher(messages.len());
                    hasher.update_all(&messages);
                    hasher.update(0, b"more");
                    let more = [&messages[0][..], b"more"].concat();
                    let expected = blake2::$Hash::digest(more).0;
                    assert_eq!(hasher.finalize_one(0), expected, "{backend}");
                    // It begins anew.
                    assert_eq!(hasher.finalize_one(0), blake2::$Hash::digest([]).0, "{backend}");
                }
            }
        }
    };
}

truncated!(blake2s128, Blake2s128Lanes, Blake2s128);
truncated!(blake2b256, Blake2b256Lanes, Blake2b256);
