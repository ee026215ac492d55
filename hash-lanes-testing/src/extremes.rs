//! Tests the smallest, largest and most mismatched arguments. A hang, an overflow or an abort would
//! end the test program.

use std::iter::empty;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hash_lanes::{HashMany, ManyHasher};

use crate::{Subject, backends, unwritten};

/// Asserts that a job panics with a message.
pub fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
    assert_eq!(message, Some(expected));
}

/// An iterator with a wrong `len()`.
#[derive(Clone, Copy, Debug)]
pub struct Lying<I> {
    pub messages: I,
    pub len: usize,
}

impl<I: Iterator> Iterator for Lying<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.messages.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<I: Iterator> ExactSizeIterator for Lying<I> {}

/// No messages, one, and iterators that claim to have more than memory can hold.
pub fn messages<S: Subject<WORDS>, const WORDS: usize>() {
    let none: [&[u8]; 0] = [];
    S::hash_many(none, &mut []);
    assert_eq!(S::Lanes::hash_many(none), []);
    assert_eq!(S::Lanes::hash_many([b""]), [S::reference(b"")]);
    for way in S::ways() {
        (way.hash_many)(&[], &mut []);
        for backend in backends() {
            (way.hash_many_with)(backend, &[], &mut []);
            let mut digest = [unwritten()];
            (way.hash_many_with)(backend, &[Vec::new()], &mut digest);
            assert_eq!(digest, [(way.reference)(b"")], "{}: {backend}", way.name);
        }
    }

    for len in [usize::MAX, isize::MAX as usize, usize::MAX >> 6] {
        let lying = || Lying { messages: empty::<&[u8]>(), len };
        assert_panics(&format!("{len} messages cannot be hashed into 0 digests"), || {
            S::hash_many(lying(), &mut []);
        });
        assert_panics(&format!("the digests of {len} messages do not fit into memory"), || {
            S::Lanes::hash_many(lying())
        });
    }
    let one = Lying { messages: [b""].into_iter(), len: 0 };
    let message = "the iterator yielded 1 messages or more, more than its length of 0";
    assert_panics(message, || S::hash_many(one.clone(), &mut []));
    assert_panics(message, || S::Lanes::hash_many(one));
}

/// Hashers of no messages, of one, and of more than memory can hold.
pub fn hashers<S: Subject<WORDS>, const WORDS: usize>() {
    let mut none = ManyHasher::<S::Lanes, WORDS>::new(0);
    assert_eq!((none.len(), none.is_empty()), (0, true));
    none.update_all::<&[u8]>(&[]);
    none.reset();
    for index in [0, usize::MAX] {
        let message = format!("message index {index} is out of range for 0 messages");
        assert_panics(&message, || none.update(index, b""));
        assert_panics(&message, || none.finalize_one(index));
    }
    assert_panics(
        "1 parts for 0 messages: pass one part for each message, empty if it has no new bytes",
        || none.update_all(&[b""]),
    );
    assert_eq!(none.finalize(), []);

    let mut one = ManyHasher::<S::Lanes, WORDS>::new(1);
    assert_eq!(one.finalize_one(0), S::reference(b""));
    (0..3).for_each(|_| one.update(0, b""));
    one.update_all(&[b""]);
    assert_eq!(one.finalize(), [S::reference(b"")]);

    for count in [0, 1, 6, 7].map(|shift| usize::MAX >> shift) {
        let message = format!("the buffers of {count} messages do not fit into memory");
        assert_panics(&message, || ManyHasher::<S::Lanes, WORDS>::new(count));
    }
}
