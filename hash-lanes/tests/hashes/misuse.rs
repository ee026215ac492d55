//! The panics that the documentation names, as far as every hash has them.

use crate::UNWRITTEN;
use crate::subject::{ManyHasher, hash_many};

const MESSAGES: [&str; 3] = ["a", "b", "c"];

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn hash_many_into_too_few() {
    hash_many(MESSAGES, &mut [UNWRITTEN; 2]);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 4 digests")]
fn hash_many_into_too_many() {
    hash_many(MESSAGES, &mut [UNWRITTEN; 4]);
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 0 digests")]
fn hash_one_into_none() {
    hash_many(["a"], &mut []);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 1 digests")]
fn hash_many_into_one() {
    hash_many(MESSAGES, &mut [UNWRITTEN]);
}

#[test]
#[should_panic(expected = "no message 2 among 2")]
fn update_of_a_message_that_is_not_there() {
    ManyHasher::new(2).update(2, b"");
}

#[test]
#[should_panic(expected = "no message 0 among 0")]
fn digest_of_a_message_that_is_not_there() {
    let _ = ManyHasher::new(0).finalize_one(0);
}

#[test]
#[should_panic(expected = "1 parts for 2 messages")]
fn fewer_parts_than_messages() {
    ManyHasher::new(2).update_all(&["a"]);
}

#[test]
#[should_panic(expected = "3 parts for 2 messages")]
fn more_parts_than_messages() {
    ManyHasher::new(2).update_all(&MESSAGES);
}
