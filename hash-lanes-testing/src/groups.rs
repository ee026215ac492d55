//! Tests messages whose lengths change within and between the scheduler's groups of 64.

use hash_lanes::HashMany;

use crate::{Batch, Subject, painted};

/// 100 of one length, then 100 of another, and one alone at the end.
pub fn two_lengths_across_groups<S: Subject<WORDS>, const WORDS: usize>() {
    for (a, b) in [(32, 33), (100, 101), (55, 56), (64, 0), (0, 300), (31, 32), (1000, 64)] {
        for first in [1, 15, 16, 63, 64, 65, 100, 128] {
            let lengths = (0..first + 100).map(|i| if i < first { a } else { b });
            Batch::<S, WORDS>::painted(lengths.chain([b + 1])).assert_hashed();
        }
    }
}

/// Messages of up to 33 bytes inside buffers of other bytes: whatever a kernel loads beyond the end
/// of a message, and whatever an earlier message left behind, must not reach the digest.
pub fn short_messages_beside_longer_neighbours<S: Subject<WORDS>, const WORDS: usize>() {
    let noise: Vec<Vec<u8>> = (0..70).map(|i| painted(3 * i + 1, 128)).collect();
    for length in 0..=33 {
        for count in [2, 3, 7, 16, 17, 33, 64, 65, 70] {
            let parts: Vec<_> =
                noise[..count].iter().map(|bytes| &bytes[20..20 + length]).collect();
            let expected: Vec<_> = parts.iter().map(|part| S::reference(part)).collect();
            for backend in crate::backends() {
                let digests = S::on(backend).hash_many(&parts);
                assert!(digests == expected, "{backend}: {count} messages of {length} bytes");
            }
        }
        // Longer before shorter ones, group after group.
        let lengths = (0..192).map(|i| {
            if i < 64 {
                33
            } else if i < 128 {
                length
            } else {
                31
            }
        });
        Batch::<S, WORDS>::painted(lengths).assert_hashed();
    }
}
