//! Tests the documented panics that every hash has.

use hash_lanes::ManyHasher;

use crate::extremes::Lying;
use crate::{Subject, painted, unwritten};

const MESSAGES: [&str; 3] = ["a", "b", "c"];

fn hasher<S: Subject<WORDS>, const WORDS: usize>(count: usize) -> ManyHasher<S::Lanes, WORDS> {
    ManyHasher::new(count)
}

pub fn hash_many_into_too_few<S: Subject<WORDS>, const WORDS: usize>() {
    S::hash_many(MESSAGES, &mut [unwritten(); 2]);
}

pub fn hash_many_into_too_many<S: Subject<WORDS>, const WORDS: usize>() {
    S::hash_many(MESSAGES, &mut [unwritten(); 4]);
}

pub fn hash_one_into_none<S: Subject<WORDS>, const WORDS: usize>() {
    S::hash_many(["a"], &mut []);
}

pub fn hash_many_into_one<S: Subject<WORDS>, const WORDS: usize>() {
    S::hash_many(MESSAGES, &mut [unwritten()]);
}

/// Hashes messages of these lengths into `len` digests, for an iterator that claims to have `len`.
fn hash_lying<S: Subject<WORDS>, const WORDS: usize>(
    lengths: impl IntoIterator<Item = usize>,
    len: usize,
) {
    let messages: Vec<_> = lengths.into_iter().map(|length| painted(length, length)).collect();
    S::hash_many(Lying { messages: messages.iter(), len }, &mut vec![unwritten(); len]);
}

pub fn fewer_of_32_bytes_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([32; 69], 70);
}

pub fn fewer_of_100_bytes_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([100; 69], 70);
}

pub fn fewer_ragged_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>((0..69).map(|i| 64 * (i % 7)), 70);
}

pub fn more_of_32_bytes_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([32; 71], 70);
}

pub fn more_of_100_bytes_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([100; 71], 70);
}

pub fn more_ragged_than_len<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>((0..71).map(|i| 64 * (i % 7)), 70);
}

pub fn none_but_a_len_of_one<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([], 1);
}

pub fn two_but_a_len_of_one<S: Subject<WORDS>, const WORDS: usize>() {
    hash_lying::<S, WORDS>([3; 2], 1);
}

pub fn update_of_a_missing_message<S: Subject<WORDS>, const WORDS: usize>() {
    hasher::<S, WORDS>(2).update(2, b"");
}

pub fn digest_of_a_missing_message<S: Subject<WORDS>, const WORDS: usize>() {
    let _ = hasher::<S, WORDS>(0).finalize_one(0);
}

pub fn fewer_parts_than_messages<S: Subject<WORDS>, const WORDS: usize>() {
    hasher::<S, WORDS>(2).update_all(&["a"]);
}

pub fn more_parts_than_messages<S: Subject<WORDS>, const WORDS: usize>() {
    hasher::<S, WORDS>(2).update_all(&MESSAGES);
}
