//! Tests hashing one message without the scheduler.

use crate::{Subject, painted};

pub fn every_length<S: Subject<WORDS>, const WORDS: usize>() {
    let ways = S::single_ways();
    assert!(!ways.is_empty(), "`Subject::single_ways` is empty: nothing to test");
    for length in (0..=200).chain([247, 248, 255, 256, 257, 1000, 4096, 4159, 70_000]) {
        let message = painted(length, length);
        for way in &ways {
            let expected = (way.reference)(&message);
            for backend in crate::backends() {
                let digest = (way.hash)(backend, &message);
                assert_eq!(digest, expected, "{}, {backend}, {length} bytes", way.name);
            }
        }
    }
}
