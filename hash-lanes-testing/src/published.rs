//! Tests published digests.

use crate::{Subject, unwritten};

/// Each message is in every lane once, and once waits for a lane.
pub fn in_every_lane<S: Subject<WORDS>, const WORDS: usize>(
    mut published: Vec<(Vec<u8>, S::Digest)>,
) {
    // One message more than the widest single group has lanes.
    let mut others = published.clone();
    others.retain(|(message, _)| message.len() < 1000);
    published.extend(others.into_iter().cycle().take(17 - published.len()));
    let hash_many_with = S::ways()[0].hash_many_with;
    for _ in 0..published.len() {
        published.rotate_right(1);
        let messages: Vec<_> = published.iter().map(|(message, _)| message.clone()).collect();
        for backend in crate::backends() {
            let mut digests = vec![unwritten(); published.len()];
            hash_many_with(backend, &messages, &mut digests);
            for (lane, (digest, (message, expected))) in digests.iter().zip(&published).enumerate()
            {
                assert_eq!(digest, expected, "{backend}, lane {lane}, {} bytes", message.len());
            }
        }
    }
}
