//! Hashes many messages on all cores.

use alloc::vec::Vec;

use rayon::prelude::*;

use crate::many::{HashMany, check_counts};

/// The minimum number of bytes per task: about ten microseconds of work.
const MIN_BYTES: u64 = 1 << 14;

/// Hashes many messages on all cores of the current `rayon` pool.
///
/// ```
/// use hash_lanes::{HashMany, Parallel};
/// use sha2::{Digest, Sha256};
///
/// let sha256 = |message: &[u8]| Sha256::digest(message);
/// let messages = vec![[7; 100]; 10_000];
/// assert_eq!(Parallel(sha256).hash_many(&messages), sha256.hash_many(&messages));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Parallel<H>(pub H);

impl<H: HashMany<Output: Send> + Sync> Parallel<H> {
    /// Returns the digest of each message.
    #[must_use]
    pub fn hash_many<M: AsRef<[u8]> + Sync>(&self, messages: &[M]) -> Vec<H::Output> {
        let mut digests = alloc::vec![H::zero_digest(); messages.len()];
        self.hash_many_into(messages, &mut digests);
        digests
    }

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into<M: AsRef<[u8]> + Sync>(&self, messages: &[M], digests: &mut [H::Output]) {
        check_counts(messages.len(), digests.len());
        let at_once = messages_per_task(messages);
        if messages.len() <= at_once {
            return self.0.hash_many_into(messages, digests);
        }
        messages
            .par_chunks(at_once)
            .zip(digests.par_chunks_mut(at_once))
            .for_each(|(messages, digests)| self.0.hash_many_into(messages, digests));
    }
}

/// The number of messages per task, by their average length; at least 1.
#[must_use]
pub fn messages_per_task<M: AsRef<[u8]>>(messages: &[M]) -> usize {
    let bytes: u64 = messages.iter().map(|message| message.as_ref().len().max(64) as u64).sum();
    let min = messages.len() as u64 * MIN_BYTES / bytes.max(1);
    items_per_task(messages.len(), min as usize)
}

/// The number of items per task, out of `all`: enough to fill the lanes, but few enough to balance
/// the load. `all` may be 0.
#[must_use]
pub fn items_per_task(all: usize, min: usize) -> usize {
    let tasks = 4 * rayon::current_num_threads();
    all.div_ceil(tasks).max(min).max(1).next_multiple_of(32)
}
