//! Tests every kind of message: owned and borrowed, from iterators of known and unknown length.

use std::thread;

use hash_lanes::HashMany;

use crate::{Subject, backends, painted, unwritten};

pub fn borrowed<S: Subject<WORDS>, const WORDS: usize>() {
    let bytes = painted(5, 1000);
    let digests = S::Lanes::default().hash_many(bytes.chunks(96));
    assert_eq!(digests, bytes.chunks(96).map(S::reference).collect::<Vec<_>>());

    let arrays = [[1_u8; 48], [2; 48], [3; 48]];
    let digests = S::Lanes::default().hash_many(&arrays[..]);
    assert_eq!(digests, arrays.map(|array| S::reference(&array)));

    let texts = [String::from("a"), String::from("bc"), String::new()];
    let digests = S::Lanes::default().hash_many(texts.iter().rev());
    assert_eq!(digests, ["", "bc", "a"].map(|text| S::reference(text.as_bytes())));
}

/// Messages that are dropped as soon as they are hashed: a digest of bytes that were freed before
/// would be wrong, and equal messages would share one buffer.
pub fn owned<S: Subject<WORDS>, const WORDS: usize>() {
    let text = |i: usize| format!("message {i}{}", ".".repeat(i * 37 % 300));
    let equal = |i: usize| painted(i, 100);
    let key = |i: usize| -> [u8; 33] { painted(i, 33).try_into().unwrap() };
    let block = |i: usize| -> [u8; 4096] { painted(i, 4096).try_into().unwrap() };
    for count in [0, 1, 2, 63, 64, 65, 200] {
        let texts: Vec<_> = (0..count).map(|i| S::reference(text(i).as_bytes())).collect();
        let equals: Vec<_> = (0..count).map(|i| S::reference(&equal(i))).collect();
        let keys: Vec<_> = (0..count).map(|i| S::reference(&key(i))).collect();
        let blocks: Vec<_> = (0..count).map(|i| S::reference(&block(i))).collect();
        for backend in backends() {
            let lanes = S::on(backend);
            assert_eq!(lanes.hash_many((0..count).map(text)), texts, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(equal)), equals, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(key)), keys, "{backend}, {count}");
            assert_eq!(lanes.hash_many((0..count).map(block)), blocks, "{backend}, {count}");
        }
    }
}

/// Iterators that do not know how many messages they yield.
pub fn filtered<S: Subject<WORDS>, const WORDS: usize>() {
    for count in [0, 1, 2, 63, 64, 65, 127, 128, 129, 200] {
        let messages: Vec<_> = (0..2 * count).map(|i| painted(i, i % 131)).collect();
        let odd = || messages.iter().filter(|message| message.len() % 131 % 2 == 1);
        let expected: Vec<_> = odd().map(|message| S::reference(message)).collect();
        for backend in backends() {
            assert_eq!(S::on(backend).hash_many(odd()), expected, "{backend}, {count}");
            let mut digests = vec![unwritten(); expected.len()];
            S::on(backend).hash_many_into(odd(), &mut digests);
            assert_eq!(digests, expected, "{backend}, {count}");
        }
    }
}

/// A group of 64 such messages, held by value, would take 4 MiB of stack.
pub fn arrays_larger_than_the_stack<S: Subject<WORDS>, const WORDS: usize>() {
    /// The arrays on their way into the heap, in a build without optimisation.
    const STACK: usize = 2 << 20;
    let hash = || {
        let message = |i: usize| [i as u8; 1 << 16];
        let digests = S::Lanes::default().hash_many((0..70).map(message));
        for (i, digest) in digests.iter().enumerate() {
            assert_eq!(*digest, S::reference(&vec![i as u8; 1 << 16]), "message {i}");
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(hash).unwrap().join().unwrap();
}
