//! Tests arguments so large that memory, or the address space, ends.

use std::panic::catch_unwind;

use hash_lanes::ManyHasher;
use hash_lanes::engine::collect_digests;

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
