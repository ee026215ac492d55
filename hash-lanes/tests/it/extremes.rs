//! Tests the smallest and largest arguments.

use std::iter::{empty, once};
use std::panic::catch_unwind;

use hash_lanes::engine::{
    InitialState, check_counts, check_end, check_yielded, collect_digests, exactly,
};
use hash_lanes::{Backend, BackendError, ManyHasher};

use crate::mix::{Mix, WORDS};

/// Asserts that a job panics with a message. An abort would end the test program.
fn assert_panics<T>(expected: &str, job: fn(usize) -> T, count: usize) {
    let Err(payload) = catch_unwind(|| job(count)) else { panic!("no panic: {expected}") };
    assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some(expected));
}

#[test]
fn hashers_of_more_messages_than_memory() {
    for count in [0, 1, 6, 7].map(|shift| usize::MAX >> shift) {
        let message = format!("the buffers of {count} messages do not fit into memory");
        assert_panics(&message, ManyHasher::<Mix<true>, WORDS>::new, count);
    }
}

#[test]
#[cfg(target_pointer_width = "64")]
fn more_digests_than_memory() {
    for count in [usize::MAX, isize::MAX as usize, 1 << 57, 1 << 50] {
        let message = format!("the digests of {count} messages do not fit into memory");
        let collect = |count| {
            let none = |_, _: &mut [[u8; 32]]| unreachable!("there is no memory for the digests");
            collect_digests(std::iter::repeat_n("", count), none)
        };
        assert_panics(&message, collect, count);
    }
}

#[test]
fn names_prefixes_and_counts() {
    for name in ["", " portable", "\0", &"avx512".repeat(100_000)] {
        assert_eq!(name.parse::<Backend>(), Err(BackendError));
    }
    assert!(InitialState::after_prefix([u32::MAX; WORDS], u64::MAX - 63).is_ok());
    let error = InitialState::after_prefix([0; WORDS], u64::MAX).unwrap_err();
    assert_eq!(error.prefix_len, u64::MAX);

    let first = |len| exactly(empty::<u8>(), len).next();
    assert_eq!(first(0), None);
    let message =
        format!("the iterator yielded 0 messages, fewer than its length of {}", usize::MAX);
    assert_panics(&message, first, usize::MAX);
    let message = format!("0 messages cannot be hashed into {} digests", usize::MAX);
    assert_panics(&message, |digests| check_counts(0, digests), usize::MAX);
    check_yielded(usize::MAX, 0);
    check_end(&mut empty::<u8>(), usize::MAX);
    let more = |len| check_end(&mut once(1), len);
    let message = format!(
        "the iterator yielded {0} messages or more, more than its length of {0}",
        usize::MAX
    );
    assert_panics(&message, more, usize::MAX);
}
