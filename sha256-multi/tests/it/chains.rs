//! Chains, against a loop over `sha2`.

use std::ops::Range;

use sha2::{Digest, Sha256};
use sha256_multi::{Backend, ChainLayout, Midstate, Sha256Lanes};

/// A layout, by the bytes of a message, the value and the counter.
struct Case(usize, Range<usize>, Range<usize>);

/// Every alignment of values and counters, before and after each other, and the longest message.
const CASES: [Case; 13] = [
    Case(32, 0..32, 0..0),
    Case(55, 23..55, 22..23),
    Case(38, 22..38, 18..22),
    Case(46, 22..46, 18..22),
    Case(54, 22..54, 18..22),
    Case(36, 4..36, 0..4),
    Case(36, 0..32, 32..36),
    Case(40, 1..33, 33..36),
    Case(55, 3..34, 0..2),
    Case(55, 10..11, 54..55),
    Case(20, 7..20, 1..5),
    Case(5, 2..5, 0..1),
    Case(1, 0..1, 0..0),
];

impl Case {
    fn layout(&self) -> ChainLayout {
        let layout = ChainLayout::new(self.0, self.1.clone());
        if self.2.is_empty() { layout } else { layout.with_counter(self.2.clone()) }
    }

    /// The message after `steps` steps, by the definition.
    fn advanced(&self, prefix: &[u8], mut message: Vec<u8>, steps: u32) -> Vec<u8> {
        for _ in 0..steps {
            let digest = Sha256::new().chain_update(prefix).chain_update(&message).finalize();
            message[self.1.clone()].copy_from_slice(&digest[..self.1.len()]);
            let counter = self.2.clone().map(|i| u64::from(message[i]));
            let next = counter.fold(0, |number, byte| number << 8 | byte) + 1;
            let bytes = next.to_be_bytes();
            message[self.2.clone()].copy_from_slice(&bytes[8 - self.2.len()..]);
        }
        message
    }
}

/// Messages that repeat with a prime period; some counters wrap.
fn messages(len: usize, count: usize) -> Vec<u8> {
    (0..len * count).map(|i| (255 - i % 251 % 7) as u8).collect()
}

#[test]
fn every_backend_counts_and_layout() {
    for backend in Backend::available() {
        for (number, case) in CASES.iter().enumerate() {
            let counts = if number == 0 { (0..=33).collect() } else { vec![1, 19, 40] };
            for count in counts {
                let start = messages(case.0, count);
                let steps: Vec<u32> = (0..count as u32).map(|i| i * 7 % 11).collect();
                let mut ends = start.clone();
                Sha256Lanes::on(backend).hash_chains(&case.layout(), &mut ends, &steps);
                let expected: Vec<u8> = start
                    .chunks(case.0)
                    .zip(&steps)
                    .flat_map(|(message, &steps)| case.advanced(&[], message.to_vec(), steps))
                    .collect();
                assert_eq!(ends, expected, "{backend:?}, case {number}, {count} chains");
            }
        }
    }
}

#[test]
fn after_a_prefix_each() {
    let prefixes: Vec<[u8; 64]> = (0..40).map(|key| [key; 64]).collect();
    let midstates: Vec<Midstate> = prefixes.iter().map(|prefix| Midstate::new(prefix)).collect();
    for backend in Backend::available() {
        for count in [0, 1, 4, 5, 16, 33, 40] {
            let case = &CASES[2];
            let start = messages(case.0, count);
            let steps: Vec<u32> = (0..count as u32).map(|i| i * 7 % 11).collect();
            let mut ends = start.clone();
            let (states, layout) = (&midstates[..count], case.layout());
            Midstate::hash_chains_after_each(backend, states, &layout, &mut ends, &steps);
            let each = start.chunks(case.0).zip(&prefixes).zip(&steps);
            let expected: Vec<u8> = each
                .flat_map(|((message, prefix), &steps)| {
                    case.advanced(prefix, message.to_vec(), steps)
                })
                .collect();
            assert_eq!(ends, expected, "{backend:?}, {count} chains");
        }
    }
}

#[test]
#[should_panic(expected = "one prefix has 64 bytes, another 128")]
fn misuse_of_prefixes() {
    let prefixes = [Midstate::new(&[0; 64]), Midstate::new(&[0; 128])];
    let layout = ChainLayout::new(32, 0..32);
    Midstate::hash_chains_after_each(Backend::detect(), &prefixes, &layout, &mut [0; 64], &[1, 1]);
}

#[test]
fn after_a_prefix() {
    let prefix = [5; 128];
    let midstate = Midstate::new(&prefix);
    for backend in Backend::available() {
        let case = &CASES[2];
        let start = messages(case.0, 37);
        let steps: Vec<u32> = (0..37).map(|i| 15 - i % 16).collect();
        let mut ends = start.clone();
        midstate.hash_chains_with(backend, &case.layout(), &mut ends, &steps);
        for ((end, message), &steps) in ends.chunks(case.0).zip(start.chunks(case.0)).zip(&steps) {
            assert_eq!(end, case.advanced(&prefix, message.to_vec(), steps), "{backend:?}");
        }
    }
}

#[test]
#[should_panic(expected = "2 chains have messages of 32 bytes each, not 65 bytes together")]
fn other_number_of_messages() {
    sha256_multi::hash_chains(&ChainLayout::new(32, 0..32), &mut [0; 65], &[1, 1]);
}

#[test]
#[should_panic(expected = "a message of a chain has at most 55 bytes, not 56")]
fn two_blocks() {
    sha256_multi::hash_chains(&ChainLayout::new(56, 0..32), &mut [0; 56], &[1]);
}

#[test]
#[should_panic(expected = "a value of 33 bytes is longer than a digest, 32 bytes")]
fn value_longer_than_a_digest() {
    sha256_multi::hash_chains(&ChainLayout::new(40, 0..33), &mut [0; 40], &[1]);
}

#[test]
#[should_panic(expected = "the counter, bytes 3..5, overlaps the value, bytes 4..36")]
fn overlap() {
    let _ = ChainLayout::new(40, 4..36).with_counter(3..5);
}

#[test]
fn chains_from_outside_are_refused() {
    let layout = |len, value, counter| ChainLayout::try_new(len, value, counter);
    let plain = ChainLayout::new(38, 22..38);
    assert_eq!(layout(38, 22..38, None).as_ref(), Ok(&plain));
    assert_eq!(layout(38, 22..38, Some(18..22)), Ok(plain.clone().with_counter(18..22)));
    let wrong = [
        (layout(32, 0..33, None), "the value is in the bytes 0..33 of 32"),
        (layout(32, 5..5, None), "the value is in the bytes 5..5 of 32"),
        (layout(0, 0..0, None), "the value is in the bytes 0..0 of 0"),
        (layout(40, 0..32, Some(38..41)), "the counter is in the bytes 38..41 of 40"),
        (layout(40, 0..32, Some(34..34)), "the counter is in the bytes 34..34 of 40"),
        (layout(40, 0..32, Some(32..37)), "a counter of 5 bytes: at most 4"),
        (layout(40, 2..34, Some(0..3)), "the counter, bytes 0..3, overlaps the value, bytes 2..34"),
    ];
    for (result, message) in wrong {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    for (len, value_len, steps, message) in [
        (38, 16, 3, "3 chains have messages of 38 bytes each, not 76 bytes together"),
        (40, 33, 2, "a value of 33 bytes is longer than a digest, 32 bytes"),
        (56, 32, 2, "a message of a chain has at most 55 bytes, not 56"),
        (usize::MAX / 2, 32, 2, "chains have messages"),
    ] {
        let mut messages = vec![7; 2 * len.min(100)];
        let layout = ChainLayout::new(len, 0..value_len);
        let error = sha256_multi::try_hash_chains(&layout, &mut messages, &vec![1; steps]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(messages.iter().all(|&byte| byte == 7), "{error}");
    }
    let (mut tried, mut hashed) = ([5; 76], [5; 76]);
    assert_eq!(sha256_multi::try_hash_chains(&plain, &mut tried, &[2, 9]), Ok(()));
    sha256_multi::hash_chains(&plain, &mut hashed, &[2, 9]);
    assert_eq!(tried, hashed);
}
