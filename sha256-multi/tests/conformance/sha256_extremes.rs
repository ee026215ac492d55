//! Tests extreme arguments of the functions that only this hash has.

use hash_lanes_testing::extremes::assert_panics;
use hash_lanes_testing::stack::on_each_backend;
use sha2::{Digest as _, Sha256};
use sha256_multi::{
    Backend, Midstate, Sha256Lanes, double_hash_pairs, double_hash_pairs_into, hash_pairs,
    hash_pairs_into,
};

fn sha256(message: &str) -> [u8; 32] {
    Sha256::digest(message).into()
}

#[test]
fn nodes() {
    let none: [[u8; 64]; 0] = [];
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let lanes = Sha256Lanes::on(backend);
        lanes.hash_pairs_into(&none, &mut []);
        lanes.double_hash_pairs_into(&none, &mut []);
        assert!(lanes.hash_pairs(&[[0; 32]; 0]).is_empty());
        assert!(lanes.double_hash_pairs(&[[0; 32]; 0]).is_empty());
    }
    for (nodes, digests) in [(0, 1), (1, 0), (1, 2), (65, 64)] {
        let message = format!("{nodes} messages cannot be hashed into {digests} digests");
        let (nodes, mut digests) = (vec![[0; 64]; nodes], vec![[0; 32]; digests]);
        assert_panics(&message, || hash_pairs_into(&nodes, &mut digests));
        assert_panics(&message, || double_hash_pairs_into(&nodes, &mut digests));
    }
    let message = "1 digests are not pairs: the last has no sibling";
    assert_panics(message, || hash_pairs(&[[0; 32]]));
    assert_panics(message, || hash_pairs_into(&[[0; 32]], &mut []));
    assert_panics(message, || double_hash_pairs(&[[0; 32]]));
    assert_panics(message, || double_hash_pairs_into(&[[0; 32]], &mut [[0; 32]]));
}

#[test]
fn nodes_in_a_small_stack() {
    on_each_backend(|backend| {
        let (nodes, mut digests) = (vec![[7; 64]; 67], vec![[0; 32]; 67]);
        Sha256Lanes::on(backend).hash_pairs_into(&nodes, &mut digests);
        Sha256Lanes::on(backend).double_hash_pairs_into(&nodes, &mut digests);
    });
}

#[test]
fn midstates() {
    let of_nothing = Midstate::new(&[]);
    assert_eq!(of_nothing.hash_many(["", "a"]), [sha256(""), sha256("a")]);
    of_nothing.hash_many_into([""; 0], &mut []);
    assert!(of_nothing.many_hasher(0).finalize().is_empty());
    for count in [usize::MAX, isize::MAX as usize, usize::MAX >> 6] {
        let message = format!("the buffers of {count} messages do not fit into memory");
        assert_panics(&message, || of_nothing.many_hasher(count));
    }

    for length in [1, 63, u64::MAX] {
        assert_eq!(Midstate::try_from_words([0; 8], length).unwrap_err().prefix_len, length);
        let message =
            format!("the length of a prefix must be a multiple of 64 bytes, not {length}");
        assert_panics(&message, || Midstate::from_words([0; 8], length));
    }
    assert!(Midstate::try_from_words([u32::MAX; 8], u64::MAX - 63).is_ok());
}
