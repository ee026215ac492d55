//! Tests hashing whole messages into digests.

use hash_lanes::Backend;
use hash_lanes::engine::{
    CompiledHash, LaneHash, Start, check_counts, hash_again, hash_into, into_slice, into_vec,
};

use crate::mix::{Mix, naive, naive_digest, naive_hash, set_costs};
use crate::{all_costs, painted};

/// A digest type defined by the caller.
#[derive(Clone, Debug, PartialEq)]
struct Fingerprint(Vec<u8>);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(vec![0; 32])
    }
}

impl AsMut<[u8]> for Fingerprint {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Messages of one length, of many, and of both.
fn batches() -> [Vec<Vec<u8>>; 4] {
    let batch =
        |count, length: fn(usize) -> usize| (0..count).map(|i| painted(i, length(i))).collect();
    [
        batch(37, |i| i * 53 % 300),
        batch(37, |_| 100),
        batch(200, |i| if i < 100 { 32 } else { i }),
        batch(200, |i| if i < 70 { i } else { 32 }),
    ]
}

fn assert_hashed<const BIG: bool>() {
    for messages in batches() {
        let expected: Vec<_> = messages.iter().map(|bytes| naive_hash::<BIG>(bytes)).collect();
        for backend in Backend::available() {
            for costs in all_costs() {
                set_costs(costs);
                let mut digests = vec![Fingerprint::default(); messages.len()];
                into_slice(&messages, &mut digests, |messages, sink| {
                    hash_into::<Mix<BIG>>(backend, Start::WHOLE, messages, sink);
                });
                let digests: Vec<_> = digests.into_iter().map(|digest| digest.0).collect();
                assert_eq!(digests, expected, "{backend}, {costs:?}");
                let zero = Fingerprint::default();
                let digests = into_vec(&messages, &zero, |messages, sink| {
                    hash_into::<Mix<BIG>>(backend, Start::WHOLE, messages, sink);
                });
                let digests: Vec<_> = digests.into_iter().map(|digest| digest.0).collect();
                assert_eq!(digests, expected, "{backend}, {costs:?}");
            }
        }
    }
}

#[test]
fn digests_are_in_the_order_of_the_messages() {
    assert_hashed::<true>();
    assert_hashed::<false>();
}

#[test]
fn start_after_a_prefix() {
    let [prefix, rest] = [painted(1, 192), painted(2, 77)];
    let whole = [prefix.clone(), rest.clone()].concat();
    let expected = naive_digest::<false>(&naive::<false>(Mix::<false>::IV, &whole, Some(0)));
    for backend in Backend::available() {
        let part = Start::continuing(None, 0);
        let reached = Mix::<false>::hash_one(backend, part, &prefix);
        let start = Start::ending(Some(&reached), 192);
        for count in [1, 3, 70] {
            let digests = into_vec(vec![&rest; count], &[0; 32], |messages, sink| {
                hash_into::<Mix<false>>(backend, start, messages, sink);
            });
            assert!(digests.iter().all(|digest| digest[..] == expected), "{backend}, {count}");
        }
    }
}

#[test]
fn hashing_twice() {
    for count in [0, 1, 2, 16, 63, 64, 65, 130] {
        let rows: Vec<[u8; 32]> = (0..count).map(|i| painted(i, 32).try_into().unwrap()).collect();
        let expected: Vec<_> = rows.iter().map(|row| naive_hash::<true>(row)).collect();
        for backend in Backend::available() {
            for costs in all_costs() {
                set_costs(costs);
                let mut rows = rows.clone();
                hash_again::<Mix<true>>(backend, &mut rows);
                let rows: Vec<_> = rows.iter().map(|row| row.to_vec()).collect();
                assert_eq!(rows, expected, "{count}, {backend}, {costs:?}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn fewer_digests_than_messages() {
    into_slice([b""; 3], &mut [[0; 32]; 2], |messages, sink| {
        hash_into::<Mix<true>>(Backend::detect(), Start::WHOLE, messages, sink);
    });
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 2 digests")]
fn more_digests_than_messages() {
    check_counts(1, 2);
}
