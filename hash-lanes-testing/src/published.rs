//! Tests published digests.

use crate::Subject;

/// Each message is in every lane once, and once waits for a lane.
pub fn in_every_lane<S: Subject<WORDS>, const WORDS: usize>(
    mut published: Vec<(Vec<u8>, S::Digest)>,
) {
    // One message more than the widest single group has lanes.
    let mut others = published.clone();
    others.retain(|(message, _)| message.len() < 1000);
    published.extend(others.into_iter().cycle().take(17 - published.len()));
    let hash = S::ways()[0];
    for _ in 0..published.len() {
        published.rotate_right(1);
        let messages: Vec<_> = published.iter().map(|(message, _)| message.clone()).collect();
        for backend in crate::backends() {
            let digests = (hash.hash_many)(backend, &messages);
            for (lane, (digest, (message, expected))) in digests.iter().zip(&published).enumerate()
            {
                assert_eq!(digest, expected, "{backend}, lane {lane}, {} bytes", message.len());
            }
        }
    }
}
