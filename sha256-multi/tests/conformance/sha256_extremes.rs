//! Tests extreme arguments of the functions that only this hash has.

use hash_lanes_testing::extremes::{Lying, assert_panics};
use sha2::{Digest as _, Sha256};
use sha256_multi::{
    Backend, Midstate, double_hash_many, double_hash_pairs, double_hash_pairs_with, hash,
    hash_pairs, hash_pairs_with, hmac_many, pbkdf2_many,
};

fn sha256(message: &str) -> [u8; 32] {
    Sha256::digest(message).into()
}

#[test]
fn nodes() {
    let none: [[u8; 64]; 0] = [];
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        hash_pairs_with(backend, &none, &mut []);
        double_hash_pairs_with(backend, &none, &mut []);
        hash_pairs_with::<[u8; 32]>(backend, &[], &mut []);
        double_hash_pairs_with::<[u8; 32]>(backend, &[], &mut []);
    }
    for (nodes, digests) in [(0, 1), (1, 0), (1, 2), (65, 64)] {
        let message = format!("{nodes} messages cannot be hashed into {digests} digests");
        let (nodes, mut digests) = (vec![[0; 64]; nodes], vec![[0; 32]; digests]);
        assert_panics(&message, || hash_pairs(&nodes, &mut digests));
        assert_panics(&message, || double_hash_pairs(&nodes, &mut digests));
    }
    let message = "1 digests are not pairs: the last has no sibling";
    assert_panics(message, || hash_pairs(&[[0; 32]], &mut []));
    assert_panics(message, || double_hash_pairs(&[[0; 32]], &mut [[0; 32]]));
}

#[test]
fn midstates() {
    let of_nothing = Midstate::new(&[]);
    let mut digests = [[0; 32]; 2];
    of_nothing.hash_many(["", "a"], &mut digests);
    assert_eq!(digests, [sha256(""), sha256("a")]);
    of_nothing.hash_many::<_, [u8]>([], &mut []);
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

#[test]
fn iterators_that_claim_too_much() {
    assert_eq!(hash(&[]), sha256(""));
    for len in [usize::MAX, 1] {
        let lying = || Lying { messages: std::iter::empty::<&[u8]>(), len };
        let message = format!("{len} messages cannot be hashed into 0 digests");
        assert_panics(&message, || double_hash_many(lying(), &mut []));
        assert_panics(&message, || hmac_many::<_, [u8], _, _>([], lying(), &mut []));
        assert_panics(&format!("{len} keys do not match 0 messages"), || {
            hmac_many::<_, _, _, [u8]>(lying(), [], &mut []);
        });
        let message = format!("{len} passwords, 0 salts and 0 outputs do not match");
        assert_panics(&message, || {
            pbkdf2_many::<_, _, _, [u8], [u8; 32]>(lying(), [], 1, &mut []);
        });
    }
}
