//! Tests hashing whole messages into digests.

use hash_lanes::Backend;
use hash_lanes::engine::{
    Again, InitialState, LaneHash, Row, Start, check_counts, hash_many, into_slice, into_vec,
};

use crate::mix::{Mix, WORDS, naive, naive_digest, naive_hash, set_costs};
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
    let initial = InitialState::of::<Mix<BIG>>();
    for messages in batches() {
        let expected: Vec<_> = messages.iter().map(|bytes| naive_hash::<BIG>(bytes)).collect();
        for backend in Backend::available() {
            for costs in all_costs() {
                set_costs(costs);
                let mut digests = vec![Fingerprint::default(); messages.len()];
                into_slice(&messages, &mut digests, |messages, sink| {
                    hash_many::<Mix<BIG>, WORDS, _>(backend, &initial, messages, sink);
                });
                let digests: Vec<_> = digests.into_iter().map(|digest| digest.0).collect();
                assert_eq!(digests, expected, "{backend}, {costs:?}");
                let digests: Vec<Fingerprint> = into_vec(&messages, |messages, sink| {
                    hash_many::<Mix<BIG>, WORDS, _>(backend, &initial, messages, sink);
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
    let iv = InitialState::of::<Mix<false>>();
    assert_eq!((iv.words(), iv.prefix_len()), (&Mix::<false>::IV, 0));
    let expected = naive_digest::<false>(&naive::<false>(Mix::<false>::IV, &whole, Some(0)));
    for backend in Backend::available() {
        let part = Start { state: None, ends_after: None };
        let reached = Mix::<false>::state(&Mix::<false>::hash_one(backend, part, &prefix));
        let initial = InitialState::after_prefix(reached, 192).unwrap();
        assert_eq!((initial.words(), initial.prefix_len()), (&reached, 192));
        for count in [1, 3, 70] {
            let digests: Vec<[u8; 32]> = into_vec(vec![&rest; count], |messages, sink| {
                hash_many::<Mix<false>, WORDS, _>(backend, &initial, messages, sink);
            });
            assert!(digests.iter().all(|digest| digest[..] == expected), "{backend}, {count}");
        }
    }
}

#[test]
fn start_within_a_block() {
    let error = InitialState::after_prefix([0; WORDS], 65).unwrap_err();
    let message = "the length of a prefix must be a multiple of 64 bytes, not 65";
    assert_eq!(error.to_string(), message);
}

/// The digest of a digest, whatever kernel computed the first; messages of 100 bytes have a kernel
/// for both.
#[test]
fn hashing_twice() {
    fn fused(_: Backend, messages: &[&[u8]], rows: &mut [Row]) -> bool {
        if messages[0].len() != 100 {
            return false;
        }
        for (row, message) in rows.iter_mut().zip(messages) {
            row.copy_from_slice(&naive_hash::<true>(message));
            row[0] ^= 1;
        }
        true
    }
    let initial = InitialState::of::<Mix<true>>();
    let twice = |message: &Vec<u8>| naive_hash::<true>(&naive_hash::<true>(message));
    let of_both = |message: &Vec<u8>| {
        let mut digest = naive_hash::<true>(message);
        digest[0] ^= 1;
        digest
    };
    for (batch, messages) in batches().iter().enumerate() {
        let reference: &dyn Fn(&Vec<u8>) -> Vec<u8> = if batch == 1 { &of_both } else { &twice };
        let expected: Vec<_> = messages.iter().map(reference).collect();
        for backend in Backend::available() {
            for costs in all_costs() {
                set_costs(costs);
                let digests: Vec<Fingerprint> = into_vec(messages, |messages, sink| {
                    Again::<Mix<true>, WORDS>::hash(backend, fused, sink, |once| {
                        hash_many::<Mix<true>, WORDS, _>(backend, &initial, messages, once);
                    });
                });
                let digests: Vec<_> = digests.into_iter().map(|digest| digest.0).collect();
                assert_eq!(digests, expected, "batch {batch}, {backend}, {costs:?}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn fewer_digests_than_messages() {
    let initial = InitialState::of::<Mix<true>>();
    into_slice([b""; 3], &mut [[0; 32]; 2], |messages, sink| {
        hash_many::<Mix<true>, WORDS, _>(Backend::detect(), &initial, messages, sink);
    });
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 2 digests")]
fn more_digests_than_messages() {
    check_counts(1, 2);
}
