//! Chains, against a loop over `sha2`.

use sha2::{Digest, Sha512};
use sha512_multi::{Backend, ChainLayout, Sha512Lanes};

#[test]
fn every_backend_and_layout() {
    // The bytes of a message, the value and the counter.
    let cases = [(64, 0..64, 0..0), (111, 47..111, 44..47), (70, 3..67, 67..70), (20, 7..20, 1..5)];
    for (len, value, counter) in cases {
        let layout = ChainLayout::new(len, value.clone());
        let layout = if counter.is_empty() { layout } else { layout.with_counter(counter.clone()) };
        let messages: Vec<u8> = (0..19 * len).map(|i| (255 - i % 251 % 7) as u8).collect();
        let mut steps: Vec<u32> = (0..19).map(|i| i * 7 % 11).collect();
        // More than a byte of a counter holds.
        (steps[3], steps[7], steps[12]) = (300, 256, 1000);
        let mut expected = messages.clone();
        for (message, &steps) in expected.chunks_mut(len).zip(&steps) {
            for _ in 0..steps {
                layout.advance(message, &Sha512::digest(&*message));
            }
        }
        for backend in Backend::available() {
            let mut ends = messages.clone();
            Sha512Lanes::on(backend).hash_chains(&layout, &mut ends, &steps);
            assert_eq!(ends, expected, "{backend:?}, {len} bytes");
        }
    }
}
