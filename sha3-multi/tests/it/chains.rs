//! Chains, against a loop over `shake`.

use std::ops::Range;

use sha3_multi::{Backend, ChainLayout, XofLanes};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};

/// The bytes of a message, the value and the counter: addresses and values of SLH-DSA, every
/// alignment, and the longest messages and values.
const CASES: [(usize, Range<usize>, Range<usize>); 8] = [
    (64, 48..64, 44..48),
    (80, 56..80, 52..56),
    (96, 64..96, 60..64),
    (32, 0..32, 0..0),
    (135, 0..131, 131..135),
    (135, 5..135, 1..4),
    (20, 3..20, 0..2),
    (1, 0..1, 0..0),
];

#[test]
fn every_backend_and_layout() {
    for (len, value, counter) in CASES {
        let layout = ChainLayout::new(len, value.clone());
        let layout = if counter.is_empty() { layout } else { layout.with_counter(counter.clone()) };
        let messages: Vec<u8> = (0..19 * len).map(|i| (255 - i % 251 % 7) as u8).collect();
        let steps: Vec<u32> = (0..19).map(|i| i * 7 % 11).collect();
        let expected = |shake256: bool| {
            let mut messages = messages.clone();
            for (message, &steps) in messages.chunks_mut(len).zip(&steps) {
                for _ in 0..steps {
                    let mut digest = vec![0; value.len()];
                    if shake256 {
                        let mut hasher = Shake256::default();
                        hasher.update(message);
                        hasher.finalize_xof().read(&mut digest);
                    } else {
                        let mut hasher = Shake128::default();
                        hasher.update(message);
                        hasher.finalize_xof().read(&mut digest);
                    }
                    layout.advance(message, &digest);
                }
            }
            messages
        };
        let expected = [expected(true), expected(false)];
        for backend in Backend::available() {
            for (shake, expected) in
                [XofLanes::shake256(), XofLanes::shake128()].iter().zip(&expected)
            {
                let mut ends = messages.clone();
                shake.with_backend(backend).hash_chains(&layout, &mut ends, &steps);
                assert_eq!(&ends, expected, "{backend:?}, {len} bytes");
            }
        }
    }
}

#[test]
fn cshake_starts_with_its_prefix() {
    let cshake = XofLanes::cshake256(b"name", b"customization");
    let mut values = [[1; 32]; 3];
    cshake.hash_chains(&ChainLayout::new(32, 0..32), values.as_flattened_mut(), &[1, 0, 2]);
    let once = cshake.xof::<32>(&[1; 32]);
    assert_eq!(values, [once, [1; 32], cshake.xof(once)]);
}

#[test]
#[should_panic(expected = "a message of a chain has at most 135 bytes, not 136")]
fn two_blocks() {
    XofLanes::shake256().hash_chains(&ChainLayout::new(136, 0..32), &mut [0; 136], &[1]);
}
