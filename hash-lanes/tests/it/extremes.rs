//! Tests the smallest and largest arguments.

use std::iter::{empty, repeat, repeat_n};
use std::panic::catch_unwind;

use hash_lanes::engine::{check_counts, check_hint};
use hash_lanes::{Backend, BackendError};

/// Asserts that a job panics with a message. An abort would end the test program.
fn assert_panics<T>(expected: &str, job: fn(usize) -> T, count: usize) {
    // Where a panic aborts, as in WebAssembly, nothing is left to assert.
    if cfg!(panic = "abort") {
        return;
    }
    let Err(payload) = catch_unwind(|| job(count)) else { panic!("no panic: {expected}") };
    assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some(expected));
}

#[test]
fn names() {
    for name in ["", " portable", "\0", &"avx512".repeat(100_000)] {
        assert_eq!(name.parse::<Backend>(), Err(BackendError));
    }
}

#[test]
fn counts() {
    let message = format!("0 messages cannot be hashed into {} digests", usize::MAX);
    assert_panics(&message, |digests| check_counts(0, digests), usize::MAX);
    assert_panics(&message, |digests| check_hint(&empty::<u8>(), digests), usize::MAX);
    let message = "3 messages cannot be hashed into 2 digests";
    assert_panics(message, |digests| check_hint(&repeat_n(1, 3), digests), 2);
    let message = "3 messages cannot be hashed into 4 digests";
    assert_panics(message, |digests| check_hint(&repeat_n(1, 3), digests), 4);
    // At most three.
    let some = |_: &u8| true;
    assert_panics(message, |digests| check_hint(&repeat_n(1, 3).filter(|_| true), digests), 4);
    check_hint(&repeat_n(1, 3).filter(some), 0);
    check_hint(&repeat_n(1, 3).filter(some), 3);
    let message = format!("{} messages cannot be hashed into 4 digests", usize::MAX);
    assert_panics(&message, |digests| check_hint(&repeat(1), digests), 4);
}
