//! Tests the documented panics that every hash has.

use hash_lanes::ManyHasher;

use crate::{Subject, unwritten};

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
