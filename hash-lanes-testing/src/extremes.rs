//! Tests the smallest, the largest and mismatched arguments. A hang, an overflow or an abort would
//! end the test program.

use std::iter::repeat;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hash_lanes::{HashMany, ManyHasher};

use crate::{Subject, backends, painted, unwritten};

/// Asserts that a job panics with a message.
pub fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    // Where a panic aborts, as in WebAssembly, nothing is left to assert.
    if cfg!(panic = "abort") {
        return;
    }
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
    assert_eq!(message, Some(expected));
}

/// An iterator with a wrong size hint.
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

/// No messages, and one.
pub fn messages<S: Subject>() {
    let lanes = S::Lanes::default();
    lanes.hash_many_into([""; 0], &mut []);
    assert_eq!(lanes.hash_many([""; 0]), []);
    assert_eq!(lanes.hash_many([""]), [S::reference(b"")]);
    for way in S::ways() {
        for backend in backends() {
            (way.hash_many_into)(backend, &[], &mut []);
            assert!((way.hash_many)(backend, &[]).is_empty());
            let digest = [(way.reference)(b"")];
            assert_eq!((way.hash_many)(backend, &[Vec::new()]), digest, "{}: {backend}", way.name);
        }
    }
}

/// Size hints that are too low or too high, for messages of 32 bytes, of 100, of mixed lengths, and
/// for a single one. The `Vec` still has a digest for each message.
pub fn hints_that_lie<S: Subject>() {
    let lanes = S::Lanes::default();
    for yielded in [0, 1, 2, 69, 71, 130] {
        for hint in [0, 1, 2, 70, 128, usize::MAX >> 6, isize::MAX as usize, usize::MAX] {
            if yielded == hint {
                continue;
            }
            for length in [|_| 32, |_| 100, |i| 64 * (i % 7)] {
                let messages: Vec<_> = (0..yielded).map(|i| painted(i, length(i))).collect();
                let expected: Vec<_> = messages.iter().map(|bytes| S::reference(bytes)).collect();
                let lying = || Lying { messages: messages.iter(), len: hint };
                assert_eq!(lanes.hash_many(lying()), expected, "{yielded}, not {hint}");
                let message = format!("{hint} messages cannot be hashed into {yielded} digests");
                let mut digests = vec![unwritten(); yielded];
                assert_panics(&message, || lanes.hash_many_into(lying(), &mut digests));
                if hint <= 128 {
                    let given = if yielded > hint {
                        format!("more than {hint}")
                    } else {
                        yielded.to_string()
                    };
                    let message = format!("{given} messages cannot be hashed into {hint} digests");
                    let mut digests = vec![unwritten(); hint];
                    assert_panics(&message, || lanes.hash_many_into(lying(), &mut digests));
                }
            }
        }
    }
}

/// An endless iterator is refused before any message is hashed, or, if its size hint does not tell,
/// after one message too many.
pub fn endless_iterators<S: Subject>() {
    for count in [0, 1, 3, 100] {
        let message = format!("{} messages cannot be hashed into {count} digests", usize::MAX);
        let mut digests = vec![unwritten(); count];
        assert_panics(&message, || S::Lanes::default().hash_many_into(repeat("x"), &mut digests));
        assert!(digests.iter().all(|digest| *digest == unwritten()));
        let message = format!("more than {count} messages cannot be hashed into {count} digests");
        let filtered = repeat("x").filter(|_| true);
        assert_panics(&message, || S::Lanes::default().hash_many_into(filtered, &mut digests));
    }
}

/// The first error of an iterator ends it: an endless rest is not hashed.
pub fn errors<S: Subject>() {
    let lanes = S::Lanes::default();
    for count in [0, 1, 2, 63, 64, 65, 200] {
        let messages: Vec<_> = (0..count).map(|i| painted(i, i * 7 % 300)).collect();
        let expected: Vec<_> = messages.iter().map(|message| S::reference(message)).collect();
        let right = messages.iter().map(Ok::<_, usize>);
        assert_eq!(lanes.try_hash_many(right.clone()), Ok(expected), "{count}");
        let wrong = right.chain([Err(count)]).chain(repeat(Err(usize::MAX)));
        assert_eq!(lanes.try_hash_many(wrong), Err(count));
    }
}

/// Other numbers of digests than of messages, and of parts than of messages.
pub fn mismatched_counts<S: Subject>() {
    let messages = ["a", "b", "c"];
    for (given, digests) in [(1, 0), (3, 1), (3, 2), (3, 4)] {
        let message = format!("{given} messages cannot be hashed into {digests} digests");
        assert_panics(&message, || {
            S::Lanes::default().hash_many_into(&messages[..given], &mut vec![unwritten(); digests]);
        });
    }
    let mut two = ManyHasher::<S::Hash>::new(2);
    for parts in [1, 3] {
        let message = format!(
            "{parts} parts for 2 messages: pass one part for each message, empty if it has no new \
             bytes"
        );
        assert_panics(&message, || two.update_all(&messages[..parts]));
    }
}

/// Hashers of no messages, of one, and of more than memory can hold.
pub fn hashers<S: Subject>() {
    let mut none = ManyHasher::<S::Hash>::new(0);
    assert_eq!((none.len(), none.is_empty()), (0, true));
    none.update_all::<&[u8]>(&[]);
    none.reset();
    assert_eq!(none.finalize(), []);

    for count in [0, 2] {
        let mut hasher = ManyHasher::<S::Hash>::new(count);
        for index in [count, usize::MAX] {
            let message = format!("message index {index} is out of range for {count} messages");
            assert_panics(&message, || hasher.update(index, b""));
            assert_panics(&message, || hasher.finalize_one(index));
        }
    }
    let mut one = ManyHasher::<S::Hash>::new(1);
    assert_eq!(one.finalize_one(0), S::reference(b""));
    (0..3).for_each(|_| one.update(0, b""));
    one.update_all(&[b""]);
    assert_eq!(one.finalize(), [S::reference(b"")]);

    for count in [0, 1, 6, 7].map(|shift| usize::MAX >> shift) {
        let message = format!("the buffers of {count} messages do not fit into memory");
        assert_panics(&message, || ManyHasher::<S::Hash>::new(count));
    }
}
