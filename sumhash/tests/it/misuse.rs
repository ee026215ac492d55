//! Extreme arguments and wrong counts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sumhash512::{Sumhash512Core, Sumhash512Lanes, Table, compress_many, hash_many_into};

use crate::UNWRITTEN;

/// Asserts that a job panics with a message that contains `expected`.
fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().expect("a formatted message");
    assert!(message.contains(expected), "{message}");
}

#[test]
fn counts_that_do_not_match() {
    let table = Table::constant_time();
    assert_panics("2 messages cannot be hashed into 1 digests", || {
        hash_many_into(["", ""], &mut [[0; 64]]);
    });
    assert_panics("1 messages cannot be hashed into 2 digests", || {
        Sumhash512Lanes::with_table(&table).hash_many_into([""], &mut [[0; 64]; 2]);
    });
    assert_panics("1 blocks cannot be compressed into 2 states", || {
        compress_many(&mut [[0; 64]; 2], &[[0; 64]]);
    });
    assert_panics("1 blocks cannot be compressed into 0 states", || {
        Sumhash512Lanes::with_table(&table).compress_many(&mut [], &[[0; 64]]);
    });
    assert_panics("0 blocks cannot be compressed into 1 states", || {
        compress_many(&mut [[0; 64]], &[]);
    });
}

#[test]
fn whole_blocks_as_rest() {
    for length in [64, 65] {
        let message =
            format!("`rest` is {length} bytes long, but must be shorter than a block (64 bytes)");
        assert_panics(&message, || Sumhash512Core::new().finalize(&vec![0; length]));
    }
}

/// An iterator that claims a number of messages.
struct Claims {
    claimed: usize,
    messages: std::vec::IntoIter<&'static str>,
}

impl Iterator for Claims {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        self.messages.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.claimed, Some(self.claimed))
    }
}

#[test]
fn fewer_or_more_messages_than_claimed() {
    for (claimed, actual) in [(0, 1), (1, 0), (3, 1), (100, 70), (7, 9)] {
        let messages = Claims { claimed, messages: vec!["a"; actual].into_iter() };
        let message = format!("{actual} messages cannot be hashed into {claimed} digests");
        assert_panics(&message, || hash_many_into(messages, &mut vec![UNWRITTEN; claimed]));
    }
    let endless = Claims { claimed: usize::MAX, messages: vec!["a"].into_iter() };
    assert_panics("messages cannot be hashed into 1 digests", || {
        hash_many_into(endless, &mut [UNWRITTEN]);
    });
}
