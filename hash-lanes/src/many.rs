//! Whole messages in, digests out.

use crate::backend::Backend;
use crate::hash::LaneHash;
use crate::lanes::BLOCK_BYTES;
use crate::message::{Message, Times};

/// Where the hashing of a message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start<const WORDS: usize> {
    state: [u32; WORDS],
    bytes: u64,
}

impl<const WORDS: usize> Start<WORDS> {
    /// The start of a message of hash `H`.
    #[must_use]
    pub const fn of<H: LaneHash<WORDS>>() -> Self {
        Self { state: H::IV, bytes: 0 }
    }

    /// The state after a prefix of `bytes` bytes.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is not a multiple of 64.
    #[track_caller]
    #[must_use]
    pub fn after_prefix(state: [u32; WORDS], bytes: u64) -> Self {
        assert!(
            bytes.is_multiple_of(BLOCK_BYTES as u64),
            "a prefix of {bytes} bytes is no whole number of 64-byte blocks"
        );
        Self { state, bytes }
    }

    /// The state: the hash's IV, or the state after a prefix.
    #[must_use]
    pub const fn state(&self) -> &[u32; WORDS] {
        &self.state
    }

    /// How many bytes of the message are in that state already; a multiple of 64.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Hashes each message, all beginning at `start`, into the digest at its own place.
///
/// # Panics
///
/// If there are not as many digests as messages.
#[track_caller]
pub fn hash_many<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    start: Start<WORDS>,
    times: Times,
    messages: I,
    digests: &mut [D],
) where
    H: LaneHash<WORDS>,
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: From<H::Digest>,
{
    let messages = messages.into_iter();
    check_counts(messages.len(), digests.len());
    H::hash_messages(
        backend,
        times,
        &mut messages.map(|message| Message {
            state: &start.state,
            bytes: message.as_ref(),
            ends_after: Some(start.bytes),
        }),
        &mut |index, state| digests[index] = H::digest(state).into(),
    );
}

/// Panics unless there is a digest for each message.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
