//! Tests the documented panics that only this hash has.

use sha256_multi::{
    Midstate, double_hash_many_into, double_hash_pairs_into, hash_pairs, hash_pairs_into,
};

const MESSAGES: [&str; 3] = ["a", "b", "c"];
const NODES: [[u8; 64]; 3] = [[0; 64]; 3];

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 0 digests")]
fn double_hash_many_into_none() {
    double_hash_many_into(MESSAGES, &mut []);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn hash_pairs_into_too_few() {
    hash_pairs_into(&NODES, &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 4 digests")]
fn double_hash_pairs_into_too_many() {
    double_hash_pairs_into(&NODES, &mut [[0; 32]; 4]);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 1 digests")]
fn midstate_into_too_few() {
    Midstate::new(&[0; 64]).hash_many_into(MESSAGES, &mut [[0; 32]]);
}

#[test]
#[should_panic(expected = "the length of a prefix must be a multiple of 64 bytes, not 63")]
fn prefix_of_63_bytes() {
    let _ = Midstate::new(&[0; 63]);
}

#[test]
fn prefixes_of_any_length_can_be_tried() {
    assert_eq!(Midstate::try_new(&[7; 128]), Ok(Midstate::new(&[7; 128])));
    assert_eq!(Midstate::try_new(&[0; 127]).unwrap_err().prefix_len, 127);
    assert_eq!(Midstate::try_from_words([0; 8], 1).unwrap_err().prefix_len, 1);
}

/// The length of such messages is taken modulo 2^64 bits.
#[test]
fn the_longest_prefix() {
    let messages = [vec![1; 3], vec![2; 64], vec![3; 3000]];
    let midstate = |len| Midstate::from_words([7; 8], len);
    let longest = midstate(0_u64.wrapping_sub(64)).hash_many(&messages);
    assert_eq!(longest, midstate((1 << 61) - 64).hash_many(&messages));
    let mut hasher = midstate(0_u64.wrapping_sub(64)).many_hasher(3);
    hasher.update(0, &messages[0]);
    hasher.update(1, &messages[1]);
    hasher.update(2, &messages[2]);
    assert_eq!(hasher.finalize(), longest);
}

#[test]
#[should_panic(expected = "messages do not fit into memory")]
fn more_messages_than_memory() {
    let _ = Midstate::new(&[]).many_hasher(usize::MAX);
}

#[test]
#[should_panic(expected = "3 digests are not pairs: the last has no sibling")]
fn a_digest_without_a_sibling() {
    let _ = hash_pairs(&[[0; 32]; 3]);
}

#[test]
#[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
fn more_pairs_of_digests_than_digests() {
    hash_pairs_into(&[[0; 32]; 4], &mut [[0; 32]; 1]);
}

#[test]
#[should_panic(expected = "the length of a prefix must be a multiple of 64 bytes, not 65")]
fn words_after_65_bytes() {
    let _ = Midstate::from_words([0; 8], 65);
}
