//! Tests hashing whole messages into digests.

use hash_lanes::Backend;
use hash_lanes::engine::{
    Hashing, InitialState, LaneHash, Message, check_counts, hash_many, hash_messages,
};

use crate::mix::{Mix, MixOnce, WORDS, naive, naive_digest, naive_hash, set_costs};
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

#[test]
fn digests_are_in_the_order_of_the_messages() {
    let messages: Vec<Vec<u8>> = (0..37).map(|i| painted(i, i * 53 % 300)).collect();
    for backend in Backend::available() {
        for costs in all_costs() {
            set_costs(costs);
            let mut digests = vec![Fingerprint::default(); messages.len()];
            let initial = InitialState::of::<Mix<true>>();
            hash_many::<Mix<true>, WORDS, _, _, _>(
                backend,
                initial,
                Hashing::Single,
                &messages,
                &mut digests,
            );
            for (digest, message) in digests.iter().zip(&messages) {
                assert_eq!(digest.0, naive_hash::<true>(message), "{backend}");
            }
        }
    }
}

#[test]
fn start_after_a_prefix() {
    let [prefix, rest] = [painted(1, 192), painted(2, 77)];
    let whole = [prefix.clone(), rest.clone()].concat();
    let iv = InitialState::of::<Mix<false>>();
    assert_eq!((iv.words(), iv.prefix_len()), (&Mix::<false>::IV, 0));
    let expected =
        naive_digest::<false>(&naive::<false>(Mix::<false>::IV, &whole, Some(0), Hashing::Double));
    for backend in Backend::available() {
        let mut reached = [0; WORDS];
        hash_messages::<Mix<false>, WORDS>(
            backend,
            Hashing::Single,
            &mut core::iter::once(Message { state: None, bytes: &prefix, ends_after: None }),
            &mut |_, rows| reached = Mix::<false>::state(&rows[0]),
        );
        let initial = InitialState::after_prefix(reached, 192).unwrap();
        assert_eq!((initial.words(), initial.prefix_len()), (&reached, 192));
        let mut digests = [[0; 32]; 3];
        hash_many::<Mix<false>, WORDS, _, _, _>(
            backend,
            initial,
            Hashing::Double,
            [&rest; 3],
            &mut digests,
        );
        assert_eq!(digests.map(Vec::from), [&expected; 3].map(Vec::clone), "{backend}");
    }
}

#[test]
fn start_within_a_block() {
    let error = InitialState::after_prefix([0; WORDS], 65).unwrap_err();
    let message = "the length of a prefix must be a multiple of 64 bytes, not 65";
    assert_eq!(error.to_string(), message);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn fewer_digests_than_messages() {
    let mut digests = [[0; 32]; 2];
    let initial = InitialState::of::<Mix<true>>();
    hash_many::<Mix<true>, WORDS, _, _, _>(
        Backend::detect(),
        initial,
        Hashing::Single,
        [b""; 3],
        &mut digests,
    );
}

/// A hash without double hashing hashes once with every kind of pass.
#[test]
fn hash_without_double_hashing() {
    let equal: Vec<Vec<u8>> = (0..37).map(|i| painted(i, 100)).collect();
    let ragged: Vec<Vec<u8>> = (0..37).map(|i| painted(i, i * 53 % 300)).collect();
    for backend in Backend::available() {
        for costs in all_costs() {
            set_costs(costs);
            for messages in [&equal, &ragged] {
                let mut digests = vec![Fingerprint::default(); messages.len()];
                let initial = InitialState::of::<MixOnce>();
                hash_many::<MixOnce, WORDS, _, _, _>(
                    backend,
                    initial,
                    Hashing::Single,
                    messages,
                    &mut digests,
                );
                for (digest, message) in digests.iter().zip(messages) {
                    assert_eq!(digest.0, naive_hash::<true>(message), "{backend}, {costs:?}");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "this hash does not support double hashing")]
fn unsupported_double_hashing() {
    let mut digests = [[0; 32]; 3];
    let initial = InitialState::of::<MixOnce>();
    hash_many::<MixOnce, WORDS, _, _, _>(
        Backend::detect(),
        initial,
        Hashing::Double,
        [b""; 3],
        &mut digests,
    );
}

#[test]
#[should_panic(expected = "this hash does not support double hashing")]
fn unsupported_double_hashing_of_no_messages() {
    let none: [&[u8]; 0] = [];
    let initial = InitialState::of::<MixOnce>();
    hash_many::<MixOnce, WORDS, _, _, [u8; 32]>(
        Backend::detect(),
        initial,
        Hashing::Double,
        none,
        &mut [],
    );
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 2 digests")]
fn more_digests_than_messages() {
    check_counts(1, 2);
}
