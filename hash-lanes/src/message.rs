//! The input of the scheduler: messages, their initial states, and whether each digest is hashed
//! again.

use core::fmt;

use arrayvec::ArrayVec;

use crate::lanes::BLOCK_BYTES;

/// The number of messages that the scheduler looks at together: a multiple of every lane count.
pub(crate) const GROUP: usize = 64;

/// The state that each message starts from: the IV of the hash, or a midstate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialState<const WORDS: usize> {
    words: [u32; WORDS],
    prefix_len: u64,
    is_iv: bool,
}

impl<const WORDS: usize> InitialState<WORDS> {
    pub(crate) const fn iv(words: [u32; WORDS]) -> Self {
        Self { words, prefix_len: 0, is_iv: true }
    }

    /// The state after a prefix of `prefix_len` bytes.
    ///
    /// # Errors
    ///
    /// Returns [`PrefixLengthError`] if `prefix_len` is not a multiple of 64.
    pub const fn after_prefix(
        words: [u32; WORDS],
        prefix_len: u64,
    ) -> Result<Self, PrefixLengthError> {
        if !prefix_len.is_multiple_of(BLOCK_BYTES as u64) {
            return Err(PrefixLengthError { prefix_len });
        }
        Ok(Self { words, prefix_len, is_iv: false })
    }

    /// The state.
    #[must_use]
    pub const fn words(&self) -> &[u32; WORDS] {
        &self.words
    }

    /// The length of the prefix in bytes, a multiple of 64.
    #[must_use]
    pub const fn prefix_len(&self) -> u64 {
        self.prefix_len
    }

    /// Whether it is the IV.
    pub(crate) const fn is_iv(&self) -> bool {
        self.is_iv
    }

    /// A message that starts from this state and ends with `bytes`.
    #[inline]
    pub(crate) const fn message<'m>(&'m self, bytes: &'m [u8]) -> Message<'m, WORDS> {
        let state = if self.is_iv { None } else { Some(&self.words) };
        Message { state, bytes, ends_after: Some(self.prefix_len) }
    }
}

/// A prefix whose length is not a multiple of the block size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefixLengthError {
    /// The length in bytes.
    pub prefix_len: u64,
}

impl fmt::Display for PrefixLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prefix_len } = self;
        write!(f, "the length of a prefix must be a multiple of 64 bytes, not {prefix_len}")
    }
}

impl core::error::Error for PrefixLengthError {}

/// A message or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to resume from, where an earlier part ended. `None`: the initial state of the
    /// hash.
    pub state: Option<&'m [u32; WORDS]>,
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes, after `n` earlier bytes, and is padded.
    /// `None`: the message continues; trailing bytes that do not fill a block are ignored.
    pub ends_after: Option<u64>,
}

impl<'m, const WORDS: usize> Message<'m, WORDS> {
    /// A complete message.
    #[must_use]
    pub const fn whole(bytes: &'m [u8]) -> Self {
        Self { state: None, bytes, ends_after: Some(0) }
    }
}

/// Whether the digest is hashed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    /// The digest of the message.
    Single,
    /// The digest of the digest, as in Bitcoin.
    Double,
}

/// The messages that the scheduler looks at together.
#[derive(Debug, Default)]
pub struct MessageGroup<'m, const WORDS: usize>(pub(crate) ArrayVec<Message<'m, WORDS>, GROUP>);

/// A source of messages, in order.
pub trait Messages<'m, const WORDS: usize> {
    /// Appends the next messages to `group` until it is full or no messages are left.
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>);
}

impl<'m, const WORDS: usize, I: Iterator<Item = Message<'m, WORDS>>> Messages<'m, WORDS> for I {
    #[inline]
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>) {
        let room = group.0.remaining_capacity();
        group.0.extend(self.take(room));
    }
}
